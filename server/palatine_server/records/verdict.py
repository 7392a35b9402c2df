"""The verdict on a record: checksum, rules and seed, signature, and erased texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..games.kit import Game
from .file_format import count_erased, encode_body
from .key_ring import KnownKeys
from .record import Record
from .signatures import is_valid, key_id
from .verify import Finding, check_record

GRACE = 86_400_000  # milliseconds for which running nodes may still sign with a retired key
PLURALS = {"name": "names", "chat": "chat lines"}


def judge_record(record: Record, games: Mapping[str, Game], keys: KnownKeys | None = None) -> Iterator[Finding]:
    """Yield all findings about a readable record; with keys, also whether the server that published them signed it."""
    yield Finding("checksum", True, "the file is as it was written")
    yield from check_record(record, games)
    yield check_signature(record, keys)
    if count := count_erased(record):
        what = " and ".join(f"{number} {PLURALS[kind]}" for kind, number in sorted(count.items(), reverse=True))
        yield Finding("erased", True, f"{what} were erased; all else is checked as before")


def check_signature(record: Record, keys: KnownKeys | None) -> Finding:
    """Return the finding about the signature; with keys, only a signature by one of these keys is right."""
    signature = record.signature
    if signature is None:
        return Finding("signature", keys is None, "nobody signed this record", is_open=keys is None)
    if not is_valid(signature, encode_body(record)):
        return Finding("signature", False, "the signature is wrong: the record was changed after it was signed")
    name = key_id(signature.public)
    claim = f"; it names {signature.server}, which proves nothing" if signature.server else ""
    if keys is None:
        return Finding("signature", True, f"signed by a key that was not looked up, {name}{claim}", is_open=True)
    key = keys.find(signature.public)
    if key is None:
        return Finding("signature", False, f"signed by an unknown key, {name}{claim}")
    ended = max((entry.at for entry in record.entries), default=0)
    if key.until is not None and ended > key.until + GRACE:
        return Finding("signature", False, f"signed with a key that was retired before the game ended, {name}")
    return Finding("signature", True, f"signed by {keys.source} (key {name})")
