"""Hostile records: each is refused with a sentence, and none makes more work than its size allows."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from records.chat_game import SIGNER, talkative_record
from records.game_fixtures import record_of
from records.test_records import forgery, places, plain_lines
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.games.kit import Refused
from palatine_server.games.registry import GAMES
from palatine_server.records import BadRecord, Record, decode_record, encode_record, sign_record
from palatine_server.records import record_limits as limits
from palatine_server.records.importer import prepare_import
from palatine_server.records.record import add_salts
from palatine_server.records.verdict import judge_record

PALAIS = GAMES["palais_royal"]


def with_checksum(*lines: bytes) -> bytes:
    body = b"".join(lines)
    return body + b'{"sha256":"%b"}\n' % sha256(body).hexdigest().encode()


def first_version(change: Any = lambda lines: None) -> bytes:
    """A record of version 1 with a change, as somebody would write it who knows the format."""
    lines = plain_lines(record_of(PALAIS))
    lines[0]["record"] = 1
    change(lines)
    return with_checksum(*(json.dumps(line).encode() + b"\n" for line in lines))


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def put(*place: Any, value: Any) -> Any:
    def change(lines: Any) -> None:
        holder = lines
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = value

    return change


HOSTILE = {  # what is written where, and a word of the sentence that refuses it
    "a long name of the host": (put(0, "opening", "host", value="x" * 101), "name"),
    "a host that is no text": (put(0, "opening", "host", value=7), "name|fields"),
    "a long name on a seat": (put(1, "info", value=[[["seats", 0], {"name": "x" * 101}]]), "name"),
    "a long name in a splice": (put(1, "info", value=[[["seats"], 0, 1, {"name": "x" * 101}]]), "name"),
    "a long name in news": (put(1, "news", value=[{"news": {"news": "seat_taken", "name": "x" * 101}}]), "name"),
    "a long line of chat": (put(1, "news", value=[{"news": {"news": "said", "text": "x" * 1_001}}]), "chat"),
    "a long text elsewhere": (put(0, "opening", "options", value={"x": "y" * 10_001}), "10000 characters"),
    "a long key": (put(0, "opening", "options", value={"y" * 10_001: 1}), "10000 characters"),
    "a large opening": (put(0, "opening", "options", value={str(n): "y" * 9_000 for n in range(8)}), "64 KiB"),
    "a long line of the file": (put(1, "box", value=[[["x"], ["y" * 9_000] * 30]]), "256 KiB"),
    "many seats": (put(0, "opening", "seats", value=[None] * 17), "1 to 16 seats"),
    "no seats": (put(0, "opening", "seats", value=[]), "1 to 16 seats"),
    "no info": (put(0, "opening", value=[]), "fields"),
    "deep options": (put(0, "opening", "options", value={"x": nested(80)}), "levels deep"),
    "a deep patch": (put(1, "board", value=[[[], nested(80)]]), "levels deep"),
    "a deep deed": (put(9, "did", value={"do": "act", "action": {"x": nested(900)}}), "levels deep"),
    "a large number": (put(9, "did", value={"do": "act", "action": {"x": 2**53}}), "integer"),
    "a fraction": (put(9, "did", value={"do": "act", "action": {"x": 0.5}}), "integer"),
    "a time before 1970": (put(1, "at", value=-1), "fields"),
    "an unknown field": (put(1, "more", value=1), "fields"),
    "a short seed": (put(0, "seed", value="00"), "fields"),
    "a later version of the format": (put(0, "record", value=3), "reads versions 1 and 2"),
    "a format that is no number": (put(0, "record", value="1"), "fields"),
    "a missing entry": (put(3, "version", value=9), "missing"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_server_writes_is_refused_with_a_sentence(name: str) -> None:
    change, words = HOSTILE[name]
    with pytest.raises(BadRecord, match=words):
        decode_record(first_version(change))
    with pytest.raises(Refused) as refused:
        prepare_import(first_version(change), GAMES)
    assert refused.value.code == "bad_record"


def test_the_same_record_without_a_change_is_read() -> None:
    assert decode_record(first_version()).entries == record_of(PALAIS).entries


@pytest.mark.parametrize("depth", [100, 1_000, 100_000, 5_000_000])
@pytest.mark.parametrize("brackets", [b"[]", b'{"a":'], ids=["lists", "maps"])
def test_deep_nesting_is_refused_with_a_sentence_anywhere(depth: int, brackets: bytes) -> None:
    opening = (brackets if brackets != b"[]" else b"[") * depth
    deep = opening[: limits.LARGEST_LINE - 100] + b"\n"
    for lines in (
        [deep],
        [b'{"record":1,"opening":' + deep],
        [*encode_record(record_of(PALAIS)).splitlines(True)[:3], deep],
    ):
        with pytest.raises(BadRecord, match=r"levels deep|cannot be read"):
            decode_record(with_checksum(*lines))


@pytest.mark.parametrize("where", ["header", "entry", "checksum"])
def test_nesting_that_is_closed_again_is_refused_with_a_sentence(where: str) -> None:
    deep = b"[" * 50_000 + b"]" * 50_000
    header, first, *others = first_version().splitlines(keepends=True)[:-1]
    lines = {
        "header": [header.replace(b'"options": {}', b'"options": {"x": %b}' % deep), first],
        "entry": [header, first.replace(b'"did": ', b'"board": [[[], %b]], "did": ' % deep)],
        "checksum": [header, first],
    }[where]
    content = with_checksum(*lines, *others)
    if where == "checksum":
        content = content[: content.rindex(b"{")] + b'{"sha256":%b}\n' % deep
    assert deep in content
    with pytest.raises(BadRecord, match="levels deep"):
        decode_record(content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x" * (limits.LARGEST_RECORD + 1), "32 MiB"),
        (b"\n" * limits.LARGEST_RECORD, "lines"),
        (b"x" * limits.LARGEST_LINE + b"\n", "256 KiB"),
        (b"", "cannot be read"),
        (b"{}", "no end"),
        (b"\x1f\x8b" + b"\0" * 100 + b"\n", "cannot be read"),  # nothing is ever decompressed
    ],
    ids=["too large", "too many lines", "too long a line", "nothing", "no end", "compressed"],
)
def test_a_file_that_is_no_record_is_refused_with_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        decode_record(content)


def test_a_file_is_not_read_further_than_a_record_goes(tmp_path: Path) -> None:
    path = tmp_path / "large.palatine"
    with path.open("wb") as file:
        file.truncate(2**40)  # takes no room
    with pytest.raises(BadRecord, match="32 MiB"):
        limits.read_file(path)


def palatine(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), words, env={"COLUMNS": "160"})


@pytest.mark.parametrize("name", ["a deep deed", "a long line of chat", "no info"])
def test_every_command_refuses_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.palatine"
    path.write_bytes(first_version(HOSTILE[name][0]))
    data = "--data", str(tmp_path / "data")
    for words in (["verify", path], ["replay", path], ["erase", path, "--names"], ["import", path, *data]):
        result = palatine(*map(str, words))
        assert (result.exit_code, result.output.strip().count("\n")) == (1 if words[0] == "import" else 2, 0)
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)


def unfit_patch(lines: Any) -> None:
    lines[40]["board"] = [[["nowhere", "at", "all"], 1]]


def unfit_hands(lines: Any) -> None:
    lines[40]["hands"] = []


@pytest.mark.parametrize("change", [unfit_patch, unfit_hands])
def test_a_record_that_cannot_be_followed_is_shown_as_far_as_it_goes(change: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.palatine"
    path.write_bytes(forgery(record_of(PALAIS), change))
    result = palatine("replay", str(path))
    assert (result.exit_code, "After entry 39" in result.output) == (2, True)
    assert palatine("verify", str(path)).exit_code == 1


# Whatever is changed


VALUES = (
    some.none()
    | some.booleans()
    | some.integers(-(2**70), 2**70)
    | some.floats()
    | some.text(max_size=40)
    | some.recursive(
        some.integers(0, 3),
        lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner, max_size=3),
    )
    | some.sampled_from([nested(70), nested(500), "x" * 20_000, [0] * 5_000])
)


def branches(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values, leaves and others."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += branches(item, (*path, key))
    return found


@cache
def short_record() -> tuple[str, list[tuple[Any, ...]]]:
    """Lines with everything that can stand in a record, but few entries; and the ways to all values in them."""
    record = talkative_record()
    begun = next(number for number, entry in enumerate(record.entries) if entry.did["do"] == "start")
    copy = add_salts(msgspec.structs.replace(record, entries=record.entries[: begun + 4]), b"another secret")
    content = encode_record(sign_record(copy, SIGNER))
    assert decode_record(content).signature
    short = [json.loads(line) for line in content.splitlines()[:-1]]
    return json.dumps(short), branches(short)


@cache
def ways_through_a_game() -> list[tuple[Any, ...]]:
    return list(places(plain_lines(record_of(PALAIS))))


@settings(max_examples=100, deadline=None)
@given(some.data())
def test_whatever_is_changed_a_record_is_refused_or_judged(data: Any) -> None:
    text, ways = short_record()
    short = json.loads(text)
    for _ in range(data.draw(some.integers(1, 3))):
        place, value = data.draw(some.sampled_from(ways)), data.draw(VALUES)
        try:
            put(*place, value=value)(short)
        except (TypeError, LookupError):  # an earlier change has taken the place away
            continue
    encoded = [json.dumps(line, sort_keys=True, separators=(",", ":"), allow_nan=False) for line in numbers_in(short)]
    content = with_checksum(*(line.encode("utf-8", "surrogatepass") + b"\n" for line in encoded))
    judged_or_refused(content)


def numbers_in(lines: Any) -> Any:
    """The same without what JSON has no words for."""
    return msgspec.json.decode(msgspec.json.encode(lines, enc_hook=str)) if is_encodable(lines) else [1]


def is_encodable(lines: Any) -> bool:
    try:
        msgspec.json.encode(lines)
    except (OverflowError, ValueError, RecursionError, UnicodeEncodeError):
        return False
    return True


@settings(max_examples=25, deadline=None)
@given(some.data())
def test_whatever_is_changed_in_a_whole_game_it_is_refused_or_judged(data: Any) -> None:
    record = record_of(PALAIS)
    place = data.draw(some.sampled_from(ways_through_a_game()))
    value = data.draw(some.none() | some.integers(-3, 30) | some.text(max_size=5) | some.lists(some.integers(0, 3)))
    try:
        content = forgery(record, put(*place, value=value))
    except (msgspec.ValidationError, AttributeError, TypeError):  # this was no text
        return
    judged_or_refused(content)


def judged_or_refused(content: bytes) -> None:
    """Whatever the file is, it leads to a verdict or to a sentence, and to no other error."""
    sentences = []
    try:
        record = decode_record(content)
        assert encode_record(record) == content or record.header.record == 1
        assert len(list(judge_record(record, GAMES))) >= 3
        prepare_import(content, GAMES)
    except BadRecord as why:
        sentences.append(str(why))
    except Refused as why:
        sentences.append(why.sentence)
    assert all(0 < len(sentence) < 400 for sentence in sentences)


# Work


def padded(count: int) -> Record:
    """A game before which somebody has toggled something very often: entries that cost the least to write."""
    record = record_of(PALAIS)
    start = next(at for at, entry in enumerate(record.entries) if entry.did["do"] == "start")
    model = record.entries[-1]
    pads = [
        msgspec.structs.replace(
            model, did={"do": "ready"}, seat=None, info=[], board=[], hands=[[]] * len(model.hands), box=[], news=[]
        )
        for _ in range(count)
    ]
    middle = start + 1
    entries = [*record.entries[:middle], *pads, *record.entries[middle:]]
    after = record.entries[middle - 1].digests
    for pad in pads:
        pad.digests, pad.drawings = after, []
    entries = [msgspec.structs.replace(entry, version=number) for number, entry in enumerate(entries, 1)]
    return msgspec.structs.replace(record, entries=entries)


def seconds_for(count: int) -> float:
    content = encode_record(padded(count))
    began = process_time()
    list(judge_record(decode_record(content), GAMES))
    return process_time() - began


def test_the_work_grows_with_the_size_and_not_faster() -> None:
    few, many = (min(seconds_for(count) for _ in range(2)) for count in (1_000, 8_000))
    assert many < 2 * 8 * few


def restarting(lines: Any) -> None:
    start = next(line for line in lines[1:] if line["did"]["do"] == "start")
    start_at = lines.index(start)
    lines[start_at + 1 : start_at + 1] = [dict(start) for _ in range(200)]
    for number, line in enumerate(lines[1:], 1):
        line["version"] = number


def growing(lines: Any) -> None:
    for line in lines[20:]:
        line.setdefault("info", []).append([["options", f"x{line['version']}"], "y" * 9_000])


def boards_before_the_game(lines: Any) -> None:
    lines[1]["board"] = [[[], [0] * 50_000]]


@pytest.mark.parametrize(
    ("change", "words"),
    [(restarting, "a second time"), (growing, "64 KiB"), (boards_before_the_game, "no game yet")],
)
def test_what_would_make_more_work_than_the_record_is_long_is_wrong(change: Any, words: str) -> None:
    found = list(judge_record(decode_record(forgery(record_of(PALAIS), change)), GAMES))
    assert [words in finding.more for finding in found if finding.what == "play"] == [True]
