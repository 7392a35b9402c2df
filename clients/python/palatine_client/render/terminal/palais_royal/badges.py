"""Players, seals and nobles of Palais Royal as coloured words."""

from __future__ import annotations

from rich.text import Text

from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ...games.palais_royal.theme import BENEFITS, SEALS, find_livery


def render_chip(board: Plain, seat: int, words: object) -> Text:
    """Render words on the colour of a player."""
    look = find_livery(board, seat)
    return Text(f" {look.sign} {words} ", look.style)


def render_seals(turquoise: int, violet: int) -> Text:
    """Render seals one by one."""
    return Text.assemble(
        *((sign * number, colour) for (sign, colour), number in zip(SEALS.values(), (turquoise, violet), strict=True))
    )


def render_benefit(noble: Plain) -> Text:
    """Render the benefit of a noble in three columns; a noble without a benefit takes none."""
    if noble["benefit"] not in BENEFITS:
        return Text()
    sign, colour = BENEFITS[noble["benefit"]]
    amount = "" if noble["benefit"] == "diagonal" else f"+{noble['amount']}"
    return Text(f"{amount}{sign}", colour)


def render_noble_name(name: str, names: PalaisRoyalNames) -> Text:
    """Render the name of a noble outside the park, with the benefit."""
    noble = names.pieces[name]
    sign = render_benefit(noble)
    return Text.assemble(names.name_entry(noble), " " if sign else "", sign)
