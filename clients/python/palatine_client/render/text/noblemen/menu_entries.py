"""What can be done in Noblemen, as entries of a menu and as questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.estate_model import AREA_OF, Cell, corner_of
from ..render_context import Plain
from .formatter import Speech
from .hand_text import planned_land

# Actions


def action(speech: Speech, action: Plain) -> Text | None:
    """An action, or as much of it as is chosen."""
    say = ENTRIES.get(action["do"])
    return say(speech, action) if say else None


def plain(speech: Speech, action: Plain) -> Text:
    return speech.spoken(action["do"])


def of_a_kind(speech: Speech, action: Plain) -> Text:
    """An action with a tile."""
    verb = action["do"]
    return speech.spoken(f"{verb} kind", tile=speech.tile(action["kind"])) if "kind" in action else speech.spoken(verb)


def lay(speech: Speech, action: Plain) -> Text:
    if "kind" not in action:
        return speech.spoken("lay more" if speech.draft else "lay")
    return speech.spoken("lay kind", tile=speech.tile(action["kind"]))


def build(speech: Speech, action: Plain) -> Text:
    if "kind" not in action or (action["kind"] == "folly" and "folly" not in action):
        return speech.spoken("build")
    building, price = speech.building(action["kind"], action.get("folly")), speech.price(action["kind"])
    if action["kind"] == "folly":
        return speech.spoken("build folly", building=building, price=price, points=speech.folly_points())
    return speech.spoken("build kind", building=building, price=price)


def knight(speech: Speech, action: Plain) -> Text:
    """A knight that is lifted or placed."""
    verb, player = action["do"], action.get("player")
    if player is None:
        return speech.spoken(verb)
    if "vertex" not in action:
        return speech.spoken(f"{verb} player", estate=speech.estate(player))
    x, y = action["vertex"]
    area = speech.area(speech.land(player).areas[x, y])
    return speech.spoken(f"{verb} area", area=area, estate=speech.estate(player))


def buy(speech: Speech, _: Plain) -> Text:
    terms = speech.scene.catalog["bribe"]
    price, points = speech.counted("pound", terms["price"]), speech.counted("point", terms["vp"])
    return speech.spoken("buy more" if speech.draft else "buy", price=price, points=points)


def levy(speech: Speech, action: Plain) -> Text:
    return speech.spoken(action["do"], amount=speech.amount(action["do"]))


def donate(speech: Speech, action: Plain) -> Text:
    if "kind" in action:
        return of_a_kind(speech, action)
    return speech.spoken(
        "donate", points=speech.counted("point", speech.scene.catalog["reward"]["church"]["vp_per_tile"])
    )


def idle(speech: Speech, _: Plain) -> Text:
    return speech.spoken("idle", points=speech.counted("point", speech.scene.catalog["reward"]["idle"]["vp"]))


def play(speech: Speech, action: Plain) -> Text:
    return (
        speech.spoken("play card", card=speech.card(action["card"], full=True))
        if "card" in action
        else plain(speech, action)
    )


def give(speech: Speech, action: Plain) -> Text:
    """In a turn a trade begins; with a draft, or asked by a knight or the vicar, it is one tile more."""
    if "kind" not in action:
        return speech.spoken("give")
    is_trade = speech.board["phase"] == "turn" and not speech.draft
    return speech.spoken("give kind" if is_trade else "give more", tile=speech.tile(action["kind"]))


def end_turn(speech: Speech, _: Plain) -> Text:
    points = speech.counted("point", speech.scene.catalog["queen"]["vp_per_turn_end"])
    return speech.spoken("end_turn queen" if speech.board["queen"] == speech.scene.seat else "end_turn", points=points)


def keep(speech: Speech, action: Plain) -> Text:
    if "index" not in action:
        return speech.spoken("keep")
    return speech.spoken("keep index", card=offered_card(speech, action["index"]))


def spend_card(speech: Speech, action: Plain) -> Text:
    if "card" not in action:
        return speech.spoken("spend_card")
    card = action["card"]
    amount = speech.counted("prestige", card_prestige(speech, card))
    return speech.spoken("spend_card card", card=speech.card(card), amount=amount)


def card_prestige(speech: Speech, card: str) -> int:
    """What a card is worth at a ball."""
    effect = speech.names.pieces[card].get("effect", {})
    return int(effect.get("prestige") or speech.scene.catalog["reward"]["prestige"]["card"])


def choose_title(speech: Speech, action: Plain) -> Text:
    if "title" not in action:
        return speech.spoken("choose_title")
    title = speech.names.pieces[action["title"]]
    points, price = speech.counted("point", title["vp"]), speech.counted("pound", title["discount"])
    return speech.spoken("choose_title title", title=Text(speech.names.of(title), "bold"), points=points, price=price)


def done(speech: Speech, action: Plain) -> Text:
    key = f"done {action.get('of')}"
    return speech.marked("✔", "green", speech.spoken(key if speech.knows(key) else "done"))


def drop(speech: Speech, _: Plain) -> Text:
    return speech.marked("✘", "red", speech.spoken("drop"))


ENTRIES: dict[str, Callable[[Speech, Plain], Text]] = {
    "take": of_a_kind,
    "keep": keep,
    "use_intrigue": plain,
    "done": done,
    "drop": drop,
    "give": give,
    "spend": plain,
    "want": of_a_kind,
    "play": play,
    "end_turn": end_turn,
    "lay": lay,
    "build": build,
    "site": plain,
    "lift_knight": knight,
    "place_knight": knight,
    "buy": buy,
    "tax": levy,
    "land": levy,
    "donate": donate,
    "idle": idle,
    "spend_card": spend_card,
    "choose_title": choose_title,
}


# Questions


def question(speech: Speech, field: str, chosen: Plain) -> Text:
    """The question for one field."""
    match field:
        case "cell" if chosen["do"] == "lay":
            return speech.spoken("where to lay", tile=speech.tile(chosen["kind"]))
        case "cell":
            building = speech.building(speech.draft["kind"], speech.draft.get("folly"))
            return speech.spoken("where to build", building=building)
        case "corner":
            return speech.spoken("which corner", tile=speech.tile(chosen["kind"]))
        case "vertex":
            key = "which knight" if chosen["do"] == "lift_knight" else "which area"
            return speech.spoken(key, estate=speech.estate(chosen["player"]))
        case "index":
            return speech.spoken("which card")
    return speech.spoken("which")


def offered_card(speech: Speech, index: int) -> Text:
    """A card that one may keep, with what it does."""
    return speech.card(speech.scene.hand["card_offer"][index], full=True)


# Corners


def corner(speech: Speech, chosen: Plain, corner: str) -> list[Any]:
    """A corner for the quarter symbol, and what it would come together with."""
    kind, cell = chosen["kind"], (chosen["cell"][0], chosen["cell"][1])
    sign = Text(theme.QUARTERS[corner], theme.KINDS[kind].ink)
    return [sign, Text(speech.language.CORNERS[corner]), meeting(speech, kind, cell, corner)]


def meeting(speech: Speech, kind: str, cell: Cell, corner: str) -> Text:
    count = quarters_met(speech, kind, cell, corner)
    if count == 3:
        return Text.assemble(speech.spoken("completes", area=speech.area(AREA_OF[kind])), style=theme.GOLD)
    return speech.spoken("joins", count=str(count)) if count else Text.assemble(speech.spoken("alone"), style="dim")


def quarters_met(speech: Speech, kind: str, cell: Cell, corner: str) -> int:
    """How many quarters of this kind are there already."""
    return [*planned_land(speech).quarters_at(corner_of(cell, corner))].count(kind)
