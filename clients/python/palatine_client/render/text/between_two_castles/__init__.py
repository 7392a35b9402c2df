"""Words for Between Two Castles: menus, questions, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palatine_protocol.offers import Choice

from ....menu import OneOf, Partial, Question, Some
from ...games import load_translation
from ...terminal import between_two_castles as drawing
from ...terminal.layout import SideBySide
from ..base import Seen, Words
from ..render_context import Plain, Scene
from . import narration
from .formatter import Speech, decisions_of, own_castles

TICKS = {"tick", "untick"}
WORDS = {"accept", "call_tiebreak"}


class BetweenTwoCastles(Words):
    """How Between Two Castles is spoken of."""

    apart = frozenset({"cell"})

    # What is asked

    # Two rooms are chosen in one line, which makes ticks needless. To propose what the partner proposed is to agree;
    # that and the tie-break are things to say for somebody who made a proposal of his own.
    def visible(self, choices: list[Choice], scene: Scene) -> list[Choice]:
        """Everything but ticks, and what has no use yet in a decision."""
        quarrels = {decision["castle"] for decision in decisions_of(scene) if is_quarrel(decision)}
        return [
            choice
            for choice in choices
            if choice.do not in TICKS and (choice.do not in WORDS or quarrels >= set(choice.fields["castle"]))
        ]

    def arranged(self, asked: Question, scene: Scene) -> Question:
        """Rooms by their type; cells as one reads the castle, from the top left; what the partner proposes first."""
        if isinstance(asked, Some) and asked.field == "tiles":
            return replace(asked, of=Speech(scene).by_type(asked.of))
        if isinstance(asked, OneOf) and asked.field == "cell":
            return replace(
                asked, entries=sorted(asked.entries, key=lambda entry: (-entry["cell"][1], entry["cell"][0]))
            )
        if isinstance(asked, OneOf):
            return replace(asked, entries=sorted(asked.entries, key=lambda entry: order_of(entry, scene)))
        return asked

    def columns(self, after: Partial, before: Partial, scene: Scene) -> list[RenderableType]:
        """The whole action as far as it is chosen; a proposal with what it is worth and whose it is."""
        return Speech(scene).action(after) or super().columns(after, before, scene)

    def row(self, name: str, value: Any, scene: Scene) -> list[RenderableType]:
        """A room with its decoration and what it scores."""
        return Speech(scene).tile_row(value) if name in {"tiles", "tile"} else super().row(name, value, scene)

    def name_field(self, field: str, scene: Scene) -> str:
        return str(load_translation(scene.game, scene.lang).FIELD_NAMES[field])

    def ask(self, field: str, chosen: Partial, scene: Scene) -> Text:
        """The question for one field."""
        speech = Speech(scene)
        if field == "tiles":
            return speech.choosing()
        if field == "cell":
            return speech.where_to_put(chosen)
        return super().ask(field, chosen, scene)

    def picture(
        self, field: str, chosen: Partial, values: list[Any], scene: Scene, seen: Seen
    ) -> RenderableType | None:
        """The castle with a number in every cell that may be chosen."""
        if field != "cell":
            return None
        speech, number = Speech(scene), chosen["castle"]
        theirs = speech.proposed_cells(number)
        spaces = {(x, y): drawing.Space(at, theirs.get((x, y), "")) for at, (x, y) in enumerate(values, 1)}
        castle = scene.board["castles"][number]
        picture = drawing.castle_of(castle, speech.names, spaces, new_cells(castle, number, seen))
        return Group(drawing.title(scene.board, number, speech.names), Text(), picture, Text())

    # What is seen

    def heading(self, scene: Scene) -> Text | None:
        return drawing.moment(scene.board, Speech(scene).names) if scene.board else None

    def boards(self, scene: Scene, seen: Seen) -> Iterator[RenderableType]:
        """Own castles that changed, when there is time to look at them; for a spectator all castles are his own."""
        numbers = [number for number in own_castles(scene) if is_worth_a_look(scene, number)]
        names = Speech(scene).names
        changed = [number for number in numbers if has_changed(scene.board["castles"][number], seen.get(number))]
        if changed:
            yield SideBySide([builders_picture(scene, number, names, seen) for number in changed])

    def changes(self, before: Scene, after: Scene, seen: Seen) -> Iterator[RenderableType]:
        """Every castle that would be another one, with what would be new in it."""
        known, names = dict(enumerate(before.board["castles"])), Speech(after).names
        for number, castle in enumerate(after.board["castles"]):
            if has_changed(castle, known[number]):
                yield builders_picture(after, number, names, known)

    def all_boards(self, scene: Scene) -> RenderableType:
        """All castles, own ones first; at the end the score sheet."""
        names, own = Speech(scene).names, own_castles(scene)
        others = [number for number in range(len(scene.board["castles"])) if number not in own]
        pictures = [drawing.picture(scene.board, number, names) for number in [*own, *others]]
        parts = [drawing.heading(scene.board, names), *pictures, drawing.legend(names)]
        return Group(*parts, *drawing.ending(scene.board, names))

    def hand(self, scene: Scene) -> RenderableType | None:
        """The rooms in hand and those that lie open to be placed."""
        speech = Speech(scene)
        parts = [*self.remarks(scene), *rows("hand", speech.hand("tiles"), speech)]
        return Group(*parts) if parts else None

    def remarks(self, scene: Scene) -> Iterator[RenderableType]:
        """The rooms to be placed, and the questions that are open in one's castles."""
        speech = Speech(scene)
        if scene.seat is not None and scene.board["phase"] == "place":
            yield from rows("to place", scene.board["tiles"][scene.seat], speech)
            yield from rows("ludwig places", speech.ludwigs_tiles(), speech)
        for decision in decisions_of(scene):
            yield speech.question(decision)

    # What is told

    def news(self, news: Plain, scene: Scene) -> Text:
        spoken = Speech(scene).news(news)
        return spoken if spoken is not None else super().news(news, scene)

    def told(self, scene: Scene) -> Iterator[list[str]]:
        return narration.board(Speech(scene))

    def held(self, scene: Scene) -> Iterator[str]:
        return narration.hand(Speech(scene))

    def option(self, name: str, value: Any, chosen: Partial, scene: Scene) -> str:
        """A cell by what it stands beside; a castle or a room by its name."""
        return narration.option(Speech(scene), name, value, chosen) or super().option(name, value, chosen, scene)

    def help(self, scene: Scene) -> RenderableType:
        return Speech(scene).help()


