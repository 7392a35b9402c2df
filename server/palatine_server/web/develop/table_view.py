"""A table at one of its versions, with every zone: what its author may see on their own machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anyio import to_thread

from palatine_protocol.errors import Code
from palatine_protocol.patch import Patch

from ...games.kit import Game, plain, refuse
from ...games.named_games import name_cause
from ...store import Store
from ...tables.model import LogEntry, TableSnapshot, select_game_patch
from ...tables.storage.persistence import (
    Loaded,
    build_opening_snapshot,
    encode,
    fold_in_steps,
    load_with_log,
    read_before,
    read_entry,
)

MOST_CHOICES = 200  # of one seat that are shown
HIDDEN_ZONES = ("box", "chance", "agenda")


async def read_log(table: str, store: Store) -> tuple[Loaded, list[bytes]]:
    """Return the newest state of a table, and its whole log; no rule runs."""
    loaded = await load_with_log(table, store)
    return loaded, (await read_before(table, 0, loaded.log.end, store)).entries


async def view_table(table: str, at: int | None, store: Store, games: Mapping[str, Game]) -> dict[str, Any]:
    """Return a table at a version, or at its newest one."""
    loaded, log = await read_log(table, store)
    version = len(log) if at is None else at
    if not 0 <= version <= len(log):
        raise refuse(Code.NO_SUCH_VERSION)
    snapshot = await fold_in_steps(encode(build_opening_snapshot(loaded.snapshot)), log[:version])
    entry = read_entry(log[version - 1]) if version else None
    info = snapshot.info
    return {
        "table": table,
        "game": info["game"],
        "status": info["status"],
        "versions": len(log),
        "at": version,
        "seats": [seat["name"] if seat else None for seat in info["seats"]],
        "entry": describe_entry(entry),
        "changed": list_changed(entry, len(info["seats"])),
        **list_zones(snapshot),
        **await to_thread.run_sync(ask_rules, games.get(info["game"]), snapshot),
    }


def list_zones(snapshot: TableSnapshot) -> dict[str, Any]:
    """Return the zones by name."""
    hidden = snapshot.hidden["game"] or {}
    zones = {name: hidden.get(name) for name in HIDDEN_ZONES}
    return {"board": snapshot.board, "hands": snapshot.hands, **zones}


def describe_entry(entry: LogEntry | None) -> dict[str, Any] | None:
    """Return what happened last: who did what, the news with those who got it, and what was drawn."""
    if entry is None:
        return None
    news = [{"news": told.news, "to": told.to} for told in entry.news]
    return {"at": entry.at, "seat": entry.seat, "did": entry.did, "news": news, "drawings": plain(entry.drawings)}


def list_changed(entry: LogEntry | None, seats: int) -> dict[str, Any]:
    """Return the paths that the last entry changed, by zone."""
    if entry is None:
        return {"board": [], "hands": [[]] * seats, "hidden": []}
    return {
        "board": list_paths(entry.board),
        "hands": [list_paths(ops) for ops in entry.hands],
        "hidden": list_paths(select_game_patch(entry.hidden)),
    }


def list_paths(ops: Patch) -> list[Any]:
    return [op[0] for op in ops]


# Rules


def ask_rules(game: Game | None, snapshot: TableSnapshot) -> dict[str, Any]:
    """Return the offers of all seats and the seats that the game waits for; or why the rules cannot say it."""
    nothing: dict[str, Any] = {"offers": [], "waiting": [], "trouble": ""}
    if game is None:
        return {**nothing, "trouble": "the game is not installed"}
    if snapshot.hidden["game"] is None:
        return nothing
    try:
        play = game.resume({"board": snapshot.board, "hands": snapshot.hands, **snapshot.hidden["game"]})
        offers = [{"seat": seat, "choices": list_choices(play.offer(seat))} for seat in range(len(snapshot.hands))]
        return {"offers": offers, "waiting": play.waiting_for(), "trouble": ""}
    except Exception as error:  # rules that are being written may raise anything
        return {**nothing, "trouble": name_cause(error)}


def list_choices(offer: Any) -> list[Any]:
    return [{**plain(choice), "count": choice.count()} for choice in offer[:MOST_CHOICES]]
