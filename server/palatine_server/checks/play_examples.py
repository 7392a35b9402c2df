"""Examples: one of every action, news, refusal and question of a game, recorded while bots play seeded games.

They are a file of the game, `examples.json`, which servers show to authors of clients. `palatine check --record` writes
it, and the check `examples` finds one that is not current.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from palatine_protocol.offers import listed
from palatine_server.games.kit import (
    Entry,
    Game,
    Reason,
    Recorder,
    explain_topic,
    plain,
    questions,
    verb_of,
    why_refused,
)
from palatine_server.games.kit.choices import as_mapping
from palatine_server.games.kit.description.examples import EXAMPLES, GROUPS
from palatine_server.games.kit.description.schemas import name_news

from .explanations import LANGUAGES, PLAYERS, Imitator
from .random_games import create_rng, list_options, seed_of
from .wished_moves import wished_moves

Plain = dict[str, Any]
MOST_GAMES = 60
LARGEST = 4_000  # bytes of an example that a shorter one may replace


class ExampleGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that bots play for the sake of examples."""

    players: int
    options: Plain
    seed: int  # the seed of the game is this number as 64 hexadecimal digits
    policy: str  # of all bots
    wishes: list[Plain] = []  # moves that all bots prefer, the first one most; an author adds such a game by hand


class PlayExamples:
    """Collects the examples of a game."""

    def __init__(self, game: Game) -> None:
        self.game, self.games = game, list[ExampleGame]()
        self.actions, self.news = dict[str, Plain](), dict[str, Plain]()
        self.refusals, self.questions = dict[str, Plain](), dict[str, Plain]()

    def encode(self) -> Plain:
        """Return the examples as plain data, in the order in which the game names its actions and news."""
        verbs, news = map(verb_of, self.game.actions), map(name_news, self.game.news)
        return {
            "games": plain(self.games),
            "actions": {verb: self.actions[verb] for verb in verbs if verb in self.actions},
            "news": {name: self.news[name] for name in news if name in self.news},
            "refusals": {code: self.refusals[code] for code in sorted(self.refusals)},
            "questions": {topic: self.questions[topic] for topic in self.game.topics if topic in self.questions},
        }

    # One game

    def watch_game(self, played: ExampleGame) -> None:
        """Let bots play a game, and collect what is new."""
        recorder = Recorder(self.game.begin(played.players, seed_of(played.seed), played.options))
        rng, imitator = create_rng(played.seed), Imitator(create_rng(played.seed))
        for seat, action in wished_moves(recorder, rng, played.policy, played.wishes):
            choices = recorder.play.offer(seat)
            imitator.watch(choices)
            self._collect_refusals(recorder, seat, imitator)
            choice = plain(next(each for each in choices if each.permits(as_mapping(action))))
            entry = recorder.act(seat, action)
            self._collect_action(entry, choice)
            self._collect_news(entry)
        self._collect_questions(recorder)
        self.games.append(played)

    def _collect_action(self, entry: Entry, choice: Plain) -> None:
        told = [plain(each.news) for each in entry.news]
        example = {"game": len(self.games), "seat": entry.seat, "choice": choice, "action": entry.action, "news": told}
        self.actions.setdefault(entry.action["do"], example)

    def _collect_news(self, entry: Entry) -> None:
        for each in entry.news:
            example = {
                "game": len(self.games),
                "seat": entry.seat,
                "action": entry.action,
                "to": each.to,
                "news": plain(each.news),
            }
            self.news.setdefault(name_news(type(each.news)), example)

    def _collect_refusals(self, recorder: Recorder, seat: int, imitator: Imitator) -> None:
        for action in islice(imitator.imitate(recorder.play.offer(seat)), 4):
            reason = why_refused(recorder.play, seat, self.game.read_action(action))
            if reason is not None and (code := str(reason.figures["code"])):
                refused = {"code": code, "sentence": reason.figures["sentence"], "rule": reason.rule}
                example = {
                    "game": len(self.games),
                    "seat": seat,
                    "action": action,
                    "refused": refused,
                    **self._explain(reason),
                }
                _keep_shortest(self.refusals, code, example)

    def _collect_questions(self, recorder: Recorder) -> None:
        for question in listed(questions(recorder.play, 0)):
            reason = explain_topic(recorder.play, 0, question)
            example = {"game": len(self.games), "seat": 0, "question": question, **self._explain(reason)}
            _keep_shortest(self.questions, question["do"], example)

    def _explain(self, reason: Reason) -> Plain:
        """Return a reason as `explained` has it, with its text in all languages."""
        return {
            "reason": plain(reason),
            "text": {lang: list(self.game.words.account(reason, lang, PLAYERS)) for lang in LANGUAGES},
        }


