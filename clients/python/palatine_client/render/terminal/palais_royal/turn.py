"""The turn: its player, the current action, and the remaining allowances."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ...games.palais_royal.turn_words import list_moment

ACTIONS = ("a1", "a2", "a3", "a4", "a5")


def render_moment(board: Plain, names: PalaisRoyalNames) -> Text:
    """Render round, player and action, and the remaining allowances of the action."""
    return Text(" · ".join(list_moment(board, names)), "bold")


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
