"""A log carried out again: with the same rules it is the same, with others it stops where they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from cli.test_shadow import Evening, broken, the_other_way_round

from palatine_server.games.between_two_castles import rounds
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.tables.storage.persistence import decode_snapshot
from palatine_server.web.develop.replayed_log import ReplayedLog

CASTLES = GAMES["between_two_castles"]


def replay(game: Game, evening: Evening) -> ReplayedLog:
    replayed = ReplayedLog(game, decode_snapshot(evening.first))
    replayed.play_all(evening.entries)
    return replayed


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_same_rules_write_the_same_log(game: Game) -> None:
    """Players sit down, leave, come back, undo and are late, and bots play along."""
    evening = Evening(game, 1).play(120)
    replayed = replay(game, evening)
    assert replayed.stopped == ""
    assert replayed.entries == evening.entries
    assert replayed.state.take_snapshot() == evening.state.take_snapshot()


@pytest.mark.parametrize(("planted", "why"), [(the_other_way_round, "(not_in_hand)"), (broken, "KeyError")])
def test_rules_that_refuse_or_break_end_the_log_before_that_entry(
    monkeypatch: pytest.MonkeyPatch, planted: Any, why: str
) -> None:
    evening = Evening(CASTLES, 1).play(150)
    passed = next(e.version for e in evening.entries if any(heard.news["news"] == "hands_passed" for heard in e.news))
    monkeypatch.setattr(rounds, "take_up_piles", planted)
    replayed = replay(CASTLES, evening)
    assert why in replayed.stopped
    assert passed - 1 <= len(replayed.entries) < 150
    assert replayed.entries[: passed - 1] == evening.entries[: passed - 1]
    assert replayed.state.version == len(replayed.entries)
