"""The text environment: language models play by reading what their seat sees and answering with an action.

An agent is a function from a text to a text. It is asked again after an answer that names no action, with a sentence
that says why; after `patience` such answers in a turn, a random legal action is carried out for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..games.kit import Game, Seat, Standing
from ..games.named_games import load_game
from ..games.registry import GAMES
from ..simulation import create_draw, derive_seed
from .episode import Episode
from .game_text import SeatNarrator, name_players
from .offer_window import OfferWindow
from .text_phrases import say

Agent = Callable[[str], str]

MOST_LISTED = 100  # actions; larger offers are chosen in groups
MOST_CHARACTERS = 10_000  # of an answer
MOST_QUOTED = 80  # characters of an answer that a sentence repeats
NUMBER = re.compile(r"\W*(\d{1,9})\W*")
NUMBERED = re.compile(r"\W*(\d{1,9})\s*[.:)]\s+(.+)", re.DOTALL)


class BadAnswer(ValueError):  # noqa: N818 (a mistake of the agent)
    """An answer that names no action; the message is for the agent."""


class Verdict(Struct, frozen=True):
    """What became of an answer."""

    accepted: bool
    sentence: str = ""  # why it was not
    forced: bool = False  # a random action was carried out instead


class TextEnvironment:
    """A game in words, in English or German."""

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        seed: int = 0,
        number: int = 0,
        lang: str = "en",
        patience: int = 3,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = load_game(game, GAMES) if isinstance(game, str) else game
        self.players, self.lang, self.patience = players or self.game.players[0], lang, max(1, patience)
        self.seed = derive_seed(seed, number)
        self.episode = Episode(self.game, self.players, self.seed, options)
        self.failures: Counter[Seat] = Counter()  # answers that named no action
        self.forced: Counter[Seat] = Counter()  # random actions that were carried out instead
        self._draw = create_draw(self.seed)
        self._tries = 0  # failures in this turn
        self._open(OfferWindow(self.episode.offer, MOST_LISTED))

    @property
    def seat(self) -> Seat | None:
        """Whose turn it is; None if the game is over."""
        return self.episode.seat

    def _open(self, window: OfferWindow) -> None:
        self._window, self._narrator, self._sentences = window, None, list[str]()
        if self.seat is not None:
            view = self.episode.view(self.seat)
            self._narrator = SeatNarrator(self.game, self.players, view, self.lang)
            self._sentences = self._format_entries(self._narrator)

    def _format_entries(self, narrator: SeatNarrator) -> list[str]:
        sentences = narrator.format_actions(self._window.actions)
        if self._window.step == 1:
            return sentences
        ends = [self._window.open_group(number).last for number in range(len(sentences))]
        counts = [self._window.count_actions(number) for number in range(len(sentences))]
        groups = zip(counts, sentences, narrator.format_actions(ends), strict=True)
        return [say("group", self.lang, count=count, first=first, last=last) for count, first, last in groups]

    # What the agent reads

    def observe(self) -> str:
        """Return what the seat whose turn it is sees, with its actions."""
        if self._narrator is None or self.seat is None:
            raise RuntimeError("The game is over.")
        title = self.game.title.get(self.lang, self.game.title["en"])
        name = name_players(self.players, self.lang)[self.seat]
        head = say("title", self.lang, title=title, name=name, players=self.players)
        return "\n\n".join([head, self._narrator.describe(), self._list_actions()])

    def _list_actions(self) -> str:
        numbered = [f"{number}. {sentence}" for number, sentence in enumerate(self._sentences, 1)]
        return "\n".join([say("actions", self.lang), *numbered])

    # What the agent answers

    def answer(self, text: str) -> Verdict:
        """Carry out the action that an answer names; or say why it names none, and lose patience at last."""
        try:
            number = self.read_answer(text)
        except BadAnswer as why:
            return self.fail(str(why))
        self._choose(number)
        return Verdict(accepted=True)

    def fail(self, sentence: str) -> Verdict:
        """Count a failure, and carry out a random action after too many."""
        if self.seat is None:
            raise RuntimeError("The game is over.")
        self.failures[self.seat] += 1
        self._tries += 1
        if self._tries < self.patience:
            return Verdict(accepted=False, sentence=f"{sentence} {self._say('again', most=len(self._sentences))}")
        self.forced[self.seat] += 1
        seat, actions = self.seat, self.episode.actions
        while self.seat == seat and self.episode.actions == actions:
            self._choose(self._draw(len(self._window)))
        return Verdict(accepted=False, sentence=sentence, forced=True)

    def _choose(self, number: int) -> None:
        if self._window.step > 1:
            self._open(self._window.open_group(number))
            return
        self.episode.act(self.game.read_action(self._window.actions[number]))
        self._tries = 0
        self._open(OfferWindow(self.episode.offer, MOST_LISTED))

    def read_answer(self, text: str) -> int:
        """Return the place of the action that an answer names, from 0; raise BadAnswer."""
        if len(text) > MOST_CHARACTERS:
            raise BadAnswer(self._say("too long", most=f"{MOST_CHARACTERS:,}"))
        if not text.strip():
            raise BadAnswer(self._say("empty"))
        if plain_number := NUMBER.fullmatch(text):
            return self._check_number(int(plain_number[1]))
        found = self._find_sentence(text)
        if len(found) > 1:
            raise BadAnswer(self._say("ambiguous", answer=quote(text)))
        return found[0] if found else self._read_numbered(text)

    def _read_numbered(self, text: str) -> int:
        """Read an answer such as `3. Take gold`, whose two parts must say the same."""
        numbered = NUMBERED.fullmatch(text)
        if numbered is None:
            raise BadAnswer(self._say("unknown", answer=quote(text)))
        number = self._check_number(int(numbered[1]))
        if number not in self._find_sentence(numbered[2]):
            raise BadAnswer(self._say("contradiction", number=number + 1, answer=quote(numbered[2])))
        return number

    def _check_number(self, number: int) -> int:
        if not 1 <= number <= len(self._sentences):
            raise BadAnswer(self._say("out of range", number=number))
        return number - 1

    def _find_sentence(self, text: str) -> list[int]:
        wanted = normalise(text)
        return [number for number, sentence in enumerate(self._sentences) if normalise(sentence) == wanted]

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)


def normalise(text: str) -> str:
    """Return a sentence without what language models add to it: case, spaces, quotes and the full stop."""
    return " ".join(text.casefold().split()).strip("\"'`*“”„.! ")


def quote(text: str) -> str:
    """Return the beginning of an answer in one line."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_QUOTED else f"{line[:MOST_QUOTED]}…"


class TextResult(Struct, frozen=True):
    """The result of a game of language models."""

    standings: list[Standing]
    failures: list[int]  # by seat
    forced: list[int]


def play_text_game(environment: TextEnvironment, agents: Sequence[Agent]) -> TextResult:
    """Let one agent for each seat play a game to its end. An agent that raises an error has given a wrong answer."""
    if len(agents) != environment.players:
        raise ValueError(f"{environment.players} players need as many agents, not {len(agents)}")
    while (seat := environment.seat) is not None:
        ask_agent(environment, agents[seat])
    seats = range(environment.players)
    return TextResult(
        standings=environment.episode.standings(),
        failures=[environment.failures[seat] for seat in seats],
        forced=[environment.forced[seat] for seat in seats],
    )


def ask_agent(environment: TextEnvironment, agent: Agent) -> None:
    """Ask an agent until a turn is over, or until it has chosen a group of actions."""
    text, why = environment.observe(), ""
    while True:
        try:
            verdict = environment.answer(agent(f"{text}\n\n{why}" if why else text))
        except Exception as error:
            verdict = environment.fail(say("crashed", environment.lang, error=type(error).__name__))
        if verdict.accepted or verdict.forced:
            return
        why = verdict.sentence
