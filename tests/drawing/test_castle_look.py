"""The look of Between Two Castles: what its file must have, and colours that can be told apart and read."""

import pytest
from clients.view_fixtures import catalog
from drawing.contrast import contrast

from palatine_client.render.games.between_two_castles import load_own_look
from palatine_client.render.look import Scheme
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES

CATALOG = catalog(BETWEEN_TWO_CASTLES.name)
LOOK = load_own_look()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ink_of_every_swatch_is_readable(scheme: Scheme) -> None:
    pale = {name for name, each in LOOK.colours.items() if contrast(each.ink(scheme), each.fill(scheme)) < 4.5}
    assert pale == set()


def test_every_type_has_a_colour_and_a_glyph() -> None:
    assert {*CATALOG["type"], "special"} <= LOOK.colours.keys() & LOOK.glyphs.keys()


def test_every_target_decoration_and_special_room_has_a_glyph() -> None:
    targets = {room["target"] for room in CATALOG["room"]}
    specials = {special["id"] for special in CATALOG["special"]}
    assert {*targets, *CATALOG["decoration"], *specials, "any"} <= LOOK.glyphs.keys()


def test_no_two_things_share_a_glyph_on_the_board() -> None:
    shown = [*CATALOG["type"], *CATALOG["decoration"], *(special["id"] for special in CATALOG["special"]), "throne"]
    assert len({LOOK.glyphs[name] for name in shown}) == len(shown)


def test_every_player_has_a_mark_of_their_own() -> None:
    seats = [str(seat) for seat in range(BETWEEN_TWO_CASTLES.players[-1])]
    marks = [LOOK.players[seat] for seat in [*seats, "ludwig"]]
    assert len({mark.glyph for mark in marks}) == len(marks)
    assert len({mark.colour for mark in marks}) == len(marks)
