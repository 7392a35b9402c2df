"""Stored types across versions: a page may lack fields that our types have, and have fields that they do not."""

from __future__ import annotations

import copy
from functools import reduce
from typing import Any

import msgspec
import pytest
from games.kit.example_game import QUAY
from tables.state_fixtures import GAME, SEED, T0, TABLE, ask, choose, copied, opened, started

from palatine_protocol import digest
from palatine_protocol.messages import Act, Clock, Info, Say, Seated, Show, Sit, Start
from palatine_server.store import Head, LogSpan, StoredTable
from palatine_server.store.hash_chain import link
from palatine_server.tables.handlers.play import start
from palatine_server.tables.model import LogEntry, TableSnapshot, apply_entry
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage import compatibility, persistence
from palatine_server.tables.storage.compatibility import FORMAT, NewerTable, UnreadableTable, restore_unknown


class Archive:
    """A store with one table."""

    def __init__(self, snapshot: TableSnapshot, entries: list[LogEntry]) -> None:
        encoded = list(map(persistence.encode, entries))
        self.log = LogSpan(Head(snapshot.version, b""), encoded, reduce(link, encoded, Head(snapshot.version, b"")))
        self._stored = StoredTable(persistence.encode(snapshot), self.log)

    async def load(self, table: str) -> StoredTable:
        return self._stored

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        return self.log


def without(snapshot: TableSnapshot, *names: str) -> TableSnapshot:
    """The page as a version wrote it that did not have these secrets."""
    old = copied(snapshot)
    for name in names:
        del old.hidden[name]
    return old


# A page that lacks fields


async def test_absent_an_entry_sets_a_list_that_the_page_does_not_have():
    old = without(opened(3).take_snapshot(), "talk", "closed_for")
    state = TableState.read(GAME, copied(old))
    said = ask(state, 0, Say(**TABLE, text="hello"))
    snapshot, _ = await persistence.load("t", Archive(old, [said]))
    assert TableState.read(GAME, snapshot).secrets.talk == state.secrets.talk
    assert snapshot == copied(state.take_snapshot())
    assert ["talk"] in [op[0] for op in said.hidden]


async def test_absent_an_entry_that_relies_on_the_default_fits_a_page_with_all_defaults():
    state = opened(3)
    old = without(state.take_snapshot(), "talk", "muted")
    said = ask(state, 0, Say(**TABLE, text="hello"))  # made against a page that has the empty list
    with pytest.raises(ValueError, match="not there"):
        apply_entry(copied(old), said)
    snapshot, _ = await persistence.load("t", Archive(old, [said]))
    assert [spoken.text for spoken in TableState.read(GAME, snapshot).secrets.talk] == ["hello"]


def test_absent_an_action_also_brings_the_fields_that_the_document_has_gained():
    info = Info(game="quay", status="open", visibility="public", host="A", seats=[], options={})
    info.seats = [Seated(name="A"), Seated(name="B")]
    state = TableState.create(QUAY, info, "anna", SEED, T0, users=["anna", "berta"])
    start(state, Requester("anna", "A"), Start(**TABLE), T0)
    old = copied(state.take_snapshot())
    del old.board["waved"]
    for hand in old.hands:
        del hand["thought"]
    state = TableState.read(QUAY, copied(old))
    assert state.digests() == digests_of(old)  # nobody is shown what the store does not have yet
    entry = ask(state, 0, Act(**TABLE, offer=0, action={"do": "lay", "lantern": 3}))
    assert apply_entry(copied(old), entry) == copied(state.take_snapshot())
    assert state.digests() == entry.digests == digests_of(state.take_snapshot())
    assert state.take_snapshot().board["waved"] == []
    again = ask(state, 1, Act(**TABLE, offer=0, action={"do": "think", "of": 3}))
    assert again.board == []


def digests_of(snapshot: TableSnapshot) -> list[int]:
    board = digest.of_board(snapshot.board)
    return [*(digest.of_viewer(board, hand) for hand in snapshot.hands), board]


# A page with more fields


def with_more(state: TableState) -> TableSnapshot:
    """The page as a later version may write it."""
    snapshot = copied(state.take_snapshot())
    snapshot.info |= {"mood": "merry"}
    snapshot.info["seats"][0] |= {"colour": "red"}
    snapshot.hidden |= {"diary": ["one"]}
    snapshot.hidden["clocks"][1] |= {"zone": "UTC"}
    snapshot.hidden["opening"]["secrets"] |= {"diary": []}
    return snapshot


