"""The text rendering of Between Two Castles: menus, questions, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palatine_protocol.offers import Choice

from ....menu import OneOf, Partial, Question, SomeOf
from ...games.between_two_castles import PRESENTATION
from ...games.between_two_castles.names import CastleNames
from ...terminal import between_two_castles as drawing
from ...terminal.between_two_castles.castle import Cell
from ...terminal.layout import SideBySide
from ..base import GameText, Seen
from ..render_context import Plain, RenderContext
from . import board_text
from .formatter import CastleFormatter, list_decisions, list_own_castles

TICKS = {"tick", "untick"}
WORDS = {"accept", "call_tiebreak"}


class BetweenTwoCastlesText(GameText):
    """Renders menus, castles, hands and news of Between Two Castles."""

    picture_fields = numbered_fields = frozenset({"cell"})

    # Menus and questions

    # The player chooses two rooms in one line, so the menu needs no ticks. A player agrees by making the partner's
    # proposal. So accepting and the tie-break are only useful when the partners made different proposals.
    def filter_choices(self, choices: list[Choice], context: RenderContext) -> list[Choice]:
        """Return the choices without ticks, and without answers that are not useful yet in a decision."""
        quarrels = {decision["castle"] for decision in list_decisions(context) if is_quarrel(decision)}
        return [
            choice
            for choice in choices
            if choice.do not in TICKS and (choice.do not in WORDS or quarrels >= set(choice.fields["castle"]))
        ]

    def arrange_question(self, asked: Question, context: RenderContext) -> Question:
        """Sort rooms by type, cells from the top left, and the partner's proposals first."""
        if isinstance(asked, SomeOf) and asked.field == "tiles":
            return replace(asked, of=CastleFormatter(context).sort_by_type(asked.of))
        if isinstance(asked, OneOf) and asked.field == "cell":
            return replace(
                asked, entries=sorted(asked.entries, key=lambda entry: (-entry["cell"][1], entry["cell"][0]))
            )
        if isinstance(asked, OneOf):
            return replace(asked, entries=sorted(asked.entries, key=lambda entry: rank_entry(entry, context)))
        return asked

    def render_columns(self, after: Partial, before: Partial, context: RenderContext) -> list[RenderableType]:
        """Render the chosen fields of an action; a proposal with its worth and its author."""
        return CastleFormatter(context).render_action(after) or super().render_columns(after, before, context)

    def render_row(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> list[RenderableType]:
        """Render a room with its decoration and its scoring."""
        return (
            CastleFormatter(context).render_tile_row(value)
            if name in {"tiles", "tile"}
            else super().render_row(name, value, chosen, context)
        )

    def describe_pieces(self, after: Partial, before: Partial, context: RenderContext) -> str:
        """Return nothing: the entries themselves have the figures of pieces."""
        return ""

    def name_field(self, field: str, context: RenderContext) -> str:
        return str(PRESENTATION.load_translation(context.lang).FIELD_NAMES[field])

    def render_question(self, field: str, chosen: Partial, context: RenderContext) -> Text:
        """Render the question for one field."""
        formatter = CastleFormatter(context)
        if field == "tiles":
            return formatter.render_choose_question()
        if field == "cell":
            return formatter.render_place_question(chosen)
        return super().render_question(field, chosen, context)

    def render_picture(
        self, field: str, chosen: Partial, values: list[Any], context: RenderContext, seen: Seen
    ) -> RenderableType | None:
        """Render the castle with a number in every cell that the player may choose."""
        if field != "cell":
            return None
        formatter, number = CastleFormatter(context), chosen["castle"]
        theirs = formatter.index_proposed_cells(number)
        spaces = {(x, y): drawing.SpaceBox(at, theirs.get((x, y), "")) for at, (x, y) in enumerate(values, 1)}
        castle = context.board["castles"][number]
        picture = drawing.build_castle(castle, formatter.names, spaces, find_new_cells(castle, number, seen))
        return Group(drawing.render_title(context.board, number, formatter.names), Text(), picture, Text())

    # Boards and hands

    def render_heading(self, context: RenderContext) -> Text | None:
        return drawing.render_moment(context.board, CastleFormatter(context).names) if context.board else None

    def render_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the viewer's castles that changed; a spectator sees all castles."""
        numbers = [number for number in list_own_castles(context) if is_worth_a_look(context, number)]
        names = CastleFormatter(context).names
        changed = [number for number in numbers if has_changed(context.board["castles"][number], seen.get(number))]
        if changed:
            yield SideBySide([render_builders_castle(context, number, names, seen) for number in changed])

    def render_preview(self, before: RenderContext, after: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render every castle that would change, with its new rooms marked."""
        known, names = dict(enumerate(before.board["castles"])), CastleFormatter(after).names
        for number, castle in enumerate(after.board["castles"]):
            if has_changed(castle, known[number]):
                yield render_builders_castle(after, number, names, known)

    def render_all_boards(self, context: RenderContext) -> RenderableType:
        """Render all castles, own ones first; at the end the score sheet."""
        names, own = CastleFormatter(context).names, list_own_castles(context)
        others = [number for number in range(len(context.board["castles"])) if number not in own]
        pictures = [drawing.render_castle(context.board, number, names) for number in [*own, *others]]
        parts = [drawing.render_heading(context.board, names), *pictures, drawing.render_legend(names)]
        return Group(*parts, *drawing.render_final_scores(context.board, names))

    def render_hand(self, context: RenderContext) -> RenderableType | None:
        """Render the rooms in hand, and the open rooms that the player has to place."""
        formatter = CastleFormatter(context)
        parts = [*self.render_remarks(context), *render_rooms("hand", formatter.list_hand("tiles"), formatter)]
        return Group(*parts) if parts else None

    def render_remarks(self, context: RenderContext) -> Iterator[RenderableType]:
        """Render the rooms that the player has to place, and the open decisions in the viewer's castles."""
        formatter = CastleFormatter(context)
        if context.seat is not None and context.board["phase"] == "place":
            yield from render_rooms("to place", context.board["tiles"][context.seat], formatter)
            yield from render_rooms("ludwig places", formatter.list_ludwigs_tiles(), formatter)
        for decision in list_decisions(context):
            yield formatter.render_decision(decision)

    # News, narration and help

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        spoken = CastleFormatter(context).render_news(news)
        return spoken if spoken is not None else super().render_news(news, context)

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        return board_text.narrate_board(CastleFormatter(context))

    def narrate_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[list[str]]:
        return self.narrate_board(context)

    def narrate_hand(self, context: RenderContext) -> Iterator[str]:
        return board_text.narrate_hand(CastleFormatter(context))

    def format_option(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Return a cell by its neighbour, and a castle or a room by its name."""
        return board_text.format_option(CastleFormatter(context), name, value, chosen) or super().format_option(
            name, value, chosen, context
        )

    def render_help(self, context: RenderContext) -> RenderableType:
        return CastleFormatter(context).render_help()


def rank_entry(entry: Partial, context: RenderContext) -> int:
    """Return the sort key of an entry: agreement first; tie-breaks, holds and withdrawals last."""
    if entry["do"] == "accept" or CastleFormatter(context).is_their_proposal(entry):
        return 0
    return 2 if entry["do"] in {"call_tiebreak", "hold", "release", "take_back"} else 1


def is_quarrel(decision: Plain) -> bool:
    """Return whether the partners made different proposals or one called for the tie-break."""
    return len(decision.get("proposals", [])) > 1 or bool(decision.get("calls"))


def is_worth_a_look(context: RenderContext, number: int) -> bool:
    """Return whether to show a castle now: always between turns; while players place, only if it has a decision."""
    deciding = context.board["castles"][number]["deciding"]
    return context.board["phase"] in {"ludwig", "choose"} or (context.seat is not None and deciding not in {"", "cell"})


def has_changed(castle: Plain, before: Plain | None) -> bool:
    """Return whether rooms, attendants or bonus cards of a castle changed."""
    return before is None or any(castle[part] != before[part] for part in ("rooms", "attendants", "cards"))


def render_builders_castle(context: RenderContext, number: int, names: CastleNames, seen: Seen) -> RenderableType:
    new = find_new_cells(context.board["castles"][number], number, seen)
    return drawing.render_castle(context.board, number, names, new, for_builder=not context.board["sheets"])


def find_new_cells(castle: Plain, number: int, seen: Seen) -> set[Cell]:
    """Find the cells that were empty when the viewer last saw this castle, and record the castle as seen."""
    before, seen[number] = seen.get(number), castle
    known = {(x, y) for _, x, y in (before or castle)["rooms"]}
    return {(x, y) for _, x, y in castle["rooms"]} - known


def render_rooms(title: str, tiles: list[str], formatter: CastleFormatter) -> Iterator[RenderableType]:
    """Render rooms with their scoring, one below the other, if there are any."""
    table = Table.grid(padding=(0, 1))
    for tile in tiles:
        table.add_row("  ", *formatter.render_tile_row(tile))
    if tiles:
        yield Group(Text(formatter.format_phrase(title), "bold"), Padding(table, (0, 0, 1, 0)))
