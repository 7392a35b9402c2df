"""Every renderer shows every fact: the vectors of protocol/vectors/drawing against pictures and the terminal."""

import io
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from clients.view_fixtures import catalog
from drawing.generate import DRAWN, build_vectors, find_file, format_vectors
from rich.console import Console

from palatine_client.render.hyphenation import wrap_name
from palatine_client.render.presentation import find_presentation
from palatine_client.render.svg.view import PictureView
from palatine_client.render.text import describe_view
from palatine_protocol.messages import Info, Seated, Snapshot, Waiting
from palatine_server.games.registry import GAMES

Vector = dict[str, Any]
LANGUAGES = ("en", "de")
LAYOUTS = ("wide", "tall")
SEPARATORS = re.compile(r"[\s\u00ad\u2010\u2011-]+")
every_game = pytest.mark.parametrize("game", DRAWN)
every_language = pytest.mark.parametrize("lang", LANGUAGES)


@cache
def read_vectors(game: str) -> list[Vector]:
    vectors: list[Vector] = json.loads(find_file(game).read_text(encoding="utf-8"))
    return vectors


def list_cases(games: Iterable[str]) -> list[Any]:
    return [
        pytest.param(game, vector, id=f"{game}: {vector['name']}") for game in games for vector in read_vectors(game)
    ]


PICTURED = [game for game in GAMES if (found := find_presentation(game)) and found.draw]
every_moment = pytest.mark.parametrize(("game", "vector"), list_cases(DRAWN))
every_picture = pytest.mark.parametrize(("game", "vector"), list_cases(game for game in DRAWN if game in PICTURED))


@every_game
def test_the_vectors_are_those_of_the_rules(game: str) -> None:
    written = find_file(game).read_text(encoding="utf-8")
    assert format_vectors(build_vectors(game)).splitlines() == written.splitlines(), "stale: run `make vectors`"


def test_every_game_with_a_picture_has_vectors() -> None:
    missing = {*PICTURED} - {*DRAWN}
    assert not missing, f"write the facts of {missing} in tests/drawing/<game>.py, and run `make vectors`"


@every_game
def test_facts_have_ids_of_their_own(game: str) -> None:
    for vector in read_vectors(game):
        ids = [fact["id"] for fact in vector["facts"]]
        assert len(ids) == len(set(ids))


# Pictures


@every_picture
@every_language
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_shows_every_fact_once(game: str, vector: Vector, lang: str, layout: str) -> None:
    svg = draw(game, vector, lang=lang, layout=layout)
    shown = read_facts(svg)
    # On a phone the name of a small piece may be its title, which is no text of the picture; figures must be texts.
    named = shown if layout == "wide" else read_facts(svg, ("text", "title"))
    assert sorted(shown) == sorted(fact["id"] for fact in vector["facts"])
    for fact in vector["facts"]:
        texts = shown[fact["id"]]
        assert len(texts) == 1, f"{fact['id']} is shown {len(texts)} times"
        assert squeeze(fact["label"].get(lang, "")) in squeeze(named[fact["id"]][0]), (
            f"{fact} has the text {texts[0]!r}"
        )
        for figure in fact["figures"]:
            assert has_figure(texts[0], figure), f"{fact} has the text {texts[0]!r}"


@every_picture
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_shows_as_many_shapes_as_there_are(game: str, vector: Vector, layout: str) -> None:
    root = ElementTree.fromstring(draw(game, vector, layout=layout))
    groups = {node.get("data-fact"): node for node in root.iter() if node.get("data-fact")}
    for fact in vector["facts"]:
        if shapes := fact.get("shapes"):
            assert count_shapes(groups[fact["id"]]) == shapes, fact


def count_shapes(node: ElementTree.Element) -> dict[str, int]:
    return dict(Counter(each.get("data-shape", "") for each in node.iter() if each.get("data-shape")))


@every_picture
def test_a_picture_is_the_same_each_time(game: str, vector: Vector) -> None:
    assert draw(game, vector) == draw(game, json.loads(json.dumps(vector)))


def draw(game: str, vector: Vector, **how: Any) -> str:
    presentation = find_presentation(game)
    assert presentation
    assert presentation.draw
    return presentation.draw(PictureView(game=game, catalog=catalog(game), **vector["view"], **how))


def read_facts(svg: str, tags: Collection[str] = ("text",)) -> dict[str, list[str]]:
    """Return the texts of each fact; the text of facts inside of it is theirs alone."""
    facts: dict[str, list[str]] = {}
    for node in ElementTree.fromstring(svg).iter():
        if name := node.get("data-fact"):
            facts.setdefault(name, []).append(" ".join(own_texts(node, tags)))
    return facts


def own_texts(node: ElementTree.Element, tags: Collection[str]) -> Iterator[str]:
    if node.tag.rpartition("}")[2] in tags:
        yield "".join(node.itertext())
    for child in node:
        if not child.get("data-fact"):
            yield from own_texts(child, tags)


def squeeze(text: str) -> str:
    """Return text without spaces and hyphens, because renderers wrap it."""
    return SEPARATORS.sub("", text)


def has_figure(text: str, figure: str) -> bool:
    """Return whether a figure stands in a text, not as a part of another one."""
    return bool(re.search(rf"(?<!\w){re.escape(figure)}(?!\w)", text))


# The terminal: the board in boxes, and everything in words

BOX = 14  # characters of a line inside a box


# What is asked in a joint decision is a menu there.
@every_moment
@every_language
def test_the_terminal_shows_every_label(game: str, vector: Vector, lang: str) -> None:
    text = render_terminal(game, vector, lang) + describe(game, vector, lang)
    labels = [fact["label"][lang] for fact in vector["facts"] if fact["label"] and "/decision" not in fact["id"]]
    assert labels
    missing = {label for label in labels if not all(line in text for line in wrap_name(label, BOX))}
    assert {label for label in missing if squeeze(label) not in squeeze(text)} == set()


def render_terminal(game: str, vector: Vector, lang: str) -> str:
    presentation, view = find_presentation(game), vector["view"]
    assert presentation
    assert presentation.render_board
    console = Console(file=io.StringIO(), width=400, color_system=None)
    console.print(presentation.render_board(view["board"], catalog(game), lang, view["names"]))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def describe(game: str, vector: Vector, lang: str) -> str:
    return describe_view(game, catalog(game), build_snapshot(game, vector["view"]), lang)


def build_snapshot(game: str, view: Vector) -> Snapshot:
    """Build what a client would get."""
    seats = [Seated(name=name) for name in view["names"]]
    info = Info(game=game, status="playing", visibility="public", host=view["names"][0], seats=seats, options={})
    return Snapshot(
        table="table",
        version=1,
        seat=view["seat"],
        view=view["seat"],
        info=info,
        board=view["board"],
        hand=view["hand"],
        offer=None,
        waiting=[Waiting(seat=seat, since=0) for seat in view["waiting"]],
        can_undo=False,
        digest=0,
        info_digest=0,
    )
