"""Pictures of every game that has them: they keep secrets, take any name, and are drawn in time."""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from random import Random
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from clients.view_fixtures import catalog
from drawing.backgrounds import list_texts
from drawing.contrast import contrast
from drawing.facts import Moment, at_end, play_until
from drawing.generate import DRAWN
from games.lower_bounds import find_least
from reference_time import time_best

from palatine_client.render.presentation import find_presentation
from palatine_client.render.svg.view import PictureView
from palatine_server.checks.laws import list_policies
from palatine_server.checks.random_games import list_options, random_moves, seed_of
from palatine_server.games.kit import Recorder
from palatine_server.games.registry import GAMES

PICTURED = [game for game in GAMES if (found := find_presentation(game)) and found.draw]
READABLE = 4.5
LONGEST, TILES = 0.005, 80  # seconds for a board with so many tiles, beside the reference
WAYS = [{"layout": "wide", "scheme": "light", "lang": "en"}, {"layout": "tall", "scheme": "dark", "lang": "de"}]
NAMES = [
    '"><script>alert(1)</script>',
    "</text></svg><svg onload=alert(1)>&amp;",
    "Wolfeschlegelsteinhausenbergerdorff von und zu Altenburg der Ältere",
    "\u202eשלום\u2066 evil",
    "🏰👩‍👩‍👧 你好",
    "",
    "x\0y\x1b[2J\ufffe",
]
every_picture = pytest.mark.parametrize("game", PICTURED)


def draw(game: str, moment: Moment, **how: Any) -> str:
    presentation = find_presentation(game)
    assert presentation
    assert presentation.draw
    return presentation.draw(PictureView(game=game, catalog=catalog(game), **{**moment.view(), **how}))


# Law 3: secrets can be swapped


@pytest.mark.parametrize(("game", "options"), [(game, each) for game in PICTURED for each in list_options(GAMES[game])])
def test_pictures_are_the_same_in_worlds_that_differ_in_secrets(game: str, options: dict[str, Any]) -> None:
    secrets, compared, differed = GAMES[game].secrets, 0, 0
    assert secrets
    for recorder in list_positions(game, options, most=100 if options else 400):
        for viewer in range(len(recorder.zones.hands)):
            here = recorder.zones.document()
            there = secrets.swap(copy(here), viewer, Random(viewer))
            worlds = [Recorder(GAMES[game].resume(copy(world))) for world in (here, there)]
            differed += worlds[0].zones != worlds[1].zones
            for looking in (viewer, None):
                for how in WAYS:
                    one, other = (draw(game, Moment("", world, looking), **how) for world in worlds)
                    assert one == other
                    compared += 1
    assert compared
    assert differed


def list_positions(game: str, options: dict[str, Any] | None = None, most: int = 400) -> Iterator[Recorder]:
    """Yield a game at some positions, the first one so early that even a short game has it."""
    players = GAMES[game].players[-1]
    recorder, rng = Recorder(GAMES[game].begin(players, seed_of(5), options)), Random(5)
    for number, (seat, action) in enumerate(random_moves(recorder, rng, list_policies(recorder.game))):
        if number == 5 or number % 60 == 30:
            yield recorder
        recorder.act(seat, action)
        if number > most:
            return


def play_some(game: str) -> Recorder:
    """Return a game in its middle."""
    *_, last = list_positions(game)
    return last


def copy(value: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


# Names


@every_picture
@pytest.mark.parametrize("how", WAYS, ids=["wide", "tall"])
def test_any_name_is_text_and_nothing_else(game: str, how: dict[str, Any]) -> None:
    players = GAMES[game].players[-1]
    moment = Moment("", play_until(GAMES[game], players, at_end), None)
    root = ElementTree.fromstring(draw(game, moment, **how, names=NAMES[:players]))
    tags = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert tags <= {"svg", "title", "g", "rect", "circle", "path", "text", "linearGradient", "stop", "defs", "line"}
    shown = "".join(root.itertext())
    assert not set(shown) & set("\0\x1b\u202e\u2066\ufffe")


@every_picture
def test_players_without_names_have_numbers(game: str) -> None:
    moment = Moment("", play_until(GAMES[game], GAMES[game].players[0], at_end), None)
    assert "1" in draw(game, moment, names=[])


# Time


@every_picture
def test_a_picture_is_drawn_in_time(game: str) -> None:
    moment = Moment("", play_until(GAMES[game], GAMES[game].players[-1], at_end), None)
    view = PictureView(game=game, catalog=catalog(game), **moment.view())
    facts = import_module(f"drawing.{game}").list_facts(moment) if game in DRAWN else []
    pieces = sum(1 for fact in facts if fact.piece)
    presentation = find_presentation(game)
    assert presentation
    assert presentation.draw
    assert time_best(partial(presentation.draw, view), tries=30) <= LONGEST * max(1, pieces / TILES)


# Contrast


@every_picture
@pytest.mark.parametrize("layout", ["wide", "tall"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(game: str, scheme: str, layout: str) -> None:
    checked = 0
    end = play_until(GAMES[game], GAMES[game].players[-1], at_end)
    for recorder in (play_some(game), end):
        for viewer in (None, 0):
            for written in list_texts(draw(game, Moment("", recorder, viewer), scheme=scheme, layout=layout)):
                for background in written.backgrounds:
                    assert contrast(written.fill, background) >= READABLE, (written, background)
                    checked += 1
    assert checked > (find_least(GAMES[game], "texts with contrast") or 0)
