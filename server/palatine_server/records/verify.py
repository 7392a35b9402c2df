"""The verification of a record: it plays the game again and checks every entry against the seed and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol import patch

from ..games.kit import Game, Refused, plain
from ..tables import fairness
from ..tables.handlers.play import build_news
from ..tables.rules_replay import RulesReplay
from .consistency import ConsistencyCheck, Inconsistency, Seals
from .record import Record, RecordEntry
from .record_limits import BadRecord, check_info

FORGERY_ERRORS = (  # errors that a forged record may cause
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
TABLE_NEWS = {"game_started", "time_ran_out", "choice_sealed", "choices_opened"}  # news that the rules do not produce


class Finding(Struct, frozen=True):
    """The result of one check."""

    what: str
    is_right: bool
    more: str = ""
    is_open: bool = False  # the check could not decide


class Mismatch(Exception):  # noqa: N818 (what the verification looks for)
    """An entry does not follow from the seed and the rules."""


class Verification:
    """Plays a recorded game again, and compares each entry with the record."""

    def __init__(self, game: Game, record: Record) -> None:
        self.record = record
        self.rules_replay = RulesReplay(game, len(record.header.opening["seats"]), derive_game_seed(record))
        self.info = deepcopy(record.header.opening)
        self.drawings = self.actions = 0
        self._seals = Seals(record.entries)
        self._nothing = self.rules_replay.logged

    def run(self) -> None:
        """Play all entries, or raise Mismatch at the first that does not follow."""
        for entry in self.record.entries:
            try:
                self._check_entry(entry)
            except Refused as refused:
                raise Mismatch(f"entry {entry.version}: the rules refuse it ({refused.code})") from None
            except FORGERY_ERRORS as error:
                raise Mismatch(f"entry {entry.version}: it cannot be replayed ({type(error).__name__})") from None

    def _check_entry(self, entry: RecordEntry) -> None:
        self._update_info(entry)
        is_begun = self.rules_replay.recorder is not None
        self._require(not (is_begun and entry.did["do"] == "start"), entry, "the game begins a second time")
        drawings = self.rules_replay.play(entry.version, entry.seat, entry.did, self.info["options"])
        self._require(drawings == entry.drawings, entry, "other drawings")
        self.rules_replay.apply_patches(entry.board, entry.hands, entry.box)
        self._require(self.rules_replay.is_equal, entry, "another outcome")
        recorder = self.rules_replay.recorder
        self._require(recorder is not None or self.rules_replay.logged == self._nothing, entry, "there is no game yet")
        self._require(recorder is None or recorder.digests() == entry.digests, entry, "other digests")
        self._check_news(entry)
        self._require(self._seals.fit(entry), entry, "a seal does not fit")
        self.drawings += len(drawings)
        self.actions += "action" in entry.did

    def _update_info(self, entry: RecordEntry) -> None:
        """Apply the patch to the info of the table, and check its limits."""
        if entry.info:
            self.info = patch.apply(self.info, entry.info)
            try:
                check_info(self.info, f"entry {entry.version}")
            except BadRecord as why:
                raise Mismatch(str(why)) from None

    def _check_news(self, entry: RecordEntry) -> None:
        if entry.did["do"] == "start" or "action" in entry.did:
            of_the_game = [item for item in entry.news if item.news["news"] not in TABLE_NEWS]
            self._require(of_the_game == build_news(self.rules_replay.news), entry, "other news")

    def standings(self) -> Any:
        """Return the final standings by the rules."""
        recorder = self.rules_replay.recorder
        return plain(recorder.game.standings(recorder.play)) if recorder else None

    def _require(self, is_right: bool, entry: RecordEntry, what: str) -> None:
        if not is_right:
            raise Mismatch(f"entry {entry.version}: {what}")


def derive_game_seed(record: Record) -> str:
    """Return the seed of the game, derived from the parts in the record."""
    header = record.header
    return fairness.derive_game_seed(header.seed, header.entropy) if header.commitment else header.seed


def compute_info(record: Record, version: int) -> Any:
    """Return the info of the table after an entry."""
    info = deepcopy(record.header.opening)
    for entry in record.entries[:version]:
        info = patch.apply(info, entry.info)
    return info


def replay_record(game: Game, record: Record) -> tuple[Verification, Any]:
    """Play the game again; return the verification and the final info, or raise Mismatch."""
    try:
        verification = Verification(game, record)
        verification.run()
        return verification, verification.info
    except FORGERY_ERRORS as error:
        raise Mismatch(f"it cannot be replayed ({type(error).__name__})") from None


def judge_other_edition(record: Record, wrong: Mismatch) -> Finding:
    """Return the finding about a game of another edition that does not follow from the installed rules."""
    try:
        ConsistencyCheck(record).run()
    except (Inconsistency, *FORGERY_ERRORS) as error:
        return Finding("play", False, str(error) if isinstance(error, Inconsistency) else "it cannot be replayed")
    more = f"other edition: these rules part from the record at {wrong}; its drawings, digests and seals fit"
    return Finding("play", True, more, is_open=True)


def check_record(record: Record, games: Mapping[str, Game]) -> Iterator[Finding]:
    """Yield the findings about the rules, the commitment, the play, the seed and the result."""
    header = record.header
    if header.game not in games:
        yield Finding("rules", False, f"the game {header.game} is not installed; name it with --game MODULE:GAME")
        return
    game = games[header.game]
    is_same = header.edition == game.edition
    yield Finding("rules", True, f"edition {header.edition}" + ("" if is_same else f"; installed is {game.edition}"))
    if header.commitment:
        yield Finding(
            "commitment", fairness.compute_commitment(header.seed) == header.commitment, "to the server's seed"
        )
    else:
        yield Finding("commitment", False, "the seed was chosen by whoever opened the table")
    try:
        verification, info = replay_record(game, record)
    except Mismatch as wrong:
        yield Finding("play", False, str(wrong)) if is_same else judge_other_edition(record, wrong)
        return
    yield Finding("play", True, f"{verification.actions} actions, {verification.drawings} drawings")
    entropy = [(seated or {}).get("entropy", "") for seated in info["seats"]]
    is_published = (info.get("commitment", ""), entropy) == (header.commitment, header.entropy)
    yield Finding("seed", is_published, "what the server and the players published went into it")
    yield Finding("result", info.get("standings") == verification.standings(), "final standings")
