"""A table played again with changed rules: the first entry that differs, with the values of all zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from operator import eq
from typing import Any

import msgspec

from ..games.kit import Game, Refused
from ..games.named_games import name_cause
from ..rules_comparison import Difference, TableReplay, require_playable
from ..tables.model import LogEntry, TableSnapshot
from ..tables.rules_replay import Parts, RulesReplay, list_parts
from ..web.develop.rules_report import Kind, TableDifference, ValueDifference

MOST_VALUES = 12  # values of one table that are shown
LONGEST = 80  # characters of a value
BEFORE = 20  # characters of a long value that are shown before the first difference


def find_difference(
    table: str, games: Mapping[str, Game], snapshot: TableSnapshot, entries: list[LogEntry]
) -> TableDifference | None:
    """Return the first entry that the rules play differently; None if they agree with the whole log and can go on."""
    game = games[snapshot.info["game"]]
    found, stuck = find_first(game, snapshot, entries), find_end(game, snapshot)
    if found is None and stuck is None:
        return None
    return TableDifference(
        table=table,
        game=game.name,
        versions=snapshot.version,
        is_stuck=stuck is not None,
        **(found or {"at": snapshot.version, "did": "…", "kind": "stuck", "cause": explain_error(stuck)}),
    )


def find_first(game: Game, snapshot: TableSnapshot, entries: list[LogEntry]) -> dict[str, Any] | None:
    """Play all entries again; return what is to be said of the first that differs."""
    replay = TableReplay(game, snapshot)
    for entry in entries:
        try:
            replay.play_entry(entry)
        except Difference as difference:
            values = [] if difference.error else list(list_values(replay.rules_replay))
            return {
                "at": entry.version,
                "did": describe_entry(entry, snapshot.info),
                "kind": name_kind(difference.error),
                "cause": explain_error(difference.error),
                "values": values[:MOST_VALUES],
                "more": max(0, len(values) - MOST_VALUES),
            }
    return None


def find_end(game: Game, snapshot: TableSnapshot) -> Exception | None:
    """Return the error with which the rules fail to go on from the end of the log; None if they can."""
    try:
        require_playable(game, snapshot)
    except Difference as difference:
        return difference.error
    return None


def name_kind(error: Exception | None) -> Kind:
    if error is None:
        return "other"
    return "refused" if isinstance(error, Refused) else "broken"


def explain_error(error: Exception | None) -> str:
    """Return a refusal in its words, or an error of the rules with its place."""
    if isinstance(error, Refused):
        return f"{error.sentence} ({', '.join(filter(None, (error.code, error.rule)))})"
    return name_cause(error) if error else ""


def describe_entry(entry: LogEntry, info: Any) -> str:
    """Return who did what, in the words of the log."""
    action = entry.did.get("action") or entry.did
    verb = str(action.get("do", "")).replace("_", " ")
    fields = [f"{name} {show_value(value)}" for name, value in action.items() if name != "do"]
    return f"{name_seat(entry.seat, info)}: {', '.join([verb, *fields])}" if entry.seat is not None else verb


def name_seat(seat: int, info: Any) -> str:
    """Return the name of the player on a seat, as the table has it now."""
    seated = info["seats"][seat] if seat < len(info["seats"]) else None
    return str(seated["name"]) if seated and seated.get("name") else str(seat)


# Values


def list_values(replay: RulesReplay) -> Iterator[ValueDifference]:
    """Yield the values that differ between the log and the rules, zone by zone."""
    assert replay.recorder is not None
    for (zone, logged), (_, computed) in zip(
        name_zones(replay.logged), name_zones(list_parts(replay.recorder.zones)), strict=False
    ):
        for path, old, new in walk(logged, computed, []):
            yield ValueDifference(zone=zone, path=path, **show_difference(old, new))


def name_zones(parts: Parts) -> list[tuple[str, Any]]:
    """Return the zones of a document by name."""
    board, hands, hidden = parts
    named = [(f"hand {seat}", hand) for seat, hand in enumerate(hands)]
    return [("board", board), *named, *((name, (hidden or {}).get(name)) for name in ("box", "chance", "agenda"))]


def walk(old: Any, new: Any, path: list[str]) -> Iterator[tuple[list[str], Any, Any]]:
    """Yield the places where two values differ; lists of different lengths differ as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from walk(old.get(key), new.get(key), [*path, str(key)])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from walk(left, right, [*path, str(number)])
    elif old != new:
        yield path, old, new


def show_difference(logged: Any, computed: Any) -> dict[str, str]:
    """Return two values as short texts; those of long values begin shortly before the first difference."""
    texts = encode_text(logged), encode_text(computed)
    same = sum(1 for _ in takewhile(bool, map(eq, *texts)))
    begin = same - BEFORE if same > BEFORE and max(map(len, texts)) > LONGEST else 0
    left, right = (shorten(f"…{text[begin:]}" if begin else text) for text in texts)
    return {"logged": left, "computed": right}


def show_value(value: Any) -> str:
    """Return a value as short text."""
    return shorten(encode_text(value))


def encode_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
