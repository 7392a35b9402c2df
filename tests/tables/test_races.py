"""T2: an action and a take-back at the same moment. One wins, the other is refused with a code, and all see the same.

Two nodes carry out the two requests on the same page and bring their entries to the store together; then the store
takes one after the other, in either order. `test_two_nodes.py` lets them race over real sockets.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from tables.test_directory import Watcher

from palatine_protocol import messages
from palatine_protocol.messages import Act, Agree, Done, Request, Rollback, Sit, Start, Undo, Watch
from palatine_server.games.kit import plain
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import Append, OnOutcome
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.state import TableState

PEOPLE = ("anna", "berta", "carla")
Asked = tuple[int, Request]  # a seat, and what it wants
every_game = pytest.mark.parametrize("name", GAMES)
either_order = pytest.mark.parametrize("first", [0, 1])


class Held:
    """A real store that keeps an entry waiting at its door until it is told to let it in."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._held: list[Callable[[], None]] | None = None  # appends that wait
        self.came = anyio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def shut(self) -> None:
        self._held, self.came = [], anyio.Event()

    def open(self) -> None:
        held, self._held = self._held, None
        for append in held or []:
            append()

    def append(self, given: Append, on_outcome: OnOutcome) -> None:
        self.came.set()
        append = partial(self._store.append, given, on_outcome)
        append() if self._held is None else self._held.append(append)


class Race:
    """A table of three on two nodes, with a spectator at each."""

    def __init__(self, halls: list[TableDirectory], stores: list[Held]) -> None:
        self.halls, self.stores, self.table = halls, stores, ""
        self.watchers = [Watcher("visitor"), Watcher("visitor")]
        self._ids = (f"r{number}" for number in count())

    async def start(self, game: str) -> None:
        create = messages.Create(id=self.id(), game=game, seats=3, seed="5e" * 32)
        created: Any = await self.halls[0].create("anna", "Anna", create, may_seed=True)
        self.table = created.table
        for seat in range(3):
            await self.do(0, seat, Sit)
        await self.do(0, 0, Start)
        for node, watcher in enumerate(self.watchers):
            request: Any = Watch(id=self.id(), table=self.table)
            await self.halls[node].ask(TableRequest("visitor", "", request, lambda _: None, watcher))

    def id(self) -> str:
        return next(self._ids)

    async def ask(self, node: int, seat: int, request: Any) -> Any:
        replies: list[Any] = []
        await self.halls[node].ask(TableRequest(PEOPLE[seat], PEOPLE[seat], request, replies.append))
        return replies[0]

    async def do(self, node: int, seat: int, kind: Any, **given: Any) -> None:
        reply = await self.ask(node, seat, kind(id=self.id(), table=self.table, **given))
        assert isinstance(reply, Done), reply

    async def act(self, node: int, seat: int, verb: str = "") -> None:
        reply = await self.ask(node, seat, self.action(seat, verb))
        assert isinstance(reply, Done), reply

    def action(self, seat: int, verb: str = "", rng: Random | None = None) -> Act:
        """Something that a seat may do."""
        state = max(self.states(), key=lambda state: state.version)
        assert state.recorder is not None
        choices = [choice for choice in state.recorder.play.offer(seat) if verb in ("", choice.do)]
        choice = rng.choice(choices) if rng else choices[0]
        action = plain(choice.nth(rng.randrange(choice.count()) if rng else 0))
        return Act(id=self.id(), table=self.table, offer=state.secrets.answers[seat], action=action)

    def states(self) -> list[TableState]:
        return [directory.tables[self.table].state for directory in self.halls]

    async def level(self) -> None:
        """Wait until both nodes have the same page."""
        with anyio.fail_after(10):
            while len({state.version for state in self.states()}) > 1:
                await anyio.sleep(0)

    async def run(self, asked: list[Asked], first: int) -> list[Any]:
        """Both at once, one on each node; the store takes this one first."""
        await self.level()
        replies: list[Any] = [None, None]

        async def one(node: int) -> None:
            replies[node] = await self.ask(node, *asked[node])

        for store in self.stores:
            store.shut()
        async with anyio.create_task_group() as tasks:
            for node in (0, 1):
                tasks.start_soon(one, node)
            with anyio.fail_after(10):
                for store in self.stores:
                    await store.came.wait()
                self.stores[first].open()
                while replies[first] is None:
                    await anyio.sleep(0)
                self.stores[1 - first].open()
        assert isinstance(replies[first], Done), replies
        await self.all_see_the_same()
        return replies

    async def all_see_the_same(self) -> None:
        await self.level()
        here, there = self.states()
        assert here.take_snapshot() == there.take_snapshot()
        assert here.digests() == there.digests()
        for watcher in self.watchers:
            await watcher.until(here.version)
            assert watcher.versions == list(range(watcher.versions[0], here.version + 1))
            assert watcher.board() == here.take_snapshot().board  # each digest is checked


