"""11. The queen."""

from random import Random

from games.noblemen.situations import (
    GAME,
    act,
    begun,
    build,
    estate,
    expand,
    hand_of,
    money,
    news,
    points,
    table,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.catalog import TRACK
from palatine_server.games.noblemen.news import QueenTaken

LOCK = TRACK.index("lock")
NEARLY_A_GARDEN = ". W↘ .\nC W↗ W↖"
GARDEN = ". W↘ W↙\nC W↗ W↖"
KNIGHT = [do.PlaceKnight(1, (2, 1))]


def ways(**more):
    """A table for each way to take the queen, with the steps that take it."""
    yield table(estates={0: NEARLY_A_GARDEN}, tiles={0: "W"}, **more), expand("W↙ 2 1")
    brilliant = [do.Play("brilliant_move"), *expand("W↙ 2 1", of="brilliant_move")]
    yield table(estates={0: NEARLY_A_GARDEN}, tiles={0: "W"}, cards={0: "brilliant_move"}, **more), brilliant
    yield table(money={0: 20}, **more), build("palace", 0, 0)
    yield table(estates={0: "C M M", 1: GARDEN}, money={0: 20}, **more), build("castle", 2, 0, *KNIGHT)
    yield table(cards={0: "whitehall"}, **more), [do.Play("whitehall")]


@rule("NM-QUEEN-1")
def test_queen_is_always_with_one_player_and_public():
    game, rng = begun(3), Random(1)
    while not game.is_over:
        assert game.board.queen in range(3)
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))


@rule("NM-QUEEN-2")
def test_queen_comes_by_a_garden_a_palace_a_knight_or_whitehall():
    for game, steps in ways(queen=1):
        assert act(game, 0, steps).board.queen == 0
        assert news(game, QueenTaken) == [QueenTaken(0)]


@rule("NM-QUEEN-3")
def test_queen_taking_her_while_holding_her_changes_nothing_and_is_legal():
    for game, steps in ways(queen=0):
        assert act(game, 0, steps).board.queen == 0
        assert news(game, QueenTaken) == []


@rule("NM-QUEEN-4")
def test_queen_only_the_active_player_ever_gains_her():
    for number in range(3):
        game, rng = begun(4, number), Random(number)
        while not game.is_over:
            seat = rng.choice(game.waiting_for())
            holder, active = game.board.queen, game.board.active
            game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))
            assert game.board.queen in (holder, active)


@rule("NM-QUEEN-5")
def test_queen_under_the_lock_nobody_takes_her_and_all_other_effects_stay():
    for game, steps in ways(queen=1, round=LOCK):
        assert act(game, 0, steps).board.queen == 1
        assert news(game, QueenTaken) == []
    game = act(table(money={0: 20}, round=LOCK), 0, build("palace", 0, 0))
    assert (money(game, 0), estate(game, 0).sites_of("palace")) == (13, [(0, 0)])
    game = act(table(cards={0: "whitehall"}, round=LOCK), 0, [do.Play("whitehall")])
    assert (game.hands[0].cards, game.board.card_played) == ([], True)
    garden = table(estates={0: NEARLY_A_GARDEN}, tiles={0: "W G"}, round=LOCK, bag="M M")
    act(garden, 0, expand("W↙ 2 1", "G↗ 3 0"))
    assert (hand_of(garden, 0), points(garden)[0]) == ({"meadow": 1}, 0)
