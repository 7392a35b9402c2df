"""What a player of Noblemen has behind the screen: money, tiles, markers, cards, and the action in the making."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.estate_model import Cell, Land
from ...terminal.noblemen.estate import EstatePicture
from ..render_context import Plain
from .formatter import Speech


def screen(speech: Speech) -> RenderableType:
    """Everything behind the viewer's screen."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for label, content in contents(speech):
        table.add_row(speech.spoken(label), content)
    title = Text.assemble(speech.spoken("screen"), "  ", purse(speech), style="bold")
    return Group(title, Padding(table, (0, 0, 0, 2)))


def purse(speech: Speech) -> Text:
    """Money and markers."""
    pounds, bribes = speech.scene.hand["money"], speech.scene.hand["bribes"]
    if speech.scene.plain:
        return Text(f"{speech.counted('pound', pounds)}, {speech.counted('bribe', bribes)}")
    parts = speech.counted("pound", pounds), f"{theme.BRIBE} {speech.counted('bribe', bribes)}"
    return Text("  ".join(parts), theme.GOLD)


def contents(speech: Speech) -> Iterator[tuple[str, RenderableType]]:
    hand = speech.scene.hand
    yield "tiles", tiles(speech, hand["tiles"])
    if hand["cards"]:
        yield "cards", Group(*(speech.card(card, full=True) for card in hand["cards"]))
    if hand["card_offer"]:
        yield "offered", Group(*(speech.card(card, full=True) for card in hand["card_offer"]))
    if speech.draft:
        yield "draft", draft(speech, speech.draft)


def tiles(speech: Speech, held: dict[str, int]) -> Text:
    """The tiles by kind."""
    counts = {kind: Text(f" {count}", "bold" if count else "dim") for kind, count in held.items()}
    return Text("   ").join(Text.assemble(speech.tile(kind), count) for kind, count in counts.items())


# Drafts


def draft(speech: Speech, draft: Plain) -> Text:
    """An action in the making, in words."""
    match draft:
        case {"draft": "expansion", "tiles": laid}:
            return speech.spoken("draft expansion", tiles=tiles_or_none(speech, [kind for kind, *_ in laid]))
        case {"draft": "construction"}:
            return construction(speech, draft)
        case {"draft": "purchase", "bribes": count}:
            price = speech.counted("pound", count * speech.scene.catalog["bribe"]["price"])
            return speech.spoken("draft purchase", bribes=speech.counted("bribe", count), price=price)
        case {"draft": "levy", "of": of, "bribes": count}:
            bribes, amount = speech.counted("bribe", count), speech.amount(of, more=count)
            return speech.spoken(f"draft levy {of}", bribes=bribes, amount=amount)
        case {"draft": "splendour"}:
            return splendour(speech, draft)
    return speech.spoken(f"draft {draft['draft']}", tiles=tiles_or_none(speech, draft["kinds"]))


def tiles_or_none(speech: Speech, kinds: list[str]) -> Text:
    return speech.tiles(kinds) if kinds else speech.spoken("no tiles")


def construction(speech: Speech, draft: Plain) -> Text:
    building = speech.building(draft["kind"], draft.get("folly"))
    if target := draft.get("target"):
        x, y = target["vertex"]
        area = speech.area(speech.land(target["player"]).areas[x, y])
        return speech.spoken(
            "draft construction knight", building=building, area=area, estate=speech.estate(target["player"])
        )
    step = " lifted" if draft.get("source") else " site" if draft.get("cell") else ""
    return speech.spoken(f"draft construction{step}", building=building)


def splendour(speech: Speech, draft: Plain) -> Text:
    terms = speech.scene.catalog["reward"]["prestige"]
    effects = [speech.names.pieces[card].get("effect", {}) for card in draft["cards"]]
    more = draft["bribes"] * terms["bribe"] + sum(effect.get("prestige", terms["card"]) for effect in effects)
    return speech.spoken(
        "draft splendour",
        amount=speech.amount("prestige", more),
        bribes=speech.counted("bribe", draft["bribes"]),
        cards=speech.counted("card", len(draft["cards"])),
    )


# The estate as it would be


def planned_land(speech: Speech) -> Land:
    """The viewer's estate with what he is about to lay or build."""
    land, draft = speech.land(speech.seat), speech.draft
    if draft.get("draft") == "expansion":
        return land.with_tiles(draft["tiles"])
    if draft.get("draft") == "construction" and draft.get("cell"):
        x, y = draft["cell"]
        return land.with_building(draft["kind"], draft.get("folly", ""), (x, y))
    return land


def planned_cells(speech: Speech) -> set[Cell]:
    """Where something is about to be laid or built."""
    draft = speech.draft
    cells = [(x, y) for _, x, y, _ in draft.get("tiles", [])]
    return {*cells, *([(draft["cell"][0], draft["cell"][1])] if draft.get("cell") else [])}


def plan(speech: Speech) -> Iterator[RenderableType]:
    """A picture of the estate with what is about to change, if anything is."""
    if new := planned_cells(speech):
        yield Group(EstatePicture(planned_land(speech), speech.names, new=new), Text())
