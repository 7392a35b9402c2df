"""Origins: which web pages may use the server. The policy alone, without a server."""

import pytest

from palatine_server.gateway.origins import (
    OriginPolicy,
    explain_refusal,
    parse_address,
    parse_origin,
    read_listed_origin,
    read_public_url,
    show_origin,
)
from palatine_server.settings import BadSetting

EVERYWHERE = "0.0.0.0"
HOSTILE_TEXT = "https://evil.example/\x1b]0;pwned\x07\r\nSet-Cookie: a=b"

# The server's own origin


@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("http", "play.example", "http://play.example"),
        ("http", "play.example:80", "http://play.example"),
        ("https", "play.example:443", "https://play.example"),
        ("https", "play.example:8443", "https://play.example:8443"),
        ("http", "Play.Example:8080", "http://play.example:8080"),
        ("http", "192.0.2.7:8080", "http://192.0.2.7:8080"),
        ("http", "[2001:db8::7]:8080", "http://[2001:db8::7]:8080"),
    ],
)
def test_own_origin_is_the_address_that_was_asked_for(scheme: str, host: str, origin: str) -> None:
    assert OriginPolicy(listens_on=EVERYWHERE).allows(origin, parse_address(scheme, host))


@pytest.mark.parametrize(
    "origin",
    [
        "https://play.example:8080",
        "http://play.example",
        "http://play.example:8081",
        "http://play.example:8080.evil.example",
        "http://play.example.evil.example:8080",
        "http://evilplay.example:8080",
        "http://play.example:8080@evil.example",
        "http://play.example:8080/",
        "http://PLAY.example:8080",
        "http://play.example:99999",
        "http://play.example:8080, http://play.example:8080",
        "//play.example:8080",
        "null",
        "",
        "http://localhost:8080",
        "http://127.0.0.1:8080",
    ],
)
def test_own_origin_is_nothing_that_looks_like_it(origin: str) -> None:
    asked = parse_address("http", "play.example:8080")
    assert not OriginPolicy(listens_on=EVERYWHERE).allows(origin, asked)


@pytest.mark.parametrize("host", ["", "play example", "a/b", "[::1", "[12345::]", "a.example:", "a.example:99999"])
def test_own_origin_needs_a_host_that_is_one(host: str) -> None:
    assert parse_address("http", host) is None
    assert not OriginPolicy(listens_on=EVERYWHERE).allows(f"http://{host}", parse_address("http", host))


def test_own_origin_may_be_named_by_a_public_url_with_a_path() -> None:
    policy = OriginPolicy(public_url="https://Play.Example:443/palatine/", listens_on=EVERYWHERE)
    assert policy.allows("https://play.example", parse_address("http", "10.0.0.7:8080"))
    assert not policy.allows("http://play.example", parse_address("http", "10.0.0.7:8080"))


# DNS rebinding: a name of an attacker leads to an address in the user's network


@pytest.mark.parametrize(
    ("policy", "is_forwarded", "is_allowed"),
    [
        (OriginPolicy(), False, False),
        (OriginPolicy(), True, True),
        (OriginPolicy(public_url="https://play.example", listens_on=EVERYWHERE), False, False),
        (OriginPolicy(public_url="https://play.example", listens_on=EVERYWHERE), True, True),
        (OriginPolicy(listens_on=EVERYWHERE), False, True),  # nothing says which name is right
    ],
)
def test_rebinding_a_name_in_host_is_trusted_only_with_a_reason(
    policy: OriginPolicy, is_forwarded: bool, is_allowed: bool
) -> None:
    asked = parse_address("http", "evil.example:8080")
    assert policy.allows("http://evil.example:8080", asked, is_forwarded=is_forwarded) is is_allowed


@pytest.mark.parametrize("host", ["192.0.2.7:8080", "[2001:db8::7]:8080"])
def test_rebinding_needs_a_name_so_addresses_are_trusted(host: str) -> None:
    policy = OriginPolicy(public_url="https://play.example", listens_on=EVERYWHERE)
    assert policy.allows(f"http://{host}", parse_address("http", host))


# Localhost

LOCAL = [
    "http://localhost",
    "http://localhost:3000",
    "https://localhost:3000",
    "http://127.0.0.1:5173",
    "http://127.1.2.3:5173",
    "http://[::1]:5173",
    "http://app.localhost:5173",
]


