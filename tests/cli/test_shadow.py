"""`palatine shadow`: tables that the installed rules would play the same are passed over, others are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import anyio
import pytest
from store import redis_servers
from store.redis_servers import Server, one_server
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_protocol.messages import Act, AddBot, Clock, Info, Leave, Sit, Start, Undo
from palatine_protocol.offers import drawn
from palatine_server.games.between_two_castles import rounds
from palatine_server.games.kit import Game, Play
from palatine_server.games.registry import GAMES
from palatine_server.rules_comparison import judge_tables
from palatine_server.store import Append, Committed, RequestKey, Store, append_and_wait
from palatine_server.store.hash_chain import link, origin
from palatine_server.store.readonly import open_readonly_store
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.handlers import handle_request, play
from palatine_server.tables.model import LogEntry
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage.persistence import build_summary, encode

SEED = "c0ffee" * 10 + "beef"
CASTLES = GAMES["between_two_castles"]


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


# Tables with everything that can happen at one


class Evening:
    """A table at which people sit down, leave, come back, take back and fall asleep, and bots play along."""

    def __init__(self, game: Game, number: int) -> None:
        seats = game.players[-1]
        info = Info(
            game=game.name,
            status="open",
            visibility="private",
            host="Anna",
            seats=[None] * seats,
            options={},
            clock=Clock(move=30),
        )
        self.id, self.rng, self.now = f"{game.name}-{number}", Random(number), 1_000
        self.state = TableState.create(game, info, "user-0", SEED, self.now)
        self.first, self.entries = (
            encode(self.state.take_snapshot()),
            [self._ask(seat, Sit) for seat in range(seats - 1)],
        )
        self.entries += [self._ask(0, AddBot, policy="random")]

    def _ask(self, seat: int, kind: Any, **given: Any) -> LogEntry:
        who = Requester(f"user-{seat}", f"Name {seat}")
        return handle_request(self.state, who, kind(id="r", table=self.id, **given), self.now, None)

    def play(self, entries: int) -> Evening:
        self.entries.append(self._ask(0, Start))
        while len(self.entries) < entries and self.state.info.status == "playing":
            self.entries.append(self._next())
        return self

    def _next(self) -> LogEntry:
        self.now += 1000
        seat = self.rng.choice(self.state.waiting())
        if self.state.is_bot(seat):
            return self._bot_or_back(seat)
        recorder, whim = self.state.recorder, self.rng.random()
        assert recorder
        if whim < 0.3 and recorder.may_undo(seat):
            return self._ask(seat, Undo)
        if whim < 0.4 and (late := play.handle_overdue(self.state, self.now + 30_000)):
            return late
        if whim < 0.45:
            return self._ask(seat, Leave)
        action = drawn(recorder.play.offer(seat), self.rng.randrange)
        return self._ask(seat, Act, offer=self.state.secrets.answers[seat], action=action)

    def _bot_or_back(self, seat: int) -> LogEntry:
        sitting, recorder = self.state.info.seats[seat], self.state.recorder
        assert sitting
        assert recorder
        if sitting.substitute and self.rng.random() < 0.3:
            return self._ask(seat, Sit)
        action = self.state.game.policies["random"](recorder.play, seat, self.rng.randrange)
        return play.play_for(self.state, seat, action, "bot", self.now)

    async def keep(self, store: Store) -> None:
        """Store it as a server would, though it never says which entry was the first after a snapshot."""
        summary = build_summary(self.state)
        await store.create(self.id, self.first, summary, RequestKey("user-0", self.id, b"hash"))
        last = encode(self.state.take_snapshot())
        head = origin(self.id)
        for entry in self.entries:
            snapshot = last if entry is self.entries[-1] else None
            given = Append(self.id, head, encode(entry), summary=summary, snapshot=snapshot)
            head = link(head, given.entry)
            assert await append_and_wait(store, given) == Committed(head)


def evenings(entries: int = 150) -> list[Evening]:
    """Two tables of every game."""
    return [Evening(game, number).play(entries) for game in GAMES.values() for number in range(2)]


async def kept(data: Path, tables: list[Evening]) -> None:
    store = await SqliteStore.open(data)
    for table in tables:
        await table.keep(store)
    await store.close()


def shadow(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), ["shadow", *words], env={"COLUMNS": "200"})


# Nothing has changed


async def test_the_same_rules_play_the_same(tmp_path: Path) -> None:
    tables = evenings()
    kinds = {entry.did["do"] for table in tables for entry in table.entries}
    assert kinds == {"sit", "add_bot", "start", "act", "bot", "undo", "overdue", "leave"}
    await kept(tmp_path, tables)
    result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    assert (
        f"{len(tables)} live tables with {sum(len(table.entries) for table in tables)} entries, 0 would differ"
        in result.output
    )
    assert result.exit_code == 0


async def test_tables_that_are_over_or_have_not_begun_are_no_trouble(tmp_path: Path) -> None:
    over, waiting = Evening(CASTLES, 1).play(10**6), Evening(CASTLES, 2)
    assert over.state.info.status == "over"
    await kept(tmp_path, [over, waiting])
    result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    assert "1 live tables with 7 entries, 0 would differ" in result.output


async def test_a_table_remembers_the_edition_it_began_with(tmp_path: Path) -> None:
    table = Evening(CASTLES, 1)
    assert table.state.secrets.edition == ""
    table.play(10)
    assert table.state.take_snapshot().hidden["edition"] == CASTLES.edition
    assert len({game.edition for game in GAMES.values()}) == len(GAMES)


async def test_a_server_at_work_is_not_disturbed(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)  # holds the lock
    for table in evenings(40):
        await table.keep(store)
    result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    await store.close()
    assert f"{2 * len(GAMES)} live tables" in result.output
    assert result.exit_code == 0


async def test_tables_in_redis(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await RedisStore.open(valkey.url)
    for table in evenings(80):
        await table.keep(store)
    await store.close()
    before = valkey.ask("DBSIZE")
    result = await anyio.to_thread.run_sync(shadow, "--store", valkey.url)
    assert f"{2 * len(GAMES)} live tables" in result.output
    assert (result.exit_code, valkey.ask("DBSIZE")) == (0, before)
    monkeypatch.setattr(rounds, "take_up_piles", the_other_way_round)
    result = await anyio.to_thread.run_sync(shadow, "--store", valkey.url)
    assert "2 would differ" in result.output
    assert result.exit_code == 1


# Something has changed


def the_other_way_round(game: Play[Any, Any, Any]) -> None:
    """A planted rule: hands go to the right in round 1."""
    piles = {seat: rounds.pick_up_pile(game, seat) for seat in game.board.circle}
    for seat, pile in piles.items():
        rounds.take_up(game, rounds.right_of(game, seat), pile)


def broken(game: Play[Any, Any, Any]) -> None:
    raise KeyError(game.hands[0].tiles)


async def listed(data: Path, monkeypatch: pytest.MonkeyPatch, planted: Any) -> str:
    """What is said of tables of which some come to the planted rule; it must give away nothing hidden."""
    tables = evenings()
    await kept(data, tables)
    monkeypatch.setattr(rounds, "take_up_piles", planted)
    result = await anyio.to_thread.run_sync(shadow, "--data", str(data))
    assert result.exit_code == 1
    assert SEED not in result.output
    assert "2 would differ" in result.output
    for table in tables:
        assert (table.id in result.output) == (table.state.game is CASTLES)
    return result.output


async def test_rules_that_play_differently_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = await listed(tmp_path, monkeypatch, the_other_way_round)
    assert output.count("another outcome") == 2
    assert output.count(CASTLES.edition) == 2


async def test_the_first_entry_that_differs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Evening(CASTLES, 1).play(150)
    passed = next(entry for entry in table.entries if any(heard.news["news"] == "hands_passed" for heard in entry.news))
    await kept(tmp_path, [table])
    monkeypatch.setattr(rounds, "take_up_piles", the_other_way_round)
    result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    (row,) = (line for line in result.output.splitlines() if table.id in line)
    assert [cell.strip() for cell in row.split("│")][4:6] == [str(passed.version), "150"]


async def test_rules_that_break_are_found_and_hidden_tiles_stay_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = await listed(tmp_path, monkeypatch, broken)
    assert output.count("the rules break: KeyError") == 2


async def test_a_game_that_is_gone_is_found(tmp_path: Path) -> None:
    await kept(tmp_path, evenings(30))
    with patch.dict(GAMES):  # which also restores the order of the games; later tests rely on it
        del GAMES[CASTLES.name]
        result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    assert result.output.count("the game is not installed") == 2
    assert result.exit_code == 1


async def test_rules_that_cannot_read_a_document_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await kept(tmp_path, evenings(30))
    monkeypatch.setitem(GAMES, CASTLES.name, replace(CASTLES, document=GAMES["noblemen"].document))
    result = await anyio.to_thread.run_sync(shadow, "--data", str(tmp_path))
    assert result.output.count("ValidationError") == 2
    assert f"{2 * len(GAMES)} live tables" in result.output
    assert result.exit_code == 1


async def test_a_table_that_is_gone_meanwhile_is_passed_over(valkey: Server) -> None:
    store = await RedisStore.open(valkey.url)
    for table in evenings(30):
        await table.keep(store)
    await store.close()
    archive = await open_readonly_store(Path(), valkey.url, "fsync")
    tables = [table async for table in archive.scan_tables()]
    valkey.ask("DEL", *valkey.ask("KEYS", f"palatine:{{table:{tables[0]}}}*"))
    found = [verdict async for verdict in judge_tables(archive, GAMES, tables)]
    await archive.close()
    assert [verdict and verdict.table for verdict in found] == [None, *tables[1:]]


def test_where_there_is_no_store_it_says_so(tmp_path: Path) -> None:
    result = shadow("--data", str(tmp_path))
    assert "say with --data where a server keeps its own" in " ".join(result.output.split())
    assert result.exit_code == 2
