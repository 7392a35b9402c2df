"""A game that no client knows: lay lanterns, bid, give and move. Its offers have every kind of field.

Only the seat of the client decides; the others follow at once. The document holds what clients stumble over: the
largest integers, nested lists, letters beyond ASCII, and keys that come and go.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from palatine_protocol import digest, patch

Plain = dict[str, Any]
LARGEST = 2**53 - 1
NAME = "lanterns_of_nowhere"
LANTERNS = ["amber", "crimson", "jade", "violet", "würfel", "灯"]
OFFERS: list[list[Plain]] = [
    [{"do": "lay", "fields": {"lantern": LANTERNS}}],
    [{"do": "bid", "fields": {"gold": {"kind": "range", "low": -1, "high": 3}}}],
    [{"do": "give", "fields": {"lanterns": {"kind": "pick", "least": 1, "most": 2, "of": LANTERNS[:3]}}}],
    [{"do": "move", "fields": {"cell": [[0, 1], [-2, 0]], "weight": [LARGEST, -LARGEST]}}, {"do": "wait"}],
    [{"do": "wait"}],
    [{"do": "lay", "fields": {"lantern": LANTERNS[:1]}}, {"do": "lay", "fields": {"lantern": LANTERNS[1:2]}}],
]


class LanternTable:
    """One table of the game, with the log of updates that its one client is sent."""

    def __init__(self, table: str, seats: int = 2, rounds: int = len(OFFERS)) -> None:
        self.id, self.rounds = table, rounds
        self.info: Plain = {
            "game": NAME,
            "status": "open",
            "visibility": "public",
            "host": "Conform",
            "seats": [None] * seats,
            "options": {},
        }
        self.board: Plain | None = None
        self.hand: Plain | None = None
        self.offer: Plain | None = None
        self.waiting: list[Plain] = []
        self.seat: int | None = None
        self.version, self.answers, self.history = 0, 0, 0
        self.log: dict[int, Plain] = {}  # the updates, by version

    # The document

    @property
    def is_over(self) -> bool:
        return bool(self.info["status"] == "over")

    def digest(self) -> int:
        return digest.of_viewer(digest.of_board(self.board), self.hand)

    def fork(self) -> str:
        """Return the fork of the present version."""
        return f"f{self.history}v{self.version}"

    def snapshot(self) -> Plain:
        """Return the table as a snapshot."""
        return {
            "type": "snapshot",
            "table": self.id,
            "version": self.version,
            "seat": self.seat,
            "as": self.seat,
            "info": deepcopy(self.info),
            "board": deepcopy(self.board),
            "hand": deepcopy(self.hand),
            "offer": deepcopy(self.offer),
            "waiting": deepcopy(self.waiting),
            "can_undo": False,
            "digest": self.digest(),
            "info_digest": digest.of_info(self.info),
            "fork": self.fork(),
        }

    def change(self, news: list[Plain] | None = None, **zones: Any) -> Plain:
        """Replace zones, add an entry to the log, and return its update."""
        update: Plain = {"type": "update", "table": self.id, "version": self.version + 1}
        for zone in ("info", "board", "hand"):
            if zone in zones and (made := patch.make(getattr(self, zone), zones[zone])):
                update[zone] = deepcopy(made)
        for name, value in zones.items():
            setattr(self, name, value)
            if name in {"offer", "waiting"}:
                update[name] = deepcopy(value)
        self.version += 1
        update |= {"news": news} if news else {}
        update |= {"info_digest": digest.of_info(self.info)} if "info" in update else {}
        self.log[self.version] = {**update, "digest": self.digest(), "fork": self.fork()}
        return self.log[self.version]

    def missed(self, after: int) -> list[Plain]:
        """Return the updates after a version; only the last has what the client may do."""
        updates = [dict(self.log[version]) for version in range(after + 1, self.version + 1)]
        for update in updates[:-1]:
            update.pop("offer", None)
            update.pop("waiting", None)
        if updates:
            updates[-1] |= {"offer": deepcopy(self.offer), "waiting": deepcopy(self.waiting), "can_undo": False}
        return updates

    def go_back(self, entries: int) -> None:
        """Lose the last entries that changed nothing but their number, and begin another history."""
        self.version -= entries
        self.history += 1

    # The game

    def take_seat(self, seat: int, name: str, **more: Any) -> Plain:
        """Put somebody on a seat."""
        seats = [{"name": name, **more} if number == seat else other for number, other in enumerate(self.info["seats"])]
        news = [{"news": "seat_taken", "seat": seat, "name": name}]
        return self.change(news, info={**self.info, "seats": seats})

    def start(self) -> Plain:
        """Begin the first round."""
        board = {
            "round": 1,
            "row": [],
            "bids": {},
            "note": "Grüße 灯 😀",
            "large": [LARGEST, -LARGEST, 0],
            "deep": [[[]]],
        }
        self._start_offer()
        return self.change(
            [{"news": "game_started"}],
            info={**self.info, "status": "playing"},
            board=board,
            hand={"lanterns": list(LANTERNS), "secret": {"a": None}},
            offer=self.offer,
            waiting=self.waiting,
        )

    def _start_offer(self) -> None:
        choices = OFFERS[self.answers % len(OFFERS)] if self.answers < self.rounds else []
        self.offer = {"id": self.answers, "choices": deepcopy(choices)}
        self.waiting = [{"seat": self.seat}] if choices else [{"seat": 1}]

    def answer(self, action: Plain) -> list[Plain]:
        """Carry out an action of the client; return its update and those of the others."""
        assert self.board is not None
        assert self.hand is not None
        self.answers += 1
        board, hand = deepcopy(self.board), deepcopy(self.hand)
        board["row"].insert(len(board["row"]) // 2, {"by": self.seat, **action})
        board["bids"] = {**board["bids"], str(self.answers): action.get("gold", 0)}
        board["bids"].pop(str(self.answers - 2), None)
        hand["lanterns"] = hand["lanterns"][1:] + hand["lanterns"][:1]
        nothing: Plain = {"id": self.answers, "choices": []}
        first = self.change(
            [{"news": "lantern_laid", "seat": self.seat}], board=board, hand=hand, offer=nothing, waiting=[{"seat": 1}]
        )
        return [first, self.change(), self._next_round()]

    def _next_round(self) -> Plain:
        assert self.board is not None
        board = deepcopy(self.board)
        board["round"] += 1
        board["deep"] = [board["deep"]] if self.answers % 2 else [[[]]]
        if self.answers < self.rounds:
            self._start_offer()
            return self.change([{"news": "round_began"}], board=board, offer=self.offer, waiting=self.waiting)
        standings = [{"seat": seat, "score": seat + 1, "rank": 1} for seat in range(len(self.info["seats"]))]
        info = {**self.info, "status": "over", "standings": standings}
        return self.change([{"news": "game_over"}], info=info, board=board, offer=None, waiting=[])
