"""A game says what is wrong with it when it is constructed, or at the latest when it is played, in words for people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from games.kit.example_game import QUAY, BoatMoored, LanternLaid, Lay, Moor, lay, moor, reveal
from msgspec import Struct

from palatine_server.games.kit import Action, Document, Game, GameError, News, SecretSwap, at_random

GAME = """
from pathlib import Path
from msgspec import Struct
from palatine_server.games.kit import *

class Options(Struct, frozen=True, forbid_unknown_fields=True):
    pass

class Board(Struct):
    coins: list[int]

class Hand(Struct):
    cards: list[str]

class Play_(Action):
    card: str

class Played(News):
    seat: Seat

def setup(players, options, chance):
    hands = [Hand(["red", "blue"]) for _ in range(players)]
    return Document(Board([0] * players), hands, Hand([]), chance, [step(play, *range(players)), step(pay)])

def play(game, seat):
    hand = game.hands[seat]
    answer = yield [choice(Play_, card=hand.cards)]
    hand.cards.remove(answer.card)
    game.tell(Played(seat))
    return None

def pay(game):
    game.board.coins[0] += 1

GAME = Game(
    name="mistaken", title={"en": "Mistaken", "de": "Irrtum"}, players=range(2, 5), options=Options,
    document=Document[Board, Hand, Hand], actions=(Play_,), news=(Played,), rules=(play, pay),
    folder=Path(__file__).parent, setup=setup, why_not=lambda game, seat, action: None,
    overdue=lambda game, late: (min(late), Play_("red")), standings=lambda game: [], check=lambda game: None,
)
"""


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Game]:
    """Return a function that writes the game with some lines changed, and imports it."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "RULES.md").touch()

    def write(*changes: tuple[str, str]) -> Game:
        text = GAME.replace("Play_", "PlayCard")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        name = f"mistaken_{uuid4().hex}"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        game: Game = import_module(name).GAME
        return game

    return write


def play_on(game: Game) -> None:
    """Let bots at random play until the game is over."""
    play = game.begin(2, "00" * 32)
    while not play.is_over:
        (seat, *_) = play.waiting_for()
        play.act(seat, at_random(play, seat, lambda n: 0))


def test_without_a_mistake_the_game_is_played(author: Callable[..., Game]) -> None:
    play_on(author())


# The description


class Undo(Action):
    pass


class Lay2(Action, tag="lay"):
    pass


class Measured(News):
    weight: float


class Sets(Struct):
    seen: set[str]
    named: dict[int, str]


class Renamed(Struct, rename="camel"):
    some_name: int


def swap(document: Any, viewer: int, rng: Any) -> Any:
    return document


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "Lantern Quay"}, ["no identifier", "lower-case"]),
        ({"title": {"de": "Laternenkai"}}, ["no English"]),
        ({"title": "Lantern Quay"}, ["no mapping"]),
        ({"title": {"en": ""}}, ["title['en']=''"]),
        ({"players": range(2, 2)}, ["empty", "range(2, 3)"]),
        ({"players": (2, 4)}, ["range(2, 5)"]),
        ({"players": range(2, 30)}, ["1 to 16"]),
        ({"folder": Path("/nowhere")}, ["does not exist", "Path(__file__).parent"]),
        ({"folder": "here"}, ["no path"]),
        ({"folder": Path(__file__).parent.parent}, ["no RULES.md", "empty file"]),
        ({"actions": Lay}, ["(Lay,)", "comma"]),
        ({"actions": "lay"}, ["a string"]),
        ({"rules": ()}, ["rules is empty"]),
        ({"actions": (*QUAY.actions, Lay2)}, ["two classes named 'lay'"]),
        ({"actions": (*QUAY.actions, Undo)}, ["'undo'", "another name"]),
        ({"actions": (*QUAY.actions, LanternLaid)}, ["LanternLaid", "no Action"]),
        ({"news": (*QUAY.news, Measured)}, ["Measured.weight", "whole numbers"]),
        ({"options": Sets}, ["'seen' has no default"]),
        ({"options": dict}, ["no Struct"]),
        ({"document": Document}, ["Document[Board, Hand, Box]"]),
        ({"document": Document[Sets, Sets, Sets]}, ["Sets.seen", "sorted list", "Sets.named", "dict[str, ...]"]),
        ({"document": Document[Renamed, Sets, Sets]}, ["renamed"]),
        ({"document": Document[list, Renamed, Renamed]}, ["class Board(Struct)"]),
        ({"rules": (*QUAY.rules, lambda game: None)}, ["write def"]),
        ({"rules": (*QUAY.rules, "wave")}, ["no function"]),
        ({"setup": lambda: None}, ["setup cannot be called with 3", "def setup(players, options, chance)"]),
        ({"check": None}, ["def check(game)"]),
        ({"policies": {}}, ["at_random"]),
        ({"policies": {"random": at_random, "greedy": lambda game: None}}, ["policies['greedy']", "game, seat, below"]),
        ({"sealed": {"lai": "lanterns_revealed"}}, ["'lai' is no action", "did you mean 'lay'?"]),
        ({"sealed": {"lay": "LanternsRevealed"}}, ["is no news", "lanterns_revealed"]),
        ({"secrets": SecretSwap(swap, {"lantern_lain"})}, ["'lantern_lain', which is no news", "lantern_laid"]),
        ({"secrets": SecretSwap(swap, (), {"dark": ()})}, ["revealing_with['dark']: 'dark' is no option"]),
        ({"offers_read": {"laying": lambda: ()}}, ["'laying' is no rule", "lay"]),
        ({"moments": {"game_ower": "X-1"}}, ["game_over"]),
        ({"topics": {"score": 5}}, ["write Topic"]),
        ({"words": "explain.toml"}, ["read_explanation_text"]),
        (
            {"rules": (lay, reveal, moor)},
            ["step(next_boat) names a rule that is not in rules", "example_game.py, line"],
        ),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else None,
)
def test_a_wrong_description_is_refused_with_a_remedy(wrong: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(GameError) as refused:
        replace(QUAY, **wrong)
    assert [word for word in words if word not in str(refused.value)] == []
    assert str(refused.value).startswith("the game")


def test_several_mistakes_are_named_at_once() -> None:
    with pytest.raises(GameError, match=r"(?s)no identifier.*no English"):
        replace(QUAY, name="No", title={})


def test_a_game_needs_no_news_and_no_policies() -> None:
    assert "random" in replace(QUAY, news=(), policies={"random": at_random}).policies
    assert replace(QUAY, news=(BoatMoored,)).usual_policy == "random"


# Rules, found in the source


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("rules=(play, pay)", "rules=(play,)"), ["step(pay) names a rule that is not in rules", "line"]),
        (("step(play, *range(players))", 'step("paly", *range(players))'), ["step('paly')", "add it there"]),
        (("step(pay)", "step(pay, 0)"), ["'pay' never asks", "yield"]),
        (("step(play, *range(players))", "step(play)"), ["names no seat", "step(play, seat)"]),
        (("return None", "return FREE"), ["returns FREE", "lane"]),
        (("card=hand.cards)", 'card="red")'), ["are a string", "['red']"]),
        (("card=hand.cards)", "cart=hand.cards)"), ["no field 'cart'", "its fields are: card"]),
        (("choice(PlayCard, card=hand.cards)", "choice(PlayCard)"), ["leaves out the field 'card'"]),
        (("def play(game, seat)", "def play(game)"), ["'play' asks", "def play(game, seat)"]),
        (("(PlayCard,)", "(PlayCard)"), ["with its comma"]),
    ],
)
def test_a_wrong_rule_is_found_before_anybody_plays(
    change: tuple[str, str], words: list[str], author: Callable[..., Game]
) -> None:
    with pytest.raises(GameError) as refused:
        author(change)
    assert [word for word in words if word not in str(refused.value)] == []


