"""T8: after a shuffle nothing that is told identifies a hidden piece; pieces have no identity but their place.

Every action in which chance decides something is done twice, with another seed the second time, so that the pieces lie
in another order afterwards. Then the pieces that a viewer cannot see are exchanged, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from games.drawing_games import list_matches
from games.lower_bounds import find_least
from games.registered import every_game

from palatine_server.checks import random_games, secret_worlds
from palatine_server.games.kit import Action, Entry, Game, Recorder, Zones, plain, view_entry

Shuffle = tuple[Zones, int, Action, Entry, Zones]  # before, who did what, what followed, and after


def shuffles(game: Game) -> Iterator[Shuffle]:
    """Every action of some games in which chance decides."""
    for players, seed, decide in list_matches(game):
        recorder, rng = random_games.begun(game, players, seed), Random(seed)
        while not recorder.play.is_over:
            before, seat = recorder.zones, rng.choice(recorder.play.waiting_for())
            action = decide(recorder.play, seat, rng)
            entry = recorder.act(seat, action)
            if entry.drawings:
                yield before, seat, action, entry, recorder.zones


def is_enough(game: Game, compared: str, count: int) -> bool:
    """Return whether more was compared than the game states; a game in which nothing is shuffled compares nothing."""
    least = find_least(game, compared)
    if least is None:
        return count > 0 or not any(True for _ in shuffles(game))
    return count > least


def copied(zones: Zones) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(zones.document()))


def otherwise(game: Game, before: Zones, seat: int, action: Action, number: int) -> Entry:
    """The same action, if chance had decided otherwise."""
    document = copied(before)
    document["chance"]["seed"] = random_games.seed_of(10**9 + number)
    return Recorder(game.resume(document)).act(seat, action)


@every_game
def test_how_the_pieces_lie_is_told_to_nobody_who_did_not_get_any(game: Game) -> None:
    compared = 0
    for number, (before, seat, action, entry, _) in enumerate(shuffles(game)):
        other = otherwise(game, before, seat, action, number)
        assert [drawing.label for drawing in other.drawings] == [drawing.label for drawing in entry.drawings]
        assert view_entry(entry, None) == view_entry(other, None)
        for viewer in range(len(before.hands)):
            if not entry.hands[viewer] and not other.hands[viewer]:
                assert msgspec.msgpack.encode(view_entry(entry, viewer)) == msgspec.msgpack.encode(
                    view_entry(other, viewer)
                )
                compared += 1
    assert is_enough(game, "entries after another shuffle", compared)


@every_game
def test_what_was_shuffled_cannot_be_followed(game: Game) -> None:
    secrets, rng, compared = game.secrets, Random(8), 0
    assert secrets
    for *_, after in shuffles(game):
        for viewer in rng.sample(range(len(after.hands)), min(2, len(after.hands))):
            here = Recorder(game.resume(copied(after)))
            there = Recorder(game.resume(secrets.swap(copied(after), viewer, rng)))
            revealing = secrets.list_revealing(plain(after.document()))
            compared += secret_worlds.compare_worlds(here, there, viewer, rng, revealing)
    assert is_enough(game, "messages after a shuffle", compared)


@every_game
def test_nothing_is_named_that_lies_hidden(game: Game) -> None:
    named = 0
    for *_, entry, after in shuffles(game):
        play = game.resume(copied(after))
        for viewer in range(len(after.hands)):
            hidden = names([after.hidden["box"], after.hands]) - names([after.board, after.hands[viewer]])
            told = plain([play.offer(viewer), view_entry(entry, viewer).board])
            assert hidden & names(told) == set()
            named += len(hidden)
    assert is_enough(game, "hidden pieces after a shuffle", named)


def names(value: Any) -> set[str]:
    """The words in a document that stand for something; keys do not."""
    if isinstance(value, dict):
        return set().union(*map(names, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(names, value))
    return {value} if isinstance(value, str) else set()
