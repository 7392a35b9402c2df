"""Resampling: a game says which pieces may lie where, and the kit sees to it that nothing else has an influence."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from games.kit.example_game import BOATS, LANTERNS, QUAY, Box, Hand, Lay, Quay

from palatine_server.checks.random_games import LawBroken
from palatine_server.checks.resampled_worlds import resampled_games_agree
from palatine_server.games.kit import GameError, Play, Redeal, Seat, resample


def redraw(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    """Deal the lantern that each other seat has laid, and the boats that have not come."""
    boats = deal.pool(BOATS[: game.board.sea])
    hands = [game.hands[seat] if other == seat else Hand(list(LANTERNS)) for other in game.seats]
    return hands, Box(boats.take_all())


SEEN = replace(QUAY, redraw=redraw)


def begun(game: Any = SEEN) -> Play[Any, Any, Any]:
    play: Play[Any, Any, Any] = game.begin(3, "5e" * 32)
    return play


def test_the_seat_sees_the_same_and_the_rest_is_drawn_from_the_random_numbers() -> None:
    play = begun()
    play.act(1, Lay(3))
    drawn, again, other = (resample(play, 1, Random(lots).randrange) for lots in (1, 1, 2))
    assert drawn.board == play.board
    assert drawn.hands[1] == play.hands[1]
    assert SEEN.pack(drawn) == SEEN.pack(again)
    assert drawn.document.chance.seed != other.document.chance.seed != play.document.chance.seed
    assert sorted(drawn.box.sea) == BOATS[:3]


def test_the_drawn_game_is_a_copy() -> None:
    play = begun()
    drawn = resample(play, 0, Random(1).randrange)
    drawn.hands[0].lanterns.clear()
    drawn.board.quays[0] = 9
    drawn.document.agenda.clear()
    assert play.hands[0].lanterns == LANTERNS
    assert play.board.quays[0] == 0
    assert play.document.agenda


def test_other_hands_the_box_and_the_chance_cannot_be_read() -> None:
    def curious(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
        assert game.hands[1 - seat] is None
        assert game.box is None
        assert game.chance is None
        return redraw(game, seat, deal)

    assert resample(begun(replace(QUAY, redraw=curious)), 0, Random(1).randrange)


@pytest.mark.parametrize(
    ("pieces", "taken", "sentence"),
    [
        (4, 5, "takes 5 pieces of 4"),
        (4, 3, "leaves 1 pieces over"),
        (4, -1, "takes -1 pieces of 4"),
    ],
)
def test_pieces_that_do_not_add_up_are_reported(pieces: int, taken: int, sentence: str) -> None:
    def careless(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
        return redraw(game, seat, deal)[0], Box(deal.pool(range(pieces)).take(taken))

    with pytest.raises(GameError, match=sentence):
        resample(begun(replace(QUAY, redraw=careless)), 0, Random(1).randrange)


def test_only_pieces_that_fit_are_taken() -> None:
    pool = Redeal(Random(1).randrange).pool(range(10))
    assert sorted(pool.take_fitting(5, lambda piece: piece % 2 == 0)) == [0, 2, 4, 6, 8]
    with pytest.raises(GameError, match="takes 1 pieces that fit, and there are 0"):
        pool.take_fitting(1, lambda piece: piece % 2 == 0)
    assert sorted(pool.take_all()) == [1, 3, 5, 7, 9]


def test_a_game_without_the_hook_says_so() -> None:
    with pytest.raises(GameError, match="'quay' has no redraw"):
        resample(begun(QUAY), 0, Random(1).randrange)
    assert resampled_games_agree(QUAY, 3, 0) == 0


def test_a_hook_that_takes_other_arguments_is_refused_when_the_game_is_made() -> None:
    with pytest.raises(GameError, match="redraw cannot be called with 3 arguments"):
        replace(QUAY, redraw=lambda game: ([], None))  # type: ignore[arg-type]


# What `palatine check` finds


def changed_board(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    game.board.quays[seat] += 1
    return redraw(game, seat, deal)


def changed_hand(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    game.hands[seat].thought += 1
    return redraw(game, seat, deal)


def lost_boat(game: Quay, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    return redraw(game, seat, deal)[0], Box([1] * (game.board.sea + 1))


@pytest.mark.parametrize(("hook", "sentence"), [(changed_board, "another board"), (changed_hand, "another hand")])
def test_a_changed_view_is_found(hook: Any, sentence: str) -> None:
    with pytest.raises(LawBroken, match=sentence):
        resampled_games_agree(replace(QUAY, redraw=hook), 3, 1)


def test_a_lost_piece_is_found_by_the_check_of_the_game() -> None:
    with pytest.raises(AssertionError) as raised:
        resampled_games_agree(replace(QUAY, redraw=lost_boat), 3, 1)
    assert raised.traceback[-1].name == "check"