def order_of(entry: Partial, scene: Scene) -> int:
    """Agreement comes first; what holds things up comes last."""
    if entry["do"] == "accept" or Speech(scene).is_their_proposal(entry):
        return 0
    return 2 if entry["do"] in {"call_tiebreak", "hold", "release", "take_back"} else 1


def is_quarrel(decision: Plain) -> bool:
    """Whether both partners have said something and it is not the same."""
    return len(decision.get("proposals", [])) > 1 or bool(decision.get("calls"))


def is_worth_a_look(scene: Scene, number: int) -> bool:
    """Between the turns all castles are; while everybody places, only one about which something is to be decided."""
    deciding = scene.board["castles"][number]["deciding"]
    return scene.board["phase"] in {"ludwig", "choose"} or (scene.seat is not None and deciding not in {"", "cell"})


def has_changed(castle: Plain, before: Plain | None) -> bool:
    """Whether there is something new to look at in a castle; talk about it is not."""
    return before is None or any(castle[part] != before[part] for part in ("rooms", "attendants", "cards"))


def builders_picture(scene: Scene, number: int, names: drawing.CastleNames, seen: Seen) -> RenderableType:
    new = new_cells(scene.board["castles"][number], number, seen)
    return drawing.picture(scene.board, number, names, new, for_builder=not scene.board["sheets"])


def new_cells(castle: Plain, number: int, seen: Seen) -> set[drawing.Cell]:
    """The cells that were empty when the viewer saw this castle last; now he has seen it."""
    before, seen[number] = seen.get(number), castle
    known = {(x, y) for _, x, y in (before or castle)["rooms"]}
    return {(x, y) for _, x, y in castle["rooms"]} - known


def rows(title: str, tiles: list[str], speech: Speech) -> Iterator[RenderableType]:
    """Rooms with what they score, one below the other, if there are any."""
    table = Table.grid(padding=(0, 1))
    for tile in tiles:
        table.add_row("  ", *speech.tile_row(tile))
    if tiles:
        yield Group(Text(speech.phrase(title), "bold"), Padding(table, (0, 0, 1, 0)))
