"""A generator of hostile frames: malformed, wrong and valid messages, drawn from a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import msgpack
import msgspec

from palatine_protocol.codec import JSON, MSGPACK, Unreadable, for_server
from palatine_protocol.examples import REQUESTS
from palatine_protocol.messages import AnyRequest
from palatine_server.settings import Settings

LARGEST = Settings().largest_frame
LONG, LARGEST_NUMBER = "x" * 5_000, 2**64 - 1
LARGE = ({"do": [0] * 5_000}, {f"{key:x}": 0 for key in range(1_500)}, {"do": "x" * 15_000}, {"do": [1e300] * 2_000})
ODD_CHARACTERS = ("\x00", "\u202e", "\u2066", "\u200b", "\ud800", "\ufeff", "\x7f", "\x1b[2J", "\N{CASTLE}", "é")
SERVER = {wire: for_server(wire) for wire in (MSGPACK, JSON)}
EXAMPLES = [msgspec.to_builtins(request) for request in REQUESTS.values()]


class Frame(NamedTuple):
    """The payload of one websocket message."""

    payload: bytes
    is_text: bool


class AttackTarget(NamedTuple):
    """The encoding of the connection, the tables to name, and the token to send."""

    wire: str
    tables: tuple[str, ...]
    token: str


# Valid requests


def draw_request(rng: Random, aim: AttackTarget) -> dict[str, Any]:
    """Return a valid request of a random type; its table may not exist."""
    message = dict(rng.choice(EXAMPLES))
    message["id"] = f"h{rng.getrandbits(40):x}"
    if "table" in message:
        message["table"] = rng.choice([*aim.tables, "nowhere", f"{rng.getrandbits(96):x}"])
    if "token" in message:
        message["token"] = aim.token
    if "seat" in message:
        message["seat"] = rng.randrange(16)
    return message


def encode_message(message: Any, aim: AttackTarget) -> Frame:
    if aim.wire == JSON:
        return Frame(json.dumps(message, default=str).encode(errors="surrogatepass"), True)
    return Frame(msgpack.packb(message, datetime=True, default=str, unicode_errors="surrogatepass"), False)


def make_valid(rng: Random, aim: AttackTarget) -> Frame:
    return encode_message(draw_request(rng, aim), aim)


# Malformed bytes


def make_noise(rng: Random, aim: AttackTarget) -> Frame:
    return Frame(rng.randbytes(rng.randrange(200)), False if aim.wire == MSGPACK else rng.random() < 0.2)


def make_truncated(rng: Random, aim: AttackTarget) -> Frame:
    frame = make_valid(rng, aim)
    return frame._replace(payload=frame.payload[: rng.randrange(len(frame.payload))])


def make_mutated(rng: Random, aim: AttackTarget) -> Frame:
    """A valid message with some bytes changed, lost, doubled or added."""
    frame, changes = make_valid(rng, aim), rng.randrange(1, 6)
    payload = bytearray(frame.payload)
    for _ in range(changes):
        at, span = rng.randrange(len(payload) + 1), rng.randrange(4)
        payload[at : at + span] = rng.choice([b"", payload[:span], rng.randbytes(span), b"\xff", b"\xc1", b'"', b"\\u"])
    return Frame(bytes(payload), frame.is_text)


def make_spliced(rng: Random, aim: AttackTarget) -> Frame:
    """The beginning of one message and the end of another."""
    one, other = make_valid(rng, aim).payload, make_valid(rng, aim).payload
    return Frame(one[: rng.randrange(len(one))] + other[rng.randrange(len(other)) :], aim.wire == JSON)


def make_doubled(rng: Random, aim: AttackTarget) -> Frame:
    frame = make_valid(rng, aim)
    return frame._replace(payload=frame.payload * 2)


def make_wrong_wire(rng: Random, aim: AttackTarget) -> Frame:
    """Text on the binary wire, bytes on the text wire, or the one encoding in the other's frames."""
    other = aim._replace(wire=JSON if aim.wire == MSGPACK else MSGPACK)
    frame = make_valid(rng, other)
    return frame if rng.random() < 0.5 or not is_utf8(frame.payload) else frame._replace(is_text=not frame.is_text)


