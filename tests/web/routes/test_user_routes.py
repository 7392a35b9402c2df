"""Users of other services, people who log in, codes for another device, and what the server knows of a user."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from server_fixture import House, opened, running, seated

from palatine_protocol.messages import Lost, Say, Sit
from palatine_server.games.registry import GAMES
from palatine_server.gateway.tokens import TokenSigner, read_secret
from palatine_server.gateway.trusted_issuer import TrustedIssuer, open_issuer
from palatine_server.records import archive as archive_module
from palatine_server.records import decode_record
from palatine_server.records.key_ring import read_keys
from palatine_server.records.texts import ERASED
from palatine_server.records.verdict import judge_record
from palatine_server.settings import Settings
from palatine_server.store import CannotOpen

AUDIENCE = "palatine-test"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


def token_of(house: House, name: str, kind: Any) -> str:
    return TokenSigner(read_secret(house.settings.data), time.time).create_token(name, kind)[0]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@asynccontextmanager
async def a_house(data: Path, **settings: Any) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    async with running(data, **settings) as house, httpx.AsyncClient(base_url=house.url, timeout=30) as client:
        yield house, client


# Users of another service


async def test_service_gets_the_same_user_for_the_same_id(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        mine, yours = (bearer(token_of(house, name, "service")) for name in ("discord", "forum"))
        ada = (await client.post("/v1/users", json={"id": "1234", "name": "Ada"}, headers=mine)).json()
        again = (await client.post("/v1/users", json={"id": "1234", "name": "Ada L."}, headers=mine)).json()
        berta = (await client.post("/v1/users", json={"id": "1235", "name": "Berta"}, headers=mine)).json()
        other = (await client.post("/v1/users", json={"id": "1234", "name": "Ada"}, headers=yours)).json()
        assert ada["user"] == again["user"]
        assert again["name"] == "Ada L."
        assert ada["token"] != again["token"]
        assert len({ada["user"], berta["user"], other["user"]}) == 3
        async with house.peer(token=ada["token"]) as peer:
            assert (peer.user, peer.name) == (ada["user"], "Ada")
    async with a_house(tmp_path) as (house, client):  # also after a restart
        mine = bearer(token_of(house, "discord", "service"))
        again = (await client.post("/v1/users", json={"id": "1234", "name": "Ada"}, headers=mine)).json()
        assert (again["user"], again["name"]) == (ada["user"], "Ada")


async def test_service_names_its_users_and_a_linked_guest_keeps_their_name(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        service = bearer(token_of(house, "discord", "service"))
        unnamed = await client.post("/v1/users", json={"id": "1234"}, headers=service)
        assert (unnamed.status_code, unnamed.json()["code"], unnamed.json()["path"]) == (400, "malformed", "$.name")
        guest = await house.token("Gus")
        linked = await client.post("/v1/users", json={"id": "1234", "guest": guest}, headers=service)
        assert (linked.status_code, linked.json()["name"]) == (201, "Gus")


async def test_guest_who_is_linked_keeps_their_seat(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        service, guest = bearer(token_of(house, "discord", "service")), await house.token("Ada")
        async with house.peer(token=guest) as peer:
            table, user = await opened(peer, 2), peer.user
            await peer.do(Sit, table=table)
        linked = (
            await client.post("/v1/users", json={"id": "7", "name": "Ada", "guest": guest}, headers=service)
        ).json()
        assert linked["user"] == user
        mine = (await client.get("/v1/me", headers=bearer(linked["token"]))).json()
        assert [(row["table"], row["seat"]) for row in mine["tables"]] == [(table, 0)]
        assert mine["identities"] == 1
        second = await client.post("/v1/users", json={"id": "7", "guest": await house.token("Eve")}, headers=service)
        assert (second.status_code, second.json()["code"]) == (409, "already_linked")


async def test_only_a_service_token_makes_users_and_it_can_be_revoked(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        for token in (await house.token("Ada"), token_of(house, "bot", "bot"), token_of(house, "root", "admin")):
            assert (await client.post("/v1/users", json={"id": "7"}, headers=bearer(token))).status_code == 403
        assert (await client.post("/v1/users", json={"id": "7"})).status_code == 401
        service = token_of(house, "discord", "service")
        assert (await client.post("/v1/users", json={"id": "x" * 129}, headers=bearer(service))).status_code == 400
        admin = bearer(token_of(house, "root", "admin"))
        await client.post("/v1/revocations", json={"subject": service}, headers=admin)
        assert (await client.post("/v1/users", json={"id": "7"}, headers=bearer(service))).status_code == 401
        another = bearer(token_of(house, "discord", "service"))
        assert (await client.post("/v1/users", json={"id": "7", "name": "Ada"}, headers=another)).status_code == 201


async def test_service_does_not_play_itself(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, _):
        with pytest.raises(AssertionError, match="not_allowed"):
            async with house.peer(token=token_of(house, "discord", "service")):
                pass


# Another device


async def test_code_moves_a_guest_to_another_device_once(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        guest = (await client.post("/v1/guests", json={"name": "Ada"})).json()
        made = (await client.post("/v1/me/codes", headers=bearer(guest["token"]))).json()
        assert made["minutes"] == 10
        moved = await client.post("/v1/login", json={"code": made["code"].lower().replace("-", " ")})
        assert (moved.status_code, moved.json()["user"], moved.json()["name"]) == (201, guest["user"], "Ada")
        again = await client.post("/v1/login", json={"code": made["code"]})
        assert (again.status_code, again.json()["code"]) == (403, "bad_code")
        wrong = await client.post("/v1/login", json={"code": "AAAAA-AAAAA"})
        assert wrong.json()["code"] == "bad_code"
        renewed = await client.post("/v1/guests", json={}, headers=bearer(moved.json()["token"]))
        assert renewed.json()["user"] == guest["user"]


async def test_code_is_taken_once_even_by_many_at_once(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        made = (await client.post("/v1/me/codes", headers=bearer(await house.token("Ada")))).json()
        answers = await asyncio.gather(*(client.post("/v1/login", json={"code": made["code"]}) for _ in range(10)))
        assert sorted(answer.status_code for answer in answers) == [201] + 9 * [403]


async def test_new_code_voids_the_earlier_one_and_erasing_voids_both(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        ada = await house.token("Ada")
        first, second = [(await client.post("/v1/me/codes", headers=bearer(ada))).json()["code"] for _ in range(2)]
        assert (await client.post("/v1/login", json={"code": first})).json()["code"] == "bad_code"
        assert (await client.delete("/v1/me", headers=bearer(ada))).status_code == 204
        after = await client.post("/v1/login", json={"code": second})
        assert after.json()["code"] == "bad_code"  # and no answer with the name of somebody who is erased


async def test_code_of_a_revoked_user_is_worth_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        ada = (await client.post("/v1/guests", json={"name": "Ada"})).json()
        code = (await client.post("/v1/me/codes", headers=bearer(ada["token"]))).json()["code"]
        admin = bearer(token_of(house, "root", "admin"))
        await client.post("/v1/revocations", json={"subject": ada["user"]}, headers=admin)
        refused = await client.post("/v1/login", json={"code": code})
        assert (refused.status_code, refused.json()["code"]) == (401, "token_revoked")


async def test_neither_bots_nor_administrators_get_a_code(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        for kind in ("bot", "admin", "service"):
            answer = await client.post("/v1/me/codes", headers=bearer(token_of(house, "x", kind)))
            assert answer.status_code == 403


# Login


class Issuer:
    """An OpenID Connect issuer on this machine: discovery, keys, and signed tokens."""

    def __init__(self, url: str, keys: dict[str, Any]) -> None:
        self.url, self.keys, self.asked = url, keys, 0

    def sign(self, key: Any = RSA, algorithm: str = "RS256", kid: str | None = "one", **changes: Any) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": AUDIENCE, "sub": "ada-1", "iat": now, "exp": now + 300, "name": "Ada"}
        claims = {name: value for name, value in {**claims, **changes}.items() if value is not None}
        return jwt.encode(claims, key, algorithm, {"kid": kid} if kid else None)


def jwk_of(key: Any, kid: str) -> dict[str, Any]:
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig"}


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with serve_issuer() as issuer:
        yield issuer


@contextmanager
def serve_issuer() -> Iterator[Issuer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked += 1
            discovery = {"issuer": issuer.url, "jwks_uri": f"{issuer.url}/keys"}
            body = {"/.well-known/openid-configuration": discovery, "/keys": issuer.keys}.get(self.path)
            self.send_response(200 if body else 404)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *given: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_port}", {"keys": [jwk_of(RSA, "one"), jwk_of(EC, "two")]})
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_login_gives_the_same_user_each_time_and_links_a_guest(tmp_path: Path, issuer: Issuer) -> None:
    async with a_house(tmp_path, issuer=issuer.url, audience=AUDIENCE) as (house, client):
        assert (await client.get("/v1/login")).json() == {"issuer": issuer.url, "client_id": AUDIENCE}
        guest = (await client.post("/v1/guests", json={"name": "Guest"})).json()
        first = await client.post("/v1/login", json={"id_token": issuer.sign(), "guest": guest["token"]})
        assert (first.status_code, first.json()["user"], first.json()["name"]) == (201, guest["user"], "Ada")
        second = await client.post("/v1/login", json={"id_token": issuer.sign(EC, "ES256", "two"), "name": "Ada L."})
        assert (second.json()["user"], second.json()["name"]) == (guest["user"], "Ada L.")
        other = await client.post("/v1/login", json={"id_token": issuer.sign(sub="berta")})
        assert other.json()["user"] != guest["user"]
        assert issuer.asked == 2  # the discovery and the keys, once


async def test_login_refuses_every_other_token(tmp_path: Path, issuer: Issuer) -> None:
    now = int(time.time())
    public = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    confused = jwt.utils.base64url_encode(b'{"alg":"HS256","kid":"one"}')  # signed with the public key as a secret
    payload = jwt.utils.base64url_encode(json.dumps({"iss": issuer.url, "aud": AUDIENCE, "sub": "x"}).encode())
    mac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    forged = mac.sign(confused + b"." + payload, public)
    bad = {
        "another key": issuer.sign(OTHER_RSA),
        "another audience": issuer.sign(aud="someone-else"),
        "another issuer": issuer.sign(iss="https://evil.example"),
        "no audience": issuer.sign(aud=None),
        "no subject": issuer.sign(sub=None),
        "an empty subject": issuer.sign(sub=""),
        "a long subject": issuer.sign(sub="x" * 256),
        "no expiry": issuer.sign(exp=None),
        "from the future": issuer.sign(iat=now + 3600),
        "made for others too": issuer.sign(aud=[AUDIENCE, "others"]),
        "an unknown key": issuer.sign(kid="three"),
        "no signature": jwt.encode({"sub": "ada-1"}, "", "none", {"kid": "one"}),
        "the wrong algorithm": b".".join([confused, payload, jwt.utils.base64url_encode(forged)]).decode(),
        "nonsense": "a.b.c",
        "half": issuer.sign()[:-40],
        "not text": "\x00\N{GRINNING FACE}" * 3,
    }
    async with a_house(tmp_path, issuer=issuer.url, audience=AUDIENCE) as (_, client):
        answers = {name: await client.post("/v1/login", json={"id_token": token}) for name, token in bad.items()}
        assert {name: answer.json()["code"] for name, answer in answers.items()} == dict.fromkeys(bad, "bad_token")
        late = await client.post("/v1/login", json={"id_token": issuer.sign(exp=now - 3600)})
        assert late.json()["code"] == "token_expired"
        both = await client.post("/v1/login", json={"id_token": issuer.sign(), "code": "AAAAA-AAAAA"})
        assert both.json()["code"] == "malformed"
        good = await client.post("/v1/login", json={"id_token": issuer.sign(aud=[AUDIENCE, "others"], azp=AUDIENCE)})
        assert good.status_code == 201


async def test_login_finds_new_keys_but_asks_for_them_rarely(issuer: Issuer) -> None:
    clock = [0.0]
    trusted = TrustedIssuer(issuer.url, AUDIENCE, f"{issuer.url}/keys", lambda: clock[0])
    await trusted.verify(issuer.sign())
    issuer.keys["keys"].append(jwk_of(OTHER_RSA, "three"))
    rotated = issuer.sign(OTHER_RSA, kid="three")
    for _ in range(3):
        with pytest.raises(Exception, match="token is not valid"):
            await trusted.verify(rotated)
    assert issuer.asked == 1
    clock[0] += 31
    assert (await trusted.verify(rotated)).identity.subject == "ada-1"
    assert issuer.asked == 2


async def test_login_without_an_issuer_and_with_a_silent_one(tmp_path: Path) -> None:
    async with a_house(tmp_path / "none") as (_, client):
        assert (await client.get("/v1/login")).json()["code"] == "no_login"
        assert (await client.post("/v1/login", json={"id_token": "x.y.z"})).json()["code"] == "no_login"
    with serve_issuer() as gone:
        token = gone.sign()
    async with a_house(tmp_path / "silent", issuer=gone.url, audience=AUDIENCE) as (_, client):
        assert (await client.post("/v1/login", json={"id_token": token})).status_code == 503


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"issuer": "https://login.example"}, "PALATINE_AUDIENCE"),
        ({"issuer": "http://login.example", "audience": "x"}, "https"),
        ({"issuer": "https://login.example", "audience": "x", "issuer_keys": "ftp://keys"}, "https"),
    ],
)
def test_login_settings_that_are_wrong_are_named(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(CannotOpen, match=sentence):
        open_issuer(Settings(**given))


async def test_login_reads_keys_from_a_file(tmp_path: Path, issuer: Issuer) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps(issuer.keys))
    trusted = TrustedIssuer(issuer.url, AUDIENCE, str(file))
    assert (await trusted.verify(issuer.sign())).name == "Ada"
    assert issuer.asked == 0


# Finished games, and erasing


@pytest.fixture(autouse=True)
def settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "SETTLE", 0.0)
    monkeypatch.setattr(archive_module, "LATER", 0.0)


async def until_archived(client: httpx.AsyncClient, token: str) -> list[dict[str, Any]]:
    for _ in range(200):
        games: list[dict[str, Any]] = (await client.get("/v1/me/games", headers=bearer(token))).json()["games"]
        if games:
            return games
        await asyncio.sleep(0.05)
    raise AssertionError("the game was not archived")


async def test_finished_game_is_archived_and_outlives_its_table(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client), house.peer("Ada") as ada:
        (table,) = await seated([ada], bots=1, game="palais_royal")
        await table.play(lambda most: 0)
        live = (await client.get(f"/v1/tables/{table.id}/record")).content
        (game,) = await until_archived(client, ada.token)
        assert (game["table"], game["game"], game["seat"], game["names"][0]) == (table.id, "palais_royal", 0, "Ada")
        assert None not in game["scores"]
        await house.server._app.state.shared.store.remove(table.id)
        house.server._app.state.shared.directory.close_removed(table.id)
        assert (await ada.until(Lost)).table == table.id
        assert (await client.get(f"/v1/tables/{table.id}/record")).content == live


async def test_archive_of_a_private_game_is_for_its_players_and_guests(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client), house.peer("Ada") as ada:
        (table,) = await seated([ada], bots=1, game="palais_royal", visibility="private")
        await table.play(lambda most: 0)
        await until_archived(client, ada.token)
        shared = house.server._app.state.shared
        invitation = (await shared.directory.open(table.id)).state.secrets.invitation
        await shared.store.remove(table.id)
        shared.directory.close_removed(table.id)
        path = f"/v1/tables/{table.id}/record"
        assert (await client.get(path)).status_code == 404
        assert (await client.get(path, headers=bearer(await house.token("Eve")))).status_code == 404
        assert (await client.get(path, headers=bearer(ada.token))).status_code == 200
        assert (await client.get(f"{path}?invitation={invitation}")).status_code == 200


async def test_sweep_archives_what_a_killed_node_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as slow:
        slow.setattr(archive_module, "SETTLE", 1e6)
        async with a_house(tmp_path) as (house, client), house.peer("Ada") as ada:
            (table,) = await seated([ada], bots=1, game="palais_royal")
            await table.play(lambda most: 0)
            token = ada.token
    monkeypatch.setattr(archive_module, "FIRST_SWEEP", 0.0)
    async with a_house(tmp_path) as (house, client):
        assert [game["table"] for game in await until_archived(client, token)] == [table.id]


async def test_erased_user_leaves_no_name_and_no_word_and_the_record_verifies(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client), house.peer("Adalbert") as ada, house.peer("Berta") as berta:
        tables = await seated([ada, berta], game="palais_royal")
        await ada.do(Say, table=tables[0].id, text="Adalbert was here")
        await berta.do(Say, table=tables[0].id, text="so was I")
        async with asyncio.TaskGroup() as tasks:
            for table in tables:
                tasks.create_task(table.play(lambda most: 0))
        me = (await client.get("/v1/me", headers=bearer(ada.token))).json()
        assert me["tables"][0]["chat"][0]["text"] == "Adalbert was here"
        assert (await client.delete("/v1/me", headers=bearer(ada.token))).status_code == 204
        assert (await client.get("/v1/me", headers=bearer(ada.token))).json()["code"] == "token_revoked"
        content = (await client.get(f"/v1/tables/{tables[0].id}/record")).content
        assert b"Adalbert" not in content
        assert b"so was I" in content
        assert b"Berta" in content
        record = decode_record(content)
        keys = read_keys((await client.get("/v1/keys")).content, "this server")
        assert [finding for finding in judge_record(record, GAMES, keys) if not finding.is_right] == []
        assert record.header.opening["host"] == ERASED
        mine = (await client.get("/v1/me/games", headers=bearer(berta.token))).json()["games"]
        assert [game["names"] for game in mine] == [[None, "Berta"]]
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or file.suffix == ".db-wal" or b"was here" not in file.read_bytes(), file


async def test_erased_user_leaves_a_running_game_to_a_bot(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client), house.peer("Adalbert") as ada, house.peer("Berta") as berta:
        tables = await seated([ada, berta], game="palais_royal")
        waiting = await opened(ada, 2)
        await ada.do(Sit, table=waiting)
        await ada.do(Say, table=tables[0].id, text="Adalbert was here")
        assert (await client.delete("/v1/me", headers=bearer(ada.token))).status_code == 204
        shared = house.server._app.state.shared
        assert await shared.store.load(waiting) is None
        await tables[1].play(lambda most: 0)
        assert tables[1].info["seats"][0]["name"] == ERASED
        assert tables[1].info["host"] == "Berta"
        await until_archived(client, berta.token)
        assert await shared.store.load(tables[0].id) is not None  # Berta still looks at it
        await ada.socket.close()
        await berta.socket.close()
        while await shared.store.load(tables[0].id) is not None:  # its log holds the name
            await asyncio.sleep(0.05)
        content = (await client.get(f"/v1/tables/{tables[0].id}/record")).content
        assert b"Adalbert" not in content
        assert decode_record(content).signature is not None


async def test_administrator_erases_a_user_by_id(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client), house.peer("Ada") as ada:
        admin = bearer(token_of(house, "root", "admin"))
        assert (await client.post("/v1/erasures", json={"user": "../x"}, headers=admin)).status_code == 400
        assert (await client.post("/v1/erasures", json={"user": ada.user}, headers=admin)).status_code == 204
        assert (await client.get("/v1/me", headers=bearer(ada.token))).status_code == 401


@pytest.mark.parametrize("is_guest_first", [True, False])
async def test_erased_identity_becomes_a_new_user(tmp_path: Path, is_guest_first: bool) -> None:
    async with a_house(tmp_path) as (house, client):
        service, users = bearer(token_of(house, "discord", "service")), list[str]()
        guest = {"guest": await house.token("Gus")} if is_guest_first else {}
        for link in (guest, {}, {}):  # erased twice
            made = (await client.post("/v1/users", json={"id": "7", "name": "Ada", **link}, headers=service)).json()
            assert (await client.get("/v1/me", headers=bearer(made["token"]))).status_code == 200
            users.append(made["user"])
            assert (await client.delete("/v1/me", headers=bearer(made["token"]))).status_code == 204
        assert len({*users}) == 3


async def test_banned_user_of_a_service_stays_banned(tmp_path: Path) -> None:
    async with a_house(tmp_path) as (house, client):
        service, admin = (bearer(token_of(house, "x", kind)) for kind in ("service", "admin"))
        ada = (await client.post("/v1/users", json={"id": "7", "name": "Ada"}, headers=service)).json()
        await client.post("/v1/revocations", json={"subject": ada["user"]}, headers=admin)
        again = await client.post("/v1/users", json={"id": "7", "name": "Ada"}, headers=service)
        assert (again.status_code, again.json()["code"]) == (401, "token_revoked")
