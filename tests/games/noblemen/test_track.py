"""13. Round track."""

from importlib.resources import files
from random import Random

import pytest
from games.noblemen.situations import (
    GAME,
    IDLE_AND_END,
    act,
    begun,
    build,
    carried_on,
    moves,
    news,
    points,
    table,
)
from rules import rule

from palatine_server.games.noblemen import catalog
from palatine_server.games.noblemen.catalog import TRACK, CatalogError
from palatine_server.games.noblemen.news import (
    BallBegan,
    BuildingsScored,
    DecadeBegan,
    RoundMarkerMoved,
    TurnBegan,
    TurnEnded,
)

TEXT = files("palatine_server.games.noblemen").joinpath("catalog.toml").read_text(encoding="utf-8")
SIZES = pytest.mark.parametrize("players", [3, 4, 5])


def played(players, number, policy="random"):
    game, rng = begun(players, number), Random(number)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies[policy](game, seat, rng.randrange))
    return game


@rule("NM-ROUND-1")
def test_track_is_a_ring_and_the_marker_goes_round_three_times():
    game = begun(3)
    for _ in moves(game):
        pass
    fields = [told.field for told in news(game, RoundMarkerMoved)]
    assert fields == [*range(1, 12), 0, *range(1, 12), 0, *range(1, 12)]


@rule("NM-ROUND-2")
def test_track_the_marker_moves_only_for_the_queen_after_a_ball_and_into_a_new_decade():
    game = played(4, 2)
    told = [type(told) for told in news(game, RoundMarkerMoved, BallBegan, DecadeBegan)]
    queens = sum(nobleman.lines.get("NM-END-2", 0) for nobleman in game.board.noblemen)
    assert told.count(RoundMarkerMoved) == queens + told.count(BallBegan) + told.count(DecadeBegan)


@rule("NM-ROUND-3")
@pytest.mark.parametrize("mask", [place for place, field in enumerate(TRACK) if field == "ball"])
def test_track_a_mask_is_a_ball_at_once(mask):
    game = act(table(queen=0, round=mask - 1), 0, IDLE_AND_END)
    assert (game.board.round, game.board.phase, game.waiting_for()) == (mask, "ball", [0])
    assert TRACK.count("ball") == 2


@rule("NM-ROUND-4")
def test_track_the_lock_holds_the_queen_as_long_as_the_marker_stands_there():
    lock = TRACK.index("lock")
    for round_, queen in ((lock - 2, 0), (lock, 3)):
        game = act(table(queen=3, round=round_, money={0: 9}), 0, build("palace", 0, 0))
        assert game.board.queen == queen


@rule("NM-ROUND-5")
def test_track_the_last_field_is_the_building_scoring_and_the_decade_ends():
    game = act(table(queen=0, round=10), 0, IDLE_AND_END)
    assert news(game, BuildingsScored)
    carried_on(game, lambda game: game.board.phase == "turn")
    assert (game.board.decade, game.board.round) == (2, 0)


@rule("NM-ROUND-6")
def test_track_the_start_field_has_no_effect():
    game = act(table(queen=0, round=10), 0, IDLE_AND_END)
    carried_on(game, lambda game: game.board.phase == "turn")
    assert (game.board.round, points(game)) == (0, [2, 0, 0, 0])
    assert news(game, BallBegan) == []


@rule("NM-ROUND-7")
def test_track_layout():
    plain = "plain"
    assert ("start", plain, plain, plain, "ball", plain, plain, plain, plain, "ball", "lock", "scoring") == TRACK


@rule("NM-ROUND-7")
@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('"start",  ', '"plain",  ', "round_track: first field is plain, expected start"),
        ('"scoring"', '"plain"', "round_track: last field is plain, expected scoring"),
        ('"ball",  ', '"plain",  ', "round_track: number of balls is 1, expected 2. Have exactly two balls"),
        ('"plain",  ', '"ball",  ', "round_track: number of balls is 3, expected 2"),
        ('"plain",  ', '"lock",  ', "round_track: number of locks is 2, expected 1"),
        ('"plain",  ', '"scoring",  ', "round_track: start and scoring fields is 3, expected 2"),
    ],
)
def test_track_a_wrong_one_is_refused(right, wrong, complaint):
    head, track = TEXT.split("fields = [")
    with pytest.raises(CatalogError) as error:
        catalog.read(f"{head}fields = [{track.replace(right, wrong, 1)}")
    assert complaint in str(error.value)


@rule("NM-ROUND-7")
@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ("start plain ball ball lock scoring", "field after the first ball is ball, expected plain"),
        ("start ball plain ball plain lock scoring", "field after the second ball is plain, expected lock"),
        ("start ball lock ball plain scoring", "field after the first ball is lock, expected plain"),
    ],
)
def test_track_no_chain_reaction_after_a_ball(fields, complaint):
    head, track = TEXT.split("fields = [")
    rows = ", ".join(f'{{ type = "{field}", source = "reconstructed" }}' for field in fields.split())
    with pytest.raises(CatalogError) as error:
        catalog.read(f"{head}fields = [{rows}]{track.split(']', 1)[1]}")
    assert complaint in str(error.value)


@rule("NM-ROUND-8")
@SIZES
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_track_nine_queen_steps_per_decade_six_balls_and_a_bounded_number_of_turns(players, policy):
    for number in range(2):
        game = played(players, number, policy)
        assert sum(nobleman.lines.get("NM-END-2", 0) for nobleman in game.board.noblemen) == 27
        assert len(news(game, BallBegan)) == 6
        assert 3 * (8 + players) <= len(news(game, TurnBegan)) <= 27 * players


@rule("NM-ROUND-8")
@SIZES
def test_track_everybody_has_exactly_one_turn_on_the_lock(players):
    game, round_ = played(players, 5), 0
    turns = {}
    for told in news(game, RoundMarkerMoved, TurnEnded):
        if isinstance(told, RoundMarkerMoved):
            round_ = told.field
        elif TRACK[round_] == "lock":
            turns[told.seat] = turns.get(told.seat, 0) + 1
    assert turns == dict.fromkeys(range(players), 3)
