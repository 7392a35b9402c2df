"""The protocol between a bot process and its parent: one JSON object per line, over standard input and output.

The parent sends `hello` once and waits for `ready`. For each game it sends `start`, a `turn` for each decision, and
`over`. The bot answers each `turn` with one `act`, which quotes the offer. The end of its input ends the bot. Fields
have the names and the content that they have on the wire (protocol/README.md). Unknown keys are ignored.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol.messages import Offer as OfferMessage

PROTOCOL = 1
LONGEST_ANSWER = 64 * 1024  # bytes of a line that a bot writes


class BotHello(Struct, kw_only=True, tag_field="type", tag="hello"):
    """The first line: the version of this protocol, and the game with its components."""

    protocol: int
    game: str
    catalog: dict[str, Any] = {}


class BotStart(Struct, kw_only=True, tag_field="type", tag="start"):
    """A game begins. From the seed a bot derives its random numbers, so that its games can be repeated."""

    seat: int
    players: int
    options: dict[str, Any] = {}
    seconds: float | None = None
    seed: str


class BotAsked(Struct, kw_only=True, tag_field="type", tag="turn"):
    """The bot must decide: what its seat sees, its offer, and the news since its last turn."""

    version: int
    board: Any
    hand: Any
    offer: OfferMessage
    news: list[dict[str, Any]] = []


class BotOver(Struct, kw_only=True, tag_field="type", tag="over"):
    """The game is over."""

    standings: list[dict[str, Any]]
    news: list[dict[str, Any]] = []


class BotReady(Struct, kw_only=True, tag_field="type", tag="ready"):
    """The bot's answer to `hello`."""


class BotAct(Struct, kw_only=True, tag_field="type", tag="act"):
    """The bot's answer to `turn`."""

    offer: int
    action: dict[str, Any]


ToBot = BotHello | BotStart | BotAsked | BotOver
FromBot = BotReady | BotAct

_encode = msgspec.json.Encoder().encode
read_order = msgspec.json.Decoder(ToBot).decode
_read_answer = msgspec.json.Decoder(FromBot).decode


class BadAnswer(ValueError):  # noqa: N818 (a mistake of a bot)
    """A line of a bot that is no message; the text says why and quotes nothing."""


def write_message(message: ToBot | FromBot) -> bytes:
    """Return a message as one line."""
    return bytes(_encode(message)) + b"\n"


def read_answer(line: bytes) -> FromBot:
    """Return the message in a line of a bot; raise BadAnswer."""
    try:
        answer: FromBot = _read_answer(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = str(error) if isinstance(error, msgspec.ValidationError) else "it is no JSON object of this protocol"
        raise BadAnswer(what) from None
    return answer
