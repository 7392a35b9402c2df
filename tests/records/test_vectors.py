"""The vectors of records: what a verifier in any language must agree with.

`PYTHONPATH=tests python tests/records/test_vectors.py` writes them anew.
"""

import json
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from records.game_fixtures import at_random
from records.test_records import VERIFIER, checked_by_node

from palatine_protocol.messages import Create, Say, Sit, Start
from palatine_server.games.registry import GAMES
from palatine_server.records import Record, Signer, build_record, decode_record, encode_record, erase_texts, sign_record
from palatine_server.records.file_format import encode_body
from palatine_server.records.key_ring import KeyRing, SigningKey, read_keys
from palatine_server.records.record import add_salts
from palatine_server.records.signatures import encode_message, key_id
from palatine_server.records.texts import hash_text
from palatine_server.records.verdict import check_signature
from palatine_server.tables.creation import create_table
from palatine_server.tables.handlers import handle_request, play
from palatine_server.tables.state import Requester

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors" / "records.json"
PRIVATE = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"  # of RFC 8037, which everybody knows
SIGNER = Signer(PRIVATE, "https://play.example")
SALT = "0123456789abcdef" * 4


def short_record() -> Record:
    """A game that has just begun: two people, one of whom says something. No server signs such a record."""
    game, rng, table = GAMES["palais_royal"], Random(1), dict[str, Any](id="r", table="vector")
    with patch("palatine_server.tables.creation.secrets.token_hex", lambda size: rng.randbytes(size).hex()):
        state = create_table(game, "u0", "Anna", Create(id="c", game=game.name, seats=2), 1)
    anna, bea = Requester("u0", "Anna"), Requester("u1", "Béa")
    entries = [handle_request(state, who, Sit(**table), 1_700_000_000_000, None) for who in (anna, bea)]
    entries.append(handle_request(state, bea, Say(**table, text="Bonne chance! 🏰"), 1_700_000_001_000, None))
    entries.append(handle_request(state, anna, Start(**table), 1_700_000_002_000, None))
    for _ in range(3):
        assert state.recorder
        seat = state.waiting()[0]
        entries.append(play.play_for(state, seat, at_random(state.recorder.play, seat, rng), "bot", 1_700_000_003_000))
    page = state.take_snapshot()
    page.info = {**page.info, "status": "over"}
    record = build_record("vector", page, entries)
    record.header.edition = "000000000000"
    return sign_record(add_salts(record, b"a secret that no server has"), SIGNER)


def vectors() -> dict[str, Any]:
    record = short_record()
    ring = KeyRing([SigningKey(SIGNER.public, 1_600_000_000_000)])
    forged = msgspec.structs.replace(record, entries=[*record.entries[:-1], later(record)])
    return {
        "texts": [
            {"kind": kind, "salt": SALT, "text": text, "hash": hash_text(kind, SALT, text)}
            for kind, text in (("name", "Anna"), ("name", "Béa"), ("chat", "Anna"), ("chat", ""))
        ],
        "keys": ring.publish(),
        "message": encode_message(encode_body(record), SIGNER.sign(b"").server).decode(),
        "records": [
            {"about": "signed", "signature": "right", "file": encode_record(record).decode()},
            {
                "about": "without names",
                "signature": "right",
                "file": encode_record(erase_texts(record, ["name"])).decode(),
            },
            {
                "about": "without chat",
                "signature": "right",
                "file": encode_record(erase_texts(record, ["chat"])).decode(),
            },
            {"about": "another time", "signature": "wrong", "file": encode_record(forged).decode()},
            {"about": "unsigned", "signature": "none", "file": encode_record(unsigned(record)).decode()},
            {"about": "version 1", "signature": "none", "file": encode_record(first_version(record)).decode()},
        ],
    }


def later(record: Record) -> Any:
    last = record.entries[-1]
    return msgspec.structs.replace(last, at=last.at + 1)


def unsigned(record: Record) -> Record:
    return msgspec.structs.replace(record, signature=None)


def first_version(record: Record) -> Record:
    return Record(msgspec.structs.replace(record.header, record=1), record.entries)


def text_of(content: Any) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def stored() -> Any:
    return json.loads(VECTORS.read_text("utf-8"))


def test_a_key_has_the_id_that_the_vectors_say() -> None:
    (key,) = stored()["keys"]["keys"]
    assert key["kid"] == key_id(SIGNER.public)


@pytest.mark.parametrize("vector", stored()["records"] if VECTORS.exists() else [], ids=lambda vector: vector["about"])
def test_we_and_node_agree_with_the_vectors(vector: dict[str, Any], tmp_path: Path) -> None:
    content = vector["file"].encode()
    record, keys = decode_record(content), read_keys(json.dumps(stored()["keys"]).encode(), "the vectors")
    assert encode_record(record) == content
    finding = check_signature(record, keys)
    told = "none" if record.signature is None else "right" if finding.is_right else "wrong"
    assert told == vector["signature"]
    saved = tmp_path / "keys.json"
    saved.write_text(json.dumps(stored()["keys"]))
    code, errors, found = checked_by_node(record, tmp_path, saved)
    if told == "wrong":
        assert (code, errors) == (1, "the signature is wrong\n")
    else:
        signature = None if told == "none" else {"key": key_id(SIGNER.public), "isPublished": True}
        assert (code, errors, found["signature"]) == (0, "", signature)


@pytest.mark.parametrize("vector", stored()["texts"] if VECTORS.exists() else [], ids=lambda vector: vector["text"])
def test_texts_have_the_hashes_that_the_vectors_say(vector: dict[str, Any]) -> None:
    assert hash_text(vector["kind"], vector["salt"], vector["text"]) == vector["hash"]


def test_the_formats_of_the_vectors_are_those_that_are_written() -> None:
    fresh, old = vectors(), stored()
    assert fresh["texts"] == old["texts"]
    assert fresh["keys"] == old["keys"]
    assert [vector["about"] for vector in fresh["records"]] == [vector["about"] for vector in old["records"]]


def test_the_signed_message_is_the_one_in_the_vectors() -> None:
    record = decode_record(stored()["records"][0]["file"].encode())
    assert record.signature
    assert encode_message(encode_body(record), record.signature.server).decode() == stored()["message"]
    assert VERIFIER.exists()


if __name__ == "__main__":
    VECTORS.write_text(text_of(vectors()), "utf-8")
