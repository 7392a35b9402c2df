"""What players do, and what is told."""

from typing import Annotated

from palatine_server.games.kit import BY_SEAT, Action, News, Seat

from .board import Cards, Cell, Coins, Spice


class Bid(Action):
    card: Spice


class Build(Action):
    cell: Cell


class BidMade(News):
    seat: Seat


class BidsRevealed(News):
    bids: Annotated[list[Spice], BY_SEAT]


class NobodyWon(News):
    coins: Coins


class StallWon(News):
    seat: Seat
    coins: Coins


class StandBuilt(News):
    seat: Seat
    cell: Cell


class CardsDrawn(News):
    count: Cards


ACTIONS = (Bid, Build)
NEWS = (BidMade, BidsRevealed, NobodyWon, StallWon, StandBuilt, CardsDrawn)
