"""Messages: on the wire and back, understood by an independent reader, and Unreadable for everything else.

`python tests/protocol/test_messages.py` writes the vectors anew.
"""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_time import time_best

from palatine_protocol.codec import JSON, MSGPACK, SUBPROTOCOLS, Codec, Unreadable, for_client, for_server
from palatine_protocol.errors import Close, Code
from palatine_protocol.examples import EXAMPLES, REQUESTS
from palatine_protocol.messages import Act, Create, Hello, Info, Ping, Snapshot, Update, Watch
from palatine_protocol.patch import LARGEST
from palatine_protocol.spec import MESSAGES

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors" / "messages.json"
SERVER = {name: for_server(name) for name in SUBPROTOCOLS}
CLIENT = {name: for_client(name) for name in SUBPROTOCOLS}

each_example = pytest.mark.parametrize("message", EXAMPLES.values(), ids=EXAMPLES.keys())
each_subprotocol = pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)


def reader(message: Any, subprotocol: str) -> Codec[Any]:
    """The codec of the side that receives this message."""
    return (SERVER if isinstance(message, tuple(map(type, REQUESTS.values()))) else CLIENT)[subprotocol]


def meaning(message: Any) -> Any:
    return json.loads(CLIENT[JSON].encode(message))


def packed(value: Any) -> bytes:
    """The bytes as another library writes them."""
    data: bytes = msgpack.packb(value)
    return data


def unpacked(frame: bytes) -> Any:
    """What another library reads, with everything forbidden that it can forbid."""
    return msgpack.unpackb(frame, raw=False, strict_map_key=True)


def unreadable(subprotocol: str, frame: bytes | str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        SERVER[subprotocol].decode(frame)
    return caught.value


# On the wire and back


def test_wire_every_message_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES.values()} == set(MESSAGES)


@each_subprotocol
@each_example
def test_wire_every_message_comes_back(message: Any, subprotocol: str) -> None:
    codec = reader(message, subprotocol)
    assert codec.decode(codec.encode(message)) == message


@each_example
def test_wire_another_library_reads_the_same_from_msgpack_as_from_json(message: Any) -> None:
    assert json.dumps(unpacked(CLIENT[MSGPACK].encode(message))) == json.dumps(meaning(message))


@each_subprotocol
@each_example
def test_wire_what_another_library_writes_is_the_same_message(message: Any, subprotocol: str) -> None:
    frame = packed(meaning(message)) if subprotocol == MSGPACK else json.dumps(meaning(message), indent=1)
    assert reader(message, subprotocol).decode(frame) == message


@each_subprotocol
@each_example
def test_wire_unknown_keys_are_ignored_at_any_depth(message: Any, subprotocol: str) -> None:
    codec = reader(message, subprotocol)
    assert codec.decode(codec.encode(with_later_keys(meaning(message)))) == message


# Maps without a fixed set of keys.
DOCUMENTS = {"board", "hand", "hands", "news", "figures"}
FREE = {*DOCUMENTS, "action", "question", "options", "resume", "forks", "invitations", "fields"}


def with_later_keys(value: Any) -> Any:
    """The same message from a later version that knows more."""
    if isinstance(value, list):
        return [with_later_keys(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        "later": {"a": [1, None]},
        **{key: item if is_free(key, item) else with_later_keys(item) for key, item in value.items()},
    }


def is_free(key: str, value: Any) -> bool:
    """Whether a value is a document, a patch of one, or another map without a fixed set of keys."""
    return key in FREE or (key == "info" and isinstance(value, list))


@each_subprotocol
def test_wire_an_absent_field_has_its_default(subprotocol: str) -> None:
    codec = SERVER[subprotocol]
    assert codec.decode(codec.encode({"type": "hello", "id": "1", "token": "t"})) == Hello(id="1", token="t")
    assert codec.decode(codec.encode({"type": "watch", "id": "1", "table": "t"})) == Watch(id="1", table="t")


def test_wire_an_update_holds_only_what_changed() -> None:
    assert meaning(Update(table="t", version=2, digest=3)) == {
        "type": "update",
        "table": "t",
        "version": 2,
        "digest": 3,
    }
    assert meaning(Update(table="t", version=2, digest=3, offer=None))["offer"] is None


@given(shared=st.integers(1, 14), own=st.integers(1, 14))
def test_wire_a_message_can_be_joined_of_two_parts(shared: int, own: int) -> None:
    first, second = ({f"{name}{at}": [at] for at in range(size)} for name, size in (("a", shared), ("b", own)))
    for codec in CLIENT.values() if shared + own < 16 else [CLIENT[JSON]]:
        assert codec.join(codec.encode(first), codec.encode(second)) == codec.encode({**first, **second})


def fields_of(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in message.__struct_fields__}


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=9,
)
shallow = plain.filter(lambda value: depth(value) <= 3)
ids = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)
actions = st.dictionaries(st.text(max_size=9), shallow, max_size=4)
INFO = Info(game="g", status="playing", visibility="private", host="é", seats=[None], options={})


