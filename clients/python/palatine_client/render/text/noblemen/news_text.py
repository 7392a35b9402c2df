"""What happened in Noblemen, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...games.noblemen.names import ROMAN
from ...terminal.noblemen.badges import player_name
from ..phrase_format import Part, choose_verb_forms
from ..render_context import Plain
from .formatter import Speech


def news(speech: Speech, news: Plain) -> Text | None:
    """A sentence about what happened."""
    key = key_of(speech, news)
    return speech.spoken(key, **dict(parts(speech, news))) if speech.knows(key) else None


# Some sentences depend on a detail, on how much it was, or on whether the viewer himself did it.
def key_of(speech: Speech, news: Plain) -> str:
    key = str(news["news"])
    if key == "round_marker_moved":
        return f"{key} {news['type']}"
    is_viewer = "seat" in news and news["seat"] == speech.scene.seat
    if is_viewer and speech.knows(f"{key} yours"):
        return f"{key} yours"
    return f"{key} nothing" if speech.knows(f"{key} nothing") and not is_something(news) else key


def is_something(news: Plain) -> bool:
    """Whether anything was filled in, handed over, seen or added."""
    amounts = [news.get(name, 0) for name in ("pounds", "count")]
    return any(amounts) or any(news.get("drawn", [])) or any(news.get("kinds", [])) or any(added(news))


def added(news: Plain) -> list[int]:
    return list(news.get("added", {}).values())


def parts(speech: Speech, news: Plain) -> Iterator[tuple[str, Part]]:
    """The values of a piece of news as they are spoken of."""
    yield from ((name, str(value)) for name, value in news.items() if name != "news")
    yield from people(speech, news)
    yield from pieces(speech, news)
    yield from numbers(speech, news)
    yield from details(speech, news)


def people(speech: Speech, news: Plain) -> Iterator[tuple[str, Part]]:
    doer = news.get("seat", news.get("giver"))
    is_viewer = doer is not None and doer == speech.scene.seat
    yield from choose_verb_forms(speech.language, is_viewer=is_viewer).items()
    if "seat" in news:
        yield from (("who", speech.who(news["seat"])), ("whom", speech.whom(news["seat"])))
    if "giver" in news:
        yield from (("giver", speech.who(news["giver"])), ("receiver", speech.whom(news["receiver"])))
    if "player" in news:
        yield "estate", speech.estate(news["player"])
    if "first" in news:
        yield "first", player_name(news["first"], speech.names)


def pieces(speech: Speech, news: Plain) -> Iterator[tuple[str, Part]]:
    if "area" in news:
        yield "area", speech.area(news["area"])
    if "card" in news:
        yield "card", Text.assemble(speech.card(news["card"]), f" ({speech.effect(news['card']).rstrip('.')})")
    if "title" in news:
        yield "title", Text(speech.names.title(news["title"]), "bold")
    if news["news"] == "building_built":
        yield "building", speech.building(news["kind"], news.get("folly"))
    if "kinds" in news:
        yield "tiles", speech.tiles(news["kinds"])
    if news["news"] == "estate_expanded":
        yield "tiles", speech.tiles(kind for kind, *_ in news["tiles"])


def numbers(speech: Speech, news: Plain) -> Iterator[tuple[str, Part]]:
    if "count" in news:
        yield from ((f"{what}s", speech.counted(what, news["count"])) for what in ("tile", "card", "bribe"))
    if "pounds" in news:
        yield "pounds", speech.counted("pound", news["pounds"])
    if news["news"] == "points_scored":
        yield from (("points", speech.counted("point", news["points"])), ("reason", reason(speech, news["rule"])))
    for name in ("drawn", "scores", "points"):
        if isinstance(news.get(name), list):
            yield "each", speech.each(news[name])


def details(speech: Speech, news: Plain) -> Iterator[tuple[str, Part]]:
    if news["news"] == "prestige_counted":
        yield "from", origins(speech, news)
    if "decade" in news:
        yield "decade", ROMAN[news["decade"] - 1]
    if "added" in news:
        yield "added", refilled(speech, news["added"])


def reason(speech: Speech, rule: str) -> str:
    """What points are for."""
    return str(speech.language.REASONS.get(rule, f"({rule})"))


def origins(speech: Speech, news: Plain) -> Text:
    """Where prestige comes from."""
    counts = {"estate": news["base"], **{name: news[name] for name in ("bribes", "blackmails", "other_cards")}}
    shown = {name: count for name, count in counts.items() if count or name == "estate"}
    return Text(", ").join(speech.spoken(f"from {name}", count=str(count)) for name, count in shown.items())


def refilled(speech: Speech, added: dict[str, int]) -> Text:
    return Text(", ").join(Text.assemble(f"{count} ", speech.building(kind)) for kind, count in added.items() if count)
