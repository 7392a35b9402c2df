"""All checks of a game, each with a name that `palatine check --only` takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec

from ..games.kit import Game
from . import (
    descriptions,
    explanations,
    golden_games,
    laws,
    play_examples,
    resampled_worlds,
    rule_ids,
    secret_choices,
    secret_worlds,
)
from .random_games import require

WIDEST_OFFER = 2_000  # bytes of msgpack


class CheckPlan(NamedTuple):
    """What a user asks to be checked."""

    seeds: int = 3  # games of each number of players
    first_seed: int = 0
    players: int | None = None  # None: all numbers of players
    only: frozenset[str] = frozenset()  # names of checks; empty: all
    tests: Path | None = None  # the folder of tests that name the rules
    golden: Path | None = None  # the folder of golden games; None: in the folder of the game


class StaticCheck(NamedTuple):
    """A check that plays no game; it yields sentences."""

    find: Callable[[Game, CheckPlan], Iterator[str]]
    is_warning: bool = False


class PlayCheck(NamedTuple):
    """A check that plays a game from a seed; it raises an error, or returns how much it compared."""

    run: Callable[[Game, int, int], int]
    games: int | None = None  # at most so many of each number of players, because more show nothing new


def _find_untested(game: Game, plan: CheckPlan) -> Iterator[str]:
    return rule_ids.find_untested_rules(game, plan.tests) if plan.tests else iter(())


def _find_missing_rules(game: Game, plan: CheckPlan) -> Iterator[str]:
    if not rule_ids.list_rule_ids(game):
        yield "RULES.md has no rule ids; begin each rule with one, as in `- LQ-LAY-1 Each player lays a lantern.`"


def _find_missing_secrets(game: Game, plan: CheckPlan) -> Iterator[str]:
    zones = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
    has_secrets = any(getattr(kind, "__struct_fields__", True) for kind in (zones["box"], *get_args(zones["hands"])))
    if game.secrets is None and has_secrets:
        yield (
            "the game does not say how to exchange its secrets, so only the present is compared in two worlds; give"
            " Game secrets=SecretSwap(...), and what follows is compared too"
        )
    if game.secrets is not None and has_secrets:
        yield from _find_unswapped(game)


def _find_unswapped(game: Game) -> Iterator[str]:
    if not secret_worlds.is_anything_swapped(game):
        yield "secrets.swap exchanges nothing in any game that was tried, so no leak can be found; change the document"
    elif piles := secret_worlds.list_unswapped_piles(game):
        yield (
            f"secrets.swap never exchanges the pieces in {', '.join(piles)}, so no leak of them can be found; exchange"
            " them, or keep on the board what all players know"
        )


def _find_missing_topics(game: Game, plan: CheckPlan) -> Iterator[str]:
    if not game.topics:
        yield "the game explains nothing; give Game topics, so that players can ask for the reasons of a score"


def _find_lax_options(game: Game, plan: CheckPlan) -> Iterator[str]:
    if not game.options.__struct_config__.forbid_unknown_fields:
        yield "options takes any key; declare it with forbid_unknown_fields=True, so that a mistyped option is refused"


def _find_missing_golden_games(game: Game, plan: CheckPlan) -> Iterator[str]:
    folder = plan.golden or golden_games.find_golden_folder(game)
    missing = [players for players in game.players if not golden_games.path_of(folder, game, players).exists()]
    if missing:
        yield f"there is no golden game for {', '.join(map(str, missing))} players in {folder}; --record writes them"


def _find_changed_golden_games(game: Game, plan: CheckPlan) -> Iterator[str]:
    folder = plan.golden or golden_games.find_golden_folder(game)
    for players in game.players:
        if golden_games.path_of(folder, game, players).exists():
            golden_games.golden_game_is_played_as_recorded(game, players, folder)
            golden_games.golden_game_is_recorded_again(game, players, folder)
    yield from ()


def _measure_offers(game: Game, players: int, seed: int) -> int:
    widest = laws.measure_widest_offer(game, players, seed)
    remedy = "offer sets (a range, a pick, one field after another) instead of lists of everything"
    require(widest <= WIDEST_OFFER, f"an offer has {widest:,} bytes, more than {WIDEST_OFFER:,}; {remedy}")
    return widest


def _plain(find: Callable[[Game], Iterator[str]], *, is_warning: bool = False) -> StaticCheck:
    return StaticCheck(lambda game, plan: find(game), is_warning)


STATIC: dict[str, StaticCheck] = {
    "description": _plain(descriptions.find_wrong_description),
    "labels": _plain(descriptions.find_missing_words, is_warning=True),
    "error_labels": _plain(descriptions.find_wrong_error_labels, is_warning=True),
    "meanings": _plain(descriptions.find_nameless_texts, is_warning=True),
    "hidden_types": _plain(descriptions.find_shown_secrets),
    "catalog": _plain(descriptions.find_wrong_catalog),
    "piece_names": _plain(descriptions.find_nameless_pieces, is_warning=True),
    "options": StaticCheck(_find_lax_options, is_warning=True),
    "rules": StaticCheck(_find_missing_rules, is_warning=True),
    "rule_ids": _plain(rule_ids.find_wrong_rule_ids),
    "tests": StaticCheck(_find_untested),
    "words": _plain(explanations.find_wrong_words),
    "translations": _plain(explanations.find_untranslated_refusals, is_warning=True),
    "topics": StaticCheck(_find_missing_topics, is_warning=True),
    "secrets": StaticCheck(_find_missing_secrets, is_warning=True),
    "golden_games": StaticCheck(_find_missing_golden_games, is_warning=True),
    "golden": StaticCheck(_find_changed_golden_games),
    "example_file": _plain(play_examples.find_missing_examples, is_warning=True),
    "examples": _plain(play_examples.find_old_examples),
}
PLAYED: dict[str, PlayCheck] = {
    "told_is_seen": PlayCheck(laws.told_is_seen),
    "rebuilt_is_same": PlayCheck(laws.rebuilt_is_same),
    "secrets_can_be_swapped": PlayCheck(secret_worlds.secrets_can_be_swapped),
    "secret_choices": PlayCheck(secret_choices.secret_choices_stay_secret),
    "resampled_games_agree": PlayCheck(resampled_worlds.resampled_games_agree),
    "pieces_are_conserved": PlayCheck(laws.pieces_are_conserved),
    "refused_is_unchanged": PlayCheck(laws.refused_is_unchanged),
    "undo_returns": PlayCheck(laws.undo_returns_exactly),
    "overdue_is_legal": PlayCheck(laws.overdue_is_legal),
    "clock_ends_the_game": PlayCheck(laws.the_clock_alone_ends_the_game, games=1),
    "offers_are_readable": PlayCheck(laws.offers_are_readable),
    "offers_read_no_secrets": PlayCheck(laws.offers_read_no_secrets),
    "asking_changes_nothing": PlayCheck(laws.asking_changes_nothing),
    "offers_stand": PlayCheck(laws.offers_stand),
    "offers_are_narrow": PlayCheck(_measure_offers),
    "policies_play": PlayCheck(laws.policies_play, games=1),
    "standings": PlayCheck(laws.standings_are_complete),
    "as_described": PlayCheck(descriptions.games_are_as_described),
    "reasons_hold": PlayCheck(explanations.reasons_hold),
    "scores_are_explained": PlayCheck(explanations.scores_are_explained),
    "questions_hold": PlayCheck(explanations.questions_hold, games=1),
    "refusals_hold": PlayCheck(explanations.refusals_hold),
    "offered_is_not_refused": PlayCheck(explanations.nothing_offered_is_refused),
}
WARNINGS = {"offers_are_narrow"}  # checks of play whose findings are only warnings
NAMES = (*STATIC, *PLAYED)
