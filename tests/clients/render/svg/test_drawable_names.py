"""Names in pictures of pixels: what our fonts have is kept, and nobody is a row of empty boxes."""

import pytest

from palatine_client.render.svg.drawable_names import list_drawable_names, use_drawable_names
from palatine_client.render.svg.view import PictureView


@pytest.mark.parametrize("name", ["Zoë Ångström", "Łukasz", "Bjørn-Åke", "Дмитрий", "Ωμέγα", "O'Neil", "Groß 2", "..."])
def test_names_that_the_fonts_have_stay(name: str) -> None:
    assert list_drawable_names([name], "en") == [name]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("🏰 Anna 👩‍👩‍👧", "Anna"),
        ("王 Wang", "Wang"),
        ("Ada\u2066\ufffe", "Ada"),
        ("🏰🏰", "Seat 1"),
        ("🏰.", "Seat 1"),
    ],
)
def test_other_characters_are_left_out_and_a_name_without_letters_is_its_seat(name: str, shown: str) -> None:
    assert list_drawable_names([name], "en") == [shown]


def test_the_seat_is_named_in_the_language_of_the_picture() -> None:
    view = PictureView(game="x", board={}, names=["Ada", "你好"], lang="de")
    assert use_drawable_names(view).names == ["Ada", "Platz 2"]