@asynccontextmanager
async def started(data: Path, game: str) -> AsyncIterator[Race]:
    store = await SqliteStore.open(data)
    stores = [Held(store), Held(store)]
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        halls = [TableDirectory(GAMES, held, Settings(), lambda: 1_000) for held in stores]  # type: ignore[arg-type]
        race = Race([await stack.enter_async_context(directory) for directory in halls], stores)
        await race.start(game)
        yield race


def codes(replies: list[Any]) -> list[str]:
    return [getattr(reply, "code", "done") for reply in replies]


# Taking back by consent, in every game


@every_game
@either_order
async def test_an_action_and_the_last_agreement(tmp_path: Path, name: str, first: int) -> None:
    """If the action comes first the proposal is void, otherwise the offer is."""
    async with started(tmp_path, name) as race:
        rng = Random(name)
        for number in range(12):
            seat = race.states()[0].waiting()[0]
            await race.ask(number % 2, seat, race.action(seat, rng=rng))
            await race.level()
        acting = race.states()[0].waiting()[0]
        last, proposing = (seat for seat in range(3) if seat != acting)
        await race.do(0, proposing, Rollback, to=5)
        await race.do(0, acting, Agree)
        replies = await race.run([(acting, race.action(acting, rng=rng)), (last, agreeing(race))], first)
        assert codes(replies) == (["done", "nothing_proposed"] if first == 0 else ["stale_offer", "done"])


@either_order
async def test_the_last_choice_and_the_last_agreement(tmp_path: Path, first: int) -> None:
    """The choice that would reveal everything, or back to where nobody had chosen."""
    async with started(tmp_path, "between_two_castles") as race:
        for seat in (0, 1):
            await race.act(seat, seat, "choose")
            await race.level()
        await race.do(0, 0, Rollback, to=4)
        await race.do(0, 2, Agree)
        replies = await race.run([(2, race.action(2, "choose")), (1, agreeing(race))], first)
        assert codes(replies) == (["done", "nothing_proposed"] if first == 0 else ["stale_offer", "done"])
        assert race.states()[0].take_snapshot().board["phase"] == ("place" if first == 0 else "choose")


@either_order
async def test_an_undo_and_the_last_agreement(tmp_path: Path, first: int) -> None:
    async with started(tmp_path, "between_two_castles") as race:
        await race.act(0, 0, "tick")
        await race.do(0, 1, Rollback, to=4)
        await race.do(0, 0, Agree)
        replies = await race.run([(0, Undo(id=race.id(), table=race.table)), (2, agreeing(race))], first)
        assert codes(replies) == (["done", "nothing_proposed"] if first == 0 else ["cannot_undo", "done"])


@either_order
async def test_two_who_do_not_agree(tmp_path: Path, first: int) -> None:
    async with started(tmp_path, "between_two_castles") as race:
        await race.act(0, 0, "tick")
        await race.do(0, 0, Rollback, to=4)
        replies = await race.run([(1, agreeing(race)), (2, agreeing(race, agree=False))], first)
        assert codes(replies) == (["done", "done"] if first == 0 else ["nothing_proposed", "done"])
        assert race.states()[0].info.rollback is None


