"""Explanations and refusals: they add up, rest on rules that exist, and can be said in two languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from palatine_protocol.offers import Offer, drawn, listed
from palatine_server.games.kit import (
    Entry,
    Game,
    Play,
    Reason,
    Recorder,
    Refused,
    Standing,
    explain_topic,
    plain,
    questions,
    sum_of,
)
from palatine_server.games.kit.explanations.explanation_text import Lang

from .laws import explain_refusal
from .random_games import begun, create_rng, list_values, played, random_moves, require
from .rule_ids import list_rule_ids
from .source_files import list_source_files, read_sources, walk_sources

PLAYERS = [f"Player {number}" for number in range(1, 17)]
LANGUAGES: tuple[Lang, ...] = ("en", "de")
QUESTION = re.compile(r"[^\W\d_a-zß][^{}]+\?")
KIT_PHRASES = ("place_",)  # beginnings of what the kit puts together, in `places`
REFUSALS = {"Refused", "Mistake", "refuse_option"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


# Reasons


def list_reasons(reason: Reason) -> Iterator[Reason]:
    """Yield a reason and all reasons behind it."""
    yield reason
    for cause in reason.because:
        yield from list_reasons(cause)


def reasons_hold(game: Game, players: int, seed: int) -> int:
    """Everything that a viewer can ask at some moments of a random game is explained soundly."""
    rules = list_rule_ids(game)

    def judge(_: Recorder, reason: Reason) -> None:
        for each in list_reasons(reason):
            require(
                each.rule in rules,
                f"the reason {each.what!r} names the rule {each.rule!r}, which RULES.md does not have",
            )
            require_sum(each)
            require_words(game, each)
        require_plain(reason)

    return hand_out_reasons(game, players, seed, judge, often=0.05)


def hand_out_reasons(
    game: Game, players: int, seed: int, each: Callable[[Recorder, Reason], None], often: float = 1
) -> int:
    """Call `each` with everything that can be explained to a viewer; explaining changes nothing.

    With `often` below 1, only some moments of the game are looked at.
    """
    rng, asked = create_rng(seed), 0

    def ask(recorder: Recorder, _: Entry) -> None:
        nonlocal asked
        if rng.random() > often and not recorder.play.is_over:
            return
        before, viewer = game.pack(recorder.play), rng.choice([*range(players), None])
        for question in listed(questions(recorder.play, viewer)):
            each(recorder, explain_topic(recorder.play, viewer, question))
            asked += 1
        require(game.pack(recorder.play) == before, "an explanation changed the document; it may only read it")

    played(game, players, seed, ask)
    return asked


def require_sum(reason: Reason) -> None:
    if any(cause.amount is not None for cause in reason.because):
        total = sum_of(reason.because)
        require(reason.amount == total, f"the reason {reason.what!r} has the amount {reason.amount}, its parts {total}")


def require_words(game: Game, reason: Reason) -> None:
    """A reason can be said in all languages, and its figures have names."""
    phrase = game.words.what.get(reason.what)
    if phrase is None:
        require(False, f"explain.toml has no [what] {reason.what!r}; write it in English and German")
        return
    figures = {*reason.figures, "amount"}
    missing = sorted(phrase.figures() - figures)
    require(not missing, f"explain.toml, {reason.what!r} uses {missing}; the reason has {sorted(figures)}")
    for figure in phrase.figures() & {*reason.figures}:
        value = reason.figures[figure]
        names = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
        unknown = [name for name in names if name not in game.words.name]
        require(not unknown, f"explain.toml has no [name] {unknown}, which the reason {reason.what!r} mentions")
    for lang in LANGUAGES:
        said = game.words.sentence(reason, lang, PLAYERS)
        require(
            said.endswith(".") and "{" not in said, f"the reason {reason.what!r} is no sentence in {lang!r}: {said}"
        )


def require_plain(reason: Reason) -> None:
    """JSON and msgpack say the same, in whole numbers, and both are read back."""
    told = msgspec.json.encode(reason)
    same = json.loads(told) == msgspec.msgpack.decode(msgspec.msgpack.encode(reason))
    whole = not any(isinstance(value, float) for value in list_values(json.loads(told)))
    require(
        same and whole, f"the reason {reason.what!r} has figures that are no strings, whole numbers or lists of them"
    )


def scores_are_explained(game: Game, players: int, seed: int) -> int:
    """At the end, the topics `score` and `rank`, if the game has them, explain the standings."""
    recorder = begun(game, players, seed)
    for seat, action in random_moves(recorder, create_rng(seed)):
        recorder.act(seat, action)
    rows = {row.seat: row for row in game.standings(recorder.play)}
    asked = [(viewer, question) for viewer in (0, None) for question in listed(questions(recorder.play, viewer))]
    about_end = [(viewer, question) for viewer, question in asked if question["do"] in {"score", "rank"}]
    for viewer, question in about_end:
        if row := rows.get(question.get("seat", -1)):
            _require_standing(row, question["do"], explain_topic(recorder.play, viewer, question))
    return len(about_end)


def _require_standing(row: Standing, topic: str, reason: Reason) -> None:
    if topic == "score":
        said = f"seat {row.seat} has the score {row.score}, but {reason.amount} is explained"
        require(reason.amount == row.score, said)
    else:
        rank = reason.figures.get("rank")
        require(rank == row.rank, f"seat {row.seat} has the rank {row.rank}, but {rank} is explained")


# Questions


def questions_hold(game: Game, players: int, seed: int) -> int:
    """Every question that is offered can be said in words, and any other is refused."""
    play = begun(game, players, seed).play
    asked = list(listed(questions(play, 0)))
    for question in asked:
        for lang in LANGUAGES:
            said = game.words.question(question, lang, PLAYERS) if question["do"] in game.words.topic else ""
            is_question = bool(QUESTION.fullmatch(said))
            require(is_question, f"explain.toml: [topic] {question['do']!r} is no question in {lang!r}")
    wrong: list[Mapping[str, Any]] = [{}, {"do": 1}, {"do": "no such topic"}]
    wrong += [{**question, "seat": 99} for question in asked if "seat" in question][:3]  # unknown keys are ignored
    for unoffered in wrong:
        _require_refused(play, unoffered)
    return len(asked)


def _require_refused(play: Play[Any, Any, Any], question: Mapping[str, Any]) -> None:
    try:
        explain_topic(play, 0, question)
    except Refused as refused:
        require(refused.code == "not_explained", f"the question {question} is refused with {refused.code}")
    else:
        require(False, f"the question {question}, which is not offered, is explained")


# Refusals


class Imitator:
    """Puts actions together from what is and was on offer; most of them are against the rules."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.verbs = dict[str, list[str]]()  # with their fields
        self.seen = dict[str, list[Any]]()  # values by field

    def watch(self, offer: Offer) -> None:
        for choice in offer:
            self.verbs[choice.do] = list(choice.fields)
            for name, field in choice.fields.items():
                some = list(islice(field, 50))
                remembered = [*self.seen.get(name, []), *self.rng.sample(some, min(3, len(some)))]
                self.seen[name] = remembered[-60:]

    def imitate(self, offer: Offer) -> Iterator[dict[str, Any]]:
        """Yield some actions, if enough was offered."""
        for _ in range(2):
            verb = self.rng.choice([*self.verbs])
            if all(self.seen[name] for name in self.verbs[verb]):
                yield {"do": verb, **{name: self.rng.choice(self.seen[name]) for name in self.verbs[verb]}}
            action = drawn(offer, self.rng.randrange)
            changed = self.rng.choice([*action])
            yield action if changed == "do" else {**action, changed: self.rng.choice(self.seen[changed])}


