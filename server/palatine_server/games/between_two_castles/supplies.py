"""Supplies: face-down piles, their discards, and the rules for a pile that runs short."""

from __future__ import annotations

from .board import Castles
from .catalog import META
from .news import SupplyReshuffled
from .seats import is_player

# Normal tiles


# At the start of each round each player draws nine tiles (B2C-ROUND-2), Ludwig too (B2C-LUDWIG-2).
def deal_hands(game: Castles) -> None:
    fill_up_supply(game, META.hand_size * len(game.board.circle))
    for seat in game.board.circle:
        tiles = draw_tiles(game, META.hand_size)
        if is_player(game, seat):
            game.hands[seat].tiles = tiles
        else:
            game.box.ludwig = tiles


# Too few tiles: shuffle the whole discard pile and put it beneath the rest (B2C-SUPPLY-1, B2C-SUPPLY-3).
def fill_up_supply(game: Castles, needed: int) -> None:
    box = game.box
    if len(box.supply) < needed and box.discards:
        game.chance.shuffle(box.discards, "discarded rooms")
        box.supply, box.discards = box.discards + box.supply, []
        game.tell(SupplyReshuffled("rooms"))
    count_piles(game)


def draw_tiles(game: Castles, count: int) -> list[str]:
    fill_up_supply(game, count)
    tiles = [game.box.supply.pop() for _ in range(count)]
    count_piles(game)
    return tiles


def discard_tiles(game: Castles, tiles: list[str]) -> None:
    game.box.discards += tiles
    count_piles(game)


# Tiles in open draws are neither in supply nor in discard; too few left means waiting (B2C-SUPPLY-4).
def has_tiles(game: Castles, count: int) -> bool:
    return len(game.box.supply) + len(game.box.discards) >= count


# Bonus cards: the discards are shuffled together with the rest into a new deck (B2C-SUPPLY-5).


def draw_cards(game: Castles, count: int) -> list[str]:
    box = game.box
    if len(box.deck) < count:
        box.deck, box.card_discards = box.deck + box.card_discards, []
        game.chance.shuffle(box.deck, "bonus cards and discards")
        game.tell(SupplyReshuffled("bonus cards"))
    cards = [box.deck.pop() for _ in range(count)]
    count_piles(game)
    return cards


def discard_cards(game: Castles, cards: list[str]) -> None:
    game.box.card_discards += cards
    count_piles(game)


def has_cards(game: Castles, count: int) -> bool:
    return len(game.box.deck) + len(game.box.card_discards) >= count


# The sizes of the piles are public.
def count_piles(game: Castles) -> None:
    board, box = game.board, game.box
    board.supply, board.discards = len(box.supply), len(box.discards)
    board.deck, board.card_discards = len(box.deck), len(box.card_discards)


# Attendants and special rooms: as many as printed, or never refused (B2C-SUPPLY-6)


def in_stock(game: Castles, pieces: list[str]) -> list[str]:
    stock = game.board.stock or {}
    return [piece for piece in pieces if stock.get(piece) != 0]


def take_from_stock(game: Castles, piece: str) -> None:
    if game.board.stock and piece in game.board.stock:
        game.board.stock[piece] -= 1
