"""Explanations of every registered game: they add up, rest on rules that exist, and can be said in two languages."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from games import explanation_games, laws
from games.test_laws import ANY_SEED, every_table
from games.test_rules_are_tested import rule_ids
from hypothesis import HealthCheck, given, settings

from palatine_protocol.errors import Code
from palatine_protocol.offers import listed
from palatine_server.games.kit import (
    Game,
    Reason,
    Recorder,
    Refused,
    engine,
    explain_topic,
    plain,
    questions,
    sum_of,
    why_refused,
)
from palatine_server.games.kit.explanation_text import COMMON
from palatine_server.games.registry import GAMES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
a_few = settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
PLAYERS = ["Ada", "Ben", "Cem", "Dora", "Eve", "Finn", "Gil"]
MADE_UP = ("room_", "place_")  # beginnings of what is put together from the catalog or from figures


def all_of(reason: Reason) -> Iterator[Reason]:
    yield reason
    for cause in reason.because:
        yield from all_of(cause)


# Reasons


@every_table
@a_few
@given(seed=ANY_SEED)
def test_reasons_add_up_rest_on_rules_and_can_be_said(game: Game, players: int, seed: int) -> None:
    rules = rule_ids(game.name)

    def hold(_: Recorder, reason: Reason) -> None:
        for each in all_of(reason):
            assert each.rule in rules
            adds_up(each)
            can_be_said(game, each)
        is_plain(reason)
        assert [*game.words.account(reason, "de")] == [
            *game.words.account(msgspec.convert(plain(reason), Reason), "de")
        ]

    assert explanation_games.reasons_hold(game, players, seed, hold, often=0.05) > 0


def adds_up(reason: Reason) -> None:
    if any(cause.amount is not None for cause in reason.because):
        assert reason.amount == sum_of(reason.because)


def can_be_said(game: Game, reason: Reason) -> None:
    phrase = game.words.what[reason.what]
    assert phrase.figures() <= {*reason.figures, "amount"}
    for figure in phrase.figures() & {*reason.figures}:
        value = reason.figures[figure]
        assert all(name in game.words.name for name in (value if isinstance(value, list) else [value]) if is_name(name))
    english, german = (game.words.sentence(reason, lang, PLAYERS) for lang in ("en", "de"))
    assert english[-1] == german[-1] == "."
    assert "{" not in english + german


def is_name(value: object) -> bool:
    return isinstance(value, str)


def is_plain(reason: Reason) -> None:
    """JSON and msgpack tell the same, in whole numbers, and both are read back."""
    told = msgspec.json.encode(reason)
    assert json.loads(told, parse_float=pytest.fail) == msgspec.msgpack.decode(msgspec.msgpack.encode(reason))
    assert msgspec.json.encode(msgspec.json.decode(told, type=Reason)) == told


@every_table
def test_the_score_explained_is_the_score_at_the_end(game: Game, players: int) -> None:
    for seed in range(5):
        recorder = laws.begun(game, players, seed)
        for seat, action in laws.random_moves(recorder, laws.Random(seed)):
            recorder.act(seat, action)
        for row in game.standings(recorder.play):
            for viewer in (0, None):
                assert explain_topic(recorder.play, viewer, {"do": "score", "seat": row.seat}).amount == row.score
                rank = explain_topic(recorder.play, viewer, {"do": "rank", "seat": row.seat})
                assert rank.figures["rank"] == row.rank


# Questions


@every_table
def test_questions_are_offered_and_others_refused(game: Game, players: int) -> None:
    play = laws.begun(game, players, 1).play
    asked = list(listed(questions(play, 0)))
    assert {question["do"] for question in asked} < {*game.topics}
    for question in [
        {},
        {"do": 1},
        {"do": "luck"},
        {"do": "rank", "seat": 0},
        {"do": "score", "seat": 9},
        {"do": "score"},
    ]:
        with pytest.raises(Refused, match="not_explained"):
            explain_topic(play, 0, question)


@every_game
def test_every_question_can_be_put_into_words(game: Game) -> None:
    assert {*game.words.topic} == {*game.topics}
    play = laws.begun(game, game.players[-1], 1).play
    for question in listed(questions(play, 0)):
        for lang in ("en", "de"):
            assert re.fullmatch(r"[A-ZÄÖÜ][^{}]+\?", game.words.question(question, lang, PLAYERS))


# Refusals


@every_table
def test_what_is_offered_is_not_refused(game: Game, players: int) -> None:
    recorder = laws.begun(game, players, 3)
    for seat, action in laws.random_moves(recorder, laws.Random(3)):
        assert why_refused(recorder.play, seat, action) is None
        recorder.act(seat, action)


@every_table
def test_refusals_can_be_said_with_what_they_rest_on(game: Game, players: int) -> None:
    rules, grounds = {*rule_ids(game.name), ""}, set()

    def hold(refused: Reason) -> None:
        assert game.words.sentence(refused, "en") == refused.figures["sentence"]
        assert game.words.sentence(refused, "de") != refused.figures["sentence"]
        is_plain(refused)
        assert refused.rule in rules
        for reason in (reason for cause in refused.because for reason in all_of(cause)):
            assert reason.rule in rules
            adds_up(reason)
            can_be_said(game, reason)
            grounds.add(refused.figures["code"])

    assert sum(explanation_games.refusals_hold(game, players, seed, hold) for seed in range(2)) > 100
    assert len(grounds) > 1


# Words


@every_game
def test_every_refusal_has_german_words(game: Game) -> None:
    sentences = {sentence for path in game.folder.rglob("*.py") for sentence in refusals_in(path)}
    assert len(sentences) > 15
    assert sentences == {*game.words.refusal}


def test_the_refusals_of_the_kit_have_german_words() -> None:
    codes = {*re.findall(r"Code\.(\w+)", Path(engine.__file__).read_text("utf-8"))}
    assert len(codes) == 4
    assert {Code[code].sentence for code in codes} == {*COMMON}


def refusals_in(path: Path) -> Iterator[str]:
    """The sentences that are said when something is refused: all sentences of the module, if it is about refusals."""
    tree = ast.parse(path.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    said = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in {"Refused", "Mistake"}]
    if said:
        docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docstrings:
                yield from re.findall(r"^[A-Z].*\.$", node.value)


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


@every_game
def test_no_words_are_left_over(game: Game) -> None:
    source = "".join(path.read_text() for path in game.folder.rglob("*.py"))
    unused = [what for what in game.words.what if f'"{what}"' not in source and not what.startswith(MADE_UP)]
    assert unused == []


@every_game
def test_every_rule_named_in_explanations_exists(game: Game) -> None:
    named = re.findall(r'"((?:B2C|PR|NM)-[A-Z0-9-]+)"', (game.folder / "explain.py").read_text())
    assert len(named) > 5
    assert sorted({*named} - rule_ids(game.name)) == []


@every_game
def test_refusals_that_have_grounds_exist(game: Game) -> None:
    source = "".join(path.read_text() for path in game.folder.rglob("*.py") if path.name != "explain.py")
    assert [code for code in game.grounds if f'"{code}"' not in source] == []