def hand_out_refusals(game: Game, players: int, seed: int, each: Callable[[Reason], None]) -> int:
    """Call `each` with the reasons for all refusals in a random game; return how many there were."""
    rng, refused = create_rng(seed), 0
    imitator = Imitator(rng)

    def imitate(recorder: Recorder, _: Entry) -> None:
        nonlocal refused
        for seat in recorder.play.waiting_for():
            imitator.watch(offer := recorder.play.offer(seat))
            for action in imitator.imitate(offer):
                if reason := _find_reason(recorder, seat, action):
                    each(reason)
                    refused += 1

    played(game, players, seed, imitate)
    return refused


def _find_reason(recorder: Recorder, seat: int, action: dict[str, Any]) -> Reason | None:
    try:
        return explain_refusal(recorder.play, seat, recorder.game.read_action(plain(action)))
    except Refused:  # the type of a field does not allow the value
        return None


def refusals_hold(game: Game, players: int, seed: int) -> int:
    """Refusals in a random game rest on rules that exist, and their reasons add up and can be said."""
    rules = {*list_rule_ids(game), ""}

    def judge(refused: Reason) -> None:
        code, sentence = refused.figures["code"], refused.figures["sentence"]
        require(
            refused.rule in rules, f"the refusal {code!r} names the rule {refused.rule!r}, which RULES.md does not have"
        )
        require(game.words.sentence(refused, "en") == sentence, f"the refusal {code!r} is not said as {sentence!r}")
        require_plain(refused)
        for reason in (reason for cause in refused.because for reason in list_reasons(cause)):
            require(
                reason.rule in rules,
                f"a reason for the refusal {code!r} names the rule {reason.rule!r}, which RULES.md does not have",
            )
            require_sum(reason)
            require_words(game, reason)

    return hand_out_refusals(game, players, seed, judge)