@pytest.mark.parametrize("origin", LOCAL)
@pytest.mark.parametrize("listens_on", ["127.0.0.1", "::1", "localhost", "127.0.0.53"])
def test_localhost_is_allowed_while_the_server_listens_on_loopback(origin: str, listens_on: str) -> None:
    assert OriginPolicy(listens_on=listens_on).allows(origin)


@pytest.mark.parametrize("origin", LOCAL)
@pytest.mark.parametrize("listens_on", ["0.0.0.0", "::", "192.0.2.7", "", "play.example"])
def test_localhost_is_another_origin_otherwise(origin: str, listens_on: str) -> None:
    assert not OriginPolicy(listens_on=listens_on).allows(origin, parse_address("http", "play.example:8080"))


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost.evil.example",
        "http://evil-localhost",
        "http://127.0.0.1.evil.example",
        "http://2130706433",
        "http://localhost:3000@evil.example",
        "ftp://localhost",
        "capacitor://localhost",
        "http://128.0.0.1",
        "http://[::2]",
        "null",
    ],
)
def test_localhost_is_nothing_that_looks_like_it(origin: str) -> None:
    assert not OriginPolicy().allows(origin)


# Listed origins


def test_listed_origins_are_compared_as_browsers_do() -> None:
    policy = OriginPolicy(["https://Play.Example:443", "capacitor://localhost", "http://[2001:DB8::7]:80"])
    allowed = ["https://play.example", "capacitor://localhost", "http://[2001:db8::7]"]
    assert all(policy.allows(origin) for origin in allowed)
    assert not policy.allows("http://play.example")


@pytest.mark.parametrize("origin", ["https://anything.example", "null", "", "chrome-extension://abc", HOSTILE_TEXT])
def test_star_allows_everything_but_only_if_it_is_written(origin: str) -> None:
    assert OriginPolicy(["https://play.example", "*"]).allows(origin)
    assert not OriginPolicy(["https://play.example"]).allows(origin)
    assert not OriginPolicy(["*"]).names(origin)


def test_programs_send_no_origin_and_are_allowed() -> None:
    assert OriginPolicy(listens_on=EVERYWHERE).allows(None)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("https://play.example/", "ends after the host or the port; write https://play.example"),
        ("https://play.example:8443/game?x=1", "ends after the host or the port; write https://play.example:8443"),
        ("play.example", "the scheme is missing; write https://play.example"),
        ("play.example:8080", "the scheme is missing"),
        ("wss://play.example", "write https://play.example"),
        ("ws://play.example/v1/ws", "write http://play.example"),
        ("https://*.example", "a part of a name cannot be *"),
        ("https://anna@play.example", "no user"),
        ("https://schloß.example", "ASCII"),
        ("https://play.example:99999", "no origin"),
        ("https://", "no origin"),
        ("https://[::1", "no origin"),
        ("null", "sandboxed"),
        ("", "the scheme is missing"),
    ],
)
def test_a_mistyped_origin_is_refused_at_start_with_advice(text: str, advice: str) -> None:
    with pytest.raises(BadSetting) as refused:
        OriginPolicy([text])
    assert advice in str(refused.value)
    assert "PALATINE_ORIGINS" in str(refused.value)


@pytest.mark.parametrize(
    "text", ["play.example", "wss://play.example", "https://", "https://[::1", "https://a@b.example"]
)
def test_a_mistyped_public_url_is_refused_at_start(text: str) -> None:
    with pytest.raises(BadSetting, match="PALATINE_PUBLIC_URL"):
        OriginPolicy(public_url=text)


@pytest.mark.parametrize("text", ["http://a.example", "https://a.example:8443", "http://[::1]:7", "tauri://localhost"])
def test_an_origin_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_origin(text)) == str(read_listed_origin(text)) == text


def test_a_public_url_is_read_without_its_path() -> None:
    assert str(read_public_url("https://play.example:8443/a/b?c")) == "https://play.example:8443"


# Refusals


def test_a_refusal_names_the_origin_and_the_settings() -> None:
    sentence = explain_refusal("https://play.example")
    for part in ("--origin https://play.example", "PALATINE_ORIGINS=https://play.example", "PALATINE_PUBLIC_URL"):
        assert part in sentence
    assert "null" in explain_refusal("null")


@pytest.mark.parametrize("text", [HOSTILE_TEXT, "https://" + "a" * 5_000, "https://[link=x]", "\x9b31m", "palatine_Wy"])
def test_what_no_browser_sends_is_not_repeated(text: str) -> None:
    assert show_origin(text) == "unreadable"
    assert text not in explain_refusal(text)
    assert len(explain_refusal(text)) < 200