def depth(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if children is None else 1 + max(map(depth, children), default=0)


@settings(deadline=None)
@given(
    st.builds(Act, id=ids, table=st.just("t"), offer=st.integers(0, LARGEST), action=actions)
    | st.builds(Create, id=ids, game=st.text(min_size=1, max_size=64), seats=st.integers(0, 15), options=actions)
    | st.builds(
        Snapshot,
        table=ids,
        version=st.integers(0, LARGEST),
        seat=st.none() | st.integers(0, 9),
        info=st.just(INFO),
        board=plain,
        hand=plain,
        offer=st.none(),
        waiting=st.just([]),
        can_undo=st.booleans(),
        digest=st.integers(0, 2**32 - 1),
        info_digest=st.integers(0, 2**32 - 1),
        view=st.none() | st.integers(0, 15),
    )
)
def test_wire_whatever_a_message_holds_comes_back_in_both_forms(message: Any) -> None:
    for subprotocol in SUBPROTOCOLS:
        codec = reader(message, subprotocol)
        assert codec.decode(codec.encode(message)) == message
    assert json.dumps(unpacked(SERVER[MSGPACK].encode(message))) == json.dumps(meaning(message))


# Codes


@pytest.mark.parametrize("code", Code)
def test_codes_every_error_has_a_stable_word_and_a_sentence(code: Code) -> None:
    assert code == code.value == code.name.lower()
    assert re.fullmatch(r"[A-Z][^.]*\.", code.sentence)


@pytest.mark.parametrize("close", Close)
def test_codes_every_close_code_is_one_a_server_may_send_and_has_advice(close: Close) -> None:
    assert close in {1000, 1001, 1002, 1007, 1008, 1009, 1011, 1012, 1013} or 4000 <= close <= 4999
    assert re.fullmatch(r"[A-Z][^.]*\.", close.advice)


# Unreadable, and the client learns why


@each_subprotocol
def test_unreadable_a_wrong_request_is_answered_by_its_id_and_the_place_of_the_mistake(subprotocol: str) -> None:
    encode = SERVER[subprotocol].encode
    wrong = unreadable(subprotocol, encode({"type": "sit", "id": "7", "table": "t", "seat": "first"}))
    assert (wrong.code, wrong.path, wrong.id) == (Code.MALFORMED, "$.seat", "7")
    wrong = unreadable(subprotocol, encode({"type": "sit", "id": "7"}))
    assert (wrong.code, wrong.path, wrong.id) == (Code.MALFORMED, "$.table", "7")


@each_subprotocol
@pytest.mark.parametrize("kind", ["dance", "", "HELLO", "welcome", "update", "request"])
def test_unreadable_a_request_that_nobody_knows_is_called_so(subprotocol: str, kind: str) -> None:
    wrong = unreadable(subprotocol, SERVER[subprotocol].encode({"type": kind, "id": "7"}))
    assert (wrong.code, wrong.path, wrong.id) == (Code.UNKNOWN_REQUEST, "$.type", "7")


@each_subprotocol
@pytest.mark.parametrize("name", [None, 7, ["7"], {"7": 7}, "7" * 65, True])
def test_unreadable_an_id_that_is_none_is_not_quoted(subprotocol: str, name: Any) -> None:
    assert unreadable(subprotocol, SERVER[subprotocol].encode({"type": "ping", "id": name})).id == ""


WRONG_FIELDS: list[dict[str, Any]] = [
    {"type": "ping", "id": ""},
    {"type": "ping", "id": "two words"},
    {"type": "ping", "id": "ü"},
    {"type": "ping", "id": "a\n"},
    {"type": "hello", "id": "1"},
    {"type": "hello", "id": "1", "token": "x" * 1025},
    {"type": "hello", "id": "1", "token": "x", "client": "x" * 65},
    {"type": "hello", "id": "1", "token": "x", "resume": {"t": -1}},
    {"type": "hello", "id": "1", "token": "x", "resume": {"t": 2**53}},
    {"type": "hello", "id": "1", "token": "x", "resume": {"not a table": 1}},
    {"type": "hello", "id": "1", "token": "x", "resume": {str(each): 1 for each in range(33)}},
    {"type": "hello", "id": "1", "token": "x", "resume": ["t"]},
    {"type": "hello", "id": "1", "token": "x", "forks": {"t": 1}},
    {"type": "hello", "id": "1", "token": "x", "forks": {"t": "x" * 33}},
    {"type": "hello", "id": "1", "token": "x", "forks": {str(each): "x" for each in range(33)}},
    {"type": "watch", "id": "1", "table": "t", "from": 1, "fork": "x" * 33},
    {"type": "create", "id": "1", "game": "g", "seats": 16},
    {"type": "create", "id": "1", "game": "g", "seats": True},
    {"type": "create", "id": "1", "game": "g", "seats": "2"},
    {"type": "create", "id": "1", "game": "", "seats": 2},
    {"type": "create", "id": "1", "game": "g", "seats": 2, "clock": {"move": -1}},
    {"type": "create", "id": "1", "game": "g", "seats": 2, "visibility": "secret"},
    {"type": "create", "id": "1", "game": "g", "seats": 2, "seed": "f" * 63},
    {"type": "create", "id": "1", "game": "g", "seats": 2, "seed": "f" * 64 + "\n"},
    {"type": "create", "id": "1", "game": "g", "seats": 2, "options": [1]},
    {"type": "sit", "id": "1", "table": "../etc"},
    {"type": "sit", "id": "1", "table": "t\n"},
    {"type": "sit", "id": "1", "table": "t", "seat": -1},
    {"type": "watch", "id": "1", "table": "t", "from": -1},
    {"type": "act", "id": "1", "table": "t", "offer": 0},
    {"type": "act", "id": "1", "table": "t", "offer": None, "action": {}},
    {"type": "act", "id": "1", "table": "t", "offer": 0, "action": ["choose"]},
]


@each_subprotocol
@pytest.mark.parametrize("wrong", WRONG_FIELDS, ids=json.dumps)
def test_unreadable_wrong_types_and_values_out_of_bounds(subprotocol: str, wrong: dict[str, Any]) -> None:
    assert unreadable(subprotocol, SERVER[subprotocol].encode(wrong)).code is Code.MALFORMED


@each_subprotocol
@pytest.mark.parametrize("message", REQUESTS.values(), ids=REQUESTS.keys())
def test_unreadable_every_truncation_of_every_request(subprotocol: str, message: Any) -> None:
    frame = SERVER[subprotocol].encode(message)
    for end in range(len(frame)):
        assert unreadable(subprotocol, frame[:end]).code is Code.MALFORMED
    unreadable(subprotocol, frame + frame)


@each_subprotocol
def test_unreadable_no_client_may_speak_as_the_server(subprotocol: str) -> None:
    for message in EXAMPLES.values():
        if message not in REQUESTS.values():
            assert unreadable(subprotocol, SERVER[subprotocol].encode(message)).code is Code.UNKNOWN_REQUEST


# Unreadable, whatever was meant by it

ACTION = packed({"type": "act", "id": "1", "table": "t", "offer": 0, "action": {"x": 0}})[:-1]  # a value must follow
IGNORED = packed({"type": "ping", "id": "1", "x": 0})[:-1]
ID = packed({"type": "ping", "id": 0})[:-1]
ACTION_TEXT = '{"type":"act","id":"1","table":"t","offer":0,"action":{"x":%s}}'
ID_TEXT = '{"type":"ping","id":%s}'

NONSENSE: dict[str, bytes] = {
    "a float": packed(1.5),
    "a whole float": packed(1.0),
    "not a number": packed(float("nan")),
    "infinity": packed(float("inf")),
    "a short float": msgpack.packb(0.5, use_single_float=True),
    "bytes": packed(b"x"),
    "an ext type": packed(msgpack.ExtType(5, b"x")),
    "a timestamp": packed(msgpack.Timestamp(5, 0)),
    "a timestamp beyond all calendars": b"\xc7\x0c\xff" + bytes(4) + struct.pack(">q", 2**62),
    "a timestamp of the wrong length": b"\xd4\xff\x00",
    "an integer as key": packed({1: 1}),
    "null as key": packed({None: 1}),
    "a list as key": b"\x81\x91\x01\x01",
    "a map as key": b"\x81\x80\x01",
    "bytes as key": packed({b"x": 1}),
    "an integer beyond doubles": packed(2**53),
    "an integer of 64 bits": packed(2**64 - 1),
    "a negative integer beyond doubles": packed(-(2**53)),
    "UTF-8 that is none": b"\xa1\xff",
    "a lone surrogate": b"\xa3\xed\xa0\x80",
    "a key that is no UTF-8": b"\x81\xa1\xff\x01",
    "a reserved byte": b"\xc1",
    "nothing": b"",
    "deep lists": b"\x91" * 16_000 + b"\x00",
    "deep maps": b"\x81\xa1a" * 5_000 + b"\x00",
    "deep and never ending": b"\x91" * 16_000,
    "a list too deep": b"\x91" * 20 + b"\x00",
    "a huge list": b"\xdd\xff\xff\xff\xff",
    "a large list": b"\xdd\x0f\xff\xff\xff\x00",
    "a huge map": b"\xdf\xff\xff\xff\xff",
    "a huge string": b"\xdb\xff\xff\xff\xff",
    "huge bytes": b"\xc6\xff\xff\xff\xff",
    "a huge ext": b"\xc9\xff\xff\xff\xff\x05",
    "huge lists in lists": b"\xdd\x7f\xff\xff\xff" * 100,
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE.keys())
def test_unreadable_nonsense_in_msgpack(nonsense: bytes) -> None:
    for before in (b"", ACTION, ID):
        assert unreadable(MSGPACK, before + nonsense).code is Code.MALFORMED


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE.keys())
def test_unreadable_or_ignored_nonsense_under_an_unknown_key(nonsense: bytes) -> None:
    assert message_or_none(SERVER[MSGPACK], IGNORED + nonsense) in (None, Ping(id="1"))


