"""The consistency check of a record, which runs no rules: drawings, digests and seals must fit the record itself.

If the installed rules are of another edition than those of the game, the rules cannot be checked. The record is still
wrong if its drawings do not come from its seed, its digests are not those of its patches, or a seal does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from palatine_protocol import digest, patch

from ..games.kit import Chance, Drawing, record_draws
from ..tables import fairness
from .record import Record, RecordEntry

MOST_ITEMS = 10_000  # pieces of one drawing; no game shuffles more
FORGERY_ERRORS = (ValueError, KeyError, IndexError, TypeError, AttributeError)  # errors that a forged record may cause


class Inconsistency(Exception):  # noqa: N818 (what the check looks for)
    """The record contradicts itself; the message names the entry."""


class Seals:
    """The seals of secret choices that were published so far."""

    def __init__(self, entries: Sequence[RecordEntry]) -> None:
        self._entries = entries
        self._seals: dict[int, str] = {}

    def fit(self, entry: RecordEntry) -> bool:
        """Return whether each choice that this entry opens matches an earlier seal and the action in the record."""
        return all(self._is_right(entry, item.news) for item in entry.news)

    def _is_right(self, entry: RecordEntry, news: dict[str, Any]) -> bool:
        if news["news"] == "choice_sealed":
            self._seals[entry.version] = news["seal"]
        return all(map(self._is_opened, news["choices"] if news["news"] == "choices_opened" else ()))

    def _is_opened(self, choice: dict[str, Any]) -> bool:
        seal = fairness.compute_seal(choice["salt"], choice["seat"], choice["action"])
        did = self._entries[choice["version"] - 1].did
        return self._seals.get(choice["version"]) == seal and did.get("action") == choice["action"]


class ConsistencyCheck:
    """Folds the patches of a record without running rules, and compares drawings, digests and seals with the result."""

    def __init__(self, record: Record) -> None:
        header = record.header
        seats = len(header.opening["seats"])
        self._record, self._seals = record, Seals(record.entries)
        self._seed = fairness.derive_game_seed(header.seed, header.entropy) if header.commitment else header.seed
        self._board: Any = None
        self._hands: list[Any] = [None] * seats
        self._box: Any = None

    def run(self) -> None:
        """Raise Inconsistency at the first entry that does not fit the others."""
        for entry in self._record.entries:
            try:
                self._check(entry)
            except FORGERY_ERRORS as error:
                raise Inconsistency(f"entry {entry.version}: it cannot be followed ({type(error).__name__})") from None

    def _check(self, entry: RecordEntry) -> None:
        drawn_before = self._drawings()
        self._board = patch.apply(self._board, entry.board)
        self._hands = [patch.apply(hand, ops) for hand, ops in zip(self._hands, entry.hands, strict=True)]
        self._box = patch.apply(self._box, entry.box)
        self._require(self._box is None or self._box["chance"]["seed"] == self._seed, entry, "another seed")
        self._require(self._follow(entry.drawings, drawn_before), entry, "other drawings")
        self._require(self._digests() == entry.digests, entry, "other digests")
        self._require(self._seals.fit(entry), entry, "a seal does not fit")

    def _drawings(self) -> int:
        """Return the number of drawings so far; a take-back also takes drawings back."""
        return int(self._box["chance"].get("drawings", 0)) if self._box else 0

    def _follow(self, drawings: list[Drawing], before: int) -> bool:
        if drawings and self._drawings() != before + len(drawings):
            return False
        return all(drawing == self._repeat(drawing, number) for number, drawing in enumerate(drawings, before))

    def _repeat(self, drawing: Drawing, before: int) -> Drawing:
        """Repeat a drawing from the seed and return the result."""
        if not 0 <= drawing.of <= MOST_ITEMS:
            raise ValueError
        chance = Chance(self._seed, before)
        with record_draws() as made:
            match drawing.kind:
                case "shuffle":
                    chance.shuffle([0] * drawing.of, drawing.label)
                case "draw":
                    chance.draw([0] * drawing.of, len(drawing.result), drawing.label)
                case _:
                    chance.below(drawing.of, drawing.label)
        return made[0]

    def _digests(self) -> list[int]:
        board = digest.of_board(self._board)
        if self._box is None:
            return [board] * (len(self._hands) + 1)
        return [*(digest.of_viewer(board, hand) for hand in self._hands), board]

    def _require(self, is_right: bool, entry: RecordEntry, what: str) -> None:
        if not is_right:
            raise Inconsistency(f"entry {entry.version}: {what}")
