"""No sequence of requests gains time: players who stall in every way, and a bookkeeper who counts what really ended."""

from random import Random
from typing import Any

import msgspec
import pytest
from tables.state_fixtures import GAME, T0, TABLE, ask, copied, opened

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_protocol.offers import listed
from palatine_server.games.kit import Refused
from palatine_server.tables import handlers
from palatine_server.tables.deadlines import clocks
from palatine_server.tables.model import LogEntry, TableSnapshot
from palatine_server.tables.state import TableState

SEATS, STEPS = 4, 250
STALLING = ("hold", "release", "take_back", "call_tiebreak", "propose", "propose_cell", "tick", "untick")
DECIDED = {"choice_confirmed": 1, "ludwig_tiles_assigned": 1, "room_placed": 1, "room_taken_back": -1}
CLOCKS = [
    Clock(move=30, bank=60, increment=10),
    Clock(bank=60, increment=10),
    Clock(move=20, increment=5, overdue="random"),
]


class Stallers:
    """Anna, Berta and Carla play with a bot and try to gain time; the test counts what each of them has decided."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self.rng, self.now, self.clock = Random(seed), T0, clock
        self.state = opened(SEATS, clock=clock)
        for seat in range(SEATS - 1):
            ask(self.state, seat, messages.Sit(**TABLE))
        ask(self.state, 0, messages.AddBot(**TABLE, policy="random"))
        self.snapshots: dict[int, TableSnapshot] = {}
        self.decided = [0] * SEATS  # decisions that have ended, as far as they were not undone or taken back
        self.counts = {0: self.decided}  # the same, by version
        self.ever = [0] * SEATS  # all that have ended
        self.thought = [0] * SEATS  # how long the clock of each seat has run
        self.taken_back = 0
        self.note(ask(self.state, 0, messages.Start(**TABLE), T0))

    # What really happened, as the news tell it

    def note(self, entry: LogEntry) -> None:
        did, before = entry.did, self.decided
        self.decided = list(before)
        if did["do"] == "undo":
            self.decided = list(self.counts[self.version_before_undone(entry.version)])
        elif did["do"] == "take_back":
            self.decided, self.taken_back = list(self.counts[did["to"]]), self.taken_back + 1
        else:
            self.count(entry)
        self.ever = [ever + max(0, now - was) for ever, now, was in zip(self.ever, self.decided, before, strict=True)]
        self.counts[entry.version], self.snapshots[entry.version] = self.decided, copied(self.state.take_snapshot())

    def version_before_undone(self, version: int) -> int:
        """The last version at which the game was as it is now."""
        now = self.state.take_snapshot()
        same = (
            snapshot
            for snapshot in self.snapshots.values()
            if (snapshot.board, snapshot.hands) == (now.board, now.hands)
        )
        return max(snapshot.version for snapshot in same if snapshot.version < version)

    def count(self, entry: LogEntry) -> None:
        for heard in entry.news:
            if (seat := heard.news.get("seat")) is not None and seat < SEATS:
                self.decided[seat] += DECIDED.get(heard.news["news"], 0)
        last = self.snapshots.get(entry.version - 1)
        if last is not None and last.board is not None:
            self.count_questions(last.board["castles"], self.state.take_snapshot().board["castles"])

    def count_questions(self, before: Any, after: Any) -> None:
        """A question that lies no longer before its deciders, or is another one, was decided by all of them."""
        for was, now in zip(before, after, strict=True):
            if was["deciding"] and (now["deciding"], now["revision"]) != (was["deciding"], was["revision"]):
                for seat in (seat for seat in was["partners"] if seat < SEATS):
                    self.decided[seat] += 1

    # What they do

    def request(self) -> tuple[int, Any]:
        seat = self.rng.randrange(SEATS - 1)
        kinds = ["act"] * 12 + ["undo"] * 4 + ["leave", "sit", "sit", "pause", "resume", "resume"]
        kinds += ["take_back", "agree", "agree", "hand_over"]
        match self.rng.choice(kinds):
            case "act":
                return self.action()
            case "undo":
                return seat, messages.Undo(**TABLE)
            case "leave":
                return seat, messages.Leave(**TABLE)
            case "sit":
                return seat, messages.Sit(**TABLE)
            case "pause":
                return seat, messages.Pause(**TABLE)
            case "resume":
                return seat, messages.Pause(**TABLE, paused=False)
            case "take_back":
                return seat, messages.Rollback(**TABLE, to=self.rng.choice(list(self.snapshots)))
            case "agree":
                return seat, messages.Agree(**TABLE)
            case _:
                return seat, messages.HandOver(**TABLE, seat=self.rng.randrange(SEATS - 1))

    def action(self) -> tuple[int, Any]:
        """Rather something that decides nothing; of what decides something, the first that comes to mind."""
        assert self.state.recorder is not None
        play = self.state.recorder.play
        offers = [(seat, action) for seat in range(SEATS - 1) for action in listed(play.offer(seat))]
        idle = [(seat, action) for seat, action in offers if action["do"] in STALLING]
        if not offers:
            return 0, messages.Undo(**TABLE)
        seat, action = self.rng.choice(idle if idle and self.rng.random() < 0.8 else offers)
        return seat, messages.Act(**TABLE, offer=self.state.secrets.answers[seat], action=action)

    def step(self) -> None:
        """Time passes, the house does what it must, and somebody asks for something."""
        self.wait(self.rng.choice([0, 10, 900, 4_000, 15_000]))
        for entry in iter(self.house, None):
            self.note(entry)
        seat, request = self.request()
        to = getattr(request, "to", None) or getattr(self.state.info.rollback, "to", None)
        try:
            self.note(ask(self.state, seat, request, self.now, self.snapshots.get(to)))
        except Refused:
            self.state = TableState.read(GAME, self.book_at_rest()) if self.rng.random() < 0.1 else self.state

    def book_at_rest(self) -> TableSnapshot:
        """As another node would read it."""
        return copied(self.state.take_snapshot())

    def wait(self, span: int) -> None:
        """Nobody thinks longer than until the time is up."""
        deadline = self.state.deadline()
        span = span if deadline is None else min(span, max(0, deadline - self.now))
        for seat, hand in enumerate(self.state.secrets.clocks):
            self.thought[seat] += span if hand.began is not None else 0
        self.now += span

    def house(self) -> LogEntry | None:
        assert self.state.recorder is not None
        if bots := self.state.bots_to_move():
            if self.rng.random() < 0.2:
                return None  # it still thinks
            action = GAME.policies["random"](self.state.recorder.play, bots[0], self.rng.randrange)
            return handlers.play.play_for(self.state, bots[0], action, "bot", self.now)
        return handlers.play.handle_overdue(self.state, self.now)

    # What must be true

    def check(self) -> None:
        second, clock = 1000, self.clock
        for seat, hand in enumerate(self.state.secrets.clocks):
            stopped = msgspec.structs.replace(hand)
            clocks.stop(stopped, self.now)
            bank, earned = clocks.compute_bank(clock, stopped), clock.increment * self.decided[seat]
            assert bank <= second * (clock.bank + earned), (seat, hand, self.decided)
            moves = 2 * self.ever[seat] + 2 + self.taken_back
            allowed = clock.bank + clock.increment * self.ever[seat] + clock.move * moves
            assert self.thought[seat] + bank <= second * allowed, (seat, hand, self.ever)
        if self.state.info.paused:
            blamed = (self.state.secrets.host, self.state.secrets.paused_by)
            seats = [seat for seat in self.state.waiting() if self.state.secrets.users[seat] in blamed]
            assert all(self.state.secrets.clocks[seat].began is not None for seat in seats)


@pytest.mark.parametrize("clock", CLOCKS, ids=["mixed", "bank", "bot"])
@pytest.mark.parametrize("seed", range(8))
def test_nobody_has_more_time_than_the_clock_and_the_decisions_made_allow(clock: Clock, seed: int) -> None:
    stallers = Stallers(clock, seed)
    for _ in range(STEPS):
        if stallers.state.info.status == "over":
            break
        stallers.step()
        stallers.check()
    assert sum(stallers.thought) > 0
    assert sum(stallers.ever) > 5
