"""News of Noblemen in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...games.noblemen.names import ROMAN
from ...terminal.noblemen.badges import render_player_name
from ..phrase_format import Part, choose_verb_forms
from ..render_context import Plain
from .formatter import NoblemenFormatter


def render_news(formatter: NoblemenFormatter, news: Plain) -> Text | None:
    """Render a piece of news as a sentence."""
    key = find_key(formatter, news)
    return formatter.render_phrase(key, **dict(collect_parts(formatter, news))) if formatter.has_phrase(key) else None


# Some sentences depend on a detail, on an amount, or on whether the viewer is the actor.
def find_key(formatter: NoblemenFormatter, news: Plain) -> str:
    key = str(news["news"])
    if key == "round_marker_moved":
        return f"{key} {news['type']}"
    is_viewer = "seat" in news and news["seat"] == formatter.context.seat
    if is_viewer and formatter.has_phrase(f"{key} yours"):
        return f"{key} yours"
    return f"{key} nothing" if formatter.has_phrase(f"{key} nothing") and not has_content(news) else key


def has_content(news: Plain) -> bool:
    """Return whether the news names any money, count, drawn card, tile or refilled building."""
    amounts = [news.get(name, 0) for name in ("pounds", "count")]
    return any(amounts) or any(news.get("drawn", [])) or any(news.get("kinds", [])) or any(list_added(news))


def list_added(news: Plain) -> list[int]:
    return list(news.get("added", {}).values())


def collect_parts(formatter: NoblemenFormatter, news: Plain) -> Iterator[tuple[str, Part]]:
    """Collect the parts of a sentence about a piece of news."""
    yield from ((name, str(value)) for name, value in news.items() if name != "news")
    yield from collect_people(formatter, news)
    yield from collect_pieces(formatter, news)
    yield from collect_numbers(formatter, news)
    yield from collect_details(formatter, news)


def collect_people(formatter: NoblemenFormatter, news: Plain) -> Iterator[tuple[str, Part]]:
    doer = news.get("seat", news.get("giver"))
    is_viewer = doer is not None and doer == formatter.context.seat
    yield from choose_verb_forms(formatter.language, is_viewer=is_viewer).items()
    if "seat" in news:
        yield from (("who", formatter.render_subject(news["seat"])), ("whom", formatter.render_recipient(news["seat"])))
    if "giver" in news:
        yield from (
            ("giver", formatter.render_subject(news["giver"])),
            ("receiver", formatter.render_recipient(news["receiver"])),
        )
    if "player" in news:
        yield "estate", formatter.render_estate(news["player"])
    if "first" in news:
        yield "first", render_player_name(news["first"], formatter.names)


def collect_pieces(formatter: NoblemenFormatter, news: Plain) -> Iterator[tuple[str, Part]]:
    if "area" in news:
        yield "area", formatter.render_area(news["area"])
    if "card" in news:
        yield (
            "card",
            Text.assemble(
                formatter.render_card(news["card"]), f" ({formatter.describe_card(news['card']).rstrip('.')})"
            ),
        )
    if "title" in news:
        yield "title", Text(formatter.names.name_title(news["title"]), "bold")
    if news["news"] == "building_built":
        yield "building", formatter.render_building(news["kind"], news.get("folly"))
    if "kinds" in news:
        yield "tiles", formatter.render_tiles(news["kinds"])
    if news["news"] == "estate_expanded":
        yield "tiles", formatter.render_tiles(kind for kind, *_ in news["tiles"])


def collect_numbers(formatter: NoblemenFormatter, news: Plain) -> Iterator[tuple[str, Part]]:
    if "count" in news:
        yield from ((f"{what}s", formatter.format_count(what, news["count"])) for what in ("tile", "card", "bribe"))
    if "pounds" in news:
        yield "pounds", formatter.format_count("pound", news["pounds"])
    if news["news"] == "points_scored":
        yield from (
            ("points", formatter.format_count("point", news["points"])),
            ("reason", find_reason(formatter, news["rule"])),
        )
    for name in ("drawn", "scores", "points"):
        if isinstance(news.get(name), list):
            yield "each", formatter.render_each(news[name])


def collect_details(formatter: NoblemenFormatter, news: Plain) -> Iterator[tuple[str, Part]]:
    if news["news"] == "prestige_counted":
        yield "from", render_origins(formatter, news)
    if "decade" in news:
        yield "decade", ROMAN[news["decade"] - 1]
    if "added" in news:
        yield "added", render_refill(formatter, news["added"])


def find_reason(formatter: NoblemenFormatter, rule: str) -> str:
    """Return the reason for points, by the rule that gives them."""
    return str(formatter.language.REASONS.get(rule, f"({rule})"))


def render_origins(formatter: NoblemenFormatter, news: Plain) -> Text:
    """Render the sources of a player's prestige."""
    counts = {"estate": news["base"], **{name: news[name] for name in ("bribes", "blackmails", "other_cards")}}
    shown = {name: count for name, count in counts.items() if count or name == "estate"}
    return Text(", ").join(formatter.render_phrase(f"from {name}", count=str(count)) for name, count in shown.items())


def render_refill(formatter: NoblemenFormatter, added: dict[str, int]) -> Text:
    return Text(", ").join(
        Text.assemble(f"{count} ", formatter.render_building(kind)) for kind, count in added.items() if count
    )
