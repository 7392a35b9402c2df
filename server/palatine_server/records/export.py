"""Exporting: the record of a table, signed if this process holds the key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..tables.model import LogEntry, Page
from .file_format import encode_record, erase_texts, sign_record
from .record import build_record, read_origin
from .signatures import Signer
from .texts import Kind


def export_record(
    table: str, page: Page, entries: Iterable[LogEntry], signer: Signer | None, without: Sequence[Kind] = ()
) -> bytes:
    """Return the record of a table whose game is over, as a file without texts of these kinds.

    A table that was imported keeps the signature it came with: this server has not seen that game.
    """
    record = build_record(table, page, entries)
    record = record if is_imported(page) else sign_record(record, signer)
    return encode_record(erase_texts(record, without) if without else record)


def is_imported(page: Page) -> bool:
    """Whether a table came from a record; those that were imported before they kept an origin have no host."""
    return read_origin(page) is not None or not page.hidden["opening"]["secrets"]["host"]
