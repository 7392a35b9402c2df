"""The log of a table is bounded, what changes nothing writes nothing, and the end of a game has one snapshot."""

from pathlib import Path
from typing import Any

import pytest
from server_fixture import opened, running, seated
from tables.state_fixtures import started
from tables.test_directory import ask, halls, table_of

from palatine_protocol import messages
from palatine_protocol.messages import Act, Contribute, Done, Leave, Ready, Say, Show, Sit, Watch
from palatine_server.games.kit import Refused
from palatine_server.store import Append, OnOutcome
from palatine_server.tables.presence.local import AFTER, LocalPresence
from palatine_server.tables.storage.log_length import must_fit

LEAST = 100  # entries: the shortest log that can be set
IDS: Any = {"id": "r", "table": "t"}
ACT, LEAVE, SHOW = Act(**IDS, offer=0, action={}), Leave(**IDS), Show(**IDS)


# The bound


@pytest.mark.parametrize(
    ("version", "fit"),
    [(99, [ACT, LEAVE, SHOW]), (100, [ACT, LEAVE]), (124, [ACT, LEAVE]), (125, [LEAVE]), (10_000, [LEAVE])],
    ids=str,
)
def test_bound_leaves_room_to_play_to_the_end(version: int, fit: Any) -> None:
    for request in (ACT, LEAVE, SHOW):
        if request in fit:
            must_fit(version, LEAST, request)
        else:
            with pytest.raises(Refused, match="log_full"):
                must_fit(version, LEAST, request)


async def test_bound_lets_the_server_end_a_game_whose_log_its_players_filled(tmp_path: Path) -> None:
    async with running(tmp_path, entries_per_table=LEAST) as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], bots=1, game="between_two_castles")
        await fill(table)
        for refused in (await anna.do(Say, table=table.id, text="more"), await anna.do(Show, table=table.id)):
            assert (refused.code, "full" in refused.sentence) == ("log_full", True)
        await tick_until_refused(table)
        assert table.version == LEAST + LEAST // 4
        assert isinstance(await anna.do(Leave, table=table.id), Done)
        async with house.peer() as visitor:  # the house bots play on, and the log still grows
            await visitor.do(Watch, table=table.id)
            while not table.is_over:
                await anna.receive()
                table.catch_up()
        assert (await anna.do(Sit, table=table.id)).code == "log_full"
        assert table.version > LEAST + LEAST // 4


async def fill(table: Any) -> None:
    """Show and cover a hand until that is refused."""
    reply: Any = None
    for number in range(2 * LEAST):
        reply = await table.peer.do(Show, table=table.id, shown=number % 2 == 0)
        if not isinstance(reply, Done):
            break
    assert reply.code == "log_full"


async def tick_until_refused(table: Any) -> None:
    """Tick a tile and untick it: what the rules allow without end is bounded too."""
    reply: Any = None
    for _ in range(LEAST):
        table.catch_up()
        choice = next(choice for choice in table.offer.choices if choice.do in {"assign_ludwig", "tick", "untick"})
        reply = await table.peer.do(Act, table=table.id, offer=table.offer.id, action=choice.nth(0))
        if not isinstance(reply, Done):
            break
        await table.until_version(reply.version)
    assert reply.code == "log_full"


async def test_bound_what_was_done_before_is_confirmed_though_the_log_is_full(tmp_path: Path) -> None:
    async with halls(tmp_path, entries_per_table=LEAST) as (_, (directory,)):
        table = await table_of(directory)
        replies = [await ask(directory, "anna", Show, id=f"s{n}", table=table, shown=n % 2 == 0) for n in range(LEAST)]
        assert {type(reply) for reply in replies[:96]} == {Done}
        assert replies[96].code == "log_full"
        assert await ask(directory, "anna", Show, id="s95", table=table, shown=False) == replies[95]


def test_bound_nobody_is_marked_away_in_a_full_log_but_those_who_were_may_come_back() -> None:
    state = started(3, clock=messages.Clock(move=60, grace=30))
    presence = LocalPresence()
    presence.left("anna", 0)
    assert presence.look(state, set(), AFTER) == (0, True, 0)
    assert presence.next_look(state, []) == AFTER
    assert presence.look(state, set(), AFTER, may_mark=False) is None
    assert presence.next_look(state, [], may_mark=False) is None
    state.reseat(0, away=True)
    assert presence.look(state, {"anna"}, AFTER, may_mark=False) == (0, False, None)


# What changes nothing


async def test_unchanged_toggles_are_confirmed_and_write_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna:
        table = await opened(anna, 2, ready_check=True)
        await anna.do(Sit, table=table)
        asked: list[tuple[Any, dict[str, Any]]] = [
            (Ready, {"ready": True}),
            (Show, {"shown": True}),
            (Contribute, {"entropy": "0f" * 16}),
            (Ready, {"ready": False}),
            (Show, {"shown": False}),
        ]
        for version, (kind, given) in enumerate(asked, 2):
            for _ in range(3):
                done = await anna.do(kind, table=table, **given)
                assert (type(done), done.version, done.seat) == (Done, version, 0)


async def test_unchanged_is_judged_by_the_newest_state_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that has not heard of the last toggle must not confirm that nothing has to change."""
    async with halls(tmp_path, 2) as (_, (one, two)):
        table = await table_of(one)
        monkeypatch.setattr(await two.open(table), "hint", lambda version: None)  # the hints are lost
        shown = await ask(one, "anna", Show, id="show", table=table, shown=True)
        covered = await ask(two, "anna", Show, id="cover", table=table, shown=False)
        assert covered.version == shown.version + 1
        again = await ask(two, "anna", Show, id="show", table=table, shown=True)
        assert again == shown


# The last snapshot


async def test_snapshot_is_stored_when_a_game_ends_and_not_with_each_entry_after_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, snapshot_every=1_000) as house, house.peer("Anna") as anna:
        store, snapshots = house.server._app.state.shared.store, list[int]()
        append = store.append

        def noted(given: Append, on_outcome: OnOutcome) -> None:
            if given.snapshot is not None:
                snapshots.append(given.head.version + 1)
            append(given, on_outcome)

        monkeypatch.setattr(store, "append", noted)
        (table,) = await seated([anna], bots=1, game="palais_royal")
        await table.play(lambda most: 0)
        assert snapshots == [table.version]
        for number in range(20):
            assert isinstance(await anna.do(Show, table=table.id, shown=number % 2 == 0), Done)
        assert snapshots == [table.version]


async def test_snapshot_comes_every_so_often_also_after_the_end(tmp_path: Path) -> None:
    async with running(tmp_path, snapshot_every=8) as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], bots=1, game="palais_royal")
        await table.play(lambda most: 0)
        for number in range(20):
            await anna.do(Show, table=table.id, shown=number % 2 == 0)
        stored = await house.server._app.state.shared.store.load(table.id)
        assert len(stored.entries) < 8