def make_bad_utf8(rng: Random, aim: AttackTarget) -> Frame:
    """Return a message with invalid UTF-8, in a binary frame, because websockets forbid it in text frames."""
    frame = encode_message({**draw_request(rng, aim), "id": "MARK"}, aim)
    return Frame(frame.payload.replace(b"MARK", rng.choice([b"\xff\xfe\xfd\xfc", b"\xc0\xaf\xc0\xaf"])), False)


def make_huge_length(rng: Random, aim: AttackTarget) -> Frame:
    """A header that promises four billion items, or bytes, inside of a request or instead of one."""
    promise = rng.choice([b"\xdf", b"\xdd", b"\xdb", b"\xc6", b"\xc9"]) + b"\xff\xff\xff\xff"
    inside = b"\x83\xa4type\xa3act\xa2id\xa1x\xa6action" + promise
    return Frame(rng.choice([promise, inside, inside + b"\x01" * 999]), False)


def make_deep(rng: Random, aim: AttackTarget) -> Frame:
    """Lists or maps within each other, also far beyond what a stack holds."""
    levels = rng.choice([15, 16, 17, 64, 900, 1_100, 8_000])
    opening, end = rng.choice([("[", "]"), ('{"a":', "}")])
    text = '{"type":"act","id":"deep","table":"nowhere","offer":0,"action":{"do":' + opening * levels
    if aim.wire == JSON:
        return Frame((text + "0" + end * levels + "}}").encode()[:16_000], True)
    start = b"\x85\xa4type\xa3act\xa2id\xa4deep\xa5table\xa7nowhere\xa5offer\x00\xa6action\x81\xa2do"
    return Frame(start + rng.choice([b"\x91", b"\x81\xa1a"]) * (levels // 2) + b"\x00", False)


# Messages that are almost right


def draw_value(rng: Random) -> Any:
    """A value where another one is expected."""
    simple = [None, True, -1, 0, 2**53, -(2**53), 2**63, LARGEST_NUMBER, -(2**63), 1.5, -0.0, 1e308, "", LONG]
    strange = [float("nan"), float("inf"), [], {}, [[]], {"": {}}, {1: 2}, {True: None}, b"\xff", msgpack.Timestamp(1)]
    rare = [msgpack.Timestamp(2**40, 5), msgpack.ExtType(5, b"x"), msgpack.ExtType(127, b""), {(1, 2): 3}]
    text = f"a{rng.choice(ODD_CHARACTERS)}b"
    return rng.choice([*simple, *strange, *rare, text, text * 20, list(range(300)), {"do": text}])


def convert_for_json(value: Any) -> Any:
    """Return a similar value that JSON can encode."""
    if isinstance(value, bytes | msgpack.ExtType | msgpack.Timestamp):
        return 10**30
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else value


def draw_odd_value(rng: Random, aim: AttackTarget) -> Any:
    value = draw_value(rng)
    return convert_for_json(value) if aim.wire == JSON else value


def make_wrong_type(rng: Random, aim: AttackTarget) -> Frame:
    """One or two fields have a value of another kind."""
    message = draw_request(rng, aim)
    for key in rng.sample(sorted(message), min(len(message), rng.randrange(1, 3))):
        message[key] = draw_odd_value(rng, aim)
    return encode_message(message, aim)


def make_action(rng: Random, aim: AttackTarget, values: Callable[[], Any]) -> Frame:
    """Return a request whose action or options hold these values."""
    verb = rng.choice(["choose", "place", "tick", "hold", "propose", "assign_ludwig", "nonsense"])
    content = {"do": verb, **{name: values() for name in rng.sample(["tile", "tiles", "castle", "cell", "x"], 2)}}
    act = {"type": "act", "table": rng.choice(aim.tables), "offer": rng.randrange(3), "action": content}
    create = {"type": "create", "game": "between_two_castles", "seats": 2, "options": content}
    return encode_message({**rng.choice([act, act, create]), "id": f"o{rng.getrandbits(40):x}"}, aim)


def make_odd_inside(rng: Random, aim: AttackTarget) -> Frame:
    return make_action(rng, aim, lambda: draw_odd_value(rng, aim))


def make_plain_inside(rng: Random, aim: AttackTarget) -> Frame:
    """Values that a message may hold and a game does not expect."""
    text = rng.choice(["", "bakery", "a\u202eb", "\x00", "x" * 200, "🏰"])
    values = [
        None,
        True,
        False,
        0,
        -1,
        7,
        2**53 - 1,
        -(2**53 - 1),
        text,
        [],
        [0, 0],
        [[0, 1]],
        [text] * 9,
        {},
        {"do": 1},
    ]
    return make_action(rng, aim, lambda: rng.choice(values))


def make_missing(rng: Random, aim: AttackTarget) -> Frame:
    message = draw_request(rng, aim)
    del message[rng.choice(sorted(message))]
    return encode_message(message, aim)


def make_unknown_keys(rng: Random, aim: AttackTarget) -> Frame:
    """Keys that nobody knows are ignored, whatever they hold."""
    return encode_message(
        {
            **draw_request(rng, aim),
            f"x{rng.randrange(9)}": draw_odd_value(rng, aim),
            "__proto__": draw_odd_value(rng, aim),
        },
        aim,
    )


def make_unknown_type(rng: Random, aim: AttackTarget) -> Frame:
    return encode_message(
        {**draw_request(rng, aim), "type": rng.choice(["shout", "Act", "welcome", "", "__class__", LONG])}, aim
    )


def make_odd_id(rng: Random, aim: AttackTarget) -> Frame:
    text = rng.choice(["", "x" * 64, "x" * 65, LONG, "\u202e", "a b", "\x00", "\ud800", "é" * 40, "🏰" * 64])
    return encode_message({**draw_request(rng, aim), "id": rng.choice([text, text, draw_odd_value(rng, aim)])}, aim)


def make_integer_keys(rng: Random, aim: AttackTarget) -> Frame:
    return encode_message({**draw_request(rng, aim), 1: 2, -5: "x"}, aim)


def make_not_a_map(rng: Random, aim: AttackTarget) -> Frame:
    return encode_message(rng.choice([[], ["ping", "id"], 7, "ping", None, True, [draw_request(rng, aim)]]), aim)


def make_large(rng: Random, aim: AttackTarget) -> Frame:
    """Return a message of nearly the largest allowed size, with many parts."""
    act = {"type": "act", "offer": 0, "action": rng.choice(LARGE), "table": aim.tables[0]}
    return encode_message({**draw_request(rng, aim), **act}, aim)


def make_again(rng: Random, aim: AttackTarget) -> Frame:
    """Return a request that reuses the id of another one."""
    return encode_message({**draw_request(rng, aim), "id": rng.choice(["h1", "h2", "deep"])}, aim)


READABLE = (make_valid, make_plain_inside, make_unknown_keys, make_again, make_large)
UNREADABLE = (
    make_noise,
    make_truncated,
    make_mutated,
    make_spliced,
    make_doubled,
    make_wrong_wire,
    make_bad_utf8,
    make_huge_length,
    make_deep,
    make_wrong_type,
    make_odd_inside,
    make_missing,
    make_unknown_type,
    make_odd_id,
    make_integer_keys,
    make_not_a_map,
)
KINDS: tuple[Callable[[Random, AttackTarget], Frame], ...] = (*UNREADABLE, *(READABLE * 4))


# About half are readable, so that a connection lasts for a while before the server closes it.
def generate_frames(rng: Random, aim: AttackTarget) -> Iterator[Frame]:
    """Yield frames of all kinds without end, but only frames that websockets allow."""
    while True:
        frame = rng.choice(KINDS)(rng, aim)
        if len(frame.payload) <= LARGEST and (not frame.is_text or is_utf8(frame.payload)):
            yield frame


# Expected replies


class DecodedFrame(NamedTuple):
    """The id that the reply to a frame must carry, and the request; None if the frame is unreadable."""

    id: str
    request: AnyRequest | None
    is_broken: bool = False  # it is no message at all, and counts towards the end of the connection


def decode_frame(frame: Frame, wire: str) -> DecodedFrame:
    """Decode a frame as the server does; the codec may raise nothing but Unreadable."""
    if frame.is_text != (wire == JSON):
        return DecodedFrame("", None, is_broken=True)
    try:
        request = SERVER[wire].decode(frame.payload)
    except Unreadable as error:
        return DecodedFrame(error.id, None, not error.path)
    return DecodedFrame(request.id, request)


def is_utf8(payload: bytes) -> bool:
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True
