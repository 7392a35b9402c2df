"""The generic picture: every game has one, in both languages, light and dark, wide and tall, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from clients.foxes import FOXES_GAME
from drawing.contrast import contrast
from drawing.facts import NAMES, Moment, at_end, play_until
from games.kit.example_game import QUAY

from palatine_client.render.description.outline import MapCell
from palatine_client.render.look import Scheme
from palatine_client.render.pictures import draw_generic_picture, draw_picture_or_generic
from palatine_client.render.presentation import Presentation, find_presentation
from palatine_client.render.raster.markup_check import LARGEST_SVG
from palatine_client.render.raster.pixels import read_size
from palatine_client.render.svg import generic
from palatine_client.render.svg.generic.cell_maps import TINTS, draw_cell, find_tint
from palatine_client.render.svg.generic.page import TALLEST, Page
from palatine_client.render.svg.generic.players import SEATS
from palatine_client.render.svg.paper import PAPERS
from palatine_client.render.svg.view import PictureView
from palatine_server.checks.random_games import list_options, random_moves, seed_of
from palatine_server.games.kit import Game, Recorder, plain
from palatine_server.games.registry import GAMES

every_game = pytest.mark.parametrize("game", [*GAMES.values(), QUAY, FOXES_GAME], ids=[*GAMES, "quay", "foxes"])
WAYS = [
    {"layout": layout, "scheme": scheme, "lang": lang}
    for layout, scheme, lang in (("wide", "light", "en"), ("tall", "dark", "de"))
]


def list_moments(game: Game, viewer: int | None, options: dict[str, Any] | None = None) -> Iterator[Moment]:
    """The beginning, some moments, and the end."""
    recorder = Recorder(game.begin(game.players[-1], seed_of(1), options))
    yield Moment("start", recorder, viewer)
    rng = Random(1)
    for number, (seat, action) in enumerate(random_moves(recorder, rng)):
        recorder.act(seat, action)
        if number in (12, 60):
            yield Moment(str(number), recorder, viewer)
    yield Moment("end", recorder, viewer)


def view(game: Game, moment: Moment, **how: Any) -> PictureView:
    known = {"catalog": game.catalog, "description": game.description, "title": game.title["en"]}
    return PictureView(game=game.name, **{**known, **moment.view(), **how})


def list_texts(svg: str) -> str:
    """All texts of a picture, as one."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


@every_game
@pytest.mark.parametrize("how", WAYS, ids=["wide", "tall"])
@pytest.mark.parametrize("viewer", [None, 0])
def test_every_moment_is_drawn_with_names_and_without_ids(game: Game, how: dict[str, Any], viewer: int | None) -> None:
    for moment in list_moments(game, viewer):
        svg = draw_generic_picture(view(game, moment, **how))
        shown = list_texts(svg)
        assert game.title["en"] in shown
        assert all(name in shown for name in moment.names)
        assert not re.search(r"\b[a-z]+_[a-z]+\b|[{}\[\]]|\bNone\b|\bTrue\b", shown)
        assert read_size(svg)[1] <= TALLEST[how["layout"]] + 200


@every_game
def test_a_seat_sees_its_hand_and_everybody_else_does_not(game: Game) -> None:
    moment = next(list_moments(game, 0))
    mine = draw_generic_picture(view(game, moment))
    public = draw_generic_picture(view(game, Moment("", moment.recorder, None)))
    assert "Hand" in list_texts(mine)
    assert mine != public


def test_catalog_names_cells_and_figures_are_shown() -> None:
    castles = GAMES["between_two_castles"]
    recorder = play_until(castles, 3, lambda table: sum(len(c.rooms) for c in table.play.document.board.castles) > 9)
    shown = list_texts(draw_generic_picture(view(castles, Moment("", recorder, None))))
    rooms = {room["id"]: room for room in castles.catalog["room"]}
    for castle in plain(recorder.zones.board)["castles"]:
        for room, x, y in castle["rooms"]:
            if room in rooms:
                assert rooms[room]["name_en"].split()[0] in shown
            assert f"column {x}" in shown
            assert f"floor {y}" in shown


@pytest.mark.parametrize(("game", "options"), [(game, each) for game in GAMES for each in list_options(GAMES[game])])
def test_worlds_that_differ_in_secrets_have_the_same_picture(game: str, options: dict[str, Any]) -> None:
    secrets = GAMES[game].secrets
    assert secrets
    for moment in list_moments(GAMES[game], 0, options):
        here = plain(moment.recorder.zones.document())
        there = secrets.swap(plain(here), 0, Random(1))
        for viewer in (None, 0):
            one, other = (
                draw_generic_picture(
                    view(GAMES[game], Moment("", Recorder(GAMES[game].resume(plain(world))), viewer), waiting=[])
                )
                for world in (here, there)
            )
            assert one == other


