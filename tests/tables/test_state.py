"""The book of a table can be rebuilt from its entries, and keeps its secrets."""

from random import Random

import msgspec
import pytest
from tables.state_fixtures import GAME, SEED, T0, TABLE, ask, copied, opened, started

from palatine_protocol.messages import AddBot, Clock, Info, Leave, Seated, Sit, Start
from palatine_server.games.kit import Game, plain
from palatine_server.games.registry import GAMES
from palatine_server.tables.handlers.play import play_for, start
from palatine_server.tables.model import LogEntry, apply_entry
from palatine_server.tables.state import Requester, TableState


def test_a_book_can_be_rebuilt_from_its_entries_without_rules() -> None:
    state = opened(4)
    snapshot, rng, log = copied(state.take_snapshot()), Random(4), []
    log += [ask(state, seat, Sit(**TABLE)) for seat in range(3)]
    for seat, request in ((0, AddBot(**TABLE, policy="random")), (0, Start(**TABLE)), (2, Leave(**TABLE))):
        log.append(ask(state, seat, request))
    while state.info.status == "playing":
        seat = rng.choice(state.waiting())
        action = GAME.policies["random"](state.require_begun().play, seat, rng.randrange)
        log.append(play_for(state, seat, action, "bot", T0))
    for entry in log:
        snapshot = apply_entry(snapshot, msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=LogEntry))
    assert snapshot == state.take_snapshot()
    assert TableState.read(GAME, copied(snapshot)).take_snapshot() == state.take_snapshot()
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert state.info.standings


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("clock", [None, Clock(move=5, bank=20, increment=2)], ids=["untimed", "timed"])
def test_an_action_changes_no_other_secrets_than_are_looked_at(game: Game, clock: Clock | None) -> None:
    seats: list[Seated | None] = [Seated(name="A") for _ in range(game.players[-1])]
    info = Info(game=game.name, status="open", visibility="public", host="A", seats=seats, options={}, clock=clock)
    state, rng, now = TableState.create(game, info, "anna", SEED, T0), Random(7), T0
    start(state, Requester("anna", "A"), Start(**TABLE), T0)
    for _ in range(120):
        if state.info.status != "playing":
            break
        seat, now = rng.choice(state.waiting()), now + rng.randrange(9_000)
        action = game.policies["random"](state.require_begun().play, seat, rng.randrange)
        play_for(state, seat, action, "act", now)
        kept = {name: value for name, value in state.take_snapshot().hidden.items() if name != "game"}
        assert kept == plain(state.secrets)
        assert state.take_snapshot().info == plain(state.info)


def test_users_and_seed_are_nowhere_to_be_seen() -> None:
    state = started()
    public = repr((state.take_snapshot().info, state.take_snapshot().board, state.take_snapshot().hands))
    assert SEED not in public
    assert "berta" not in public
