"""The wording of refusals: why an action that was not offered is against the rules. Only the offer decides legality.

A refusal uses only what the asking seat sees.
"""

from __future__ import annotations

from ..kit import Action, Refused, Seat
from .actions import Accept, AssignLudwig, Choose, Hold, Place, Propose, ProposeCell, TakeBack
from .board import Castles
from .castle import placement_error
from .floor_plan import LEVELS
from .joint_decisions import has_question
from .place import has_placed, may_place, tiles_for
from .seats import castles_of, is_player


def why_not(game: Castles, seat: Seat, action: Action) -> Refused | None:
    """Return the rule that forbids this action, if the game can name one."""
    match action:
        case Choose() if game.board.phase != "ludwig":
            return not_chosen(game, seat, action)
        case Place() | TakeBack() | Hold() if game.board.phase == "place":
            return wrong_castle(game, seat, action.castle) or in_castle(game, seat, action)
        case Propose() | ProposeCell() | Accept():
            return wrong_castle(game, seat, action.castle) or not_decided(game, action)
        case AssignLudwig() if game.board.phase == "ludwig":
            return Refused("not_drawn", "This tile was not drawn for Ludwig.", "B2C-LUDWIG-4")
    return None


def not_chosen(game: Castles, seat: Seat, action: Choose) -> Refused | None:
    if not game.hands[seat].tiles:
        return Refused("already_chosen", "Your choice is made; it is final.", "B2C-DRAFT-4")
    if len(set(action.tiles)) != 2 or len(action.tiles) != 2:
        return Refused("choose_two", "Choose exactly two different tiles.", "B2C-DRAFT-2")
    return Refused("not_in_hand", "You can only choose tiles of your hand.", "B2C-DRAFT-2")


def wrong_castle(game: Castles, seat: Seat, number: int) -> Refused | None:
    if is_player(game, seat) and number in castles_of(game, seat):
        return None
    return Refused("not_your_castle", "This is not one of your two castles.", "B2C-TERM-2")


def in_castle(game: Castles, seat: Seat, action: Place | TakeBack | Hold) -> Refused | None:
    castle = game.board.castles[action.castle]
    if castle.deciding:
        return Refused("bonus_open", "A bonus is being resolved in this castle.", "B2C-PP-8")
    match action:
        case Place():
            return not_placed(game, seat, action)
        case TakeBack():
            return Refused("cannot_take_back", "This tile cannot be taken back any more.", "B2C-PP-9")
    return Refused("cannot_hold", "Only while both tiles are unplaced can you wait for your partner.", "B2C-PP-5")


def not_placed(game: Castles, seat: Seat, action: Place) -> Refused | None:
    castle = game.board.castles[action.castle]
    if action.tile not in tiles_for(game, seat, action.castle):
        return not_his_tile(game, seat, action)
    if not may_place(game, seat, action.castle):
        return Refused("older_goes_first", "Both of you wait; the older one places first.", "B2C-PP-5")
    mistake = placement_error(castle, action.tile, action.cell) if action.tile in LEVELS else None
    return Refused(mistake.code, mistake.sentence, mistake.rule) if mistake else None


def not_his_tile(game: Castles, seat: Seat, action: Place) -> Refused:
    if action.tile in game.board.tiles[seat] and has_placed(game.board.castles[action.castle], seat):
        return Refused("other_castle", "Your second tile goes into your other castle.", "B2C-PP-1")
    return Refused("not_your_tile", "You have no such tile to place in this castle.", "B2C-PP-1")


# A partner who accepts too late gets this refusal; without a question there is no other reason to give.
def not_decided(game: Castles, action: Propose | ProposeCell | Accept) -> Refused | None:
    castle = game.board.castles[action.castle]
    if isinstance(action, Accept):
        stood = has_question(castle) or 0 < action.revision <= castle.revision
        return Refused("proposal_changed", "That proposal does not stand any more.", "B2C-JOINT-4") if stood else None
    if not has_question(castle):
        return None
    return Refused("not_an_option", "This is not among the options.", "B2C-JOINT-3")
