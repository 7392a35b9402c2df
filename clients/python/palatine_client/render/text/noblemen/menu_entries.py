"""Actions of Noblemen as menu entries and questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.estate_model import AREA_OF, Cell, find_corner
from ..render_context import Plain
from .formatter import NoblemenFormatter
from .hand_text import build_planned_land

# Actions


def render_action(formatter: NoblemenFormatter, action: Plain) -> Text | None:
    """Render the chosen fields of an action."""
    say = ENTRIES.get(action["do"])
    return say(formatter, action) if say else None


def render_plain(formatter: NoblemenFormatter, action: Plain) -> Text:
    return formatter.render_phrase(action["do"])


def render_kind(formatter: NoblemenFormatter, action: Plain) -> Text:
    """Render an action with a tile."""
    verb = action["do"]
    return (
        formatter.render_phrase(f"{verb} kind", tile=formatter.render_tile(action["kind"]))
        if "kind" in action
        else formatter.render_phrase(verb)
    )


def render_lay(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "kind" not in action:
        return formatter.render_phrase("lay more" if formatter.draft else "lay")
    return formatter.render_phrase("lay kind", tile=formatter.render_tile(action["kind"]))


def render_build(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "kind" not in action or (action["kind"] == "folly" and "folly" not in action):
        return formatter.render_phrase("build")
    building, price = (
        formatter.render_building(action["kind"], action.get("folly")),
        formatter.format_price(action["kind"]),
    )
    if action["kind"] == "folly":
        return formatter.render_phrase(
            "build folly", building=building, price=price, points=formatter.format_folly_points()
        )
    return formatter.render_phrase("build kind", building=building, price=price)


def render_knight(formatter: NoblemenFormatter, action: Plain) -> Text:
    """Render the action of lifting or placing a knight."""
    verb, player = action["do"], action.get("player")
    if player is None:
        return formatter.render_phrase(verb)
    if "vertex" not in action:
        return formatter.render_phrase(f"{verb} player", estate=formatter.render_estate(player))
    x, y = action["vertex"]
    area = formatter.render_area(formatter.read_land(player).areas[x, y])
    return formatter.render_phrase(f"{verb} area", area=area, estate=formatter.render_estate(player))


def render_buy(formatter: NoblemenFormatter, _: Plain) -> Text:
    terms = formatter.context.catalog["bribe"]
    price, points = formatter.format_count("pound", terms["price"]), formatter.format_count("point", terms["vp"])
    return formatter.render_phrase("buy more" if formatter.draft else "buy", price=price, points=points)


def render_levy(formatter: NoblemenFormatter, action: Plain) -> Text:
    return formatter.render_phrase(action["do"], amount=formatter.format_yield(action["do"]))


def render_donate(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "kind" in action:
        return render_kind(formatter, action)
    return formatter.render_phrase(
        "donate", points=formatter.format_count("point", formatter.context.catalog["reward"]["church"]["vp_per_tile"])
    )


def render_idle(formatter: NoblemenFormatter, _: Plain) -> Text:
    return formatter.render_phrase(
        "idle", points=formatter.format_count("point", formatter.context.catalog["reward"]["idle"]["vp"])
    )


def render_play(formatter: NoblemenFormatter, action: Plain) -> Text:
    return (
        formatter.render_phrase("play card", card=formatter.render_card(action["card"], full=True))
        if "card" in action
        else render_plain(formatter, action)
    )


def render_give(formatter: NoblemenFormatter, action: Plain) -> Text:
    """Render the action of giving a tile: in a turn it begins a trade; in a draft or a gift it adds one more tile."""
    if "kind" not in action:
        return formatter.render_phrase("give")
    is_trade = formatter.board["phase"] == "turn" and not formatter.draft
    return formatter.render_phrase("give kind" if is_trade else "give more", tile=formatter.render_tile(action["kind"]))


def render_end_turn(formatter: NoblemenFormatter, _: Plain) -> Text:
    points = formatter.format_count("point", formatter.context.catalog["queen"]["vp_per_turn_end"])
    return formatter.render_phrase(
        "end_turn queen" if formatter.board["queen"] == formatter.context.seat else "end_turn", points=points
    )


def render_keep(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "index" not in action:
        return formatter.render_phrase("keep")
    return formatter.render_phrase("keep index", card=render_offered_card(formatter, action["index"]))


def render_spend_card(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "card" not in action:
        return formatter.render_phrase("spend_card")
    card = action["card"]
    amount = formatter.format_count("prestige", count_card_prestige(formatter, card))
    return formatter.render_phrase("spend_card card", card=formatter.render_card(card), amount=amount)


def count_card_prestige(formatter: NoblemenFormatter, card: str) -> int:
    """Return the prestige of a card at a ball."""
    effect = formatter.names.pieces[card].get("effect", {})
    return int(effect.get("prestige") or formatter.context.catalog["reward"]["prestige"]["card"])


def render_choose_title(formatter: NoblemenFormatter, action: Plain) -> Text:
    if "title" not in action:
        return formatter.render_phrase("choose_title")
    title = formatter.names.pieces[action["title"]]
    points, price = formatter.format_count("point", title["vp"]), formatter.format_count("pound", title["discount"])
    return formatter.render_phrase(
        "choose_title title", title=Text(formatter.names.name_entry(title), "bold"), points=points, price=price
    )


def render_done(formatter: NoblemenFormatter, action: Plain) -> Text:
    key = f"done {action.get('of')}"
    return formatter.add_mark("✔", "green", formatter.render_phrase(key if formatter.has_phrase(key) else "done"))


def render_drop(formatter: NoblemenFormatter, _: Plain) -> Text:
    return formatter.add_mark("✘", "red", formatter.render_phrase("drop"))


ENTRIES: dict[str, Callable[[NoblemenFormatter, Plain], Text]] = {
    "take": render_kind,
    "keep": render_keep,
    "use_intrigue": render_plain,
    "done": render_done,
    "drop": render_drop,
    "give": render_give,
    "spend": render_plain,
    "want": render_kind,
    "play": render_play,
    "end_turn": render_end_turn,
    "lay": render_lay,
    "build": render_build,
    "site": render_plain,
    "lift_knight": render_knight,
    "place_knight": render_knight,
    "buy": render_buy,
    "tax": render_levy,
    "land": render_levy,
    "donate": render_donate,
    "idle": render_idle,
    "spend_card": render_spend_card,
    "choose_title": render_choose_title,
}


# Questions


def render_question(formatter: NoblemenFormatter, field: str, chosen: Plain) -> Text:
    """Render the question for one field."""
    match field:
        case "cell" if chosen["do"] == "lay":
            return formatter.render_phrase("where to lay", tile=formatter.render_tile(chosen["kind"]))
        case "cell":
            building = formatter.render_building(formatter.draft["kind"], formatter.draft.get("folly"))
            return formatter.render_phrase("where to build", building=building)
        case "corner":
            return formatter.render_phrase("which corner", tile=formatter.render_tile(chosen["kind"]))
        case "vertex":
            key = "which knight" if chosen["do"] == "lift_knight" else "which area"
            return formatter.render_phrase(key, estate=formatter.render_estate(chosen["player"]))
        case "index":
            return formatter.render_phrase("which card")
    return formatter.render_phrase("which")


def render_offered_card(formatter: NoblemenFormatter, index: int) -> Text:
    """Render a card that the player may keep, with its effect."""
    return formatter.render_card(formatter.context.hand["card_offer"][index], full=True)


# Corners


def render_corner(formatter: NoblemenFormatter, chosen: Plain, corner: str) -> list[Any]:
    """Render a corner for the quarter symbol, and the quarters that it would meet."""
    sign = Text(theme.QUARTERS[corner], theme.KINDS[chosen["kind"]].ink)
    return [sign, Text(formatter.language.CORNERS[corner]), render_meeting(formatter, chosen, corner)]


def render_meeting(formatter: NoblemenFormatter, chosen: Plain, corner: str) -> Text:
    """Render how many quarters the symbol of a tile would meet in this corner."""
    kind, cell = chosen["kind"], (chosen["cell"][0], chosen["cell"][1])
    count = count_quarters(formatter, kind, cell, corner)
    if count == 3:
        return Text.assemble(
            formatter.render_phrase("completes", area=formatter.render_area(AREA_OF[kind])), style=theme.GOLD
        )
    return (
        formatter.render_phrase("joins", count=str(count))
        if count
        else Text.assemble(formatter.render_phrase("alone"), style="dim")
    )


def count_quarters(formatter: NoblemenFormatter, kind: str, cell: Cell, corner: str) -> int:
    """Count the quarters of this kind that already meet there."""
    return [*build_planned_land(formatter).list_quarters(find_corner(cell, corner))].count(kind)
