"""Random games against the core: people who know no game click on what Discord would show them, to the end.

`python -m clients.chat.random_games --games 1000` plays all games at all seat counts and prints what it counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import Any

from palatine_client.chat.chat_events import ChatRoom, Clicked, CommandGiven, FormSent, Person
from palatine_client.chat.discord.payloads import build_form, build_message
from palatine_client.chat.fake_discord import limits
from palatine_client.chat.fake_discord.component_limits import check_modal
from palatine_client.chat.fake_discord.payload_checks import BadPayload
from palatine_client.chat.fake_discord.random_person import Click, click_control, fill_in, list_controls
from palatine_client.chat.messages.chat_messages import ChatAnswer, FormAnswer
from palatine_client.chat.messages.scenes import Scene
from palatine_client.chat.messages.table_post import build_table_post
from palatine_client.render.translations import Lang
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES

from .local_tables import LocalTable, describe_game

ROOM = ChatRoom("1", "3")
MOST_CLICKS = 20_000  # of one game
ASIDE = ("turn", "ask", "take_back")  # operations that lead back; a random person seldom uses them
SELDOM = 0.03
Payload = dict[str, object]


class RandomTable:
    """A table at which random people play through the messages alone."""

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self.table, self.rng = LocalTable.begin(game, players, seed), Random(seed)
        self.counts: Counter[str] = Counter()
        self.number, self.seed = 0, seed

    def play(self) -> Counter[str]:
        """Play to the end; return what was counted."""
        while not self.table.recorder.play.is_over:
            self.check_post()
            self.decide(self.rng.choice(self.table.recorder.play.waiting_for()))
        self.check_post()
        return self.counts

    def play_some(self, messages: int) -> None:
        """Play until so many private messages were shown, or to the end."""
        while self.counts["messages"] < messages and not self.table.recorder.play.is_over:
            self.check_post()
            self.decide(self.rng.choice(self.table.recorder.play.waiting_for()))

    def person(self, seat: int) -> Person:
        languages: tuple[Lang, Lang] = ("en", "de")
        return Person(self.table.people[seat], f"P{seat}", languages[(seat + self.seed) % 2])

    def decide(self, seat: int) -> None:
        """Let a person click until they have acted."""
        before, person = self.table.version, self.person(seat)
        shown = self.see(self.table.handle(CommandGiven(self.next_id(), person, ROOM, "hand")))
        while self.table.version == before:
            click = self.choose(shown)
            answer = self.table.handle(Clicked(self.next_id(), person, ROOM, click.custom_id, click.values))
            if isinstance(answer, FormAnswer):
                answer = self.fill_in(person, answer)
            shown = self.see(answer)

    def fill_in(self, person: Person, answer: FormAnswer) -> ChatAnswer:
        modal = build_form(answer.form)
        self.check(check_modal, modal)
        self.counts["forms"] += 1
        fields = dict(fill_in(modal, str(self.rng.randint(-5, 60))))
        return self.table.handle(FormSent(self.next_id(), person, ROOM, str(modal["custom_id"]), fields))

    def choose(self, shown: Payload) -> Click:
        controls = list_controls(shown)
        direct = [each for each in controls if each["custom_id"].split(":")[2] not in ASIDE]
        use = controls if not direct or self.rng.random() < SELDOM else direct
        return click_control(self.rng.choice(use), self.rng)

    def next_id(self) -> str:
        self.number += 1
        assert self.number < MOST_CLICKS
        return f"{self.seed}-{self.number}"

    def see(self, answer: ChatAnswer) -> Payload:
        """Return what Discord would show, and count what it would refuse."""
        assert not isinstance(answer, FormAnswer)
        body = build_message(answer.message, has_picture=False)
        self.check(limits.check_message, {**body, "flags": 64})
        controls, picture = list_controls(body), answer.message.picture
        self.counts["ambiguous"] += sum(map(has_equal_options, controls))
        self.counts["places"] += bool(picture and picture.numbered)
        self.counts["messages"] += 1
        self.counts["pages"] += any(":page:" in each["custom_id"] for each in list_controls(body))
        return body

    def check_post(self) -> None:
        """Check the public message of the table, now and then."""
        if self.rng.random() < 0.2 or self.table.recorder.play.is_over:
            lang: Lang = "de" if self.seed % 2 else "en"
            view, facts = self.table.view(None), describe_game(self.table.game, lang)
            body = build_message(build_table_post(Scene(view, facts, lang)), has_picture=True)
            self.check(limits.check_message, body, {"files[0]": b"a picture"})
            self.counts["posts"] += 1

    def check(self, check: Callable[..., None], *given: object) -> None:
        """Count a violation of a limit."""
        try:
            check(*given)
        except BadPayload as bad:
            self.counts["violations"] += 1
            self.counts[f"violation: {bad}"] += 1


def has_equal_options(control: Mapping[str, Any]) -> bool:
    """Return whether a person cannot tell two options of a selection apart."""
    texts = [(option["label"], option.get("description")) for option in control.get("options", [])]
    return len({*texts}) < len(texts)


def list_tables(games: dict[str, Game]) -> list[tuple[str, int]]:
    return [(name, players) for name, game in games.items() for players in game.players]


def play_game(name: str, players: int, seed: int) -> tuple[str, Counter[str]]:
    """Play one game of the registry."""
    counts = RandomTable(GAMES[name], players, seed).play()
    return name, counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    plan = [*islice(cycle(list_tables(GAMES)), given.games)]
    seeds = range(given.seed, given.seed + given.games)
    began, totals, games = perf_counter(), Counter[str](), Counter[str]()
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as pool:
        for name, counts in pool.map(play_game, [n for n, _ in plan], [p for _, p in plan], seeds, chunksize=1):
            totals.update(counts)
            games[name] += 1
            if games.total() % 50 == 0:
                sys.stdout.write(f"{games.total()} games, {totals['messages']:,} messages\n")
                sys.stdout.flush()
    played = ", ".join(f"{count} of {name}" for name, count in games.items())
    sys.stdout.write(
        f"{games.total()} games to the end ({played}) in {perf_counter() - began:.0f} s: "
        f"{totals['messages']:,} private messages, {totals['posts']:,} posts, "
        f"{totals['pages']:,} with pages, {totals['forms']:,} forms, {totals['violations']} limit violations, "
        f"{totals['places']:,} with numbered places, {totals['ambiguous']} selections with equal options\n"
    )
    sys.exit(min(totals["violations"], 1))


if __name__ == "__main__":
    main()
