"""Which names a new game can have, and what follows from them."""

import pytest

from palatine_server.scaffold.names import BadName, name_game, suggest_name


def test_everything_is_named_after_the_game() -> None:
    assert name_game("harbour_lights", title_de="Hafenlichter").placeholders == {
        "name": "harbour_lights",
        "title": "Harbour Lights",
        "title_de": "Hafenlichter",
        "constant": "HARBOUR_LIGHTS",
        "distribution": "harbour-lights",
        "text_class": "HarbourLightsText",
        "prefix": "HL",
    }


@pytest.mark.parametrize(("name", "prefix"), [("gloom", "GL"), ("two_4_tea", "TW"), ("a_b_c", "ABC")])
def test_rule_ids_begin_with_letters(name: str, prefix: str) -> None:
    assert name_game(name).placeholders["prefix"] == prefix


@pytest.mark.parametrize(
    "name",
    [
        *("", "x", "Upper", "harbour-lights", "../evil", "a/b", "/tmp/x", "a b", "1st", "_x", "x_", "a__b", "a.b"),
        *("ab\n", "größe", "x" * 41, "a\0b", "~root", "ａｂ"),
    ],
)
def test_a_name_is_an_identifier_and_no_path(name: str) -> None:
    with pytest.raises(BadName, match="no identifier"):
        name_game(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "python uses it"),
        ("match", "python uses it"),
        ("json", "python uses it"),
        ("tests", "python uses it"),
        ("castles", "game exists"),
        ("msgspec", "module exists"),
        ("palatine_server", "module exists"),
    ],
)
def test_a_name_that_means_something_else_is_refused(name: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        name_game(name, taken={"castles"})


@pytest.mark.parametrize("title", ['A "b"', "a\\", "a\nb", "$x", "x" * 41, "<b>", "#", "[link](x)", " a"])
def test_a_title_cannot_end_the_string_that_holds_it(title: str) -> None:
    with pytest.raises(BadName, match="bad title"):
        name_game("harbour_lights", title)
    with pytest.raises(BadName, match="bad title"):
        name_game("harbour_lights", "Lights", title)


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Harbour-Lights", "harbour_lights"),
        ("../evil", "evil"),
        ("7", "my_package"),
        ("Class", "my_package"),
        ("Schlößchen am Übergrab", "schloesschen_am_uebergrab"),
        ("Café Zoë", "cafe_zoe"),
        ("日本", "my_package"),
    ],
)
def test_a_better_name_is_suggested(name: str, better: str) -> None:
    assert suggest_name(name) == better
    name_game(better)
