"""One attempt: what is sent, how the answer is understood, and what is not done."""

import hashlib
import hmac
import re
import ssl
from collections.abc import AsyncIterator
from typing import Any

import pytest
import trustme
from webhooks.receiver import BROKEN, OK, SILENCE, Receiver, receiving

from palatine_protocol.spec import README
from palatine_server.webhooks.delivery import WebhookSender
from palatine_server.webhooks.registrations import Registration
from palatine_server.webhooks.signatures import sign_body
from palatine_server.webhooks.url_policy import UrlPolicy

NOW = 1_772_700_000_999
BODY = b'{"event":"your_turn","id":"t:0:1"}'
HERE = ["127.0.0.0/8"]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


def sender(*, patience: float = 10.0, networks: Any = HERE, tls: Any = None, **names: list[str]) -> WebhookSender:
    """A sender for which hosts have these addresses, or else are addresses."""

    async def resolve(host: str, port: int) -> list[str]:
        return names.get(host.replace(".", "_"), [host])

    return WebhookSender(UrlPolicy(["https", "http"], networks, resolve), lambda: NOW, tls, patience)


def hook(url: str) -> Registration:
    return Registration(url, "palatine_webhook_secret", 0)


# Signatures


@pytest.mark.parametrize(
    ("secret", "body", "at", "expected"),
    [
        (
            "palatine_webhook_secret",
            b"{}",
            1_772_700_000,
            "t=1772700000,v1=5af324f2e66e94fcdbad9705f1a684fb95813efeddacce80b77cb54b806fa4dc",
        ),
    ],
)
def test_signatures_are_as_the_vectors_say(secret: str, body: bytes, at: int, expected: str) -> None:
    assert sign_body(secret, body, at) == expected


def test_signatures_are_checked_by_the_code_on_the_page() -> None:
    (code,) = re.findall(r"^```python\n(import hashlib.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    page: dict[str, Any] = {}
    exec(code, page)
    header, now = sign_body("secret", BODY, 1_772_700_000), 1_772_700_100
    assert page["is_ours"](header, BODY, "secret", now)
    assert not page["is_ours"](header, BODY + b" ", "secret", now)
    assert not page["is_ours"](header, BODY, "other", now)
    assert not page["is_ours"](header.replace("t=17727000", "t=17727001"), BODY, "secret", now)
    assert not page["is_ours"](header, BODY, "secret", now + 1000)
    assert sign_body("palatine_webhook_secret", b"{}", 1_772_700_000)[-64:] in README.read_text("utf-8")


async def test_what_is_sent_is_signed(receiver: Receiver) -> None:
    assert await sender().send(hook(receiver.url), BODY) == "delivered"
    (letter,) = receiver.letters
    assert letter.line == "POST /hook?user=1 HTTP/1.1"
    assert letter.body == BODY
    assert letter.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert letter.headers["content-type"] == "application/json"
    expected = hmac.new(b"palatine_webhook_secret", b"1772700000." + BODY, hashlib.sha256).hexdigest()
    assert letter.headers["palatine-signature"] == f"t=1772700000,v1={expected}"


# Answers


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (OK, "delivered"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n", "delivered"),  # nobody waits for the rest
        (b"HTTP/1.0 202 Yes\r\n\r\n", "delivered"),
        (b"HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "delivered"),
        (BROKEN, "failed"),
        (b"HTTP/1.1 503 No\r\n\r\n", "failed"),
        (b"HTTP/1.1 429 Slow\r\n\r\n", "failed"),
        (b"HTTP/1.1 404 No\r\n\r\n", "rejected"),
        (b"HTTP/1.1 410 Gone\r\n\r\n", "rejected"),
        (b"nonsense\r\n\r\n", "failed"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000, "failed"),
    ],
)
async def test_answers_are_understood_by_their_status(receiver: Receiver, answer: bytes, outcome: str) -> None:
    receiver.answers.append(answer)
    assert await sender().send(hook(receiver.url), BODY) == outcome
    assert len(receiver.letters) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_not_followed(receiver: Receiver, status: int) -> None:
    async with receiving() as other:
        receiver.answers.append(b"HTTP/1.1 %d Go\r\nlocation: %s\r\n\r\n" % (status, other.url.encode()))
        assert await sender().send(hook(receiver.url), BODY) == "rejected"
        assert other.connections == 0


async def test_silence_is_a_failure_after_a_while(receiver: Receiver) -> None:
    receiver.answers.append(SILENCE)
    assert await sender(patience=0.05).send(hook(receiver.url), BODY) == "failed"


async def test_nobody_there_is_a_failure() -> None:
    async with receiving() as receiver:
        pass
    assert await sender().send(hook(receiver.url), BODY) == "failed"


async def test_a_name_nobody_knows_is_a_failure() -> None:
    places = UrlPolicy(["http"], HERE)
    name = f"http://{'x' * 70}.invalid/"  # no label is so long
    assert await WebhookSender(places, lambda: NOW).send(hook(name), BODY) == "failed"


# Where it goes


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
async def test_names_with_private_addresses_are_never_connected_to(receiver: Receiver, address: str) -> None:
    forbidding = sender(networks=[], hooks_example=[address])
    assert await forbidding.send(hook(f"http://hooks.example:{receiver.port}/"), BODY) == "forbidden"
    assert await forbidding.send(hook("http://hooks.example/"), BODY) == "forbidden"
    assert receiver.connections == 0


async def test_a_name_is_looked_up_once_and_the_examined_address_is_used(receiver: Receiver) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    sending = WebhookSender(UrlPolicy(["http"], ["127.0.0.1/32"], rebinding), lambda: NOW)
    assert await sending.send(hook(f"http://hooks.example:{receiver.port}/"), BODY) == "delivered"
    assert receiver.letters[0].headers["host"] == f"hooks.example:{receiver.port}"
    assert await sending.send(hook(f"http://hooks.example:{receiver.port}/"), BODY) == "forbidden"


async def test_if_one_address_does_not_answer_the_next_is_tried(receiver: Receiver) -> None:
    several = sender(hooks_example=["127.0.0.9", "127.0.0.1"])
    assert await several.send(hook(f"http://hooks.example:{receiver.port}/"), BODY) == "delivered"


@pytest.mark.parametrize(("named", "outcome"), [("hooks.example", "delivered"), ("other.example", "failed")])
async def test_certificates_are_checked_for_the_host_that_was_meant(named: str, outcome: str) -> None:
    authority, ours, theirs = (
        trustme.CA(),
        ssl.create_default_context(),
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
    )
    authority.configure_trust(ours)
    authority.issue_cert(named).configure_cert(theirs)
    async with receiving(theirs) as receiver:
        url = f"https://hooks.example:{receiver.port}/"
        assert await sender(tls=ours, hooks_example=["127.0.0.1"]).send(hook(url), BODY) == outcome
        assert len(receiver.letters) == (outcome == "delivered")
        unknown = sender(hooks_example=["127.0.0.1"])  # which trusts the authorities of this machine
        assert await unknown.send(hook(url), BODY) == "failed"
