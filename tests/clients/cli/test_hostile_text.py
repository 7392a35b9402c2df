"""Hostile text from a server, from players and from files, at every command that shows it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from clients.hostile_text import ATTACKS, EVERYTHING, must_be_harmless
from clients.players import GAME, SEED, Friend
from clients.pty_driver import Typist, piped, typing
from records.chat_game import NAMES, talkative_record
from server_fixture import House, running
from typer.testing import CliRunner, Result

from palatine_client import Client, connect
from palatine_client.cli import main
from palatine_server.games.kit import Refused
from palatine_server.gateway import tokens
from palatine_server.records import Record, RecordEntry, Signer, encode_record, sign_record
from palatine_server.records.record import VERSION, VERSIONS, Header, add_salts, change_texts
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.handlers import chat
from palatine_server.web.routes import catalogs, core_routes
from palatine_server.web.routes.static_answers import StaticAnswer

WORDS_OF_A_SERVER = {"title", "name_en", "name_de", "notice", "sentence"}
SAID = [" ".join(list(ATTACKS.values())[at::2]) for at in range(2)]  # in two lines, as much as may be said at once
ANSWER = json.dumps({"code": "strange", "sentence": EVERYTHING}).encode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


# A server that lets everybody write what they like, and does the same


def spoilt(content: Any) -> Any:
    """JSON of which every name and sentence is an attack."""
    if isinstance(content, dict):
        return {key: attacked(value) if key in WORDS_OF_A_SERVER else spoilt(value) for key, value in content.items()}
    return [spoilt(item) for item in content] if isinstance(content, list) else content


def attacked(value: Any) -> Any:
    return f"{value} {EVERYTHING}" if isinstance(value, str) else spoilt(value)


@pytest.fixture
async def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    honest = core_routes.respond_with_bytes

    def respond_with_bytes(content: bytes, status: int = 200) -> Any:
        return honest(json.dumps(spoilt(json.loads(content))).encode(), status)

    def build_answer(content: bytes, kind: str) -> StaticAnswer:
        return StaticAnswer(json.dumps(spoilt(json.loads(content))).encode(), kind)

    monkeypatch.setattr(core_routes, "respond_with_bytes", respond_with_bytes)
    monkeypatch.setattr(catalogs, "StaticAnswer", build_answer)
    monkeypatch.setattr(tokens, "clean_name", lambda name: name or "Guest")
    monkeypatch.setattr(core_routes, "check_name", lambda name: name)
    monkeypatch.setattr(chat, "clean_text", lambda text: text)
    async with running(tmp_path / "data") as house, httpx.AsyncClient(base_url=house.url) as client:
        assert EVERYTHING in (await client.get("/v1/games")).json()["games"][0]["title"]
        assert EVERYTHING in (await client.get(f"/v1/games/{GAME}")).json()["catalog"]["room"][0]["name_en"]
        yield house


@pytest.fixture
async def otto(hostile: House) -> AsyncIterator[Client]:
    async with connect(hostile.url, name=EVERYTHING) as client:
        yield client


async def waiting_table(client: Client, seats: int = 2) -> Friend:
    table = await client.create(GAME, seats, seed=SEED)
    await table.sit(0)
    return Friend(client, table)


async def talk(otto: Friend) -> None:
    """Say every attack."""
    for line in SAID:
        await otto.table.say(line)


async def test_tables_shows_names_and_titles_harmlessly(hostile: House, otto: Client, home: Path) -> None:
    await waiting_table(otto)
    async with typing("tables", "--server", hostile.url, home=home, columns=200) as somebody:
        assert await somebody.ends() == 0
    must_be_harmless(somebody.colours)
    for words in ([], ["--json"]):
        code, out, err = await piped("tables", "--server", hostile.url, *words, home=home)
        assert (code, err) == (0, "")
        must_be_harmless(out)
    assert EVERYTHING in json.loads(out)["seats"]


async def test_tables_that_are_followed_are_drawn_harmlessly(hostile: House, otto: Client, home: Path) -> None:
    async with typing("tables", "--follow", "--server", hostile.url, home=home, columns=200) as somebody:
        await waiting_table(otto)
        await somebody.sees("pwned")
        somebody.press("\x03")
        await somebody.ends()
    must_be_harmless(somebody.colours)


@pytest.mark.parametrize("words", [[], ["--plain"], ["--lang", "de"]], ids=["coloured", "plain", "german"])
async def test_play_shows_names_talk_and_catalogs_harmlessly(
    hostile: House, otto: Client, home: Path, words: list[str]
) -> None:
    friend = await waiting_table(otto, seats=3)
    sitting = ["play", f"--table={friend.table.id}", "--server", hostile.url, "--name", "Ida"]
    async with typing(*sitting, *words, home=home, columns=110) as ida:
        await friend.sees(lambda: friend.table.info.seats[1])
        await ida.sees("pwned")
        await talk(friend)
        await friend.table.fill("random")
        await friend.table.start()
        await friend.does("choose")
        await ida.sees(".skull:", ":skull:")
        await look_around(ida)
    must_be_harmless(ida.colours)
    assert ida.screen.count("pwned") > len(ATTACKS)


async def look_around(ida: Typist) -> None:
    """Ask for everything that can be asked for."""
    for typed in ("h", "s", "/talk", "?", "/why", "/invite", "b"):
        ida.type(typed)
    ida.type("q")
    ida.type("q")
    await ida.ends()


async def test_play_for_programs_escapes_what_json_would_not(hostile: House, otto: Client, home: Path) -> None:
    friend = await waiting_table(otto)
    playing = asyncio.create_task(
        piped("play", f"--table={friend.table.id}", "--server", hostile.url, "--json", home=home, said=None)
    )
    await friend.sees(lambda: friend.table.info.seats[1])
    await talk(friend)
    code, out, _ = await playing
    assert code == 0
    must_be_harmless(out)
    first = json.loads(out.splitlines()[1])
    assert first["info"]["seats"][0]["name"] == EVERYTHING


@pytest.mark.parametrize("words", [[], ["--plain"], ["--json"]], ids=["coloured", "plain", "json"])
async def test_watch_shows_names_and_talk_harmlessly(
    hostile: House, otto: Client, home: Path, words: list[str]
) -> None:
    friend = await waiting_table(otto)
    await talk(friend)
    async with typing("watch", friend.table.id, "--server", hostile.url, *words, home=home, columns=110) as somebody:
        await somebody.sees("pwned")
        await talk(friend)
        await somebody.sees(":skull:")
        somebody.press("\x03\x03")
        await somebody.ends()
    must_be_harmless(somebody.colours)


async def test_bot_tells_the_result_harmlessly(hostile: House, home: Path) -> None:
    async with connect(hostile.url, name=EVERYTHING) as client:
        friend = await waiting_table(client)
        bot = asyncio.create_task(piped("bot", friend.table.id, "--server", hostile.url, home=home))
        await friend.sees(lambda: friend.table.info.seats[1])
        await friend.table.start()
        await friend.table.leave()  # a house bot plays on
        code, out, err = await bot
    assert (code, err) == (0, "")
    must_be_harmless(out)


# Refusals


async def refuse_everything(*given: Any) -> Any:
    raise Refused("strange", EVERYTHING)


@pytest.mark.parametrize("command", ["play", "watch", "bot"])
async def test_refusals_of_a_websocket_are_harmless(
    hostile: House, home: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(TableDirectory, "open", refuse_everything)
    words = ["--table", "nowhere", "--name", "Ida"] if command == "play" else ["nowhere"]
    async with typing(command, *words, "--server", hostile.url, home=home, columns=110) as somebody:
        assert await somebody.ends() != 0
    must_be_harmless(somebody.colours)


class Refusing(BaseHTTPRequestHandler):
    """Answers everything with a hostile sentence."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(400)
        self.send_header("content-length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815

    def log_message(self, *given: Any) -> None:
        pass


@pytest.fixture
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


COMMANDS = [
    ["tables"],
    ["play", GAME],
    ["watch", "nowhere"],
    ["bot", "nowhere"],
    ["webhook", "show"],
    ["revoke", "somebody"],
    ["import", "game.palatine"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
async def test_refusals_over_http_are_harmless(refusing: str, home: Path, words: list[str]) -> None:
    (home / "game.palatine").write_bytes(b"{}")
    more = {"PALATINE_ADMIN_TOKEN": "x"}
    async with typing(*words, "--server", refusing, home=home, columns=110, **more) as somebody:
        assert await somebody.ends() != 0
    must_be_harmless(somebody.colours)


# Files, as a hostile server or a forger writes them: everything in them fits but the text


Texts = Callable[[str, str], str]  # from the kind of a text and the text itself
HOSTILE_SERVER = Signer("13" * 32, "http://evil/[/pwned][bold]:skull:")


def forged(texts: Texts = lambda kind, text: text, *, version: int = VERSION, **header: str) -> bytes:
    """A record with other names, chat lines or fields of the header; hashes, signature and checksum fit them."""
    record = talkative_record()
    first, *entries = change_texts(record, texts)
    changed = Record(
        msgspec.convert({**first, **header, "record": version}, Header), msgspec.convert(entries, list[RecordEntry])
    )
    if version == 1:
        return encode_record(changed)
    return encode_record(sign_record(add_salts(changed, b"a secret of the server"), HOSTILE_SERVER))


def renamed(*attacks: str, chat: str = "") -> Texts:
    """Attacks in place of the names of all players, and of everything that they say."""
    names = dict(zip(NAMES, cycle(attacks)))
    return lambda kind, text: chat or text if kind == "chat" else names.get(text, text)


def with_other_key(old: str, new: str) -> bytes:
    """A record with another field in its header, and a checksum that fits."""
    *lines, _ = forged().splitlines(keepends=True)
    body = b"".join(lines).replace(json.dumps(old).encode(), json.dumps(new).encode(), 1)
    return body + b'{"sha256":"%s"}\n' % hashlib.sha256(body).hexdigest().encode()


async def shown(command: str, content: bytes, home: Path) -> str:
    """What a command about a file writes to a terminal."""
    (home / "game.palatine").write_bytes(content)
    async with typing(command, "game.palatine", home=home, columns=110) as somebody:
        somebody.press("\n50\nb\n\nx\nq\n")  # what `replay` is told; the others do not read
        await somebody.ends()
    return somebody.colours


async def said_of(command: str, content: bytes, home: Path) -> Result:
    """What a command about a file writes into a pipe."""
    (home / "game.palatine").write_bytes(content)
    words = [command, str(home / "game.palatine")]
    return await asyncio.to_thread(CliRunner().invoke, main.build_app(), words, env={"COLUMNS": "160"})


PAIRS = list(zip(ATTACKS.values(), [*ATTACKS.values()][::-1], strict=True))[: (len(ATTACKS) + 1) // 2]


@pytest.mark.parametrize("pair", PAIRS)
async def test_replay_shows_names_and_chat_of_a_record_harmlessly(home: Path, pair: tuple[str, str]) -> None:
    result = await said_of("replay", forged(renamed(*pair, chat=f"chat: {' '.join(pair)}")), home)
    assert result.exit_code == 0, result.output
    must_be_harmless(result.output)
    must_be_harmless(result.output, shows="chat: ")


async def test_replay_shows_names_of_a_record_of_version_1_harmlessly(home: Path) -> None:
    result = await said_of("replay", forged(renamed(*ATTACKS.values()), version=1), home)
    assert result.exit_code == 0, result.output
    must_be_harmless(result.output)


@pytest.mark.parametrize("version", VERSIONS)
async def test_replay_at_a_keyboard_is_harmless(home: Path, version: int) -> None:
    texts = renamed(ATTACKS["window title"], ATTACKS["markup"], chat=EVERYTHING)
    must_be_harmless(await shown("replay", forged(texts, version=version), home))


async def test_verify_reads_a_record_full_of_hostile_text(home: Path) -> None:
    result = await said_of("verify", forged(renamed(*ATTACKS.values(), chat=EVERYTHING)), home)
    assert result.exit_code == 0, result.output
    must_be_harmless(result.output, shows="http://evil/[/pwned][bold]:skull:")


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
@pytest.mark.parametrize("field", ["game", "edition", "unknown", "no record"])
async def test_fields_of_a_record_are_shown_harmlessly(home: Path, command: str, field: str) -> None:
    attack = ATTACKS["window title"] + ATTACKS["one-byte controls"] + ATTACKS["markup"]
    content = {
        "game": lambda: forged(game=attack),
        "edition": lambda: forged(edition=attack),
        "unknown": lambda: with_other_key("commitment", attack),
        "no record": lambda: attack.encode(),
    }[field]()
    must_be_harmless(await shown(command, content, home), shows="")


@pytest.mark.parametrize("field", ["game", "edition"])
async def test_verify_shows_what_it_names(home: Path, field: str) -> None:
    for attack in ATTACKS.values():
        must_be_harmless((await said_of("verify", forged(**{field: attack}), home)).output)
    must_be_harmless((await said_of("verify", forged(version=1, **{field: EVERYTHING}), home)).output)


async def test_record_names_files_harmlessly(home: Path) -> None:
    async with typing("record", f"t{ATTACKS['window title']}", home=home, columns=110) as somebody:
        assert await somebody.ends() != 0
    must_be_harmless(somebody.colours, shows="")