NO_JSON = [
    *("", " ", "nul", "NaN", "Infinity", "-", "01", "1.5", "1.0", "1e2", "1e400", "1E99999999999", "0." + "1" * 9_000),
    *("9007199254740992", "-9007199254740992", "9" * 25, "9" * 5_000, "-" + "9" * 5_000, "1" + "0" * 400 + "e-400"),
    *(
        '"',
        "'x'",
        '"\\x"',
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\x00"',
        '"\n"',
        "[1,]",
        "{1:1}",
        '{"a":1,}',
        "[",
        "]",
        "}",
    ),
    *("[" * 16_000, "[" * 8_000 + "]" * 8_000, '{"a":' * 3_000, "[" * 20 + "]" * 20, "/* */ 1", "1 2", "\ufeff1"),
]


@pytest.mark.parametrize("nonsense", NO_JSON, ids=lambda text: repr(text[:12]))
def test_unreadable_nonsense_in_json(nonsense: str) -> None:
    for frame in (nonsense, ACTION_TEXT % nonsense, ID_TEXT % nonsense):
        assert unreadable(JSON, frame).code is Code.MALFORMED
        assert unreadable(JSON, frame.encode()).code is Code.MALFORMED


def test_unreadable_text_that_is_no_unicode() -> None:
    unreadable(JSON, b'{"type":"ping","id":"\xff"}')
    unreadable(JSON, '{"type":"ping","id":"\ud800"}')
    unreadable(JSON, '{"type":"ping","id":"1"}'.encode("utf-16"))