def test_a_game_without_a_description_is_drawn_as_plain_data() -> None:
    moment = next(list_moments(QUAY, 0))
    svg = draw_generic_picture(view(QUAY, moment, description={}, catalog={}))
    assert "Quays" in list_texts(svg)


HUGE = {
    "names": {"board": {f"field_{at}": "x" * 300 for at in range(5000)}},
    "list": {"board": {"items": list(range(100_000))}},
    "records": {"board": {"items": [{"a": at, "b": "y" * 50} for at in range(5000)]}},
    "depth": {"board": {"a": [[[[[[[[["deep"]] * 50]]]]]]]}},
    "numbers": {"board": {"a": 10**400, "b": float("inf"), "c": -(10**30)}},
    "players": {"names": ["n" * 500] * 500, "board": {"a": 1}},
    "wrong types": {"board": [1, 2, 3], "waiting": [99, -4], "names": ["", "", ""]},
    "nothing": {"board": {}},
    "markup": {"board": {"<script>": "</text><script>alert(1)</script>"}, "names": ['"><image href="/etc/passwd"/>']},
}


@pytest.mark.parametrize("given", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize("how", WAYS, ids=["wide", "tall"])
def test_whatever_a_document_holds_the_picture_is_bounded(given: dict[str, Any], how: dict[str, Any]) -> None:
    svg = draw_generic_picture(PictureView(game="a_game", **{**how, **given}))
    assert len(svg) < LARGEST_SVG / 2
    assert read_size(svg)[1] <= TALLEST[how["layout"]] + 200


def test_a_large_map_of_cells_becomes_a_list() -> None:
    castles = GAMES["between_two_castles"]
    recorder = play_until(castles, 2, at_end)
    board = plain(recorder.zones.board)
    board["castles"][0]["rooms"] = [["study", at, at % 3] for at in range(400)]
    svg = draw_generic_picture(view(castles, Moment("", recorder, None), board=board))
    assert read_size(svg)[1] <= TALLEST["wide"] + 200


@pytest.mark.broken_presentation
def test_a_presentation_that_fails_is_replaced_by_the_generic_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(view: PictureView) -> str:
        raise ZeroDivisionError

    for draw in (fail, lambda view: "<svg><script/></svg>"):
        broken = Presentation(game="quay", load_text=lambda: None, draw=draw)  # type: ignore[arg-type,return-value]
        monkeypatch.setattr("palatine_client.render.pictures.find_presentation", lambda game, broken=broken: broken)
        shown = view(QUAY, next(list_moments(QUAY, None)))
        assert draw_picture_or_generic(shown) == generic.draw(shown)
    assert find_presentation("quay") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_cell_has_the_colour_and_the_mark_of_its_owner_in_every_language(scheme: Scheme) -> None:
    page = Page(PAPERS[scheme], scheme, "wide")
    (swatch, mark), (other, _) = SEATS[2], SEATS[0]
    for words in ("owner Ada, 3 guns", "Besitzer Ada, 3 Kanonen"):
        drawn = draw_cell(MapCell((0, 0), "a1", (words,), seats=(2,)), 0, 0, 84, 68, page)
        assert swatch.fill(scheme) in drawn
        assert mark in drawn
        assert other.fill(scheme) not in drawn
        assert list_texts(drawn) == words.replace(",", "")  # a line for each part
    nobody = draw_cell(MapCell((0, 0), "a1", ("0 guns",)), 0, 0, 84, 68, page)
    assert not any(tint.fill(scheme) in nobody for tint in TINTS)
    fox = draw_cell(MapCell((0, 0), "a1", ("Red fox",), "red_fox"), 0, 0, 84, 68, page)
    assert find_tint("red_fox").fill(scheme) in fox


def test_text_is_readable_on_all_colours() -> None:
    for scheme, paper in PAPERS.items():
        for tint in TINTS:
            assert contrast(paper.ink, tint.fill(scheme)) >= 4.5
        for swatch, _ in SEATS:
            assert contrast(swatch.ink(scheme), swatch.fill(scheme)) >= 4.5
    assert len({mark for _, mark in SEATS}) == len(SEATS) == len(NAMES)
