"""Signatures: whatever is rewritten in a signed record is found, also if it follows from the rules."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from records.chat_game import LINES, NAMES, SIGNER, talkative_record
from records.game_fixtures import record_of
from records.test_records import checked_by_node, forged, forgery, plain_lines
from records.test_records import places as ways_to_leaves

from palatine_server.games.registry import GAMES
from palatine_server.records import BadRecord, Record, Signer, decode_record, encode_record, erase_texts, sign_record
from palatine_server.records.file_format import encode_body
from palatine_server.records.key_ring import KeyRing, KnownKeys, SigningKey, read_keys
from palatine_server.records.signatures import is_valid, key_id
from palatine_server.records.verdict import GRACE, check_signature, judge_record

PALAIS = GAMES["palais_royal"]
DAY = 86_400_000


def keys_of(*signers: Signer, until: int | None = None) -> KnownKeys:
    return KnownKeys([SigningKey(signer.public, 0, until) for signer in signers], "https://play.example")


OURS = keys_of(SIGNER)


def wrong(record: Record, keys: KnownKeys | None = None) -> list[str]:
    return [finding.what for finding in judge_record(record, GAMES, keys) if not finding.is_right]


def said_of(record: Record, keys: KnownKeys | None = None) -> str:
    return check_signature(record, keys).more


def test_a_record_says_who_signed_it() -> None:
    record = decode_record(encode_record(talkative_record()))
    assert wrong(record, OURS) == []
    assert said_of(record, OURS) == f"signed by https://play.example (key {key_id(SIGNER.public)})"


def test_without_keys_a_signature_proves_nothing_and_is_not_wrong() -> None:
    finding = check_signature(talkative_record(), None)
    assert (finding.is_right, finding.is_open) == (True, True)
    assert "was not looked up" in finding.more
    assert "https://play.example, which proves nothing" in finding.more


def test_a_record_that_nobody_signed_says_so_and_is_not_the_servers() -> None:
    record = record_of(PALAIS)
    assert said_of(record) == said_of(record, OURS) == "nobody signed this record"
    assert (wrong(record), wrong(record, OURS)) == ([], ["signature"])


def test_an_unknown_key_is_not_the_servers_whatever_the_record_claims() -> None:
    other = Signer("43" * 32, "https://play.example")
    record = sign_record(record_of(PALAIS), other)
    assert wrong(record, OURS) == ["signature"]
    assert said_of(record, OURS).startswith(f"signed by an unknown key, {key_id(other.public)}")


def renamed(lines: Any) -> None:
    lines[1]["news"][0]["news"]["name"] = "Somebody else"


def host_renamed(lines: Any) -> None:
    lines[0]["opening"]["host"] = "Somebody else"


def seat_renamed(lines: Any) -> None:
    op = next(op for op in lines[1]["info"] if op[0][0] == "seats")
    op[1]["name"] = "Somebody else"


def said_otherwise(lines: Any) -> None:
    said = [item["news"] for line in lines[1:] for item in line.get("news", []) if item["news"]["news"] == "said"]
    said[0]["text"] = "I cheat"


def said_by_another(lines: Any) -> None:
    line = next(line for line in lines[1:] for item in line.get("news", []) if item["news"]["news"] == "said")
    line["seat"] = line["news"][0]["news"]["seat"] = 0


def at_another_time(lines: Any) -> None:
    lines[-1]["at"] += 1


def in_another_order(lines: Any) -> None:
    first, second = lines[1], lines[2]
    first["news"], second["news"] = second["news"], first["news"]


def another_result(lines: Any) -> None:
    line = next(line for line in reversed(lines) if any(op[0][0] == "standings" for op in line.get("info", [])))
    next(op for op in line["info"] if op[0][0] == "standings")[1][0]["score"] += 1


def a_line_less(lines: Any) -> None:
    del lines[-1]


def another_table(lines: Any) -> None:
    lines[0]["table"] = "u"


def another_edition(lines: Any) -> None:
    lines[0]["edition"] = "000000000000"


REWRITTEN = [
    renamed,
    host_renamed,
    seat_renamed,
    said_otherwise,
    said_by_another,
    at_another_time,
    in_another_order,
    another_result,
    a_line_less,
    another_table,
    another_edition,
]
UNSEEN_BY_THE_RULES = {*REWRITTEN} - {another_result}


@pytest.mark.parametrize("change", REWRITTEN)
def test_what_is_rewritten_is_found(change: Any, tmp_path: Path) -> None:
    record = talkative_record()
    copy = forged(record, change)
    assert "signature" in wrong(copy)
    assert "signature" in wrong(copy, OURS)
    assert "was changed after it was signed" in said_of(copy, OURS)
    code, errors, _ = checked_by_node(copy, tmp_path)
    assert (code, errors) == (1, "the signature is wrong\n")
    unsigned = msgspec.structs.replace(record, signature=None)
    if change in UNSEEN_BY_THE_RULES:  # without a signature, nobody would know
        assert wrong(forged(unsigned, change)) == []


@cache
def everything() -> tuple[Record, str, list[tuple[Any, ...]]]:
    """A signed record, its lines as text, and the ways to all values in them."""
    record = talkative_record()
    lines = plain_lines(record)
    return record, json.dumps(lines, sort_keys=True), list(ways_to_leaves(lines))


@settings(max_examples=80, deadline=None)
@given(some.data())
def test_whatever_is_rewritten_is_found(data: Any) -> None:
    record, text, ways = everything()
    lines = json.loads(text)
    place = data.draw(some.sampled_from(ways))
    value = data.draw(some.none() | some.integers(-5, 2**53 - 1) | some.text(max_size=12) | some.booleans())
    change = replacing(place, value)
    change(lines)
    if json.dumps(lines, sort_keys=True) == text:
        return
    try:
        copy = decode_record(forgery(record, change))
    except (BadRecord, msgspec.ValidationError, AttributeError):  # it is no record any more
        return
    assert not check_signature(copy, OURS).is_right


def replacing(place: tuple[Any, ...], value: Any) -> Any:
    def change(lines: Any) -> None:
        holder = lines
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = value

    return change


@pytest.mark.parametrize("field", ["public", "server", "value"])
def test_a_signature_itself_cannot_be_changed(field: str) -> None:
    record = talkative_record()
    other = {"public": Signer("44" * 32).public, "server": "https://other.example", "value": "00" * 64}[field]
    record.signature = msgspec.structs.replace(record.signature, **{field: other})
    assert wrong(decode_record(encode_record(record)), OURS) == ["signature"]


@pytest.mark.parametrize("server", ["https://a b", "javascript:x", "https://x\n", "https://" + "x" * 200])
def test_a_server_that_is_no_address_is_no_record(server: str) -> None:
    record = talkative_record()
    record.signature = msgspec.structs.replace(record.signature, server=server)
    with pytest.raises(BadRecord):
        decode_record(encode_record(record))


def test_an_erased_record_has_the_same_signature() -> None:
    for kinds in (["name"], ["chat"], ["name", "chat"]):
        copy = erase_texts(talkative_record(), kinds)
        assert copy.signature == talkative_record().signature
        assert wrong(copy, OURS) == []


def test_a_signature_of_a_record_fits_no_other() -> None:
    record = talkative_record()
    assert record.signature
    assert is_valid(record.signature, encode_body(record))
    assert not is_valid(record.signature, encode_body(record_of(PALAIS)))


# Retired keys


def test_a_retired_key_vouches_for_games_of_its_time_only() -> None:
    record = talkative_record()
    ended = max(entry.at for entry in record.entries)
    assert wrong(record, keys_of(SIGNER, until=ended)) == []
    assert wrong(record, keys_of(SIGNER, until=ended - GRACE)) == []
    assert wrong(record, keys_of(SIGNER, until=ended - GRACE - 1)) == ["signature"]


def test_rotation_keeps_old_keys_published_with_their_times() -> None:
    ring = KeyRing().with_new_key(10).with_new_key(20).with_new_key(30)
    assert [(key.since, key.until, key.private is None) for key in ring.keys] == [
        (10, 20, True),
        (20, 30, True),
        (30, None, False),
    ]
    published = read_keys(msgspec.json.encode(ring.publish()), "s")
    for key in ring.keys:
        found = published.find(key.public)
        assert found
        assert (found.since, found.until) == (key.since, key.until)


def test_nothing_that_is_published_or_printed_holds_a_private_key() -> None:
    ring = KeyRing().with_new_key(10)
    private = ring.keys[0].private
    assert private
    for shown in (json.dumps(ring.publish()), repr(ring), str(ring.keys[0]), repr(Signer(private).__dict__)):
        assert private not in shown


def test_a_key_that_the_operator_holds_replaces_the_one_in_use_and_comes_back() -> None:
    ring = KeyRing().with_new_key(10).with_given_key("55" * 32, 20)
    assert ring.with_given_key("55" * 32, 25) == ring
    assert [key.private for key in ring.keys] == [None, None]
    back = ring.with_given_key("66" * 32, 30).with_given_key("55" * 32, 40)
    assert [(key.since, key.until) for key in back.keys] == [(10, 20), (30, 40), (20, None)]


def test_a_key_is_named_by_its_thumbprint() -> None:
    # The key of RFC 8037, appendix A.3.
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key_id(public) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"keys":7}',
        b'{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAAA"}]}',
        b'{"keys":[{"kty":"OKP","crv":"Ed25519","x":"\xc3\xa4"}]}',
        b'{"keys":[' + b"[" * 100_000,
        b'{"keys":[' + b",".join([b'{"kty":"x"}'] * 101) + b"]}",
        b'{"keys":[],"x":"' + b"x" * 70_000 + b'"}',
    ],
)
def test_keys_that_are_none_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"key"):
        read_keys(content, "a server")


def test_keys_of_other_kinds_are_ignored() -> None:
    assert read_keys(b'{"keys":[{"kty":"RSA","n":"x","e":"y"}],"more":1}', "s").find(SIGNER.public) is None


def test_the_names_and_lines_are_in_the_game_that_is_tampered_with() -> None:
    assert all(text.encode() in encode_record(talkative_record()) for text in (*NAMES, *LINES))
