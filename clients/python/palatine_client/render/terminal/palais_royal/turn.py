"""The turn: its player, the current action, and the remaining allowances."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain

ACTIONS = ("a1", "a2", "a3", "a4", "a5")


def render_moment(board: Plain, names: PalaisRoyalNames) -> Text:
    """Render round, player and action, and the remaining allowances of the action."""
    if board["turn"]["phase"] == "over":
        return Text(names.label("over"), "bold")
    words = [*list_rounds(board, names), names.label("to move", names.name_player(board["turn"]["seat"]))]
    phase = names.name_piece(board["turn"]["phase"])
    return Text(" · ".join([*words, phase, *list_allowances(board, names)]), "bold")


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


# The five actions in a line


def render_track(board: Plain, names: PalaisRoyalNames) -> Text:
    """Render all actions of the turn with their current allowances; closed actions are dim."""
    return Text(" ").join(render_step(board, phase, names) for phase in ACTIONS)


def render_step(board: Plain, phase: str, names: PalaisRoyalNames) -> Text:
    words = Text.assemble(f" {phase[1]} {names.label(phase)} ", render_allowance(board, phase, names), " ")
    if derived_values.is_past(board, phase):
        return Text(words.plain, "dim")
    return Text.assemble(words, style=theme.NUMBER if board["turn"]["phase"] == phase else "on #3a3328")


def render_allowance(board: Plain, phase: str, names: PalaisRoyalNames) -> Text:
    """Render the allowances of an action in numbers."""
    if derived_values.is_past(board, phase):
        return Text("✓")
    match phase:
        case "a1":
            return Text("∞" if board["turn"]["gate_unlimited"] else str(derived_values.count_gate_left(board, names)))
        case "a2":
            return Text(str(derived_values.count_moves_left(board, names)))
        case "a3":
            return Text(" ").join([render_gold(board, names), *render_seals(board, names)])
        case "a4":
            return Text(str(derived_values.count_recruitments_left(board)))
    return Text(str(derived_values.count_cards_left(board, names)))


def render_gold(board: Plain, names: PalaisRoyalNames) -> Text:
    return Text("✓" if board["turn"]["gold_taken"] else f"+{derived_values.count_gold_left(board, names)}")


def render_seals(board: Plain, names: PalaisRoyalNames) -> Iterator[Text]:
    for room, number in derived_values.count_seals_left(board, names).items():
        if number:
            yield Text(f"{theme.SEALS[theme.SEAL_OF[room]][0]}+{number}")