def message_or_none(codec: Codec[Any], frame: bytes | str) -> Any:
    """The message, if it is one; anything but Unreadable is a failure of the test."""
    try:
        return codec.decode(frame)
    except Unreadable:
        return None


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "id", "table", "action", "from", "ping", 1, None]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200) | anything.map(packed))
def test_unreadable_random_bytes(frame: bytes) -> None:
    for subprotocol in SUBPROTOCOLS:
        message_or_none(SERVER[subprotocol], frame)
        message_or_none(CLIENT[subprotocol], frame)


@settings(deadline=None, max_examples=300)
@given(st.text() | st.text(st.sampled_from('{}[]",:0.e-\\u "typeid')))
def test_unreadable_random_text(frame: str) -> None:
    message_or_none(SERVER[JSON], frame)
    message_or_none(CLIENT[JSON], frame)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(list(EXAMPLES.values())), st.sampled_from(["id", "table", "offer", "type", "board"]), anything)
def test_unreadable_or_plain_one_field_replaced_by_anything(message: Any, name: str, value: Any) -> None:
    frame = packed({**meaning(message), name: value})
    message_or_none(CLIENT[MSGPACK], frame)
    assert is_plain(message_or_none(SERVER[MSGPACK], frame))


def is_plain(value: Any) -> bool:
    """Whether everything in a message is what every language can hold."""
    if isinstance(value, msgspec.Struct):
        return all(map(is_plain, fields_of(value).values()))
    if isinstance(value, dict):
        return all(type(key) is str for key in value) and all(map(is_plain, value.values()))
    if isinstance(value, list):
        return all(map(is_plain, value))
    if value is None or value is msgspec.UNSET or type(value) in (str, bool):
        return True
    return type(value) is int and -LARGEST <= value <= LARGEST


