"""The zones: the market that everybody sees, the hands, and the deck that nobody sees."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from palatine_server.games.kit import BY_SEAT, CELL, Play, Seat, amount, piece

Spice = Annotated[str, piece("spices")]
Bid = Annotated[str, piece("spices")]  # "" stands for no bid
Cell = Annotated[tuple[int, int], CELL]
Coins = Annotated[int, amount("coin")]
Cards = Annotated[int, amount("card")]
Points = Annotated[int, amount("point")]
Rounds = Annotated[int, amount("round")]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table chooses before the game (SM-SETUP-3)."""

    rounds: Annotated[Rounds, Meta(ge=3, le=9, description="The number of rounds.")] = 6


class Stand(Struct):
    """A stand on the market."""

    cell: Cell
    seat: Seat


class Board(Struct):
    """The market."""

    options: Options
    coins: Annotated[list[Coins], BY_SEAT]
    has_bid: Annotated[list[bool], BY_SEAT]
    deck: Cards
    round: int = 0
    phase: Literal["bid", "build", "over"] = "bid"
    stall: Coins = 0
    stands: list[Stand] = []
    discard: list[Spice] = []
    scores: Annotated[list[Points], BY_SEAT] = []


class Hand(Struct):
    """The cards of a player, and the card that lies face down."""

    cards: list[Spice]
    bid: Bid = ""


class Box(Struct):
    """The face-down deck; the last card is on top."""

    deck: list[Spice]


Market = Play[Board, Hand, Box]
