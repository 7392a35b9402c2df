"""RFC 6455: the cases of the Autobahn test suite that apply to this server, over a raw socket.

Autobahn's server echoes messages. Ours answers requests, so "the message is echoed" becomes "the request in it is
answered" by its id; a message that is no request is answered by a refusal. Cases 12 and 13 are about compression,
which the server does not offer. Case 9 sends messages of up to 16 MiB and 10 fragments one of 64 KiB; here they are as
large as `largest_frame` allows, and one byte larger.

A case is what is sent and what must come back: ids that are answered, pongs, and how the connection ends.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hostile.raw_client import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Raw, frame, raw
from server_fixture import running

from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.errors import Close
from palatine_protocol.messages import Hello
from palatine_server.settings import Settings

LARGEST = Settings().largest_frame
OPEN = None  # the connection goes on
CODECS = {TEXT: for_client(JSON), BINARY: for_client(MSGPACK)}
WIRES = {TEXT: JSON, BINARY: MSGPACK}


def ping(opcode: int, name: str = "a", size: int = 0, more: str = "x") -> bytes:
    """The payload of a request that is answered by its id, of exactly this size if that is given."""
    message: dict[str, Any] = {"type": "ping", "id": name, "more": more}
    payload = CODECS[opcode].encode(message)
    for length in range(max(0, size - len(payload) - 8), size + 1 if size else 0):
        payload = CODECS[opcode].encode({**message, "more": "x" * length})
        if len(payload) == size:
            return payload
    assert not size
    return payload


def request(opcode: int, name: str = "a", size: int = 0) -> bytes:
    return frame(opcode, ping(opcode, name, size))


def pieces(opcode: int, payload: bytes, length: int) -> list[bytes]:
    """The frames of a message in fragments of this length."""
    starts = range(0, len(payload), length)
    return [
        frame(CONTINUATION if at else opcode, payload[at : at + length], fin=at + length >= len(payload))
        for at in starts
    ]


Named = tuple[str, "Case"]


class Case(NamedTuple):
    """What is sent, and what comes back."""

    sent: list[bytes]
    answers: list[str] = []  # ids, in order; "" is the refusal of something that is no request
    pongs: list[bytes] = []
    end: int | None = OPEN
    opcode: int = BINARY
    in_pieces: int = 0  # bytes that are sent at once; 0: everything

    def named(self, name: str) -> Named:
        return name, self


def both(name: str, make: Any) -> list[Named]:
    return [make(opcode).named(f"{name}-{'text' if opcode == TEXT else 'binary'}") for opcode in (TEXT, BINARY)]


# 1 Framing


def framing() -> list[Named]:
    cases = both("1.1.1 empty", lambda opcode: Case([frame(opcode)], [""], opcode=opcode))
    for size in (125, 126, 127, 128, 4096, LARGEST):
        cases += both(
            f"1.1 {size} bytes", lambda opcode, size=size: Case([request(opcode, size=size)], ["a"], opcode=opcode)
        )
    for chop in (1, 997):
        cases += both(
            f"1.1.7 {chop} bytes at once",
            lambda opcode, chop=chop: Case([request(opcode, size=2048)], ["a"], opcode=opcode, in_pieces=chop),
        )
    return cases


# 2 Pings and pongs

LONG = bytes(range(125))
PINGS = [
    Case([frame(PING)], pongs=[b""]).named("2.1 empty ping"),
    Case([frame(PING, b"Hello, world!")], pongs=[b"Hello, world!"]).named("2.2 ping with text"),
    Case([frame(PING, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff")], pongs=[b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff"]).named(
        "2.3 binary"
    ),
    Case([frame(PING, LONG)], pongs=[LONG]).named("2.4 125 bytes"),
    Case([frame(PING, bytes(126))], end=1002).named("2.5 126 bytes"),
    Case([frame(PING, LONG)], pongs=[LONG], in_pieces=1).named("2.6 125 bytes one by one"),
    Case([frame(PONG)]).named("2.7 unsolicited empty pong"),
    Case([frame(PONG, b"unsolicited")]).named("2.8 unsolicited pong"),
    Case([frame(PONG, b"unsolicited"), frame(PING, b"ping")], pongs=[b"ping"]).named("2.9 pong, then ping"),
    Case([frame(PING, b"%d" % n) for n in range(10)], pongs=[b"%d" % n for n in range(10)]).named("2.10 ten pings"),
    Case([frame(PING, b"%d" % n) for n in range(10)], pongs=[b"%d" % n for n in range(10)], in_pieces=1).named(
        "2.11 ten pings byte by byte"
    ),
]

# 3 Reserved bits, 4 opcodes

RESERVED = [
    Case([frame(bits << 4 | opcode, b"x")], end=1002).named(f"3 reserved bits {bits}, opcode {opcode}")
    for bits in range(1, 8)
    for opcode in (BINARY, TEXT, PING, CLOSE)
] + [
    Case([request(BINARY), frame(0x20 | BINARY, b"x"), frame(PING)], ["a"], end=1002).named("3.2 after a request"),
    Case([frame(0x40 | PING, b"x"), request(BINARY)], end=1002).named("3.6 before a request"),
]
OPCODES = [
    Case([frame(opcode, payload)], end=1002).named(f"4 opcode {opcode}, {len(payload)} bytes")
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)
    for payload in (b"", b"reserved")
] + [Case([frame(5, b"x"), request(BINARY), frame(PING)], end=1002).named("4.1.3 before a request")]

# 5 Fragmentation


def fragments(opcode: int) -> list[Named]:
    whole, name = ping(opcode), "text" if opcode == TEXT else "binary"
    first, last = frame(opcode, whole[:9], fin=False), frame(CONTINUATION, whole[9:])
    middle, rest = frame(CONTINUATION, whole[9:15], fin=False), frame(CONTINUATION, whole[15:])
    cases = {
        "5.1 ping in fragments": Case([frame(PING, b"a", fin=False), frame(CONTINUATION, b"b")], end=1002),
        "5.2 pong in fragments": Case([frame(PONG, b"a", fin=False), frame(CONTINUATION, b"b")], end=1002),
        "5.3 two fragments": Case([first, last], ["a"]),
        "5.5 two fragments byte by byte": Case([first, last], ["a"], in_pieces=1),
        "5.6 a ping in between": Case([first, frame(PING, b"x"), last], ["a"], [b"x"]),
        "5.8 a ping in between, byte by byte": Case([first, frame(PING, b"x"), last], ["a"], [b"x"], in_pieces=1),
        "5.9 a continuation of nothing": Case([last, request(opcode)], end=1002),
        "5.12 an unfinished continuation of nothing": Case([middle, request(opcode)], end=1002),
        "5.15 a continuation after the end": Case([first, last, middle], ["a"], end=1002),
        "5.18 a message within a message": Case([first, frame(opcode, whole)], end=1002),
        "5.19 pings between all fragments": Case(
            [first, frame(PING, b"1"), middle, frame(PING, b"2"), rest], ["a"], [b"1", b"2"]
        ),
        "5.20 the same, byte by byte": Case(
            [first, frame(PING, b"1"), middle, frame(PING, b"2"), rest], ["a"], [b"1", b"2"], in_pieces=1
        ),
        "6.1.2 empty fragments around": Case(
            [frame(opcode, b"", fin=False), frame(CONTINUATION, whole, fin=False), frame(CONTINUATION)], ["a"]
        ),
    }
    return [case._replace(opcode=opcode).named(f"{title}-{name}") for title, case in cases.items()]


# 6 UTF-8

GREEK = "\u03ba\u1f79\u03c3\u03bc\u03b5"
VALID = [
    "\u65e5\u672c\u8a9e", GREEK, "\x00", "\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\U00010000", "\U0010ffff",
    "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\U0001fffe", "\U0010fffe",
]  # fmt: skip
INVALID = [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited", b"\xf4\x90\x80\x80", b"\x80", b"\xbf",
    b"\x80\xbf",
    b"\xc0 \xc1 ", b"\xe0 \xe1 ", b"\xf0 \xf7 ", b"\xf8 ", b"\xfc ", b"\xc0", b"\xe0\x80", b"\xf0\x80\x80",
    b"\xf8\x80\x80\x80", b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfe", b"\xff", b"\xfe\xfe\xff\xff", b"\xc0\xaf",
    b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc0\x80",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80", b"\xed\xaf\xbf", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce",
]  # fmt: skip


def utf8() -> list[Named]:
    cases = []
    for text in VALID:
        payload = ping(TEXT, more=text)
        cases.append(Case([frame(TEXT, payload)], ["a"], opcode=TEXT).named(f"6.2 {text!a}"))
        parts = pieces(TEXT, payload, 1) if len(payload) <= 64 else pieces(TEXT, payload, 3)
        cases.append(Case(parts, ["a"], opcode=TEXT).named(f"6.2.3 {text!a} in fragments"))
    for data in INVALID:
        bad = [frame(TEXT, data), frame(TEXT, b'{"type":"ping","id":"a","more":"' + data + b'"}')]
        cases += [Case([each], end=Close.NOT_TEXT, opcode=TEXT).named(f"6.3 {data!r} {len(each)}") for each in bad]
        split = [frame(TEXT, data[:1], fin=False), frame(CONTINUATION, data[1:])]
        cases.append(Case(split, end=Close.NOT_TEXT, opcode=TEXT).named(f"6.4 {data!r} in fragments"))
    cases.append(Case([frame(BINARY, b"\xff\xfe")], [""]).named("6 binary need not be UTF-8"))
    return cases


# 7 Closing


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, code.to_bytes(2) + reason)


CLOSES = [
    Case([request(BINARY), closing(1000)], ["a"], end=1000).named("7.1.1 after a request"),
    Case([closing(1000), closing(1000)], end=1000).named("7.1.2 twice in one piece"),
    Case([request(BINARY), closing(3000), closing(1000)], ["a"], end=3000).named("7.1.2 twice after a request"),
    Case([closing(1000), frame(5, b"x")], end=1000).named("7.1.2 a broken frame afterwards"),
    Case([frame(0x40 | BINARY, b"x"), closing(1000)], end=1002).named("7.1.2 a broken frame before"),
    Case([frame(CONTINUATION, b"x"), closing(1000), closing(1000)], end=1002).named("7.1.2 fragments out of order"),
    Case([closing(1000), frame(PING)], end=1000).named("7.1.3 a ping afterwards"),
    Case([closing(1000), request(BINARY)], end=1000).named("7.1.4 a request afterwards"),
    Case([frame(BINARY, b"x", fin=False), closing(1000), frame(CONTINUATION, b"y")], end=1000).named(
        "7.1.5 in fragments"
    ),
    Case([request(BINARY, size=LARGEST), request(BINARY, "b"), closing(1000), frame(PING)], ["a", "b"], end=1000).named(
        "7.1.6 after a large request"
    ),
    Case([frame(CLOSE)], end=1000).named("7.3.1 without a code"),
    Case([frame(CLOSE, b"x")], end=1002).named("7.3.2 half a code"),
    Case([closing(1000)], end=1000).named("7.3.3 a code"),
    Case([closing(1000, b"Hello world!")], end=1000).named("7.3.4 a code and a reason"),
    Case([closing(1000, b"*" * 123)], end=1000).named("7.3.5 the longest reason"),
    Case([closing(1000, b"*" * 124)], end=1002).named("7.3.6 a reason that is too long"),
    Case([closing(1000, INVALID[0])], end=Close.NOT_TEXT).named("7.5.1 a reason that is not UTF-8"),
    *(
        Case([closing(code)], end=code).named(f"7.7 code {code}")
        for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999)
    ),
    *(
        Case([closing(code)], end=1002).named(f"7.9 code {code}")
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
    ),
]

# 9 Sizes, 10 fragments of a large message


def sizes() -> list[Named]:
    cases = []
    for opcode in (TEXT, BINARY):
        name, whole = "text" if opcode == TEXT else "binary", ping(opcode, size=LARGEST)
        for length in (LARGEST // 4, LARGEST // 16, LARGEST // 60):
            parts = pieces(opcode, whole, length)
            cases.append(Case(parts, ["a"], opcode=opcode).named(f"9.3 pieces of {length}-{name}"))
        for chop in (64, 2048):
            case = Case([frame(opcode, whole)], ["a"], opcode=opcode, in_pieces=chop)
            cases.append(case.named(f"9.5 {chop} at once-{name}"))
        many = [request(opcode, f"m{number}") for number in range(200)]
        cases.append(
            Case(many, [f"m{number}" for number in range(200)], opcode=opcode).named(f"9.7 200 messages-{name}")
        )
        large = frame(opcode, bytes(LARGEST + 1))
        cases.append(Case([large], end=Close.TOO_BIG, opcode=opcode).named(f"9 too large-{name}"))
        parts = [frame(opcode, whole, fin=False), frame(CONTINUATION, b"x")]
        cases.append(Case(parts, end=Close.TOO_BIG, opcode=opcode).named(f"9 too large in fragments-{name}"))
        cases.append(Case(pieces(opcode, whole, 1300), ["a"], opcode=opcode).named(f"10.1.1 pieces of 1300-{name}"))
    return cases


UNMASKED = [
    Case([frame(opcode, b"x", masked=False)], end=1002).named(f"5.1 of the RFC: unmasked, opcode {opcode}")
    for opcode in (TEXT, BINARY, PING, CLOSE)
]
LENGTHS = [
    Case([bytes([0x82, 0xFE, 0, 5]) + bytes(9)], end=1002).named("5.2 of the RFC: 16 bits for a short length"),
    Case([bytes([0x82, 0xFF]) + (200).to_bytes(8) + bytes(204)], end=1002).named(
        "5.2 of the RFC: 64 bits for a short length"
    ),
    Case([frame(BINARY, length=2**63)], end=1002).named("5.2 of the RFC: the highest bit of a length"),
]
# picows looks one frame ahead. A frame that breaks the rules closes the connection before a frame that came with it in
# one piece is answered; Autobahn calls that non-strict in 4.1.3.
AHEAD = [Case([request(BINARY), frame(5, b"x"), frame(PING)], end=1002).named("4.1.3 after a request")]
GROUPS = {
    "1 framing": framing(),
    "2 pings and pongs": PINGS,
    "3 reserved bits": RESERVED,
    "4 opcodes": OPCODES,
    "5 fragmentation of text": fragments(TEXT),
    "5 fragmentation of binary messages": fragments(BINARY),
    "6 UTF-8": utf8(),
    "7 closing": CLOSES,
    "9 and 10 sizes": sizes(),
    "masks and lengths": [*UNMASKED, *LENGTHS],
    "one frame ahead": AHEAD,
}


@pytest.mark.parametrize("group", GROUPS)
async def test_cases(tmp_path: Path, group: str) -> None:
    async with running(tmp_path) as house:
        token = await house.token()
        for name, case in GROUPS[group]:
            async with raw(house.url) as client, asyncio.timeout(20):
                await run(client, name, case, token)


async def run(client: Raw, name: str, case: Case, token: str) -> None:
    await greet(client, case.opcode, token)
    last = [] if case.end is not OPEN else [request(case.opcode, "still open"), closing(1000)]
    await send(client, b"".join(case.sent + last), case.in_pieces)
    answers, pongs, end = await hear(client, case.opcode)
    expected = (case.answers, case.end) if case.end is not OPEN else ([*case.answers, "still open"], 1000)
    assert (answers, end) == expected, name
    assert pongs == case.pongs, name
    assert await client.reader.read() == b"", name  # the server disconnects


async def greet(client: Raw, opcode: int, token: str) -> None:
    await client.upgrade(wire=WIRES[opcode])
    await client.send(frame(opcode, CODECS[opcode].encode(Hello(id="hello", token=token))))
    assert (await client.next())[0] == opcode


async def send(client: Raw, data: bytes, at_once: int) -> None:
    for at in range(0, len(data), at_once or len(data)):
        await client.send(data[at : at + (at_once or len(data))])
        await asyncio.sleep(0)


async def hear(client: Raw, opcode: int) -> tuple[list[str], list[bytes], int]:
    """The ids that are answered, the pongs and the close code; what the server says by itself is left out."""
    answers, pongs = list[str](), list[bytes]()
    while True:
        kind, payload = await client.next()
        if kind == CLOSE:
            return answers, pongs, int.from_bytes(payload[:2])
        if kind == PONG:
            pongs.append(payload)
        elif hasattr(message := CODECS[kind].decode(payload), "re"):
            assert kind == opcode
            answers.append(message.re)
