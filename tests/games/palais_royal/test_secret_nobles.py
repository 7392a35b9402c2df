"""14. Information: face-down nobles that a table keeps secret, as printed."""

from dataclasses import replace
from random import Random

import msgspec
import pytest
from games.palais_royal.situations import GAME, do, first_turn, refusal, turn, written
from msgspec import UNSET
from rules import rule

from palatine_protocol.offers import listed
from palatine_server.checks import laws, secret_worlds
from palatine_server.games.kit import Recorder, explain_topic, plain, questions, view_entry
from palatine_server.games.palais_royal import secret_swap
from palatine_server.games.palais_royal.actions import EndTurn, Recruit
from palatine_server.games.palais_royal.catalog import NOBLES
from palatine_server.games.palais_royal.nobles import secret_nobles
from palatine_server.games.palais_royal.scoring import standings

PARK = """
    o o o o o o
    o o o o o o
    o o X Y Z o
    o o o o o o
    o o o o o o
    o o o o o o
"""
NAMED = {"X": "N01", "Y": "N02", "Z": "N03"}  # points only, a lasting benefit, servants at once


def recruiting(**options):
    return turn(". rrr .  . . rrrrr  . rrrrr .", PARK, named=NAMED, gold=[30, 0], phase="a4", **options)


def recruited(**options):
    game = recruiting(**options)
    do(game, Recruit("C3"), Recruit("D3"), Recruit("E3"))
    return game


def words_in(value):
    if isinstance(value, dict | list):
        return {word for item in (value.values() if isinstance(value, dict) else value) for word in words_in(item)}
    return {value}


# Where they lie


@rule("PR-INFO-3", "PR-NOBLE-2", "PR-NOBLE-3", "PR-NOBLE-4")
def test_face_down_nobles_lie_in_the_hand_and_the_board_only_counts_them():
    game = recruited(secret_nobles=True)
    player = game.board.players[0]
    assert (player.face_up, player.face_down, player.hidden_nobles) == (["N02"], [], 2)
    assert game.hands[0].nobles == ["N01", "N03"]
    assert not {"N01", "N03"} & words_in(plain(game.board))
    assert "nobles" not in plain(game.hands[1])
    GAME.check(game)


@rule("PR-INFO-3")
def test_by_default_they_lie_open_and_tables_look_as_before_there_was_the_option():
    game = recruited()
    assert game.board.players[0].face_down == ["N01", "N03"]
    document = plain(game.document)
    assert "secret_nobles" not in document["board"]["options"]
    assert all("hidden_nobles" not in player for player in document["board"]["players"])
    assert all(hand.keys() == {"cards", "pending"} for hand in document["hands"])
    assert GAME.pack(GAME.resume(document)) == GAME.pack(game)
    said = recruited(secret_nobles=False)
    assert said.board.players[0].face_down == ["N01", "N03"]


@rule("PR-INFO-3")
def test_everybody_sees_who_leaves_the_park_but_only_then():
    recorder = written(recruiting(secret_nobles=True))
    entry = recorder.act(0, Recruit("C3"))
    for viewer in (0, 1, None):
        assert [plain(news)["noble"] for news in view_entry(entry, viewer).news] == ["N01"]
    assert "N01" not in words_in(recorder.zones.board)  # so no snapshot repeats it
    assert "N01" not in words_in(plain(view_entry(entry, 1).hand))
    assert "N01" not in words_in(plain(view_entry(entry, 1).board))


@rule("PR-INFO-3")
def test_a_recruitment_into_the_hand_cannot_be_undone_alone():
    recorder = written(recruiting(secret_nobles=True))
    recorder.act(0, Recruit("C3"))
    assert not recorder.may_undo(0)
    recorder = written(recruiting(secret_nobles=True))
    recorder.act(0, Recruit("D3"))  # a lasting benefit lies open
    assert recorder.may_undo(0)


@rule("PR-INFO-3", "PR-SCORE-1")
def test_the_step_that_lays_them_open_can_neither_be_previewed_nor_undone():
    game = recruited(secret_nobles=True)
    game.board.final_round = "park"
    do(game, EndTurn())
    recorder = written(game)
    recorder.act(1, EndTurn())
    assert recorder.play.is_over
    assert recorder.play.looked_at - {1}  # so a preview of it is refused
    assert not recorder.may_undo(1)


# Points