def _keep_shortest(examples: dict[str, Plain], name: str, example: Plain) -> None:
    """Keep the first example that is not large, or else the shortest one."""
    known = examples.get(name)
    if known is None or measure(example) < measure(known) > LARGEST:
        examples[name] = example


def measure(example: Plain) -> int:
    return len(msgspec.json.encode(example))


# All games


def record_examples(game: Game, games: Iterable[ExampleGame]) -> Plain:
    """Return the examples in these games; the same rules and words always give the same ones."""
    found = PlayExamples(game)
    for each in games:
        found.watch_game(each)
    return found.encode()


def choose_games(game: Game) -> list[ExampleGame]:
    """Return a few games in which every action and all news occur, as far as bots come to them.

    The games with wishes that are in the file stay, if the others lack something that these have.
    """
    chosen, missing = list[ExampleGame](), list_names(game)
    for each in chain(list_games(game), list_wished_games(game)):
        if not missing:
            break
        found = list_names_in(game, each) & missing
        missing -= found
        chosen += [each] if found else []
    return chosen


def list_games(game: Game) -> Iterator[ExampleGame]:
    """Yield the games among which examples are sought: all numbers of players, options and policies in turn."""
    tables = zip(cycle(game.players), cycle(list_options(game)), range(MOST_GAMES), strict=False)
    for players, options, seed in tables:
        yield ExampleGame(players, options, seed, (game.usual_policy, "random")[seed % 2])


def list_wished_games(game: Game) -> list[ExampleGame]:
    """Return the games with wishes in the file of examples."""
    if not (game.folder / EXAMPLES).exists():
        return []
    return [each for each in msgspec.convert(game.examples["games"], list[ExampleGame]) if each.wishes]


def list_names(game: Game) -> set[str]:
    """Return the names of all actions and news."""
    return {*map(verb_of, game.actions), *map(name_news, game.news)}


def list_names_in(game: Game, played: ExampleGame) -> set[str]:
    """Return the names of the actions and the news that occur in a game."""
    recorder, found = Recorder(game.begin(played.players, seed_of(played.seed), played.options)), set[str]()
    for seat, action in wished_moves(recorder, create_rng(played.seed), played.policy, played.wishes):
        entry = recorder.act(seat, action)
        found |= {entry.action["do"], *(name_news(type(each.news)) for each in entry.news)}
    return found


# The file


def write_examples(game: Game) -> Path:
    """Choose games anew, and record their examples; return the file."""
    file = game.folder / EXAMPLES
    file.write_text(format_examples(record_examples(game, choose_games(game))), encoding="utf-8")
    return file


def format_examples(examples: Plain) -> str:
    """Return the file, with one example per line, so that a difference can be read."""
    games = ",\n".join(json.dumps(each) for each in examples["games"])
    groups = [f"{json.dumps(name)}: {{\n{_format_group(examples[name])}\n}}" for name in GROUPS]
    return "{\n" + ",\n".join([f'"games": [\n{games}\n]', *groups]) + "\n}\n"


def _format_group(group: Plain) -> str:
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}" for name, each in group.items())


def find_missing_examples(game: Game) -> Iterator[str]:
    """Yield a sentence if the game has no examples."""
    if not (game.folder / EXAMPLES).exists():
        yield f"there is no {EXAMPLES}, so authors of clients see no example of an action; --record writes it"


def find_old_examples(game: Game) -> Iterator[str]:
    """Yield a sentence if the same games give other examples now."""
    file = game.folder / EXAMPLES
    if not file.exists():
        return
    games = msgspec.convert(game.examples["games"], list[ExampleGame])
    if file.read_text(encoding="utf-8") != format_examples(record_examples(game, games)):
        yield f"{EXAMPLES} is not what bots play now; if rules or words changed on purpose, --record writes it again"
