"""Bonuses: the third and the fifth room of a type."""

from __future__ import annotations

from typing import Any

from ..kit import step
from .board import Castles, Decision
from .castle import legal_cells
from .catalog import ATTENDANTS, META, NORMAL_TYPES, ROOMS, SPECIALS, TYPES
from .joint_decisions import CELL, decide_together
from .news import (
    AttendantTaken,
    BonusChosen,
    BonusEarned,
    CardKept,
    CardsDrawn,
    DrawDelayed,
    NothingLeft,
    RoomGained,
    TilesDrawn,
)
from .seats import lane
from .supplies import (
    discard_cards,
    discard_tiles,
    draw_cards,
    draw_tiles,
    has_cards,
    has_tiles,
    in_stock,
    take_from_stock,
)

THIRD, FIFTH = META.bonus_thresholds
FOOD_DRAW, CARD_DRAW = META.food_bonus_draw, META.utility_bonus_draw

# Bonuses in general


# All tiles of a type count, drafted or gained; the 3rd and the 5th give a bonus, special rooms never do
# (B2C-BONUS-1, B2C-BONUS-2, B2C-BONUS-5, B2C-BONUS-6). It comes before any other tile in that castle (B2C-BONUS-3).
def bonus_for(game: Castles, castle: int, room: str) -> bool:
    """Plan the bonus that this room earned, and return whether it earned one."""
    kind = ROOMS[room].type
    count = game.board.castles[castle].count(kind)
    if count not in (THIRD, FIFTH):
        return False
    game.tell(BonusEarned(castle, kind, count))
    bonus = THIRD_BONUS[kind] if count == THIRD else FIFTH_BONUS[kind]
    game.plan(step(bonus, lane=lane(castle), castle=castle))
    return True


# All choices are made by both partners, the cell of a gained tile too (B2C-BONUS-4); nothing may be declined
# (B2C-BONUS-9).
def place_gained(game: Castles, castle: int, room: str, *, secret: bool) -> None:
    cells = legal_cells(game.board.castles[castle], room)
    question = Decision(castle=castle, about=CELL, options=[list(cell) for cell in cells], room=room)
    decide_together(game, question, lay_gained, secret=secret)


# Chain reaction: a normal tile gained by a bonus counts like any other (B2C-BONUS-7).
def lay_gained(game: Castles, castle: int, chosen: Any, options: list[Any], room: str) -> None:
    x, y = chosen
    game.board.castles[castle].lay(room, (x, y))
    game.tell(RoomGained(castle, room, (x, y)))
    if room in ROOMS:
        bonus_for(game, castle, room)


# Food: draw 5 tiles, choose 1, place it (B2C-BONUS-FOOD-1)


def food_bonus(game: Castles, castle: int) -> None:
    if not has_tiles(game, FOOD_DRAW):
        wait_for_tiles(game, castle)
        return
    question = Decision(castle=castle, about="food", options=draw_tiles(game, FOOD_DRAW))
    game.tell(TilesDrawn(castle, FOOD_DRAW))
    decide_together(game, question, food_chosen, secret=True)  # shown to the deciders only (B2C-BONUS-FOOD-2)


# The other four are discarded face down when the partners choose (B2C-BONUS-FOOD-3).
def food_chosen(game: Castles, castle: int, chosen: str, options: list[str], room: str) -> None:
    discard_tiles(game, [tile for tile in options if tile != chosen])
    place_gained(game, castle, chosen, secret=True)
    serve_next(game)


# If too few tiles are left, the castle waits until an open draw is settled, first in, first out (B2C-SUPPLY-4).
def wait_for_tiles(game: Castles, castle: int) -> None:
    game.board.castles[castle].deciding = "tiles"
    game.board.waiting_for_tiles.append(castle)
    game.tell(DrawDelayed(castle))


# Living: one attendant of any kind for a free slot of the throne room (B2C-BONUS-LIVING-1)


def living_bonus(game: Castles, castle: int) -> None:
    kinds = in_stock(game, list(ATTENDANTS))
    ask_openly(game, castle, "attendant", kinds, attendant_chosen)


def attendant_chosen(game: Castles, castle: int, chosen: str, options: list[str], room: str) -> None:
    if not in_stock(game, [chosen]):  # meanwhile another castle took the last one
        living_bonus(game, castle)
        return
    take_from_stock(game, chosen)
    game.board.castles[castle].attendants.append(chosen)
    game.tell(AttendantTaken(castle, chosen))


# Utility: draw 3 bonus cards, keep 1 openly, discard 2 (B2C-BONUS-UTILITY-1)


