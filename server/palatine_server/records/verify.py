"""Verifying a record: play the whole game again, and say whether everything follows from the seed and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol import patch

from ..games.kit import Game, Refused, plain
from ..tables import fairness
from ..tables.handlers.play import heard
from ..tables.rules_check import Rerun
from .consistency import Inconsistent, OwnChecks, Seals
from .record import Played, Record
from .record_limits import Spoilt, check_info

STRANGE = (  # what a forged record may lead to
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    msgspec.MsgspecError,
)
OF_THE_TABLE = {"game_started", "time_ran_out", "choice_sealed", "choices_opened"}  # beside the news of the game


class Finding(Struct, frozen=True):
    """One thing that was checked, and how it turned out."""

    what: str
    is_right: bool
    more: str = ""
    is_open: bool = False  # nothing is known to be wrong, and nothing is proved


class Wrong(Exception):  # noqa: N818 (what we are looking for)
    """An entry does not follow."""


class Verification:
    """A game that is played again beside its record."""

    def __init__(self, game: Game, record: Record) -> None:
        self.record = record
        self.rerun = Rerun(game, len(record.header.opening["seats"]), game_seed(record))
        self.info = deepcopy(record.header.opening)  # what everybody knew besides the board
        self.drawings = self.actions = 0
        self._seals = Seals(record.entries)
        self._nothing = self.rerun.told

    def run(self) -> None:
        """Play all entries, or raise Wrong at the first that does not follow."""
        for entry in self.record.entries:
            try:
                self._go_on(entry)
            except Refused as refused:
                raise Wrong(f"entry {entry.version}: the rules refuse it ({refused.code})") from None
            except STRANGE as error:
                raise Wrong(f"entry {entry.version}: it cannot be followed ({type(error).__name__})") from None

    def _go_on(self, entry: Played) -> None:
        self._inform(entry)
        is_begun = self.rerun.scribe is not None
        self._must(not (is_begun and entry.did["do"] == "start"), entry, "the game begins a second time")
        drawings = self.rerun.play(entry.version, entry.seat, entry.did, self.info["options"])
        self._must(drawings == entry.drawings, entry, "other drawings")
        self.rerun.tell(entry.board, entry.hands, entry.box)
        self._must(self.rerun.is_the_same, entry, "another outcome")
        scribe = self.rerun.scribe
        self._must(scribe is not None or self.rerun.told == self._nothing, entry, "there is no game yet")
        self._must(scribe is None or scribe.digests() == entry.digests, entry, "other digests")
        self._check_news(entry)
        self._must(self._seals.fit(entry), entry, "a seal does not fit")
        self.drawings += len(drawings)
        self.actions += "action" in entry.did

    def _inform(self, entry: Played) -> None:
        """Keep the info of the table up to date, and bounded."""
        if entry.info:
            self.info = patch.apply(self.info, entry.info)
            try:
                check_info(self.info, f"entry {entry.version}")
            except Spoilt as why:
                raise Wrong(str(why)) from None

    def _check_news(self, entry: Played) -> None:
        if entry.did["do"] == "start" or "action" in entry.did:
            of_the_game = [item for item in entry.news if item.news["news"] not in OF_THE_TABLE]
            self._must(of_the_game == heard(self.rerun.news), entry, "other news")

    def standings(self) -> Any:
        """Who won, by the rules."""
        scribe = self.rerun.scribe
        return plain(scribe.game.standings(scribe.play)) if scribe else None

    def _must(self, is_right: bool, entry: Played, what: str) -> None:
        if not is_right:
            raise Wrong(f"entry {entry.version}: {what}")


def game_seed(record: Record) -> str:
    """The seed of the game, from what the record opens."""
    header = record.header
    return fairness.game_seed(header.seed, header.entropy) if header.commitment else header.seed


def info_at(record: Record, version: int) -> Any:
    """What everybody knew of the table after an entry, besides the board."""
    info = deepcopy(record.header.opening)
    for entry in record.entries[:version]:
        info = patch.apply(info, entry.info)
    return info


def followed(game: Game, record: Record) -> tuple[Verification, Any]:
    """The game played again, and what everybody knew in the end; Wrong if that cannot be."""
    try:
        verification = Verification(game, record)
        verification.run()
        return verification, verification.info
    except STRANGE as error:
        raise Wrong(f"it cannot be followed ({type(error).__name__})") from None


def judge_other_edition(record: Record, wrong: Wrong) -> Finding:
    """Return what can be said of a game that does not follow from the installed rules, which are not its own."""
    try:
        OwnChecks(record).run()
    except (Inconsistent, *STRANGE) as error:
        return Finding("play", False, str(error) if isinstance(error, Inconsistent) else "it cannot be followed")
    more = f"other edition: these rules part from the record at {wrong}; its drawings, digests and seals fit"
    return Finding("play", True, more, is_open=True)


def findings(record: Record, games: Mapping[str, Game]) -> Iterator[Finding]:
    """Everything that can be said about a record, in the order in which it is checked."""
    header = record.header
    if header.game not in games:
        yield Finding("rules", False, f"the game {header.game} is not installed")
        return
    game = games[header.game]
    is_same = header.edition == game.edition
    yield Finding("rules", True, f"edition {header.edition}" + ("" if is_same else f"; installed is {game.edition}"))
    if header.commitment:
        yield Finding("commitment", fairness.commitment(header.seed) == header.commitment, "to the server's seed")
    else:
        yield Finding("commitment", False, "the seed was chosen by whoever opened the table")
    try:
        verification, info = followed(game, record)
    except Wrong as wrong:
        yield Finding("play", False, str(wrong)) if is_same else judge_other_edition(record, wrong)
        return
    yield Finding("play", True, f"{verification.actions} actions, {verification.drawings} drawings")
    entropy = [(seated or {}).get("entropy", "") for seated in info["seats"]]
    is_published = (info.get("commitment", ""), entropy) == (header.commitment, header.entropy)
    yield Finding("seed", is_published, "what the server and the players published went into it")
    yield Finding("result", info.get("standings") == verification.standings(), "final standings")
