"""The narration of Noblemen: the common board, the players, their estates row by row, the screen, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...games.noblemen.derived_values import count_yield, find_field_type
from ...games.noblemen.estate_model import Land
from ...games.noblemen.names import RULES
from ..render_context import Plain
from . import hand_text
from .formatter import NoblemenFormatter


def narrate_board(formatter: NoblemenFormatter) -> Iterator[list[str]]:
    """Narrate the public parts of the board, in paragraphs."""
    yield [*narrate_common_board(formatter)]
    seats = range(len(formatter.board["noblemen"]))
    yield [line for seat in seats for line in narrate_player(formatter, seat)]
    for seat in seats:
        yield [*narrate_estate(formatter, seat)]
    if formatter.board["final"]:
        yield [*narrate_final_scores(formatter)]


def format_phrase(formatter: NoblemenFormatter, key: str, **parts: object) -> str:
    return formatter.render_phrase(key, **{name: str(part) for name, part in parts.items()}).plain


def name_subject(formatter: NoblemenFormatter, seat: int) -> str:
    return formatter.context.name_subject(seat)


# The common board


def narrate_common_board(formatter: NoblemenFormatter) -> Iterator[str]:
    table, catalog = formatter.board, formatter.context.catalog
    last, kind = len(catalog["round_track"]["fields"]) - 1, find_field_type(table, formatter.names)
    yield format_phrase(formatter, "marker", field=table["round"], last=last, type=formatter.language.FIELDS[kind])
    yield from (narrate_building(formatter, building) for building in catalog["building"])
    yield narrate_follies(formatter)
    yield format_phrase(formatter, "church", tiles=list_tiles(formatter, table["church"]))
    price = formatter.format_count("pound", catalog["bribe"]["price"])
    yield format_phrase(formatter, "bribes left", count=table["bribes"], price=price)
    yield format_phrase(
        formatter, "titles left", titles="; ".join(list_titles(formatter)) or formatter.names.label("nothing")
    )


def narrate_building(formatter: NoblemenFormatter, building: Plain) -> str:
    """Narrate the buildings of a kind that are on sale, with their price and reward."""
    kind, left = building["id"], formatter.board["buildings"][building["id"]]
    price = formatter.format_count("pound", building["prices"][-left]) if left else ""
    reward = formatter.names.label(f"reward {building['reward']}")
    parts = {
        "building": formatter.names.name_piece(kind),
        "reserve": formatter.board["reserve"][kind],
        "reward": reward,
    }
    return format_phrase(formatter, "on sale" if left else "sold out", left=left, price=price, **parts)


def narrate_follies(formatter: NoblemenFormatter) -> str:
    if not formatter.board["follies"]:
        return format_phrase(formatter, "no follies")
    listed = ", ".join(formatter.render_building("folly", folly).plain for folly in formatter.board["follies"])
    price = formatter.format_count("pound", formatter.context.catalog["folly"]["price"])
    return format_phrase(formatter, "follies", price=price, points=formatter.format_folly_points(), follies=listed)


def list_titles(formatter: NoblemenFormatter) -> Iterator[str]:
    for title in formatter.context.catalog["title"]:
        if count := formatter.board["titles"][title["id"]]:
            name = formatter.names.name_entry(title)
            yield format_phrase(formatter, "title left", title=name, count=count, prestige=title["prestige"])


def list_tiles(formatter: NoblemenFormatter, held: dict[str, int]) -> str:
    """List tiles by kind."""
    counts = [f"{formatter.names.name_piece(kind)} {count}" for kind, count in held.items() if count]
    return ", ".join(counts) or format_phrase(formatter, "no tiles")


# Players


def narrate_player(formatter: NoblemenFormatter, seat: int) -> Iterator[str]:
    """Narrate the public facts about a player."""
    own, names = formatter.board["noblemen"][seat], formatter.names
    levies = {levy: count_yield(formatter.board, seat, levy, names) for levy in ("tax", "land", "prestige")}
    yield format_phrase(
        formatter,
        "nobleman",
        who=name_subject(formatter, seat),
        title=names.name_title(own["title"]),
        points=formatter.format_count("point", own["vp"]),
        knights=own["knights"],
        **levies | {"tax": formatter.format_count("pound", levies["tax"])},
    )
    is_true = {
        "has taxed": own["taxed"],
        "has landed": own["landed"],
        "has the queen": formatter.board["queen"] == seat,
    }
    yield from (
        format_phrase(formatter, key, who=name_subject(formatter, seat)) for key, holds in is_true.items() if holds
    )
    if formatter.board["phase"] in {"ball", "title"}:
        yield format_phrase(formatter, "at the ball", who=name_subject(formatter, seat), field=own["prestige"])
    if formatter.board["totals"]:
        yield narrate_totals(formatter, seat)


def narrate_totals(formatter: NoblemenFormatter, seat: int) -> str:
    own = formatter.board["totals"][seat]
    counted = {f"{what}s": formatter.format_count(what, own[f"{what}s"]) for what in ("tile", "bribe", "card")}
    return format_phrase(
        formatter,
        "totals",
        who=name_subject(formatter, seat),
        money=formatter.format_count("pound", own["money"]),
        **counted,
    )


# Estates


def narrate_estate(formatter: NoblemenFormatter, seat: int) -> Iterator[str]:
    """Narrate the rows from the top down, each from left to right; then buildings and areas."""
    is_own = seat == formatter.context.seat
    yield (
        format_phrase(formatter, "own estate")
        if is_own
        else format_phrase(formatter, "estate", name=formatter.context.name_player(seat))
    )
    land = formatter.read_land(seat)
    yield from narrate_rows(formatter, land)
    if land.buildings:
        yield format_phrase(formatter, "buildings", buildings="; ".join(list_buildings(formatter, land)))
    if land.areas:
        yield format_phrase(formatter, "areas", areas="; ".join(list_areas(formatter, land)))


def narrate_rows(formatter: NoblemenFormatter, land: Land) -> Iterator[str]:
    for y in sorted({y for _, y in land.tiles}, reverse=True):
        across = (describe_tile(formatter, land, x, y) for x in sorted(x for x, row in land.tiles if row == y))
        yield format_phrase(formatter, "row", y=y, tiles="; ".join(across))


def describe_tile(formatter: NoblemenFormatter, land: Land, x: int, y: int) -> str:
    laid = land.tiles[x, y]
    name = formatter.names.name_piece(laid.kind)
    if laid.corner is None:
        return format_phrase(formatter, "tile at", x=x, tile=name)
    return format_phrase(formatter, "tile corner", x=x, tile=name, corner=formatter.language.CORNERS[laid.corner])


def list_buildings(formatter: NoblemenFormatter, land: Land) -> Iterator[str]:
    for (x, y), building in sorted(land.buildings.items()):
        key = "building enclosed" if land.is_enclosed((x, y)) else "building at"
        yield format_phrase(
            formatter, key, building=formatter.render_building(building.kind, building.folly).plain, x=x, y=y
        )


def list_areas(formatter: NoblemenFormatter, land: Land) -> Iterator[str]:
    return (describe_area(formatter, land, x, y) for x, y in sorted(land.areas))


def describe_area(formatter: NoblemenFormatter, land: Land, x: int, y: int) -> str:
    """Describe an area, and the owner of the knight on it."""
    name, knight = formatter.names.name_piece(land.areas[x, y]), land.knights.get((x, y))
    if knight is None:
        return format_phrase(formatter, "area at", area=name, x=x, y=y)
    return format_phrase(formatter, "area knight", area=name, x=x, y=y, name=formatter.context.names[knight])


# The end


def narrate_final_scores(formatter: NoblemenFormatter) -> Iterator[str]:
    """Narrate the score sheet and the ranking."""
    names, table = formatter.names, formatter.board
    yield f"{names.label('score sheet')}:"
    for seat, own in enumerate(table["noblemen"]):
        lines = ", ".join(f"{names.label(rule)} {own['lines'][rule]}" for rule in RULES if own["lines"].get(rule))
        yield format_phrase(formatter, "sheet", who=name_subject(formatter, seat), lines=lines or "0", total=own["vp"])
    yield f"{names.label('ranking')}:"
    for row in sorted(table["final"], key=lambda row: (row["rank"], row["seat"])):
        parts = {"rank": row["rank"], "score": row["score"], "money": formatter.format_count("pound", row["money"])}
        yield format_phrase(
            formatter,
            "rank",
            who=name_subject(formatter, row["seat"]),
            left=list_leftovers(formatter, row["seat"]),
            **parts,
        )


def list_leftovers(formatter: NoblemenFormatter, seat: int) -> str:
    screen = formatter.board["revealed"]["screens"][seat]
    cards = (f"{formatter.names.name_piece(card)} {count}" for card, count in Counter(screen["cards"]).items())
    return ", ".join(
        [list_tiles(formatter, screen["tiles"]), formatter.format_count("bribe", screen["bribes"]), *cards]
    )


# Behind the screen


def narrate_hand(formatter: NoblemenFormatter) -> Iterator[str]:
    held = formatter.context.hand
    if not held:
        return
    yield f"{format_phrase(formatter, 'screen')}: {hand_text.render_purse(formatter).plain}."
    yield f"{format_phrase(formatter, 'tiles')}: {list_tiles(formatter, held['tiles'])}."
    yield from (
        f"{format_phrase(formatter, 'cards')}: {formatter.render_card(card, full=True).plain}" for card in held["cards"]
    )
    yield from (
        f"{format_phrase(formatter, 'offered')}: {formatter.render_card(card, full=True).plain}"
        for card in held["card_offer"]
    )
    if formatter.draft:
        yield f"{format_phrase(formatter, 'draft')}: {'; '.join(narrate_draft(formatter))}."
    if kinds := [kind for kind, is_there in held["bag_has"].items() if is_there]:
        yield format_phrase(formatter, "bag has", tiles=", ".join(map(formatter.names.name_piece, kinds)))


def narrate_draft(formatter: NoblemenFormatter) -> Iterator[str]:
    """Narrate the viewer's draft, with its places."""
    yield hand_text.render_draft(formatter, formatter.draft).plain
    if formatter.draft["draft"] == "expansion":
        for kind, x, y, _ in formatter.draft["tiles"]:
            yield format_phrase(formatter, "drafted", tile=formatter.names.name_piece(kind), x=x, y=y)
    if cell := formatter.draft.get("cell"):
        yield format_phrase(formatter, "at", x=cell[0], y=cell[1])


# Options


def format_option(formatter: NoblemenFormatter, name: str, value: Any, chosen: Plain) -> str:
    """Return a value of a field in words; empty if the game has no words for it."""
    match name, value:
        case "cell", [x, y]:
            return format_phrase(formatter, "at", x=x, y=y)
        case "corner", str():
            return format_phrase(formatter, "with corner", corner=formatter.language.CORNERS[value])
        case "vertex", [x, y] if "player" in chosen:
            return describe_area(formatter, formatter.read_land(chosen["player"]), x, y)
        case "player", int():
            return formatter.context.names[value]
        case "folly", str():
            return formatter.render_building("folly", value).plain
    return ""
