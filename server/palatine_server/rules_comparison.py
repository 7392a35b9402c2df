"""Comparison of the installed rules with stored tables: it plays each table again and finds the first difference."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import msgspec
from msgspec import Struct

from .games.kit import Game, Refused
from .inspection import check_playable
from .store.readonly import ReadonlyStore
from .tables.model import LogEntry, TableSnapshot, select_game_patch
from .tables.rules_replay import RulesReplay
from .tables.state import TableState
from .tables.storage import persistence
from .tables.storage.compatibility import NewerTable, UnreadableTable

OTHER_EDITION = "other edition"  # the table began with other rules, so a difference may be intended


class Difference(Exception):  # noqa: N818 (what the comparison looks for)
    """The rules lead to another result than the log; the message holds no secret, the error behind it may."""

    def __init__(self, sentence: str, error: Exception | None = None) -> None:
        super().__init__(sentence)
        self.error = error


class TableVerdict(Struct, frozen=True, kw_only=True):
    """The result of the comparison for one table."""

    table: str
    game: str
    edition: str  # the edition of the rules with which the table began
    versions: int
    at: int | None = None  # the first version that differs
    how: str = ""


class TableReplay:
    """Plays a table again from its beginning, and compares it with the stored log."""

    def __init__(self, game: Game, snapshot: TableSnapshot) -> None:
        hidden = {**snapshot.hidden, "game": None}  # the rules may no longer be able to read the game itself
        state = TableState.read(game, msgspec.structs.replace(snapshot, hidden=hidden))
        self.rules_replay = RulesReplay(game, len(state.info.seats), state.game_seed())
        self._options, self.version = state.info.options, 0

    def play_entry(self, entry: LogEntry) -> None:
        """Play the next entry; raise Difference if the rules lead to another result."""
        self.version = entry.version
        self.rules_replay.apply_patches(entry.board, entry.hands, select_game_patch(entry.hidden))
        try:
            self.rules_replay.play(entry.version, entry.seat, entry.did, self._options)
        except Refused as refused:
            raise Difference(f"the rules refuse it: {refused.code}", refused) from None
        except Exception as error:  # wrong rules may raise anything, and the message may hold a secret
            raise Difference(f"the rules break: {type(error).__name__}", error) from None
        if not self.rules_replay.is_equal:
            raise Difference("another outcome")


def judge_table(
    table: str, games: Mapping[str, Game], snapshot: TableSnapshot, entries: list[LogEntry]
) -> TableVerdict:
    """Return the verdict: whether the installed rules agree with the whole log, and can go on from its end."""
    name = snapshot.info["game"]
    verdict = TableVerdict(table=table, game=name, edition=snapshot.hidden.get("edition", ""), versions=len(entries))
    if name not in games:
        return msgspec.structs.replace(verdict, at=0, how="the game is not installed")
    replay = TableReplay(games[name], snapshot)
    try:
        for entry in entries:
            replay.play_entry(entry)
        require_playable(games[name], snapshot)
    except Difference as difference:
        how = str(difference) if verdict.edition == games[name].edition else f"{OTHER_EDITION}: {difference}"
        return msgspec.structs.replace(verdict, at=replay.version, how=how)
    return verdict


def require_playable(game: Game, snapshot: TableSnapshot) -> None:
    """Raise Difference if the rules cannot go on from here."""
    try:
        check_playable(game, snapshot)
    except Exception as error:  # for the same reason as in play_entry
        raise Difference(f"the rules cannot go on from here: {type(error).__name__}", error) from None


async def judge_tables(
    archive: ReadonlyStore, games: Mapping[str, Game], tables: list[str]
) -> AsyncIterator[TableVerdict | None]:
    """Yield the verdict on each table; None for a table whose game is over or that has expired."""
    for table in tables:
        yield await _judge_stored(archive, games, table)


async def _judge_stored(archive: ReadonlyStore, games: Mapping[str, Game], table: str) -> TableVerdict | None:
    try:
        snapshot, _ = await persistence.load(table, archive)
        if snapshot.info["status"] == "over":
            return None
        return judge_table(table, games, snapshot, await persistence.read_entries(table, 0, snapshot.version, archive))
    except (NewerTable, UnreadableTable) as why:
        return TableVerdict(table=table, game="", edition="", versions=0, at=0, how=f"it cannot be read: {why.reason}")
    except Refused:  # the table is gone meanwhile
        return None
