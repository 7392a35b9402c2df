"""Pictures can be read: marks of players have contrast, no text is outside of the picture or too small."""

import json
from functools import cache
from typing import Any

import pytest
from clients.view_fixtures import catalog
from drawing.backgrounds import Written, list_texts
from drawing.contrast import contrast
from drawing.facts import Moment, at_end, play_until
from drawing.generate import DRAWN, find_file
from games.lower_bounds import find_least

from palatine_client.render.look import Scheme
from palatine_client.render.presentation import find_presentation
from palatine_client.render.svg.view import PictureView
from palatine_server.games.registry import GAMES

READABLE = 4.5
SMALLEST = 3.4  # units of a picture that is 820 or 1600 wide; only rooms of very wide castles are so small
LONG_NAMES = [
    "W" * 60,
    "你好" * 30,
    "🏰" * 40,
    "אבגד " * 12,
    "Ada",
    "Ein sehr langer Name mit vielen Wörtern darin",
    "i" * 60,
]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
PICTURED = [game for game in GAMES if (found := find_presentation(game)) and found.draw]
every_picture = pytest.mark.parametrize("game", PICTURED)
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


@cache
def read_views(game: str) -> list[dict[str, Any]]:
    """Return every third view of the vectors: public ones and those of seats, from the first hand to the end."""
    if game not in DRAWN:
        end = play_until(GAMES[game], GAMES[game].players[-1], at_end)
        return [Moment("", end, viewer).view() for viewer in (None, 0)]
    return [vector["view"] for vector in json.loads(find_file(game).read_text(encoding="utf-8"))][::3]


def read_picture(game: str, view: dict[str, Any], **how: Any) -> tuple[str, list[Written]]:
    presentation = find_presentation(game)
    assert presentation
    assert presentation.draw
    svg = presentation.draw(PictureView(game=game, catalog=catalog(game), **{**view, **how}))
    return svg, list(list_texts(svg))


@every_picture
@every_scheme
def test_the_mark_of_every_player_has_contrast(game: str, scheme: Scheme) -> None:
    presentation = find_presentation(game)
    assert presentation
    marks = {name: mark.colour for name, mark in presentation.load_look().players.items()}
    assert len(marks) >= (GAMES[game].players[-1] if marks else find_least(GAMES[game], "marks of players") or 0)
    assert {name for name, each in marks.items() if contrast(each.ink(scheme), each.fill(scheme)) < READABLE} == set()


@every_picture
@pytest.mark.parametrize("layout", ["wide", "tall"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_text_leaves_the_picture(game: str, layout: str, lang: str) -> None:
    for view in read_views(game):
        names = LONG_NAMES[: len(view["names"])]
        svg, texts = read_picture(game, view, layout=layout, lang=lang, names=names)
        width = float(svg.partition('width="')[2].partition('"')[0])
        outside = {text.text for text in texts if text.left < 0 or text.right > width}
        assert outside == set()
        assert {text.text for text in texts if text.size < SMALLEST} == set()
