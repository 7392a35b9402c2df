"""2. Components."""

import tomllib
from collections import Counter
from importlib.resources import files
from random import Random

import pytest
from games.palais_royal.situations import GAME, begun, first_turn, turn
from rules import rule

from palatine_server.games.palais_royal import catalog
from palatine_server.games.palais_royal.catalog import (
    BENEFITS,
    BORDER,
    COLOURS,
    COUNTS,
    LAYOUTS,
    NAMED,
    NOBLES,
    ORNAMENTS,
    PRIVILEGES,
    ROOMS,
    ROWS,
    SPACES,
    CatalogError,
    name,
)

TEXT = files("palatine_server.games.palais_royal").joinpath("catalog.toml").read_text(encoding="utf-8")


@rule("PR-COMP-1")
def test_nobles_42_each_with_a_cost_points_and_perhaps_a_benefit():
    assert len(NOBLES) == 42
    assert Counter(noble.benefit for noble in NOBLES.values())["none"] == 24
    income = NOBLES["N02"]
    assert (income.gold, income.turquoise, income.violet, income.points) == (4, 2, 0, 3)
    assert (income.benefit, income.amount, income.face) == ("gold", 2, "up")


@rule("PR-COMP-2")
def test_privileges_36_nine_kinds_with_four_copies_a_price_a_window_and_an_effect():
    assert len(PRIVILEGES) == 9
    assert {card.copies for card in PRIVILEGES.values()} == {4}
    assert {card.effect.kind for card in PRIVILEGES.values()} == {
        "majority_all", "gate_unlimited", "gate_and_moves", "moves", "wild_seals", "gold", "points",
    }  # fmt: skip
    assert Counter(begun().document.box.deck) == dict.fromkeys(PRIVILEGES, 4)


@rule("PR-COMP-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_servants_25_of_each_colour_and_unused_colours_stay_out(players):
    board = begun(players).board
    assert [player.colour for player in board.players] == COLOURS[:players]
    for seat, player in enumerate(board.players):
        assert player.supply + player.reserve + sum(room[seat] for room in board.rooms.values()) == 25


@rule("PR-COMP-4")
def test_coins_33_are_worth_57_and_gold_is_a_number():
    assert (COUNTS.coins, COUNTS.coins_value_3, COUNTS.coins_value_1) == (33, 12, 21)
    assert COUNTS.coins_total_value == 57
    assert [type(player.gold) for player in begun(4).board.players] == [int] * 4


@rule("PR-COMP-5")
def test_palace_nine_rooms_and_the_park_36_spaces_with_four_border_rows_that_share_corners():
    assert len(ROOMS) == 9
    assert (len(SPACES), len(BORDER)) == (36, 20)
    assert [len(row.spaces) for row in ROWS.values()] == [6, 6, 6, 6]
    shared = Counter(space for row in ROWS.values() for space in row.spaces)
    assert {space for space, times in shared.items() if times == 2} == {"A1", "A6", "F1", "F6"}


@rule("PR-COMP-6")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(4))
def test_pieces_are_conserved_after_every_action(players, number):
    """Bots that sometimes err get further than mere chance; the pieces add up all the way."""
    rng, game = Random(number), begun(players, number, layout="random", bank_limit=57)
    while not game.is_over:
        seat = game.board.turn.seat
        policy = GAME.policies["random" if rng.random() < 0.2 else "greedy"]
        game.act(seat, policy(game, seat, rng.randrange))
        GAME.check(game)


@rule("PR-COMP-6")
@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda game: game.board.rooms["mint"].__setitem__(0, 9), "servant is lost or doubled"),
        (lambda game: setattr(game.board.players[1], "supply", -1), "where there was none"),
        (lambda game: game.board.park.pop("C3"), "noble is lost"),
        (lambda game: game.box.deck.pop(), "card is lost"),
        (lambda game: setattr(game.board, "deck", 3), "deck was counted"),
        (lambda game: setattr(game.board.players[0], "cards", 1), "hand was counted"),
        (lambda game: setattr(game.board.players[0], "gold", -1), "gold he did not have"),
        (lambda game: setattr(game.board, "bank", 3), "gold is lost"),
    ],
)
def test_pieces_a_loss_is_noticed(spoil, complaint):
    game = first_turn(bank_limit=57)
    GAME.check(game)
    spoil(game)
    with pytest.raises(AssertionError, match=complaint):
        GAME.check(game)


