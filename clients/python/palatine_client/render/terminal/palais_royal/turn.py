"""The turn: whose it is, how far it has come, and what it still allows."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain

ACTIONS = ("a1", "a2", "a3", "a4", "a5")


def moment(board: Plain, names: PalaisRoyalNames) -> Text:
    """Round, player and action, and what is left of it."""
    if board["turn"]["phase"] == "over":
        return Text(names.label("over"), "bold")
    words = [*rounds(board, names), names.label("to move", names.seat(board["turn"]["seat"]))]
    phase = names.piece(board["turn"]["phase"])
    return Text(" · ".join([*words, phase, *left(board, names)]), "bold")


def rounds(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if board["round"]:
        yield names.label("round", board["round"])
    if board["final_round"]:
        yield names.label("final round")


def left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    """What the current action still allows, in words."""
    if board["turn"]["majority_all"]:
        yield names.label("all majorities")
    yield from LEFT.get(board["turn"]["phase"], nothing)(board, names)


def nothing(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield from ()


def setup_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield names.counted("to place", board["turn"]["to_place"])


def gate_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    turn = board["turn"]
    yield names.label("any gate") if turn["gate_unlimited"] else names.label("gate", turn["gate_left"])
    if turn["extra_moves"]:
        yield names.counted("promised", turn["extra_moves"])


def moves_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield moves(board, names)


def moves(board: Plain, names: PalaisRoyalNames) -> str:
    """How many moves are left, or would be if action 2 began now."""
    return names.counted("moves", derived_values.moves_left(board, names))


def seals_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if not board["turn"]["gold_taken"]:
        yield names.label("gold", derived_values.gold_left(board, names))
    for room, number in derived_values.seals_left(board, names).items():
        if number:
            yield names.counted("seals", number, names.piece(room))


def recruitments_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    yield names.counted("recruit", derived_values.recruitments_left(board))
    if board["turn"]["wild_seals"]:
        yield names.counted("wild", board["turn"]["wild_seals"])


def cards_left(board: Plain, names: PalaisRoyalNames) -> Iterator[str]:
    if board["turn"]["pending"] is not None:
        yield names.label("pending", board["turn"]["pending"])
    elif number := derived_values.cards_left(board, names):
        yield names.counted("draw", number)


LEFT = {
    "setup": setup_left,
    "a1": gate_left,
    "a2": moves_left,
    "a3": seals_left,
    "a4": recruitments_left,
    "a5": cards_left,
}


# The five actions in a line


def track(board: Plain, names: PalaisRoyalNames) -> Text:
    """All actions of the turn with what they allow as things stand; those that are closed are dim."""
    return Text(" ").join(step(board, phase, names) for phase in ACTIONS)


def step(board: Plain, phase: str, names: PalaisRoyalNames) -> Text:
    words = Text.assemble(f" {phase[1]} {names.label(phase)} ", allowed(board, phase, names), " ")
    if derived_values.is_past(board, phase):
        return Text(words.plain, "dim")
    return Text.assemble(words, style=theme.NUMBER if board["turn"]["phase"] == phase else "on #3a3328")


def allowed(board: Plain, phase: str, names: PalaisRoyalNames) -> Text:
    """What an action allows, in numbers."""
    if derived_values.is_past(board, phase):
        return Text("✓")
    match phase:
        case "a1":
            return Text("∞" if board["turn"]["gate_unlimited"] else str(derived_values.gate_left(board, names)))
        case "a2":
            return Text(str(derived_values.moves_left(board, names)))
        case "a3":
            return Text(" ").join([gold(board, names), *seals(board, names)])
        case "a4":
            return Text(str(derived_values.recruitments_left(board)))
    return Text(str(derived_values.cards_left(board, names)))


def gold(board: Plain, names: PalaisRoyalNames) -> Text:
    return Text("✓" if board["turn"]["gold_taken"] else f"+{derived_values.gold_left(board, names)}")


def seals(board: Plain, names: PalaisRoyalNames) -> Iterator[Text]:
    for room, number in derived_values.seals_left(board, names).items():
        if number:
            yield Text(f"{theme.SEALS[theme.SEAL_OF[room]][0]}+{number}")