# A hundred thousand mutated frames

TOKENS = [*NONSENSE.values(), *(text.encode("utf-8", "replace") for text in NO_JSON)]
SMALL_TOKENS = [token for token in TOKENS if 0 < len(token) < 30]


def mutated(chance: Random, frame: bytes) -> bytes:
    """A frame with one to three things wrong, or by luck still right."""
    for _ in range(chance.randrange(1, 4)):
        frame = chance.choice(MUTATIONS)(chance, frame, chance.randrange(len(frame) + 1))
    return frame


def flipped(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at] + bytes([frame[at] ^ 1 << chance.randrange(8)]) + frame[at + 1 :] if at < len(frame) else frame


def overwritten(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at] + bytes([chance.randrange(256)]) + frame[at + 1 :]


def shortened(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at] + frame[at + chance.randrange(9) :]


def cut_off(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at]


def doubled(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at] + frame[max(0, at - chance.randrange(20)) :]


def spiced(chance: Random, frame: bytes, at: int) -> bytes:
    return frame[:at] + chance.choice(SMALL_TOKENS) + frame[at + chance.randrange(3) :]


def crossed(chance: Random, frame: bytes, at: int) -> bytes:
    other = chance.choice(FRAMES)[1]
    return frame[:at] + other[chance.randrange(len(other)) :]


MUTATIONS: list[Callable[[Random, bytes, int], bytes]] = [
    flipped,
    overwritten,
    shortened,
    cut_off,
    doubled,
    spiced,
    crossed,
]
FRAMES: list[tuple[str, bytes]] = [
    (name, SERVER[name].encode(message)) for name in SUBPROTOCOLS for message in EXAMPLES.values()
]


def test_unreadable_or_plain_a_hundred_thousand_mutated_frames() -> None:
    chance, read = Random(3), 0
    for _ in range(100_000):
        subprotocol, frame = chance.choice(FRAMES)
        frame = mutated(chance, frame)
        message = message_or_none(SERVER[subprotocol], frame)
        assert is_plain(message), frame
        read += message is not None
    assert 1_000 < read < 50_000  # some survive; those are members of the vocabulary


