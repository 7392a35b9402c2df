"""`describe` through a real server: a view in words; a delayed spectator gets the delayed view."""

from __future__ import annotations

from pathlib import Path
from random import Random

import anyio
import msgspec
import pytest
from clients.pty_driver import piped
from server_fixture import House, Peer, Table, opened, seated

from palatine_client import choose_randomly, connect, run_bot
from palatine_protocol import messages
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest

HANDS = {  # the games that have words of their own
    "between_two_castles": ("Your hand:", "Deine Hand:"),
    "noblemen": ("Behind your screen:", "Hinter deinem Sichtschirm:"),
    "palais_royal": ("You choose:", "Du wählst:"),
}
AT_THE_TABLE = {"en": "At the table:", "de": "Am Tisch:"}
OWN_WORDS = {"en": ("you", "You choose:"), "de": ("du", "Du wählst:")}


async def described(peer: Peer, table: str, lang: str = "en") -> messages.Described:
    reply = await peer.do(messages.Describe, table=table, lang=lang)
    assert isinstance(reply, messages.Described), reply
    return reply


@pytest.mark.parametrize("game", HANDS)
async def test_a_seat_and_a_spectator_hear_what_they_see_in_both_languages(house: House, game: str) -> None:
    async with house.peer("Ida") as ida, house.peer("Otto") as otto, house.peer("Eva") as eva:
        table = (await seated([ida, otto], game, bots=1, seed="0b" * 32))[0].id
        await eva.do(messages.Watch, table=table)
        for lang, own in zip(("en", "de"), HANDS[game], strict=True):
            mine, theirs = await described(ida, table, lang), await described(eva, table, lang)
            assert own in mine.text
            assert own not in theirs.text
            assert AT_THE_TABLE[lang] in theirs.text
            assert "Ida" in theirs.text
            assert f"{AT_THE_TABLE[lang]} {OWN_WORDS[lang][0]}, Otto" in mine.text
            assert "_" not in mine.text + theirs.text
        assert 0 < mine.version <= theirs.version


async def test_it_says_what_happened_last_and_says_it_again_alike(house: House) -> None:
    async with house.peer("Ida") as ida:
        (table,) = await seated([ida], bots=2)
        while not only_she_is_waited_for(table):
            await table.play(Random(1).randrange, until=only_she_is_waited_for)
            await ida.do(messages.Ping)  # what her last action changed may come after its reply
            table.catch_up()
        first, again = await described(ida, table.id), await described(ida, table.id)
        assert first.version == table.version
        assert "What happened last:" in first.text
        assert first == msgspec.structs.replace(again, re=first.re)


def only_she_is_waited_for(table: Table) -> bool:
    """Tell whether the table waits for her alone and has news."""
    is_quiet = table.is_over or (table.version > 5 and {waiting.seat for waiting in table.waiting} == {table.seat})
    updates = (heard for heard in table.peer.heard if isinstance(heard, messages.Update))
    return is_quiet and any(update.news for update in updates if update.version == table.version)


async def test_a_table_before_the_game_is_described_too(house: House) -> None:
    async with house.peer("Ida") as ida, house.peer("Eva") as eva:
        table = await opened(ida, 3)
        await ida.do(messages.Sit, table=table)
        assert "The game has not begun yet." in (await described(eva, table)).text
        assert "Das Spiel hat noch nicht begonnen." in (await described(ida, table, "de")).text


async def test_who_is_not_let_in_hears_nothing(house: House) -> None:
    async with house.peer("Ida") as ida, house.peer("Eva") as eva:
        table = await opened(ida, 3, visibility="private")
        refused = await eva.do(messages.Describe, table=table)
        assert refused.code == "no_such_table"
        assert "At the table: a free seat" in (await described(ida, table)).text


async def test_who_looks_on_late_hears_of_the_past_only(house: House) -> None:
    async with house.peer("Ida") as ida, house.peer("Otto") as otto, house.peer("Eva") as eva:
        (table, other) = await seated([ida, otto], "palais_royal", delay=3)
        await plays(table, other, 12)
        now = await described(ida, table.id)
        late = await described(eva, table.id)
        assert late.version == now.version - 3
        await eva.do(messages.Watch, table=table.id)
        shown = await eva.until(messages.Snapshot, table=table.id)
        assert shown.version == late.version
        assert (await described(eva, table.id)).text == late.text
        assert "Waiting for" not in late.text


async def plays(table: Table, other: Table, moves: int) -> None:
    """Let both players act until the table has this many moves."""
    for each in (table, other):
        each.catch_up()
    while table.version < moves:
        for each in (table, other):
            if each.is_waited_for:
                await each.act(Random(each.version).randrange)
        await table.until_version(table.version + 1)
        await other.until_version(table.version)


async def test_a_house_without_words_knows_no_such_request(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    heard: list[messages.Reply] = []
    async with TableDirectory(GAMES, store, Settings(data=tmp_path), lambda: 1_000) as directory:
        request = messages.Create(id="1", game="palais_royal", seats=2)
        created = await directory.create("ida", "Ida", request, may_seed=False)
        assert isinstance(created, messages.Created)
        await directory.ask(TableRequest("ida", "Ida", messages.Describe(id="2", table=created.table), heard.append))
    await store.close()
    assert isinstance(heard[0], messages.Refused)
    assert heard[0].code == "unknown_request"


# The command line with --plain


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_from_a_pipe_in_words_alone(house: House, home: Path, game: str) -> None:
    rng = Random(5)
    said = "\n".join(rng.choice(["1 2", "1", "2", "3"]) for _ in range(150))
    words = ["play", game, "--server", house.url, "--seats", "3", "--plain", "--name", "Ida"]
    code, out, err = await piped(*words, home=home, said=said)
    assert (code, err) == (0, "")
    assert "1. " in out
    assert is_in_words(out)


async def test_a_spectator_hears_the_game_to_its_end(house: House, home: Path) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create("between_two_castles", seats=3)
        await table.sit()
        await table.fill("random")
        await table.start()
        words = ["watch", "--server", house.url, "--plain", "--lang", "de", "--", table.id]
        heard: list[tuple[int, str, str]] = []

        async def listen() -> None:
            heard.append(await piped(*words, home=home, said=None))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen)
            tasks.start_soon(run_bot, client, table, choose_randomly)
    code, out, err = heard[0]
    assert (code, err) == (0, "")
    assert "Das Spiel ist aus." in out
    assert "Endstand:" in out
    assert is_in_words(out)


def is_in_words(out: str) -> bool:
    """Tell whether a text has no picture, sign or colour."""
    return not any("\u2190" <= letter <= "\u2bff" or letter == "\x1b" for letter in out)
