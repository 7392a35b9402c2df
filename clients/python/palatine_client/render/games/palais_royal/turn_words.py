"""The turn in words: round, player and action, and what the action still allows."""

from __future__ import annotations

from collections.abc import Iterator

from . import derived_values
from .names import PalaisRoyalNames, Plain


def list_moment(board: Plain, names: PalaisRoyalNames) -> list[str]:
    """List round, player and action, and the remaining allowances of the action."""
    if board["turn"]["phase"] == "over":
        return [names.label("over")]
    words = [*list_rounds(board, names), names.label("to move", names.name_player(board["turn"]["seat"]))]
    return [*words, names.name_piece(board["turn"]["phase"]), *list_allowances(board, names)]


def list_rounds(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if board["round"]:
        yield names.label("round", board["round"])
    if board["final_round"]:
        yield names.label("final round")


def list_allowances(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    """Return the remaining allowances of the current action, in words."""
    if board["turn"]["majority_all"]:
        yield names.label("all majorities")
    yield from LEFT.get(board["turn"]["phase"], list_nothing)(board, names)


def list_nothing(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield from ()


def list_setup_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield names.label_count("to place", board["turn"]["to_place"])


def list_gate_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    turn = board["turn"]
    yield names.label("any gate") if turn["gate_unlimited"] else names.label("gate", turn["gate_left"])
    if turn["extra_moves"]:
        yield names.label_count("promised", turn["extra_moves"])


def list_moves_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield format_moves(board, names)


def format_moves(board: Plain, names: PalaisRoyalNames) -> str:
    """Return the number of moves left, or the number that action 2 would allow if it began now."""
    return names.label_count("moves", derived_values.count_moves_left(board, names))


def list_seals_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if not board["turn"]["gold_taken"]:
        yield names.label("gold", derived_values.count_gold_left(board, names))
    for room, number in derived_values.count_seals_left(board, names).items():
        if number:
            yield names.label_count("seals", number, names.name_piece(room))


def list_recruitments_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield names.label_count("recruit", derived_values.count_recruitments_left(board))
    if board["turn"]["wild_seals"]:
        yield names.label_count("wild", board["turn"]["wild_seals"])


def list_cards_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if board["turn"]["pending"] is not None:
        yield names.label("pending", board["turn"]["pending"])
    elif number := derived_values.count_cards_left(board, names):
        yield names.label_count("draw", number)


LEFT = {
    "setup": list_setup_left,
    "a1": list_gate_left,
    "a2": list_moves_left,
    "a3": list_seals_left,
    "a4": list_recruitments_left,
    "a5": list_cards_left,
}