def utility_bonus(game: Castles, castle: int) -> None:
    if not has_cards(game, CARD_DRAW):
        wait_for_cards(game, castle)
        return
    question = Decision(castle=castle, about="card", options=draw_cards(game, CARD_DRAW))
    game.tell(CardsDrawn(castle, CARD_DRAW))
    decide_together(game, question, card_chosen, secret=True)  # shown to the deciders only (B2C-BONUS-UTILITY-2)


def card_chosen(game: Castles, castle: int, chosen: str, options: list[str], room: str) -> None:
    discard_cards(game, [card for card in options if card != chosen])
    game.board.castles[castle].cards.append(chosen)
    game.tell(CardKept(castle, chosen))
    serve_next(game)


# The same queue serves the cards (B2C-SUPPLY-5).
def wait_for_cards(game: Castles, castle: int) -> None:
    game.board.castles[castle].deciding = "cards"
    game.board.waiting_for_cards.append(castle)
    game.tell(DrawDelayed(castle))


def serve_next(game: Castles) -> None:
    """Let the first castle that waits for tiles, and the first that waits for cards, draw again."""
    board = game.board
    if board.waiting_for_tiles and has_tiles(game, FOOD_DRAW):
        castle = board.waiting_for_tiles.pop(0)
        game.plan(step(food_bonus, lane=lane(castle), castle=castle))
    if board.waiting_for_cards and has_cards(game, CARD_DRAW):
        castle = board.waiting_for_cards.pop(0)
        game.plan(step(utility_bonus, lane=lane(castle), castle=castle))


# Outdoor: a fountain. Sleeping: a tower. Corridor: a foyer (B2C-BONUS-OUTDOOR-1, -SLEEPING-1, -CORRIDOR-1).


def outdoor_bonus(game: Castles, castle: int) -> None:
    gain_special(game, castle, "fountain")


def sleeping_bonus(game: Castles, castle: int) -> None:
    gain_special(game, castle, "tower")


def corridor_bonus(game: Castles, castle: int) -> None:
    gain_special(game, castle, "foyer")


def gain_special(game: Castles, castle: int, special: str) -> None:
    if not in_stock(game, [special]):
        game.tell(NothingLeft(castle, special))
        return
    take_from_stock(game, special)
    place_gained(game, castle, special, secret=False)


# Downstairs: one of the six other third-tile bonuses (B2C-BONUS-DOWNSTAIRS-1), had before or not (-2); it uses nothing
# up (-3); the free special room of the fifth tile is not among them (-4).
def downstairs_bonus(game: Castles, castle: int) -> None:
    kinds = [kind for kind in NORMAL_TYPES if kind != "downstairs" and gives_something(game, kind)]
    ask_openly(game, castle, "bonus", kinds, bonus_chosen)


def gives_something(game: Castles, kind: str) -> bool:
    if kind == "living":
        return bool(in_stock(game, list(ATTENDANTS)))
    return kind not in SPECIAL_OF or bool(in_stock(game, [SPECIAL_OF[kind]]))


def bonus_chosen(game: Castles, castle: int, chosen: str, options: list[str], room: str) -> None:
    if not gives_something(game, chosen):  # another castle took the last piece meanwhile
        downstairs_bonus(game, castle)
        return
    game.tell(BonusChosen(castle, chosen))
    game.plan(step(THIRD_BONUS[chosen], lane=lane(castle), castle=castle))


# The fifth room of any type: a special room of free choice (B2C-BONUS-5)


def special_of_choice(game: Castles, castle: int) -> None:
    ask_openly(game, castle, "special", in_stock(game, list(SPECIALS)), special_chosen)


def special_chosen(game: Castles, castle: int, chosen: str, options: list[str], room: str) -> None:
    if in_stock(game, [chosen]):
        gain_special(game, castle, chosen)
    else:  # meanwhile another castle took the last one
        special_of_choice(game, castle)


def ask_openly(game: Castles, castle: int, about: str, options: list[str], then: Any) -> None:
    """Ask the partners a question that all viewers see; without options, ask nothing."""
    if options:
        decide_together(game, Decision(castle=castle, about=about, options=options), then, secret=False)
    else:
        game.tell(NothingLeft(castle, about))


# The bonus of each type, from the catalog

BONUSES = {
    "draw_5_place_1": food_bonus,
    "attendant": living_bonus,
    "bonus_card": utility_bonus,
    "fountain": outdoor_bonus,
    "tower": sleeping_bonus,
    "foyer": corridor_bonus,
    "any_other_third_bonus": downstairs_bonus,
    "special_of_choice": special_of_choice,
}
THIRD_BONUS = {kind: BONUSES[room_type.third_bonus] for kind, room_type in TYPES.items()}
FIFTH_BONUS = {kind: BONUSES[room_type.fifth_bonus] for kind, room_type in TYPES.items()}
SPECIAL_OF: dict[str, str] = {
    kind: room_type.third_bonus for kind, room_type in TYPES.items() if room_type.third_bonus in SPECIALS
}
