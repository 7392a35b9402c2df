"""Values that a rendering of Palais Royal shows and the board document does not hold.

The document has the allowances of the current action, and this module reads them there. The document has no majorities,
no prices, and no allowances of the next actions. The server explains each of these on request, one at a time, which is
too slow for a whole picture. So this module mirrors these rules, and `test_derived_values.py` compares it with the
server's rule functions over random games:

- PR-MAJ-2 to PR-MAJ-6 and PR-CARD-1 to PR-CARD-3: majorities (`majority.majority_in`)
- PR-GATE-1, PR-GATE-2, PR-GATE-5: new servants at the gate (`rooms.gate_left`)
- PR-MOVE-1, PR-MOVE-2, PR-MOVE-7: moves (`rooms.moves_left`)
- PR-MINT-1 to PR-MINT-3: gold (`rooms.income`)
- PR-SEAL-1 to PR-SEAL-6: servants in the rooms of the seals (`rooms.seals_left`)
- PR-BACK-1, PR-BENEFIT-6: cards to draw (`back_entrance.cards_to_draw`)
- PR-PRICE-1 to PR-PRICE-6: prices of nobles (`park.price`)
- PR-ROW-1 to PR-ROW-3: strength in the border rows (`scoring.strengths_in`)
"""

from __future__ import annotations

from collections.abc import Iterator

from .names import PalaisRoyalNames, Plain

ORDER = ("setup", "pre", "a1", "a2", "a3", "a4", "a5", "over")
SEAL_ROOMS = {"king": "seal_turquoise", "madame": "seal_violet"}


# Secret nobles are in the hand of their owner. A board without secret nobles has no count of them.


def count_hidden_nobles(own: Plain) -> int:
    """Count the nobles that only their owner sees."""
    return int(own.get("hidden_nobles", 0))


def add_own_nobles(board: Plain, seat: int | None, hand: Plain | None) -> Plain:
    """Return the board as a viewer sees it: secret nobles in the viewer's own hand lie with the face-down ones."""
    secret = (hand or {}).get("nobles")
    if seat is None or not secret:
        return board
    own = board["players"][seat]
    seen = {**own, "face_down": [*own["face_down"], *secret], "hidden_nobles": 0}
    return {**board, "players": [seen if other == seat else each for other, each in enumerate(board["players"])]}


# The palace


def has_majority(board: Plain, seat: int, room: str, names: PalaisRoyalNames) -> bool:
    """Return whether a player would get the bonus of this room now."""
    mine = board["rooms"][room][seat]
    if not mine or not names.pieces[room]["majority_bonus"]:
        return False
    return bool(board["turn"]["majority_all"]) or has_most_servants(board, seat, room)


def has_most_servants(board: Plain, seat: int, room: str) -> bool:
    """Return whether a player has the most servants in a room; the Cardinal breaks ties."""
    strengths = list(zip(board["rooms"][room], board["rooms"]["cardinal"], strict=True))
    mine = strengths.pop(seat)
    return mine > max(strengths)


def count_working(board: Plain, seat: int, room: str, names: PalaisRoyalNames) -> int:
    """Count the servants in a room and the bonus of the majority there."""
    return int(board["rooms"][room][seat]) + has_majority(board, seat, room, names)


def count_benefit(board: Plain, seat: int, kind: str, names: PalaisRoyalNames) -> int:
    """Add up a player's lasting benefits of one kind."""
    nobles = (names.pieces[noble] for noble in board["players"][seat]["face_up"])
    return sum(noble["amount"] for noble in nobles if noble["benefit"] == kind)


# Allowances of a turn: the number on the board, or the number that the action would allow if it began now


def is_past(board: Plain, phase: str) -> bool:
    return ORDER.index(board["turn"]["phase"]) > ORDER.index(phase)


def count_gate_left(board: Plain, names: PalaisRoyalNames) -> int:
    turn = board["turn"]
    if turn["phase"] == "a1":
        return int(turn["gate_left"])
    return count_working(board, turn["seat"], "parade_ground", names) + count_benefit(
        board, turn["seat"], "gate", names
    )


def count_moves_left(board: Plain, names: PalaisRoyalNames) -> int:
    turn = board["turn"]
    if turn["phase"] == "a2":
        return int(turn["moves_left"])
    more = count_benefit(board, turn["seat"], "moves", names) + turn["extra_moves"]
    return count_working(board, turn["seat"], "stairway", names) + int(more)


def count_gold_left(board: Plain, names: PalaisRoyalNames) -> int:
    turn = board["turn"]
    if turn["gold_taken"]:
        return 0
    return count_working(board, turn["seat"], "mint", names) + count_benefit(board, turn["seat"], "gold", names)


def count_seals_left(board: Plain, names: PalaisRoyalNames) -> dict[str, int]:
    """Count servants that may still be added to the two rooms of the seals."""
    turn, seat = board["turn"], board["turn"]["seat"]
    if turn["phase"] == "a3":
        return dict(turn["seals_left"])
    return {
        room: has_majority(board, seat, room, names) + count_benefit(board, seat, kind, names)
        for room, kind in SEAL_ROOMS.items()
    }


def count_recruitments_left(board: Plain) -> int:
    return int(board["rooms"]["office"][board["turn"]["seat"]])


def count_cards_left(board: Plain, names: PalaisRoyalNames) -> int:
    """Count cards that may be drawn."""
    turn = board["turn"]
    servants = int(board["rooms"]["back_entrance"][turn["seat"]])
    if turn["drawn"] or not servants or not (board["deck"] or board["discard"]):
        return 0
    return servants + count_benefit(board, turn["seat"], "cards", names)


# The park


def list_spaces(names: PalaisRoyalNames) -> Iterator[str]:
    """List the spaces of the park row by row, A1 first."""
    for row in range(1, names.park["rows"] + 1):
        yield from (f"{column}{row}" for column in list_columns(names))


def list_columns(names: PalaisRoyalNames) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: names.park["cols"]]


def find_price(board: Plain, space: str, names: PalaisRoyalNames) -> int:
    """Find the price of the noble on a space: one gold less for each free neighbour."""
    gold = names.pieces[board["park"][space]]["gold"]
    free = sum(1 for other in list_neighbours(space, names) if other not in board["park"])
    return max(0, int(gold) - free)


def list_neighbours(space: str, names: PalaisRoyalNames) -> list[str]:
    """Return the spaces around a space, except for those behind an ornament."""
    return [other for other in list_around(space, names) if frozenset((space, other)) not in names.ornaments]


def list_around(space: str, names: PalaisRoyalNames) -> Iterator[str]:
    """List the up to eight spaces around a space."""
    columns, rows = list_columns(names), range(1, names.park["rows"] + 1)
    column, row = columns.index(space[0]), int(space[1:])
    for letter in columns[max(0, column - 1) : column + 2]:
        for number in (row - 1, row, row + 1):
            if number in rows and f"{letter}{number}" != space:
                yield f"{letter}{number}"


def list_double_spaces(names: PalaisRoyalNames) -> set[str]:
    """List the spaces whose servant counts twice."""
    return {space for row in names.park["border_rows"] for space in row["double_spaces"]}


def count_strengths(board: Plain, row: Plain) -> list[int]:
    """Count the strength of each seat in a border row."""
    servants = [board["border"].get(space) for space in (*row["spaces"], *row["double_spaces"])]
    return [servants.count(seat) for seat in range(len(board["players"]))]
