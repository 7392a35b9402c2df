"""The file format of a record: lines of JSON, the last one a checksum. RECORD.md defines the exact bytes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from secrets import token_bytes

import msgspec
from msgspec import Struct

from palatine_protocol.digest import canonical

from .record import VERSION, VERSIONS, Header, Record, RecordEntry, add_salts, change_texts
from .record_limits import (
    MOST_ENTRIES,
    BadRecord,
    check_info,
    check_text,
    convert_value,
    read_line,
    read_value,
    split_lines,
)
from .signatures import Signature, Signer
from .texts import (
    ErasedText,
    Kind,
    PersonalText,
    Salt,
    TextReader,
    change_entry,
    change_opening,
    collect_with,
    hash_text,
    hide_with,
)

_encode = msgspec.json.Encoder(order="deterministic").encode
TEXT_LINE, SIGNATURE_LINE = b'{"kind":', b'{"signature":'  # the first bytes of these lines; entries begin with {"at":


class FormatVersion(Struct):
    """The part of the header that every version of the format has."""

    record: int


class Checksum(Struct, forbid_unknown_fields=True):
    """The last line: the SHA-256 of all bytes before it."""

    sha256: str


class SignatureLine(Struct, forbid_unknown_fields=True):
    """The line before the checksum, if the record is signed."""

    signature: Signature


# Writing


def encode_record(record: Record) -> bytes:
    """Return the record as the bytes of a file."""
    if record.header.record == 1:
        return _with_checksum(_join(map(_encode, (record.header, *record.entries))))
    body, texts = _body_and_texts(record)
    signed = [SignatureLine(record.signature)] if record.signature else []
    return _with_checksum(body + _join(map(canonical, (*texts, *signed))))


def encode_body(record: Record) -> bytes:
    """Return the lines that a signature covers: header and entries, with hashes in place of personal texts."""
    return _body_and_texts(record)[0]


def _body_and_texts(record: Record) -> tuple[bytes, list[PersonalText]]:
    texts: list[PersonalText] = []
    return _join(map(canonical, change_texts(record, hide_with(record.salts, texts)))), texts


def _join(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _with_checksum(body: bytes) -> bytes:
    return body + _encode(Checksum(hashlib.sha256(body).hexdigest())) + b"\n"


def sign_record(record: Record, signer: Signer | None) -> Record:
    """Return the record with our signature, or unchanged if there is no key."""
    return msgspec.structs.replace(record, signature=signer.sign(encode_body(record))) if signer else record


def erase_texts(record: Record, kinds: Sequence[Kind]) -> Record:
    """Return the record without texts of these kinds; their hashes stay, so the signature is still valid.

    A record of version 1 becomes an unsigned record of version 2.
    """
    if record.header.record == 1:
        header = msgspec.structs.replace(record.header, record=VERSION)
        record = add_salts(msgspec.structs.replace(record, header=header), token_bytes(32))
    found: list[tuple[Kind, str]] = []
    change_texts(record, collect_with(found))
    pairs = zip(record.salts, found, strict=True)
    salts = [erase_salt(salt, *text) if text[0] in kinds else salt for salt, text in pairs]
    return decode_record(encode_record(msgspec.structs.replace(record, salts=salts)))


def erase_salt(salt: Salt, kind: Kind, text: str) -> Salt:
    """Return the hash of a text in place of its salt, so that the text can be left out."""
    return salt if isinstance(salt, ErasedText) else ErasedText(hash_text(kind, salt, text))


def count_erased(record: Record) -> dict[Kind, int]:
    """Return how many texts of each kind were erased from a record."""
    found: list[tuple[Kind, str]] = []
    change_texts(record, collect_with(found))
    pairs = zip(record.salts, found, strict=True) if record.salts else ()
    return dict(Counter(kind for salt, (kind, _) in pairs if isinstance(salt, ErasedText)))


# Reading


def decode_record(content: bytes) -> Record:
    """Return the record in a file; raise BadRecord if any bit was changed or a limit is exceeded."""
    *lines, last = split_lines(content) or [b""]
    checksum = read_line(last, Checksum, "the last line")
    if checksum.sha256 != hashlib.sha256(b"".join(lines)).hexdigest() or _encode(checksum) + b"\n" != last:
        raise BadRecord("the checksum is wrong: the file was changed or damaged; use another copy")
    if not lines:
        raise BadRecord("there is no header")
    version = convert_value(value := read_value(lines[0], "the header"), FormatVersion, "the header").record
    if version not in VERSIONS:
        raise BadRecord(f"this is a record of version {version}, but this program reads versions 1 and 2; update it")
    header = convert_value(value, Header, "the header")
    return _read_first(header, lines[1:]) if version == 1 else _read_second(header, lines[1:], content)


def _read_first(header: Header, lines: list[bytes]) -> Record:
    check_info(header.opening, "the header")
    entries = [_convert_entry(read_value(line, f"entry {number}"), number) for number, line in _numbered(lines)]
    record, found = Record(header, entries), list[tuple[Kind, str]]()
    change_texts(record, collect_with(found))
    for kind, text in found:
        check_text(kind, text)
    return record


def _read_second(header: Header, lines: list[bytes], content: bytes) -> Record:
    signature = None
    if lines and lines[-1].startswith(SIGNATURE_LINE):
        signature = read_line(lines.pop(), SignatureLine, "the signature").signature
    count = next((at for at, line in enumerate(lines) if line.startswith(TEXT_LINE)), len(lines))
    reader = TextReader([read_line(line, PersonalText, "a text") for line in lines[count:]])
    header.opening = change_opening(header.opening, reader.show)
    check_info(header.opening, "the header")
    entries = [_read_entry(line, number, reader) for number, line in _numbered(lines[:count])]
    reader.finish()
    record = Record(header, entries, reader.salts, signature)
    if encode_record(record) != content:
        raise BadRecord("it is not in canonical form, so no Palatine server has written it")
    return record


def _numbered(lines: list[bytes]) -> Iterable[tuple[int, bytes]]:
    if len(lines) > MOST_ENTRIES:
        raise BadRecord(f"it has more than {MOST_ENTRIES} entries, the most that a record may have")
    return enumerate(lines, 1)


def _read_entry(line: bytes, number: int, reader: TextReader) -> RecordEntry:
    value = read_value(line, f"entry {number}")
    _convert_entry(value, number)  # this checks the form of the entry, on which change_entry relies
    return _convert_entry(change_entry(value, reader.show), number)


def _convert_entry(value: object, number: int) -> RecordEntry:
    entry: RecordEntry = convert_value(value, RecordEntry, f"entry {number}")
    if entry.version != number:
        raise BadRecord(f"entry {number} is missing")
    return entry