@rule("PR-COMP-6")
def test_pieces_a_border_space_holds_a_noble_or_a_servant_never_both_never_neither():
    game = turn()
    game.board.border["A1"] = 0
    game.board.players[0].supply -= 1
    with pytest.raises(AssertionError, match="held twice"):
        GAME.check(game)
    game = turn()
    game.box.removed.append(game.board.park.pop("A1"))
    game.box.removed.sort()
    with pytest.raises(AssertionError, match="border space is empty"):
        GAME.check(game)


# The catalog


def test_catalog_everything_has_an_english_and_a_german_name_and_a_source():
    for named in [*NAMED.values(), *BENEFITS.values(), *ORNAMENTS.values(), *LAYOUTS.values()]:
        assert named.name_en
        assert named.name_de
        assert named.source
    assert name("king", "de") == "Kabinett des Königs"
    assert name("king") == "King's Cabinet"
    assert name("lion", "de") == "Löwenreihe"
    assert name("gold4", "de") == "Vier Gold"


def test_catalog_reconstructed_figures_are_marked_as_such():
    assert [noble.id for noble in NOBLES.values() if noble.source != "reconstructed"] == ["N01", "N02", "N03"]
    assert {card.price_source for card in PRIVILEGES.values()} == {"reconstructed"}
    assert [row.id for row in ROWS.values() if row.source == "reconstructed"] == ["statue", "fountain"]
    assert {row.double_source for row in ROWS.values()} == {"reconstructed"}
    assert [cut.source for cut in catalog.PARK.obstacles].count("reconstructed") == 12
    assert catalog.PARK.grid_source == "reconstructed"
    assert "reconstructed" in catalog.META.notice_en
    assert "rekonstruiert" in catalog.META.notice_de
    assert "Reconstructed" in (GAME.folder / "RULES.md").read_text(encoding="utf-8")


def test_catalog_what_the_reconstruction_was_fitted_to_holds():
    assert sum(noble.turquoise for noble in NOBLES.values()) == sum(noble.violet for noble in NOBLES.values())
    assert sum(noble.amount for noble in NOBLES.values() if noble.benefit == "servants") == 8


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('id = "N07"\n', 'id = "N08"\n', "'N08': this id appears 2 times"),
        ("points = 13\n", 'points = "13"\n', "nobles 'N26'"),
        ("points = 13\n", "points = 13\ncharm = 3\n", "nobles 'N26'"),
        ('benefit = "diagonal"', 'benefit = "flying"', "benefit 'flying' is unknown"),
        ('benefit = "gold"\namount = 2\nface = "up"', 'benefit = "gold"\namount = 2\nface = "down"', "face is down"),
        ("copies = 4\nprice = 5", "copies = 5\nprice = 5", "number of cards is 37, expected 36"),
        ("gold_by_seat = [0, 1, 2, 3]", "gold_by_seat = [0, 1]", "length of gold_by_seat"),
        ('between = ["A2", "A3"]', 'between = ["A2", "C5"]', "A2-C5"),
        ('["mint", "gate", "madame"]', '["mint", "mint", "madame"]', "layouts.recommended"),
        ("servants_reserve = 7", "servants_reserve = 8", "servants_per_colour is 25, expected 26"),
        ("fixed = { gate = [1, 1] }", "fixed = { gate = [1, 3] }", "the place of 'gate'"),
        ("coins_total_value = 57", "coins_total_value = 58", "Add up the coins"),
    ],
)
def test_catalog_a_mistake_is_told_with_its_place_and_a_remedy(old, new, complaint):
    assert old in TEXT
    with pytest.raises(CatalogError) as error:
        catalog.read(TEXT.replace(old, new, 1))
    assert complaint in str(error.value)
    assert str(error.value).startswith("catalog.toml, ")


def test_catalog_a_corrected_figure_needs_no_code():
    corrected = catalog.read(TEXT.replace("price = 5\n", "price = 6\n", 1))
    assert [card.price for card in corrected.privileges if card.id == "points4"] == [6]
    assert tomllib.loads(TEXT)["meta"]["game"] == GAME.name