@rule("PR-INFO-3", "PR-SCORE-1")
def test_running_totals_count_secret_nobles_for_their_owner_only():
    game = recruited(secret_nobles=True)
    own, other, spectator = (explain_topic(game, viewer, {"do": "score", "seat": 0}) for viewer in (0, 1, None))
    points = {noble: NOBLES[noble].points for noble in ("N01", "N02", "N03")}
    assert (own.what, own.amount) == ("score_now", sum(points.values()))
    assert (other.what, other.amount) == ("score_seen", points["N02"])
    assert other == spectator
    nobles = next(line for line in other.because if line.what == "nobles")
    assert [(line.what, line.amount, line.figures) for line in nobles.because] == [
        ("noble", 3, {"noble": "N02"}),
        ("hidden_nobles", None, {"count": 2}),
    ]
    assert "    Face-down nobles: 2. Their points are secret until the end. [PR-INFO-3]" in GAME.words.account(
        other, "en"
    )
    assert any("Verdeckte Adlige: 2." in line for line in GAME.words.account(other, "de"))
    assert not any("Verdeckte" in line for line in GAME.words.account(own, "de"))


@rule("PR-INFO-3", "PR-SCORE-1")
def test_at_the_end_they_are_laid_open_and_all_count():
    game = recruited(secret_nobles=True, max_rounds=1)
    game.board.final_round = "max_rounds"
    while not game.is_over:
        do(game, EndTurn())
    player = game.board.players[0]
    assert (player.face_down, player.hidden_nobles, game.hands[0].nobles) == (["N01", "N03"], UNSET, UNSET)
    points = sum(NOBLES[noble].points for noble in ("N01", "N02", "N03"))
    assert game.board.sheets[0]["nobles"] == points
    assert standings(game)[0].score == game.board.final[0].score == game.board.sheets[0]["total"]
    assert explain_topic(game, None, {"do": "score", "seat": 0}).what == "score"
    GAME.check(game)


@rule("PR-INFO-3")
@pytest.mark.parametrize("secret_nobles", [True, False])
def test_the_option_changes_nothing_but_what_is_seen(secret_nobles):
    games = [bots_play(3, number, secret_nobles=secret_nobles) for number in range(3)]
    open_games = [bots_play(3, number, secret_nobles=False) for number in range(3)]
    assert [plain(game.board.final) for game in games] == [plain(game.board.final) for game in open_games]
    assert [game.board.sheets for game in games] == [game.board.sheets for game in open_games]


def bots_play(players, number, stop=10_000, **options):
    game = first_turn(players, number, **options)
    for _ in range(stop):
        if game.is_over:
            break
        seat = game.waiting_for()[0]
        game.act(seat, GAME.policies["greedy"](game, seat, lambda n: 0))
    return game


# The laws


def with_secret_nobles(players, options, chance):
    return GAME.setup(players, msgspec.structs.replace(options, secret_nobles=True), chance)


SECRET = replace(GAME, setup=with_secret_nobles)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize(
    "law",
    [laws.told_is_seen, laws.rebuilt_is_same, laws.pieces_are_conserved, laws.undo_returns_exactly],
    ids=lambda law: law.__name__,
)
def test_laws_hold_with_secret_nobles(law, players):
    law(SECRET, players, 3)


@pytest.mark.parametrize("players", GAME.players)
def test_secrets_can_be_swapped_with_secret_nobles(players):
    assert sum(secret_worlds.secrets_can_be_swapped(SECRET, players, number) for number in range(8)) > 20


@rule("PR-INFO-3")
@pytest.mark.parametrize("players", GAME.players)
def test_nobody_else_learns_which_nobles_lie_face_down(players):
    """Two worlds in which others hold other nobles look the same, whatever is asked, offered or refused."""
    game = bots_play(players, 5, stop=60 * players, secret_nobles=True)
    assert sum(len(nobles) for nobles in held(game)) > players
    for viewer in range(players):
        twin = GAME.resume(secret_swap.swapped(plain(game.document), viewer, Random(viewer)))
        assert held(twin) != held(game)
        GAME.check(twin)
        for looking in (viewer, None):
            assert asked_everything(game, looking) == asked_everything(twin, looking)
        assert game.offer(viewer) == twin.offer(viewer)
        assert refusal(game, Recruit("Z9"), viewer) == refusal(twin, Recruit("Z9"), viewer)
        assert Recorder(game).digests()[viewer] == Recorder(twin).digests()[viewer]


def held(game):
    return [secret_nobles(hand) for hand in game.document.hands]


def asked_everything(game, viewer):
    return [plain(explain_topic(game, viewer, question)) for question in listed(questions(game, viewer))]


def test_bots_do_not_look_at_nobles_in_other_hands():
    game = bots_play(3, 5, stop=180, secret_nobles=True)
    seat = game.waiting_for()[0]
    twin = GAME.resume(secret_swap.swapped(plain(game.document), seat, Random(1)))
    for policy in ("greedy", "strong"):
        chosen = [GAME.policies[policy](each, seat, lambda n: 0) for each in (game, twin)]
        assert chosen[0] == chosen[1]
