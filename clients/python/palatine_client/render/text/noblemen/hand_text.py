"""The text of a player's screen in Noblemen: money, tiles, markers, cards, and the draft of an action."""

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
from .formatter import NoblemenFormatter


def render_screen(formatter: NoblemenFormatter) -> RenderableType:
    """Render everything behind the viewer's screen."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for label, content in list_contents(formatter):
        table.add_row(formatter.render_phrase(label), content)
    title = Text.assemble(formatter.render_phrase("screen"), "  ", render_purse(formatter), style="bold")
    return Group(title, Padding(table, (0, 0, 0, 2)))


def render_purse(formatter: NoblemenFormatter) -> Text:
    """Render money and markers."""
    pounds, bribes = formatter.context.hand["money"], formatter.context.hand["bribes"]
    if formatter.context.plain:
        return Text(f"{formatter.format_count('pound', pounds)}, {formatter.format_count('bribe', bribes)}")
    parts = formatter.format_count("pound", pounds), f"{theme.BRIBE} {formatter.format_count('bribe', bribes)}"
    return Text("  ".join(parts), theme.GOLD)


def list_contents(formatter: NoblemenFormatter) -> Iterator[tuple[str, RenderableType]]:
    hand = formatter.context.hand
    yield "tiles", render_tiles(formatter, hand["tiles"])
    if hand["cards"]:
        yield "cards", Group(*(formatter.render_card(card, full=True) for card in hand["cards"]))
    if hand["card_offer"]:
        yield "offered", Group(*(formatter.render_card(card, full=True) for card in hand["card_offer"]))
    if formatter.draft:
        yield "draft", render_draft(formatter, formatter.draft)


def render_tiles(formatter: NoblemenFormatter, held: dict[str, int]) -> Text:
    """Render the tiles by kind."""
    counts = {kind: Text(f" {count}", "bold" if count else "dim") for kind, count in held.items()}
    return Text("   ").join(Text.assemble(formatter.render_tile(kind), count) for kind, count in counts.items())


# Drafts


def render_draft(formatter: NoblemenFormatter, draft: Plain) -> Text:
    """Render the draft of an action in words."""
    match draft:
        case {"draft": "expansion", "tiles": laid}:
            return formatter.render_phrase(
                "draft expansion", tiles=render_some_tiles(formatter, [kind for kind, *_ in laid])
            )
        case {"draft": "construction"}:
            return render_construction(formatter, draft)
        case {"draft": "purchase", "bribes": count}:
            price = formatter.format_count("pound", count * formatter.context.catalog["bribe"]["price"])
            return formatter.render_phrase("draft purchase", bribes=formatter.format_count("bribe", count), price=price)
        case {"draft": "levy", "of": of, "bribes": count}:
            bribes, amount = formatter.format_count("bribe", count), formatter.format_yield(of, more=count)
            return formatter.render_phrase(f"draft levy {of}", bribes=bribes, amount=amount)
        case {"draft": "splendour"}:
            return render_splendour(formatter, draft)
    return formatter.render_phrase(f"draft {draft['draft']}", tiles=render_some_tiles(formatter, draft["kinds"]))


def render_some_tiles(formatter: NoblemenFormatter, kinds: list[str]) -> Text:
    return formatter.render_tiles(kinds) if kinds else formatter.render_phrase("no tiles")


def render_construction(formatter: NoblemenFormatter, draft: Plain) -> Text:
    building = formatter.render_building(draft["kind"], draft.get("folly"))
    if target := draft.get("target"):
        x, y = target["vertex"]
        area = formatter.render_area(formatter.read_land(target["player"]).areas[x, y])
        return formatter.render_phrase(
            "draft construction knight", building=building, area=area, estate=formatter.render_estate(target["player"])
        )
    step = " lifted" if draft.get("source") else " site" if draft.get("cell") else ""
    return formatter.render_phrase(f"draft construction{step}", building=building)


def render_splendour(formatter: NoblemenFormatter, draft: Plain) -> Text:
    terms = formatter.context.catalog["reward"]["prestige"]
    effects = [formatter.names.pieces[card].get("effect", {}) for card in draft["cards"]]
    more = draft["bribes"] * terms["bribe"] + sum(effect.get("prestige", terms["card"]) for effect in effects)
    return formatter.render_phrase(
        "draft splendour",
        amount=formatter.format_yield("prestige", more),
        bribes=formatter.format_count("bribe", draft["bribes"]),
        cards=formatter.format_count("card", len(draft["cards"])),
    )


# The estate with the draft applied


def build_planned_land(formatter: NoblemenFormatter) -> Land:
    """Build the viewer's estate with the tiles or the building of the draft."""
    land, draft = formatter.read_land(formatter.seat), formatter.draft
    if draft.get("draft") == "expansion":
        return land.add_tiles(draft["tiles"])
    if draft.get("draft") == "construction" and draft.get("cell"):
        x, y = draft["cell"]
        return land.add_building(draft["kind"], draft.get("folly", ""), (x, y))
    return land


def list_planned_cells(formatter: NoblemenFormatter) -> set[Cell]:
    """Return the cells of the tiles and of the building in the viewer's draft."""
    draft = formatter.draft
    cells = [(x, y) for _, x, y, _ in draft.get("tiles", [])]
    return {*cells, *([(draft["cell"][0], draft["cell"][1])] if draft.get("cell") else [])}


def render_plan(formatter: NoblemenFormatter) -> Iterator[RenderableType]:
    """Render a picture of the estate with the changes of the draft, if it has any."""
    if new := list_planned_cells(formatter):
        yield Group(EstatePicture(build_planned_land(formatter), formatter.names, new=new), Text())