def test_unknown_fields_survive_whatever_is_done_at_the_table():
    stored = with_more(started(3, clock=Clock(move=30)))
    state, snapshot = TableState.read(GAME, copied(stored)), copied(stored)
    for entry in (ask(state, 1, Show(**TABLE)), ask(state, 0, Show(**TABLE)), choose(state, 1, T0 + 500)):
        snapshot = apply_entry(snapshot, copy.deepcopy(entry))
    assert snapshot == copied(state.take_snapshot())
    assert snapshot.info["mood"] == "merry"
    assert snapshot.info["seats"][0] == {**snapshot.info["seats"][0], "colour": "red", "shown": True}
    assert snapshot.hidden["diary"] == ["one"]
    assert snapshot.hidden["clocks"][1]["zone"] == "UTC"
    assert TableState.read(GAME, copied(snapshot)).take_snapshot().hidden == snapshot.hidden


def test_unknown_an_older_node_can_follow_entries_about_fields_that_it_does_not_know():
    stored = with_more(started(3))
    said = LogEntry(version=stored.version + 1, at=T0, user="", did={"do": "x"}, hands=[[]] * 3, digests=[0] * 4)
    said.hidden = [[["diary"], 1, 0, "two"]]
    state = TableState.read(GAME, persistence.fold(persistence.encode(stored), [said]))
    assert state.take_snapshot().hidden["diary"] == ["one", "two"]


async def test_unknown_fields_are_there_at_every_earlier_version():
    stored = copied(opened(3).take_snapshot())
    stored.hidden["opening"]["secrets"]["diary"] = []
    entries = [ask(TableState.read(GAME, copied(stored)), 0, Sit(**TABLE))]
    entries[0].hidden.append([["diary"], 0, 0, "zero"])
    archive = Archive(stored, entries)
    snapshot = await persistence.read_snapshot_at("t", 1, stored, archive.log.end, archive)
    assert snapshot.hidden["diary"] == ["zero"]


def test_unknown_a_document_of_newer_rules_is_left_alone():
    for zone in ("board", "hand", "box"):
        snapshot = copied(started(3).take_snapshot())
        {"board": snapshot.board, "hand": snapshot.hands[1], "box": snapshot.hidden["game"]["box"]}[zone]["weather"] = (
            "rain"
        )
        with pytest.raises(NewerTable) as newer:
            persistence.open_state({GAME.name: GAME}, snapshot)
        assert newer.value.code == "try_again"
        assert newer.value.retry_after_ms


@pytest.mark.parametrize(
    ("stored", "known", "new", "restored"),
    [
        ({"a": 1, "x": 2}, {"a": 1}, {"a": 3}, {"a": 3, "x": 2}),
        ({"a": 1, "x": 2}, {"a": 1}, {}, {"x": 2}),
        ([{"a": 1, "x": 2}], [{"a": 1}], [{"a": 1}, {"a": 3}], [{"a": 1, "x": 2}, {"a": 3}]),
        (
            [{"a": 1, "x": 1}, {"a": 2, "x": 2}],
            [{"a": 1}, {"a": 2}],
            [{"a": 2}, {"a": 3}],
            [{"a": 2, "x": 2}, {"a": 3}],
        ),
        ([{"a": 1, "x": 1}, {"a": 2}], [{"a": 1}, {"a": 2}], [{"a": 5}, {"a": 2}], [{"a": 5, "x": 1}, {"a": 2}]),
        ({"a": [1]}, {"a": [1]}, {"a": None}, {"a": None}),
    ],
)
def test_unknown_fields_stay_with_the_item_they_belong_to(stored: Any, known: Any, new: Any, restored: Any):
    assert restore_unknown(stored, known, new) == restored


# The format number


async def test_format_a_newer_page_or_entry_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    state = opened(3)
    first = copied(state.take_snapshot())
    entry = ask(state, 0, Sit(**TABLE))
    for snapshot, entries in (
        (msgspec.structs.replace(first, format=FORMAT + 1), []),
        (first, [msgspec.structs.replace(entry, format=FORMAT + 1)]),
    ):
        archive = Archive(snapshot, entries)
        with pytest.raises(NewerTable, match=f"format {FORMAT + 1}, this version reads {FORMAT}"):
            await persistence.load("t", archive)
        with monkeypatch.context() as newer:
            newer.setattr(compatibility, "FORMAT", FORMAT + 1)
            await persistence.load("t", archive)


def test_format_is_found_even_if_nothing_else_can_be_read():
    with pytest.raises(NewerTable):
        persistence.read_entry(msgspec.msgpack.encode({"version": "seven", "format": FORMAT + 1}))
    with pytest.raises(UnreadableTable):
        persistence.read_entry(msgspec.msgpack.encode({"version": "seven"}))
    with pytest.raises(UnreadableTable):
        persistence.decode_snapshot(b"\xc1")


def test_format_everything_that_is_written_has_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compatibility, "FORMAT", 7)
    state = opened(3)
    assert state.take_snapshot().format == 7
    assert ask(state, 0, Sit(**TABLE)).format == 7
