"""Presentations: found by the name of their game, ours in the same way as anybody's."""

from importlib.metadata import entry_points

import pytest

from palatine_client.render.look import Look
from palatine_client.render.presentation import GROUP, find_presentation
from palatine_client.render.text.base import GameText

GAMES = sorted(entry_points(group=GROUP).names)


@pytest.mark.parametrize("game", GAMES)
def test_a_presentation_is_found_by_the_name_of_its_game(game: str) -> None:
    presentation = find_presentation(game)
    assert presentation is not None
    assert presentation.game == game
    assert isinstance(presentation.load_text(), GameText)
    assert isinstance(presentation.load_look(), Look)


def test_a_game_without_a_presentation_has_none() -> None:
    assert find_presentation("nobody_wrote_this") is None
