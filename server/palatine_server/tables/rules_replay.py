"""The replay of a game by its rules, to compare the outcome with the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palatine_protocol import patch

from ..games.kit import AddressedNews, Drawing, Entry, Game, Recorder, Seat, Zones, record_draws

Parts = tuple[Any, list[Any], Any]  # the board, the hands, and what no viewer sees


class RulesReplay:
    """A game in two versions: as the rules compute it, and as the patches of the log build it."""

    def __init__(self, game: Game, seats: int, seed: str) -> None:
        self.game, self.seats, self.seed = game, seats, seed
        self.recorder: Recorder | None = None
        self.logged: Parts = None, [None] * seats, None
        self.news: list[AddressedNews] = []  # of the entry that was played last
        self.past: dict[int, Zones] = {}  # by version, for entries that take the game back

    def play(self, version: int, seat: Seat | None, did: Mapping[str, Any], options: Any) -> list[Drawing]:
        """Carry out an entry by the rules; return the results of its random draws."""
        with record_draws() as made:
            drawings = self._play_again(seat, did, options)
        if self.recorder is not None:
            self.past[version] = self.recorder.zones
        return drawings or made

    def _play_again(self, seat: Seat | None, did: Mapping[str, Any], options: Any) -> list[Drawing]:
        self.news = []
        if did["do"] == "start":
            play = self.game.begin(self.seats, self.seed, options)
            self.news, self.recorder = [*play.told], Recorder(play)
        elif did["do"] == "take_back":
            self.recorder = Recorder(self.game.resume(self.past[did["to"]].document()))
        elif self.recorder is not None and seat is not None and "action" in did:
            entry = self._act(self.recorder, seat, did)
            self.news = entry.news
            return entry.drawings
        return []

    def _act(self, recorder: Recorder, seat: Seat, did: Mapping[str, Any]) -> Entry:
        return recorder.undo(seat) if did["do"] == "undo" else recorder.act(seat, self.game.read_action(did["action"]))

    def apply_patches(self, board: patch.Patch, hands: list[patch.Patch], box: patch.Patch) -> None:
        """Apply the patches of an entry."""
        old, held, hidden = self.logged
        held = [patch.apply(hand, ops) for hand, ops in zip(held, hands, strict=True)]
        self.logged = patch.apply(old, board), held, patch.apply(hidden, box)

    @property
    def is_equal(self) -> bool:
        """Whether the rules and the log lead to the same game."""
        return self.recorder is None or self.logged == list_parts(self.recorder.zones)


def list_parts(zones: Zones) -> Parts:
    return zones.board, zones.hands, zones.hidden
