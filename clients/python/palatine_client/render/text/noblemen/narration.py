"""Noblemen read aloud: the common board, the players, their estates row by row, the screen, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...games.noblemen.derived_values import field_type, yielded
from ...games.noblemen.estate_model import Land
from ...games.noblemen.names import RULES
from ..render_context import Plain
from . import hand_text
from .formatter import Speech


def board(speech: Speech) -> Iterator[list[str]]:
    """What lies open, in paragraphs."""
    yield [*common(speech)]
    seats = range(len(speech.board["noblemen"]))
    yield [line for seat in seats for line in nobleman(speech, seat)]
    for seat in seats:
        yield [*estate(speech, seat)]
    if speech.board["final"]:
        yield [*ending(speech)]


def said(speech: Speech, key: str, **parts: object) -> str:
    return speech.spoken(key, **{name: str(part) for name, part in parts.items()}).plain


def who(speech: Speech, seat: int) -> str:
    return speech.scene.who(seat)


# The common board


def common(speech: Speech) -> Iterator[str]:
    table, catalog = speech.board, speech.scene.catalog
    last, kind = len(catalog["round_track"]["fields"]) - 1, field_type(table, speech.names)
    yield said(speech, "marker", field=table["round"], last=last, type=speech.language.FIELDS[kind])
    yield from (on_sale(speech, building) for building in catalog["building"])
    yield follies(speech)
    yield said(speech, "church", tiles=tiles(speech, table["church"]))
    price = speech.counted("pound", catalog["bribe"]["price"])
    yield said(speech, "bribes left", count=table["bribes"], price=price)
    yield said(speech, "titles left", titles="; ".join(titles(speech)) or speech.names.label("nothing"))


def on_sale(speech: Speech, building: Plain) -> str:
    """What of a kind can be built, for how much, and what it brings."""
    kind, left = building["id"], speech.board["buildings"][building["id"]]
    price = speech.counted("pound", building["prices"][-left]) if left else ""
    reward = speech.names.label(f"reward {building['reward']}")
    parts = {"building": speech.names.piece(kind), "reserve": speech.board["reserve"][kind], "reward": reward}
    return said(speech, "on sale" if left else "sold out", left=left, price=price, **parts)


def follies(speech: Speech) -> str:
    if not speech.board["follies"]:
        return said(speech, "no follies")
    listed = ", ".join(speech.building("folly", folly).plain for folly in speech.board["follies"])
    price = speech.counted("pound", speech.scene.catalog["folly"]["price"])
    return said(speech, "follies", price=price, points=speech.folly_points(), follies=listed)


def titles(speech: Speech) -> Iterator[str]:
    for title in speech.scene.catalog["title"]:
        if count := speech.board["titles"][title["id"]]:
            name = speech.names.of(title)
            yield said(speech, "title left", title=name, count=count, prestige=title["prestige"])


def tiles(speech: Speech, held: dict[str, int]) -> str:
    """Tiles by kind."""
    counts = [f"{speech.names.piece(kind)} {count}" for kind, count in held.items() if count]
    return ", ".join(counts) or said(speech, "no tiles")


# Players


def nobleman(speech: Speech, seat: int) -> Iterator[str]:
    """What everybody knows of somebody."""
    own, names = speech.board["noblemen"][seat], speech.names
    levies = {levy: yielded(speech.board, seat, levy, names) for levy in ("tax", "land", "prestige")}
    yield said(
        speech,
        "nobleman",
        who=who(speech, seat),
        title=names.title(own["title"]),
        points=speech.counted("point", own["vp"]),
        knights=own["knights"],
        **levies | {"tax": speech.counted("pound", levies["tax"])},
    )
    is_true = {"has taxed": own["taxed"], "has landed": own["landed"], "has the queen": speech.board["queen"] == seat}
    yield from (said(speech, key, who=who(speech, seat)) for key, holds in is_true.items() if holds)
    if speech.board["phase"] in {"ball", "title"}:
        yield said(speech, "at the ball", who=who(speech, seat), field=own["prestige"])
    if speech.board["totals"]:
        yield totals(speech, seat)


def totals(speech: Speech, seat: int) -> str:
    own = speech.board["totals"][seat]
    counted = {f"{what}s": speech.counted(what, own[f"{what}s"]) for what in ("tile", "bribe", "card")}
    return said(speech, "totals", who=who(speech, seat), money=speech.counted("pound", own["money"]), **counted)


# Estates


def estate(speech: Speech, seat: int) -> Iterator[str]:
    """The rows from the top down, each from left to right; then buildings and areas."""
    is_own = seat == speech.scene.seat
    yield said(speech, "own estate") if is_own else said(speech, "estate", name=speech.scene.name(seat))
    land = speech.land(seat)
    yield from rows(speech, land)
    if land.buildings:
        yield said(speech, "buildings", buildings="; ".join(buildings(speech, land)))
    if land.areas:
        yield said(speech, "areas", areas="; ".join(areas(speech, land)))


def rows(speech: Speech, land: Land) -> Iterator[str]:
    for y in sorted({y for _, y in land.tiles}, reverse=True):
        across = (tile(speech, land, x, y) for x in sorted(x for x, row in land.tiles if row == y))
        yield said(speech, "row", y=y, tiles="; ".join(across))


def tile(speech: Speech, land: Land, x: int, y: int) -> str:
    laid = land.tiles[x, y]
    name = speech.names.piece(laid.kind)
    if laid.corner is None:
        return said(speech, "tile at", x=x, tile=name)
    return said(speech, "tile corner", x=x, tile=name, corner=speech.language.CORNERS[laid.corner])


def buildings(speech: Speech, land: Land) -> Iterator[str]:
    for (x, y), building in sorted(land.buildings.items()):
        key = "building enclosed" if land.is_enclosed((x, y)) else "building at"
        yield said(speech, key, building=speech.building(building.kind, building.folly).plain, x=x, y=y)


def areas(speech: Speech, land: Land) -> Iterator[str]:
    return (area(speech, land, x, y) for x, y in sorted(land.areas))


def area(speech: Speech, land: Land, x: int, y: int) -> str:
    """An area, and whose knight stands on it."""
    name, knight = speech.names.piece(land.areas[x, y]), land.knights.get((x, y))
    if knight is None:
        return said(speech, "area at", area=name, x=x, y=y)
    return said(speech, "area knight", area=name, x=x, y=y, name=speech.scene.names[knight])


# The end


def ending(speech: Speech) -> Iterator[str]:
    """The score sheet and the ranking."""
    names, table = speech.names, speech.board
    yield f"{names.label('score sheet')}:"
    for seat, own in enumerate(table["noblemen"]):
        lines = ", ".join(f"{names.label(rule)} {own['lines'][rule]}" for rule in RULES if own["lines"].get(rule))
        yield said(speech, "sheet", who=who(speech, seat), lines=lines or "0", total=own["vp"])
    yield f"{names.label('ranking')}:"
    for row in sorted(table["final"], key=lambda row: (row["rank"], row["seat"])):
        parts = {"rank": row["rank"], "score": row["score"], "money": speech.counted("pound", row["money"])}
        yield said(speech, "rank", who=who(speech, row["seat"]), left=left_over(speech, row["seat"]), **parts)


def left_over(speech: Speech, seat: int) -> str:
    screen = speech.board["revealed"]["screens"][seat]
    cards = (f"{speech.names.piece(card)} {count}" for card, count in Counter(screen["cards"]).items())
    return ", ".join([tiles(speech, screen["tiles"]), speech.counted("bribe", screen["bribes"]), *cards])


# Behind the screen


def hand(speech: Speech) -> Iterator[str]:
    held = speech.scene.hand
    if not held:
        return
    yield f"{said(speech, 'screen')}: {hand_text.purse(speech).plain}."
    yield f"{said(speech, 'tiles')}: {tiles(speech, held['tiles'])}."
    yield from (f"{said(speech, 'cards')}: {speech.card(card, full=True).plain}" for card in held["cards"])
    yield from (f"{said(speech, 'offered')}: {speech.card(card, full=True).plain}" for card in held["card_offer"])
    if speech.draft:
        yield f"{said(speech, 'draft')}: {'; '.join(draft(speech))}."
    if kinds := [kind for kind, is_there in held["bag_has"].items() if is_there]:
        yield said(speech, "bag has", tiles=", ".join(map(speech.names.piece, kinds)))


def draft(speech: Speech) -> Iterator[str]:
    """What the viewer is putting together, and where."""
    yield hand_text.draft(speech, speech.draft).plain
    if speech.draft["draft"] == "expansion":
        for kind, x, y, _ in speech.draft["tiles"]:
            yield said(speech, "drafted", tile=speech.names.piece(kind), x=x, y=y)
    if cell := speech.draft.get("cell"):
        yield said(speech, "at", x=cell[0], y=cell[1])


# What can be chosen


def option(speech: Speech, name: str, value: Any, chosen: Plain) -> str:
    """A value of a field, where the game has words for it."""
    match name, value:
        case "cell", [x, y]:
            return said(speech, "at", x=x, y=y)
        case "corner", str():
            return said(speech, "with corner", corner=speech.language.CORNERS[value])
        case "vertex", [x, y] if "player" in chosen:
            return area(speech, speech.land(chosen["player"]), x, y)
        case "player", int():
            return speech.scene.names[value]
        case "folly", str():
            return speech.building("folly", value).plain
    return ""