@pytest.mark.parametrize(
    "harmless",
    [
        ("def pay(game):", 'def pay(game):\n    """Not step(paly, 0), and not choice(PlayCard)."""'),
        ("def pay(game):", "def pay(game):\n    # step(pay, 0) would be wrong"),
        ("step(pay)", "step(*[pay])"),
        ("    return None", '    return None if seat >= 0 else print("FREE")'),
    ],
)
def test_what_only_looks_like_a_mistake_is_none(harmless: tuple[str, str], author: Callable[..., Game]) -> None:
    play_on(author(harmless))


def test_a_rule_may_ask_through_another_one(author: Callable[..., Game]) -> None:
    play_on(
        author(("def play(game, seat):", "def play(game, seat):\n    return ask(game, seat)\n\ndef ask(game, seat):"))
    )


# Rules, when somebody plays


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            [("step(pay)", "step(next_rule())"), ("def pay", "def next_rule():\n    return 'pya'\n\ndef pay")],
            ["'pya'", "add it"],
        ),
        ([("step(pay)", "Step('pay', [0])")], ["'pay' cannot be called", "def pay(game, seat)"]),
        (
            [("step(pay)", "Step('pay', [0])"), ("def pay(game)", "def pay(game, seat)")],
            ["'pay' has seats", "never asks"],
        ),
        ([("step(play, *range(players))", "Step('play')")], ["'play' cannot be called", "def play(game)"]),
        ([("step(play, *range(players))", "Step('play')"), ("seat):", "seat=0):")], ["'play' asks", "has no seat"]),
        ([("    hand = game.hands[seat]\n", "    if seat >= 0:\n        return\n")], ["ended without asking", "[]"]),
        ([("yield [choice(PlayCard, card=hand.cards)]", "yield choice(PlayCard, card=hand.cards)")], ["yield a list"]),
        ([("return None", "yield []")], ["asks once", "game.plan"]),
        ([("return None", "return 'AGAIN'")], ["returned str", "AGAIN"]),
        ([("return None", "return wait()"), ("def pay", "def wait():\n    return FREE\n\ndef pay")], ["FREE", "lane"]),
        ([("card=hand.cards)", "card=hand.cards[0])")], ["one value", "['red']"]),
        ([("card=hand.cards)", "card=len(hand.cards))")], ["one value", "[2]"]),
        ([("step(play, *range(players))", "step(play, list(range(players)))")], ["write *seats"]),
        ([("game.tell(Played(seat))", "game.tell(Played(seat), to=seat)")], ["write to=[0]"]),
        ([("return Document(", "return (")], ["setup", "return Document("]),
        ([("for _ in range(players)]", "for _ in range(1)]")], ["1 hands to 2 players"]),
    ],
)
def test_a_wrong_rule_that_is_played_says_what_to_do(
    changes: list[tuple[str, str]], words: list[str], author: Callable[..., Game]
) -> None:
    game = author(*changes)
    with pytest.raises(GameError) as refused:
        play_on(game)
    assert [word for word in words if word not in str(refused.value)] == []


def test_an_error_inside_a_rule_stays_what_it_is(author: Callable[..., Game]) -> None:
    game = author(("    hand = game.hands[seat]\n", "    hand = game.hands[seat] + 1\n"))
    with pytest.raises(TypeError, match="unsupported operand"):
        play_on(game)


def test_actions_are_read_as_before() -> None:
    assert QUAY.read_action({"do": "moor", "bags": 1}) == Moor(1)
