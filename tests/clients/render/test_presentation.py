"""Presentations: found by the name of their game, ours in the same way as anybody's."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any

import msgspec
import pytest
from clients.view_fixtures import played, view
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from palatine_client.render import presentation
from palatine_client.render.look import Look, Swatch
from palatine_client.render.presentation import GROUP, Presentation, find_presentation
from palatine_client.render.published_look import find_look, load_generic_look
from palatine_client.render.terminal import render_board
from palatine_client.render.text import load_game_text
from palatine_client.render.text.base import GameText
from palatine_client.render.text.render_context import RenderContext
from palatine_client.screen_console import ScreenConsole
from palatine_server.games.registry import GAMES
from palatine_server.web.text_renderer import create_describer

Plain = dict[str, Any]


@pytest.mark.parametrize("game", sorted(entry_points(group=GROUP).names))
def test_a_presentation_is_found_by_the_name_of_its_game(game: str) -> None:
    found = find_presentation(game)
    assert found is not None
    assert found.game == game
    assert isinstance(found.load_text(), GameText)
    assert isinstance(found.load_look(), Look)
    assert {lang: found.load_translation(lang).__name__ for lang in found.translations} == found.translations


def test_a_game_without_a_presentation_has_none() -> None:
    assert find_presentation("nobody_wrote_this") is None


# Presentations that fail


class BrokenText(GameText):
    """The text rendering of somebody who made mistakes."""

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        return Text(news["no_such_field"])

    def name_field(self, field: str, context: RenderContext) -> str:
        return None  # type: ignore[return-value]

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        yield ["so far so good"]
        raise KeyError("field coins")

    def render_all_boards(self, context: RenderContext) -> RenderableType:
        return BrokenDrawing()

    def render_columns(self, after: Plain, before: Plain, context: RenderContext) -> list[RenderableType]:
        return [Text("own words"), BrokenDrawing()]


class BrokenDrawing:
    """A drawing that fails when it is printed."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield "half of a"
        raise ZeroDivisionError


BROKEN = Presentation(game="foxes", load_text=BrokenText, render_board=lambda *_: BrokenDrawing())
NO_TEXT = Presentation(game="foxes", load_text=lambda: {}["no such text"])
NO_GAME_TEXT = Presentation(game="foxes", load_text=lambda: "words")  # type: ignore[arg-type, return-value]
EXITS = Presentation(game="foxes", load_text=GameText, load_look=sys.exit)
NO_LOOK = Presentation(game="foxes", load_text=GameText, load_look=lambda: 5)  # type: ignore[arg-type, return-value]
NO_NUMBER = Presentation(game="foxes", load_text=GameText, load_look=lambda: Look(sizes={"tile": float("nan")}))
NO_COLOUR = Presentation(
    game="foxes", load_text=GameText, load_look=lambda: Look(colours={"sky": Swatch("url(//evil.example)", "#000000")})
)
TOO_MUCH = Presentation(game="foxes", load_text=GameText, load_look=lambda: Look(glyphs={"fox": "M0 0" * 10_000}))
NOT_ONE = "a presentation"
UNUSABLE = ("NO_SUCH", "NOT_ONE", "NO_TEXT", "NO_GAME_TEXT")
SCENE = RenderContext("foxes", {}, "en", ["Ida", "Otto"], 0, {"coins": 3})


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a function that installs a presentation of the game `foxes`, as a package would."""

    def install_one(value: str) -> None:
        found = EntryPoints([EntryPoint("foxes", value, GROUP)])
        monkeypatch.setattr(presentation, "entry_points", lambda **_: found)

    find_presentation.cache_clear()
    presentation._failed.clear()
    yield install_one
    find_presentation.cache_clear()
    presentation._failed.clear()


@pytest.mark.broken_presentation
@pytest.mark.parametrize("value", ["no_such_module:X", *(f"{__name__}:{name}" for name in UNUSABLE)])
def test_a_presentation_that_cannot_be_loaded_is_logged_once(
    value: str, install: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    install(value)
    assert type(load_game_text("foxes")) is GameText
    assert type(load_game_text("foxes")) is GameText
    assert "Coins" in printed(render_board("foxes", {"coins": 3}, {}))
    assert [record.getMessage() for record in caplog.records] == [
        "the presentation of foxes fails, so the generic one is shown instead"
    ]


@pytest.mark.broken_presentation
def test_a_presentation_that_fails_is_replaced_where_it_fails(
    install: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    install(f"{__name__}:BROKEN")
    words = load_game_text("foxes")
    assert words.render_news({"news": "fox_put", "seat": 1}, SCENE).plain == "Fox put: seat Otto"
    assert words.name_field("coins", SCENE) == "coins"
    assert next(words.narrate_board(SCENE)) == ["Coins: 3."]
    assert "Coins" in printed(words.render_all_boards(SCENE))
    assert "Coins" in printed(render_board("foxes", {"coins": 3}, {}))
    columns = words.render_columns({"do": "put_fox"}, {}, SCENE)
    assert str(columns[0]) == "own words"
    assert "half" not in printed(columns[1])
    assert len(caplog.records) == 1


def printed(what: RenderableType) -> str:
    console = ScreenConsole(file=io.StringIO(), width=80, record=True)
    console.print(what)
    return console.export_text()


@pytest.mark.broken_presentation
@pytest.mark.parametrize("look", ["EXITS", "NO_LOOK", "NO_NUMBER", "NO_COLOUR", "TOO_MUCH"])
def test_a_look_that_is_not_possible_is_replaced(
    look: str, install: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    install(f"{__name__}:{look}")
    assert find_look("foxes") == load_generic_look()
    assert len(caplog.records) == 1


@pytest.mark.broken_presentation
def test_the_server_describes_a_game_whose_presentation_fails(
    install: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    install(f"{__name__}:BROKEN")
    game = GAMES["palais_royal"]
    shown = view(next(played(game, 2, 1))[0], 0)
    foxes = replace(game, name="foxes")
    snapshot = msgspec.json.encode(
        msgspec.structs.replace(shown, info=msgspec.structs.replace(shown.info, game="foxes"))
    )
    told = create_describer({"foxes": foxes})(snapshot, [{"news": "turn_began", "seat": 1}], "en")
    assert "Next to move: Otto." in told
    assert "so far so good" not in told
    assert "Servants in the rooms" in told
