"""The plan of a simulation: the matches that the options of `palatine simulate` ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import typer
from rich.text import Text

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Game, Refused
from ..games.named_games import UnknownGame, load_game
from ..simulation import Match, derive_seed
from .games import open_games


def fail(sentence: str) -> NoReturn:
    """Print a sentence that says what to do next, and end the command with code 2."""
    ScreenConsole(stderr=True, highlight=False).print(Text("✗", "red"), sentence, soft_wrap=True)
    raise typer.Exit(2)


def find_game(name: str, more: Sequence[str]) -> tuple[Game, str]:
    """Return a game by its name or as `package.module:GAME`, and how another process finds it."""
    try:
        games = open_games([*more, *([name] if ":" in name else [])])
        game = load_game(name, games)
        sources = [source for source in (name, *more) if ":" in source and load_game(source, games) is game]
    except UnknownGame as why:
        fail(str(why))
    return game, sources[0] if sources else ""


def plan_matches(
    game: Game, source: str, players: str | None, games: int | None, seed: str, policy: str, options: Sequence[str]
) -> list[Match]:
    """Return the matches that the options ask for."""
    named = parse_policies(game, policy)
    counts = parse_players(game, players, named)
    wanted = parse_options(game, counts, options)
    return [
        Match(
            game=game.name,
            source=source,
            players=count,
            seed=each,
            policies=named * count if len(named) == 1 else named,
            options=wanted,
        )
        for count, each in assign_seeds(counts, games, seed)
    ]


def parse_policies(game: Game, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in game.policies:
            known = ", ".join(game.policies)
            fail(f"{game.title['en']} has no policy '{name}'. Use one of {known}, or one for each seat.")
    return names


def parse_players(game: Game, text: str | None, named: list[str]) -> list[int]:
    """Return the numbers of players: as given, as many as there are policies, or all that the game allows."""
    least, most = game.players[0], game.players[-1]
    wanted = text or (f"{least}-{most}" if len(named) == 1 else str(len(named)))
    span = re.fullmatch(r"(\d+)(?:-(\d+))?", wanted)
    counts = range(int(span[1]), int(span[2] or span[1]) + 1) if span else range(0)
    if not counts or not {counts[0], counts[-1]} <= {*game.players}:
        fail(f"{game.title['en']} is for {least} to {most} players. Try --players {most} or --players {least}-{most}.")
    if len(named) > 1 and [*counts] != [len(named)]:
        fail(f"There are {len(named)} policies for {wanted} players. Name one for all, or use --players {len(named)}.")
    return [*counts]


def assign_seeds(counts: Sequence[int], games: int | None, seed: str) -> Iterator[tuple[int, str]]:
    """Yield the number of players and the seed of each game."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", seed):
        if len(counts) > 1 or (games or 1) > 1:
            fail("64 hexadecimal digits are the seed of one game. Use --games 1 and --players with one number.")
        yield counts[0], seed.lower()
    elif re.fullmatch(r"[0-9]+", seed):
        total = games or len(counts)
        yield from ((counts[number % len(counts)], derive_seed(int(seed), number)) for number in range(total))
    else:
        fail(f"'{seed}' is no seed. Use a whole number such as 1, or the 64 hexadecimal digits of one game.")


def parse_options(game: Game, counts: Sequence[int], texts: Sequence[str]) -> dict[str, Any]:
    """Return the options as plain data, after the game has accepted them."""
    options = dict(map(parse_option, texts))
    if unknown := sorted(options.keys() - game.select_options(options).keys()):
        fail(f"{game.name} has no option {unknown[0]!r}. Options are: {', '.join(game.options.__struct_fields__)}.")
    for count in counts if options else []:
        try:
            game.begin(count, derive_seed(0, 0), options)
        except Refused as refused:
            fail(f"{_name_option(refused)}{refused.sentence} Options are: {', '.join(game.options.__struct_fields__)}.")
    return options


def _name_option(refused: Refused) -> str:
    """Return the option that a refusal is about, before its sentence; nothing if it is about none."""
    option = str(refused.path or "").removeprefix("$.options").removeprefix(".")
    return f"--option {option}: " if option else ""


def parse_option(text: str) -> tuple[str, Any]:
    """Return the key and the value of an option; a value that is not JSON is a string."""
    key, equals, value = text.partition("=")
    if not equals:
        fail(f"'{text}' is no option. Write --option KEY=VALUE, for example --option takeback=false.")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value