def agreeing(race: Race, **given: Any) -> Agree:
    return Agree(id=race.id(), table=race.table, **given)


# Undo, and the take-back of the rules


@pytest.mark.parametrize(("name", "verb"), [("between_two_castles", "tick"), ("noblemen", "")])
@either_order
async def test_an_undo_and_an_action_of_somebody_else(tmp_path: Path, name: str, verb: str, first: int) -> None:
    """Nobody takes back what somebody else has acted upon."""
    async with started(tmp_path, name) as race:
        await race.act(0, 0, verb)
        assert race.states()[0].recorder.may_undo(0)  # type: ignore[union-attr]
        replies = await race.run([(0, Undo(id=race.id(), table=race.table)), (1, race.action(1, verb))], first)
        assert codes(replies) == (["done", "done"] if first == 0 else ["cannot_undo", "done"])


@either_order
async def test_an_undo_and_the_next_action_of_the_same_seat(tmp_path: Path, first: int) -> None:
    """Two windows of one player."""
    async with started(tmp_path, "palais_royal") as race:
        await race.act(0, 0)
        replies = await race.run([(0, Undo(id=race.id(), table=race.table)), (0, race.action(0))], first)
        assert codes(replies) == (["done", "stale_offer"] if first == 0 else ["cannot_undo", "done"])


TOO_LATE = {"not_now", "not_your_turn", "not_offered"}


@pytest.mark.parametrize("seed", range(3))
@either_order
async def test_the_last_placement_and_a_take_back(tmp_path: Path, seed: int, first: int) -> None:
    """When the last tile lies, a tile is taken back only if the turn still waits for corrections (B2C-PP-10)."""
    async with started(tmp_path, "between_two_castles") as race:
        placing, taking = await played_until_one_tile_is_left(race, Random(seed))
        replies = await race.run(
            [(placing, race.action(placing, "place")), (taking, race.action(taking, "take_back"))], first
        )
        board = race.states()[0].take_snapshot().board
        if first == 0:
            is_taken_back = board["phase"] == "place" and len(board["tiles"][taking]) == 1
            assert codes(replies)[1] in ({"done"} if is_taken_back else TOO_LATE)
        else:
            assert codes(replies)[0] in {
                "done",
                "not_offered",
            }  # perhaps the tile rested on the one that was taken back


@either_order
async def test_ready_and_a_take_back(tmp_path: Path, first: int) -> None:
    """From `ready` on nothing is taken back any more; and who takes back is not overtaken by `ready`."""
    async with started(tmp_path, "between_two_castles") as race:
        placing, taking = await played_until_one_tile_is_left(race, Random(0))
        await race.act(0, placing, "place")
        assert race.states()[0].take_snapshot().board["correcting"] == placing
        replies = await race.run(
            [(placing, race.action(placing, "ready")), (taking, race.action(taking, "take_back"))], first
        )
        assert codes(replies)[1 - first] in TOO_LATE
        board = race.states()[0].take_snapshot().board
        assert (board["turn"], board["phase"], len(board["tiles"][taking])) == (
            (2, "choose", 0) if first == 0 else (1, "place", 1)
        )


async def played_until_one_tile_is_left(race: Race, rng: Random) -> tuple[int, int]:
    for _ in range(500):
        for placing, taking in last_ones(race.states()[0]):
            return placing, taking
        seat = rng.choice(race.states()[0].waiting())
        assert isinstance(await race.ask(0, seat, race.action(seat, rng=rng)), Done)
    raise AssertionError("it never came to that")


def last_ones(state: TableState) -> Iterator[tuple[int, int]]:
    """Who places the last tile, and who could take one back."""
    assert state.recorder is not None
    board, play = state.take_snapshot().board, state.recorder.play
    verbs = [{choice.do for choice in play.offer(seat)} for seat in range(3)]
    if board["phase"] == "place" and sum(map(len, board["tiles"])) == 1:
        placing = next((seat for seat in range(3) if "place" in verbs[seat]), None)
        for taking in range(3):
            if placing not in (None, taking) and "take_back" in verbs[taking]:
                yield placing, taking  # type: ignore[misc]
