"""17. Visibility: who sees what, and from when on."""

from random import Random

import msgspec
import pytest
from games.between_two_castles.situations import (
    GAME,
    act,
    agree,
    begun,
    brought_to,
    carried_on,
    lay,
    pieces_before,
    pieces_on_board,
    placing,
    question,
    where,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import CallTiebreak, Choose, Hold, Place, Propose, Tick
from palatine_server.games.between_two_castles.castle import Building, Room
from palatine_server.games.between_two_castles.catalog import CARDS, ROOMS
from palatine_server.games.between_two_castles.scoring import value
from palatine_server.games.between_two_castles.seats import deciders
from palatine_server.games.between_two_castles.secret_swap import names
from palatine_server.games.kit import plain


def who_sees(game, pieces):
    """The seats that see all of these, having made sure that the others see none."""
    seeing = [seat for seat in range(len(game.hands)) if {*pieces} <= pieces_before(game, seat)]
    assert all(not {*pieces} & pieces_before(game, seat) for seat in range(len(game.hands)) if seat not in seeing)
    return seeing


def everybody_sees(game, pieces):
    return {*pieces} <= {*names(plain(game.board))}


@rule("B2C-PP-2", "B2C-JOINT-1")
def test_pointing_shows_an_action_to_those_who_decide_for_its_castle():
    """Between four, castle 0 stands between the seats 0 and 1; seat 3 is the other neighbour of seat 0."""
    game = placing(4)
    audience = GAME.pointing_audience
    assert audience(game, 0, Place("bakery", 0, (0, 1))) == [1]
    assert audience(game, 0, Place("bakery", 3, (0, 1))) == [3]
    assert audience(game, 1, Propose(0, "bakery")) == audience(game, 1, CallTiebreak(0)) == [0]
    assert audience(brought_to("choose", 4), 0, Choose(["bakery", "sauna"])) == []
    assert audience(brought_to("choose", 4), 0, Tick("bakery")) == []


@rule("B2C-LUDWIG-7")
def test_pointing_at_a_castle_that_is_shared_with_ludwig_shows_nobody_anything():
    game = placing(2)
    alone = next(number for number, castle in enumerate(game.board.castles) if 2 in castle.partners)
    (seat,) = deciders(game, alone)
    assert GAME.pointing_audience(game, seat, Place("bakery", alone, (0, 1))) == []


@rule("B2C-ROUND-2")
def test_hand_is_seen_by_its_owner_only():
    game = begun(4)
    assert [who_sees(game, game.hands[seat].tiles) for seat in range(4)] == [[0], [1], [2], [3]]


@rule("B2C-DRAFT-3", "B2C-DRAFT-7")
def test_chosen_tiles_are_seen_by_their_owner_until_they_are_revealed():
    game = begun(3)
    tiles = game.hands[0].tiles[:2]
    act(game, 0, Choose(tiles))
    assert who_sees(game, tiles) == [0]
    for seat in (1, 2):
        act(game, seat, Choose(game.hands[seat].tiles[:2]))
    assert everybody_sees(game, tiles)


@rule("B2C-DRAFT-3")
def test_confirmed_and_the_sizes_of_all_piles_are_public():
    game = begun(3)
    act(game, 1, Choose(game.hands[1].tiles[:2]))
    assert game.board.chosen == [False, True, False]
    while not game.is_over:
        box, board = game.box, game.board
        assert (board.supply, board.discards) == (len(box.supply), len(box.discards))
        assert (board.deck, board.card_discards) == (len(box.deck), len(box.card_discards))
        size = 9 - 2 * (board.turn - 1)
        for seat, hand in enumerate(game.hands):
            waits = board.phase == "choose" and not board.chosen[seat]
            assert (len(hand.tiles), len(hand.passed)) == ((size, 0) if waits else (0, size - 2))
        act(game, *GAME.overdue(game, range(3)))


@rule("B2C-DRAFT-8", "B2C-DRAFT-5")
def test_passed_pile_is_seen_by_who_passed_it_then_by_who_takes_it_up():
    game = brought_to("place", 4)
    pile = list(game.hands[1].passed)
    assert who_sees(game, pile) == [1]
    carried_on(game, lambda game: where(game) == (1, 2, "choose"))
    assert who_sees(game, pile) == [2]


@rule("B2C-ROUND-5")
def test_last_tile_of_a_pile_is_seen_by_the_last_passer_then_by_nobody():
    game = brought_to("place", 4, turn=4)
    last = list(game.hands[1].passed)
    assert who_sees(game, last) == [1]
    carried_on(game, lambda game: where(game) == (2, 1, "choose"))
    assert who_sees(game, last) == []


@rule("B2C-SETUP-1", "B2C-BONUS-UTILITY-1", "B2C-JOINT-10")
def test_castles_thrones_attendants_cards_flags_and_markers_are_public():
    game = placing(castles={0: "L L", 1: "U U"}, tiles={0: "L S", 1: "U S"})
    act(game, 2, Hold(2))
    lay(game, 0, 0, "L")
    agree(game, 0, "knight")
    lay(game, 1, 1, "U")
    card = agree(game, 1)
    seen = plain(game.board)["castles"]
    assert everybody_sees(game, [card, "knight", *(castle.throne for castle in game.board.castles)])
    assert (seen[0]["attendants"], seen[1]["cards"], seen[2]["holds"]) == (["knight"], [card], [2])
    assert [castle["marker"] for castle in seen] == [0, 1, 0]
    assert [len(castle["rooms"]) for castle in seen] == [3, 3, 0]


@rule("B2C-BONUS-FOOD-2", "B2C-BONUS-UTILITY-2")
@pytest.mark.parametrize("letter", ["F", "U"])
def test_drawn_tiles_and_cards_are_seen_by_the_deciders_and_the_taken_one_by_all(letter):
    game = placing(4, castles={1: f"{letter} {letter}"}, tiles={1: f"{letter} S"})
    lay(game, 1, 1, letter)
    drawn = list(question(game, 1).options)
    assert who_sees(game, drawn) == [1, 2]
    taken = agree(game, 1)
    if letter == "F":
        assert who_sees(game, [taken]) == [1, 2]
        agree(game, 1)
    assert everybody_sees(game, [taken])
    assert who_sees(game, {*drawn} - {taken}) == []


@rule("B2C-JOINT-3")
def test_proposals_about_open_questions_are_public_and_about_drawn_tiles_not():
    game = placing(castles={0: "L L", 1: "F F"}, tiles={0: "L S", 1: "F S"})
    lay(game, 0, 0, "L")
    lay(game, 1, 1, "F")
    tile = question(game, 1).options[2]
    act(game, 0, Propose(0, "knight"))
    act(game, 1, Propose(1, tile))
    assert [(each.seat, each.choice) for each in game.board.castles[0].decision.proposals] == [(0, "knight")]
    assert (game.board.castles[1].deciding, game.board.castles[1].decision) == ("food", None)
    assert who_sees(game, [tile]) == [1, 2]


@rule("B2C-SETUP-3", "B2C-SETUP-4")
def test_supply_deck_and_discards_are_seen_by_nobody():
    game = brought_to("choose", 3, round=2)
    box = game.box
    assert all((box.supply, box.deck, box.discards))
    assert who_sees(game, [*box.supply, *box.deck, *box.discards, *box.card_discards]) == []


def test_seed_is_seen_by_nobody():
    game = begun(3)
    seed = game.document.chance.seed.encode()
    assert seed not in msgspec.msgpack.encode([game.board, game.document.hands])


@rule("B2C-LUDWIG-2", "B2C-LUDWIG-3", "B2C-LUDWIG-4")
def test_ludwigs_hand_is_seen_by_nobody_but_two_tiles_by_the_drawer_and_then_by_all():
    game = begun(2)
    drawn = list(game.hands[0].ludwig)
    assert who_sees(game, game.box.ludwig) == []
    assert who_sees(game, drawn) == [0]
    act(game, *GAME.overdue(game, [0]))
    assert everybody_sees(game, drawn)
    assert who_sees(game, game.box.ludwig) == []


@rule("B2C-FINAL-1")
def test_castle_values_can_be_computed_from_what_is_public():
    game = carried_on(begun(3), lambda game: game.is_over)
    for seen, sheet in zip(plain(game.board)["castles"], game.board.sheets, strict=True):
        rooms = [Room(*room) for room in seen["rooms"]]
        built = Building(throne=seen["throne"], rooms=rooms, attendants=seen["attendants"], cards=seen["cards"])
        assert value(built) == sum(sheet.values())


@pytest.mark.parametrize("players", range(2, 8))
def test_news_never_names_a_piece_that_its_hearer_does_not_see(players):
    game, rng = begun(players, 5), Random(players)
    while not game.is_over:
        before = [pieces_seen_by(game, seat) for seat in (None, *range(players))]
        game.told.clear()
        seat = rng.choice(game.waiting_for())
        act(game, seat, GAME.policies["random"](game, seat, rng.randrange))
        for told in game.told:
            for hearer in [None] if told.to is None else told.to:
                known = before[0 if hearer is None else 1 + hearer] | pieces_seen_by(game, hearer)
                assert {*names(plain(told.news))} & {*ROOMS, *CARDS} <= known


def pieces_seen_by(game, seat):
    """The pieces that a seat, or with None a spectator, sees: those on the board and in its own hand."""
    hand = [] if seat is None else names(plain(game.document.hands[seat]))
    return pieces_on_board(game) | {*hand}
