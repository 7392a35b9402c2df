"""Finished games, from which tests build records."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

from games.drawing_games import Decide, at_random, list_rare_matches

from palatine_protocol.messages import Act, Agree, Clock, Contribute, Create, Rollback, Sit, Start, Undo
from palatine_server.games.kit import Game, plain
from palatine_server.games.registry import GAMES
from palatine_server.records import Record, build_record
from palatine_server.tables.creation import create_table
from palatine_server.tables.handlers import handle_request
from palatine_server.tables.model import LogEntry, TableSnapshot
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage.persistence import copy_snapshot

PlayedGame = tuple[TableState, tuple[LogEntry, ...]]


@cache
def play_game(name: str, seed: int) -> PlayedGame:
    """Play a whole game with entropy, random actions and undos; return its state and entries."""
    game, rng = GAMES[name], Random(seed)
    return play_to_end(game, game.players[0] + rng.randrange(2), rng, at_random)


def play_to_end(game: Game, seats: int, rng: Random, decide: Decide, **options: Any) -> PlayedGame:
    """Play a game with so many people to its end."""
    create = Create(id="c", game=game.name, seats=seats, clock=Clock(move=60), options=options)
    with patch("palatine_server.tables.creation.secrets.token_hex", lambda size: rng.randbytes(size).hex()):
        state = create_table(game, "u0", "Anna", create, 1)
    people = [Requester(f"u{seat}", f"Name {seat}") for seat in range(seats)]
    table: Any = {"id": "r", "table": "t"}
    entries = [handle_request(state, who, Sit(**table), 1, None) for who in people]
    entries += [
        handle_request(state, who, Contribute(**table, entropy=rng.randbytes(16).hex()), 1, None) for who in people[1:]
    ]
    entries.append(handle_request(state, people[0], Start(**table), 1, None))
    entries += moves(state, rng, decide)
    return state, tuple(entries)


def moves(state: TableState, rng: Random, decide: Decide) -> Iterator[LogEntry]:
    """Play to the end; after the first action that draws from chance, all agree to take it back."""
    is_content = False
    while state.info.status != "over":
        assert state.recorder is not None
        seat, before = rng.choice(state.waiting()), copy_snapshot(state.take_snapshot())
        action, offer = plain(decide(state.recorder.play, seat, rng)), state.secrets.answers[seat]
        entry = handle_request(
            state, Requester(f"u{seat}", ""), Act(id="r", table="t", offer=offer, action=action), 1, None
        )
        yield entry
        if state.info.status != "over" and state.recorder.may_undo(seat) and rng.random() < 0.1:
            yield handle_request(state, Requester(f"u{seat}", ""), Undo(id="r", table="t"), 1, None)
        elif entry.drawings and state.info.status != "over" and not is_content:
            yield from take_back(state, before)
            is_content = True


def take_back(state: TableState, earlier: TableSnapshot) -> Iterator[LogEntry]:
    """Take back to an earlier version, with the consent of all seats."""
    table: Any = {"id": "r", "table": "t"}
    yield handle_request(
        state, Requester("u0", "Name 0"), Rollback(**table, to=earlier.version), 1, copy_snapshot(earlier)
    )
    for seat in range(1, len(state.info.seats)):
        yield handle_request(state, Requester(f"u{seat}", ""), Agree(**table), 1, copy_snapshot(earlier))


def record_of(game: Game, seed: int = 0) -> Record:
    state, entries = play_game(game.name, seed)
    return build_record("t", state.take_snapshot(), entries)


# Games in which every random event occurs


def rare_records(game: Game) -> Iterator[Record]:
    """Records in which every drawing of the rules is made."""
    for seats, seed, decide, options in list_rare_matches(game):
        state, entries = play_to_end(game, seats, Random(seed), decide, **options)
        yield build_record("t", state.take_snapshot(), entries)