def test_unreadable_or_a_message_mutated_frames_from_a_broken_server() -> None:
    chance = Random(4)
    for _ in range(20_000):
        subprotocol, frame = chance.choice(FRAMES)
        message_or_none(CLIENT[subprotocol], mutated(chance, frame))


# Never for long

LARGE = 64 * 1024
EXPENSIVE: dict[str, bytes] = {
    "many numbers": b"\x00" * LARGE,
    "many empty lists": b"\x90" * LARGE,
    "many empty maps": b"\x80" * LARGE,
    "many short lists": b"\x93\x00\x00\x00" * (LARGE // 4),
    "many nested lists": b"\x91\x91\x90" * (LARGE // 3),
    "many letters": b"\xa1x" * (LARGE // 2),
    "many awkward letters": b"\xa3\xe2\x80\xa8" * (LARGE // 4),
    "many floats": b"\xca\x7f\xc0\x00\x00" * (LARGE // 5),
    "many timestamps": b"\xd6\xff\x00\x00\x00\x00" * (LARGE // 6),
}


@pytest.mark.parametrize("items", EXPENSIVE.values(), ids=EXPENSIVE.keys())
def test_never_for_long_a_large_frame_in_msgpack(items: bytes) -> None:
    header = b"\xdd" + struct.pack(">I", len(msgpack_items(items)))
    for before in (ACTION, IGNORED, ID, b""):
        assert seconds(SERVER[MSGPACK], (before + header + items)[:LARGE]) < 0.005
        assert seconds(SERVER[MSGPACK], before + header + items) < 0.005


def msgpack_items(data: bytes) -> list[Any]:
    reading = msgpack.Unpacker(ext_hook=lambda code, data: None)
    reading.feed(data)
    return list(reading)


@pytest.mark.parametrize(
    "item", ["0", "[]", "{}", '""', "1.5", '"\\u2028"', "[0,0]", "[[[]]]", "1e300", "9" * 19, " 1"]
)
def test_never_for_long_a_large_frame_in_json(item: str) -> None:
    many = ",".join([item] * ((LARGE - 100) // (len(item) + 1)))
    for frame in (ACTION_TEXT % f"[{many}]", ACTION_TEXT % f"[[{many}]", ID_TEXT % f"[{many}]", f"[{many}]"):
        assert seconds(SERVER[JSON], frame.encode()) < 0.005


@pytest.mark.parametrize("nonsense", TOKENS, ids=range(len(TOKENS)))
def test_never_for_long_nonsense(nonsense: bytes) -> None:
    for before in (b"", ACTION, IGNORED, ID, b'{"type":"ping","id":'):
        for codec in SERVER.values():
            assert seconds(codec, before + nonsense) < 0.005


def seconds(codec: Codec[Any], frame: bytes) -> float:
    """The processor time of a decode, scaled; the best of a few, because caches are cold at first."""
    return time_best(lambda: message_or_none(codec, frame), 5)


# Vectors


def vector(name: str, message: Any) -> dict[str, Any]:
    return {
        "name": name,
        "direction": "client to server" if name in REQUESTS else "server to client",
        "message": meaning(message),
        "msgpack": SERVER[MSGPACK].encode(message).hex(),
        "json": SERVER[JSON].encode(message).decode(),
    }


def written() -> str:
    return "[\n" + ",\n".join(json.dumps(vector(*example)) for example in EXAMPLES.items()) + "\n]\n"


def test_vectors_are_up_to_date() -> None:
    assert VECTORS.read_text("utf-8") == written()


def test_vectors_mean_the_same_in_both_forms_to_other_libraries() -> None:
    for each in json.loads(VECTORS.read_text("utf-8")):
        assert unpacked(bytes.fromhex(each["msgpack"])) == json.loads(each["json"]) == each["message"]


if __name__ == "__main__":
    VECTORS.write_text(written(), "utf-8")
