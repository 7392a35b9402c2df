"""The moment of a game in words: decade and phase, and the finished parts of the turn."""

from __future__ import annotations

from .derived_values import find_field_type
from .names import ROMAN, NoblemenNames, Plain


def list_heading(board: Plain, names: NoblemenNames) -> list[str]:
    """List the decade, the phase, and the meaning of the lock while the round marker is on it."""
    if board["phase"] == "over":
        return [format_phase(board, names)]
    decade = names.label("decade", ROMAN[board["decade"] - 1])
    lock = [names.label("locked")] if find_field_type(board, names) == "lock" else []
    return [decade, format_phase(board, names), *lock]


def list_done(board: Plain, names: NoblemenNames) -> list[str]:
    """List the finished parts of the turn."""
    done = ("action_done", "card_played") if board["phase"] == "turn" else ()
    return [names.label(each) for each in done if board[each]]


def format_phase(board: Plain, names: NoblemenNames) -> str:
    if board["phase"] in {"turn", "card_offer"}:
        return names.label_player(board["phase"], board["active"])
    return names.label(board["phase"])
