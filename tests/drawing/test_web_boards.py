"""The boards of the web client show every fact of the drawing vectors, in the colours and glyphs of the look."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from drawing.facts import Moment
from drawing.test_pictures import copy, list_positions
from drawing.test_svg import LAYOUTS, has_figure, read_vectors, squeeze
from drawing.web_boards import (
    BOARDS,
    DRAWN,
    Drawing,
    FactReader,
    Shown,
    describe_game,
    draw_boards,
    list_focuses,
    list_glyphs,
    list_variables,
)

from palatine_server.checks.random_games import list_options
from palatine_server.games.kit import Recorder
from palatine_server.games.registry import GAMES

WAYS = (("en", "wide"), ("de", "tall"))
every_board = pytest.mark.parametrize("game", DRAWN)


@every_board
def test_a_board_shows_every_fact_and_nothing_else(game: str) -> None:
    cases = [(vector, lang, layout) for vector in read_vectors(game) for lang, layout in WAYS]
    drawings = [
        [Drawing(game, vector["view"], lang, layout, focus) for focus in list_focuses(game, vector["view"], layout)]
        for vector, lang, layout in cases
    ]
    pages = iter(draw_boards([each for group in drawings for each in group]))
    problems = []
    for (vector, lang, layout), group in zip(cases, drawings, strict=True):
        shown = collect_facts([next(pages) for _ in group])
        problems += [f"{vector['name']}, {lang}, {layout}: {each}" for each in find_problems(vector, lang, shown)]
    assert problems == []


def collect_facts(pages: list[str]) -> dict[str, Shown]:
    """Return the facts of the pages that show one moment part by part."""
    shown: dict[str, Shown] = defaultdict(Shown)
    for page in pages:
        for name, fact in FactReader(page).facts.items():
            shown[name].texts += fact.texts
            shown[name].count = max(shown[name].count, fact.count)
    return shown


def find_problems(vector: dict[str, Any], lang: str, shown: dict[str, Shown]) -> list[str]:
    wanted = {fact["id"]: fact for fact in vector["facts"]}
    problems = [f"{name} is not a fact" for name in shown if name not in wanted]
    for name, fact in wanted.items():
        text = " ".join(shown[name].texts) if name in shown else ""
        if name not in shown:
            problems.append(f"{name} is missing")
        elif shown[name].count > 1:
            problems.append(f"{name} is shown {shown[name].count} times at once")
        elif squeeze(fact["label"].get(lang, "")) not in squeeze(text):
            problems.append(f"{name} lacks {fact['label'][lang]!r}: {text!r}")
        problems += [f"{name} lacks {each!r}: {text!r}" for each in fact["figures"] if not has_figure(text, each)]
    return problems


# The look


@every_board
def test_a_board_uses_only_colours_and_glyphs_of_the_look(game: str) -> None:
    look = describe_game(game)["look"]
    colours = {f"--c-{name}" for name in look["colours"]} | {f"--p-{name}" for name in look["players"]}
    known = colours | {f"{name}-ink" for name in colours}
    glyphs = set(look["glyphs"]) | {f"mark-{name}" for name in look["players"]}
    views = [vector["view"] for vector in read_vectors(game)]
    drawings = [Drawing(game, view, layout=LAYOUTS[at % 2]) for at, view in enumerate(views)]
    for page in draw_boards(drawings):
        assert list_variables(page) <= known
        assert list_glyphs(page) <= glyphs
    style = (BOARDS / game / "board.css").read_text(encoding="utf-8")
    assert list_variables(style) <= known


def test_tiles_of_rooms_have_the_sizes_of_the_look() -> None:
    sizes = describe_game("between_two_castles")["look"]["sizes"]
    (page,) = draw_boards([Drawing("between_two_castles", read_vectors("between_two_castles")[-1]["view"])])
    assert f'viewBox="0 0 {sizes["tile_width"]:g} {sizes["tile_height"]:g}"' in page


# Law 3: secrets can be swapped


@every_board
def test_a_board_is_the_same_in_worlds_that_differ_in_secrets(game: str) -> None:
    secrets, differed = GAMES[game].secrets, 0
    drawings: list[Drawing] = []
    assert secrets
    for recorder in list_positions_with_options(game):
        for viewer in range(len(recorder.zones.hands)):
            here = recorder.zones.document()
            there = secrets.swap(copy(here), viewer, Random(viewer))
            worlds = [Recorder(GAMES[game].resume(copy(world))) for world in (here, there)]
            differed += worlds[0].zones != worlds[1].zones
            layout = LAYOUTS[viewer % 2]
            drawings += [Drawing(game, copy(Moment("", world, viewer).view()), "de", layout) for world in worlds]
    pages = draw_boards(drawings)
    assert differed
    assert pages[::2] == pages[1::2]


def list_positions_with_options(game: str) -> Iterator[Recorder]:
    """Yield positions of a usual game, and of one with each option."""
    for options in list_options(GAMES[game]):
        yield from list_positions(game, options, most=100 if options else 400)
