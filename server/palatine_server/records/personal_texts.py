"""Personal texts by user: which names a user had at a table, and which chat lines are theirs.

A record holds no user ids. So the archive keeps, beside the record, what is needed to erase the texts of one user. If
two users had the same name at one table, erasing one of them erases that name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..games.kit import plain
from ..tables.model import LogEntry, TableSnapshot
from .file_format import decode_record, encode_record, erase_salt
from .record import Record
from .texts import Kind, Salt, change_entry, change_opening

NAMED = {"seat_taken", "said"}  # news with the name of the user who caused them


class UserTexts(Struct):
    """The texts of one user in a record."""

    names: list[str] = []
    lines: list[int] = []  # the versions of the entries with their chat


def find_user_texts(snapshot: TableSnapshot, entries: Iterable[LogEntry]) -> dict[str, UserTexts]:
    """Return the texts of each user at a table."""
    found: dict[str, UserTexts] = {}
    for user, name in _read_opening(snapshot.hidden["opening"]):
        _add_name(found, user, name)
    for user, sitting in zip(snapshot.hidden["users"], snapshot.info["seats"], strict=True):
        _add_name(found, user, (sitting or {}).get("name"))
    _add_name(found, snapshot.hidden["host"], snapshot.info["host"])
    for entry in entries:
        _read_entry(found, entry)
    return found


def _read_opening(opening: dict[str, Any]) -> Iterable[tuple[str | None, Any]]:
    info, secrets = opening["info"], opening["secrets"]
    yield secrets["host"], info["host"]
    for user, sitting in zip(secrets["users"], info["seats"], strict=True):
        yield user, (sitting or {}).get("name")


def _read_entry(found: dict[str, UserTexts], entry: LogEntry) -> None:
    for item in entry.news:
        kind = item.news.get("news")
        if kind in NAMED and entry.did["do"] in {"sit", "say"}:
            _add_name(found, entry.user, item.news.get("name"))
        if kind == "said" and entry.user:
            found.setdefault(entry.user, UserTexts()).lines.append(entry.version)


def _add_name(found: dict[str, UserTexts], user: str | None, name: Any) -> None:
    if user and isinstance(name, str) and name not in found.setdefault(user, UserTexts()).names:
        found[user].names.append(name)


def erase_user_texts(record: Record, texts: UserTexts) -> Record:
    """Return the record without the texts of one user; its signature is still valid."""
    salts = iter(record.salts)
    kept: list[Salt] = []

    def erase_if(is_theirs: bool, kind: Kind, text: Any) -> Any:
        salt = next(salts)
        is_theirs = is_theirs if kind == "chat" else text in texts.names
        kept.append(erase_salt(salt, kind, text) if is_theirs else salt)
        return text

    change_opening(record.header.opening, lambda kind, text: erase_if(False, kind, text))
    for entry in record.entries:
        is_theirs = entry.version in texts.lines
        change_entry(plain(entry), lambda kind, text, is_theirs=is_theirs: erase_if(is_theirs, kind, text))  # type: ignore[misc]
    return decode_record(encode_record(replace(record, salts=kept)))