def nothing_offered_is_refused(game: Game, players: int, seed: int) -> int:
    """An action that is offered has no reason against it."""
    recorder, tried = begun(game, players, seed), 0
    for seat, action in random_moves(recorder, create_rng(seed)):
        reason = explain_refusal(recorder.play, seat, action)
        require(reason is None, f"{plain(action)} is offered to seat {seat}, and yet explained as refused: {reason}")
        recorder.act(seat, action)
        tried += 1
    return tried


# Words


def find_wrong_words(game: Game) -> Iterator[str]:
    """Yield the entries of explain.toml that nothing uses, and those that are missing."""
    source = read_sources(game)
    for topic in sorted(game.topics.keys() - game.words.topic.keys()):
        yield f"explain.toml has no [topic] {topic!r}; write it in English and German"
    for topic in sorted(game.words.topic.keys() - game.topics.keys()):
        yield f"explain.toml has a [topic] {topic!r}, which the game does not; remove it"
    beginnings = (*KIT_PHRASES, *_list_beginnings(game))
    for what in game.words.what:
        if f'"{what}"' not in source and f"'{what}'" not in source and not what.startswith(beginnings):
            yield f"explain.toml has [what] {what!r}, which no module names; remove it"
    for code in game.grounds:
        if f'"{code}"' not in source and f"'{code}'" not in source:
            yield f"grounds has {code!r}, which no refusal of the game has; correct or remove it"
    for sentence in sorted({*game.words.refusal} - list_refusals(game)):
        yield f"explain.toml has the [refusal] {sentence!r}, which no module says; correct or remove it"


def find_untranslated_refusals(game: Game) -> Iterator[str]:
    """Yield the sentences of refusals that explain.toml does not translate."""
    for sentence in sorted(list_refusals(game) - {*game.words.refusal}):
        yield f"the refusal {sentence!r} has no German; add it to [refusal] of explain.toml"


def _list_beginnings(game: Game) -> Iterator[str]:
    """Yield the fixed beginnings of strings that the game puts together."""
    for node in walk_sources(game):
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            beginning = str(node.values[0].value)
            if re.fullmatch(r"[a-z]+_[a-z_]*", beginning):
                yield beginning


def list_refusals(game: Game) -> set[str]:
    """Return the sentences with which the modules of a game refuse actions."""
    return {sentence for path in list_source_files(game) for sentence in _find_refusals(path)}


def _find_refusals(path: Path) -> Iterator[str]:
    """Yield all sentences of a module, if it refuses something."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if any(isinstance(node, ast.Call) and _name_function(node) in REFUSALS for node in ast.walk(tree)):
        elsewhere = {id(node) for node in _find_other_texts(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in elsewhere:
                yield from re.findall(r"^[A-Z].*\.$", node.value)


def _name_function(call: ast.Call) -> str:
    """Return the name by which a function is called, with or without its module."""
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _find_other_texts(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the texts that cannot be refusals: docstrings, descriptions of types, and messages of asserts."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and node.body and isinstance(node.body[0], ast.Expr):
            yield node.body[0].value
        elif isinstance(node, ast.keyword) and node.arg == "description":
            yield node.value
        elif isinstance(node, ast.Assert) and node.msg:
            yield node.msg
