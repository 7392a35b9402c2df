"""Contenders over the wire: processes on a local server, beside policies, bots of the kit and bot processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from arena.arena_fixture import BOTS, make_run, play, process
from spice_market import SPICE_MARKET

from palatine_server.records import decode_record
from palatine_server.records.verdict import judge_record

WIRE_BOT = Path(__file__).parent / "wire_bot.py"


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the local server find the game."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent / "examples" / "spice_market"))


def wire(mode: str) -> str:
    return f"{mode}={sys.executable} {WIRE_BOT} {mode} {{url}} {{token}} {{table}}"


def test_every_kind_of_contender_plays_on_a_local_server(tmp_path: Path) -> None:
    contenders = [wire("plays"), "random", f"{BOTS}:first", process("good")]
    run = make_run(contenders, players=4, games=1, jobs=2, records=tmp_path)
    report, _ = play(run)
    assert [each.forfeits for each in report.contenders] == [{}] * 4
    assert all(each.moves > 0 for each in report.contenders)
    records = [decode_record(file.read_bytes()) for file in sorted(tmp_path.iterdir())]
    assert {record.header.seed for record in records} == {run.games[0].seed}
    for finding in judge_record(records[0], {SPICE_MARKET.name: SPICE_MARKET}):
        assert finding.is_right, finding


def test_a_process_that_ends_in_the_middle_of_a_game_is_replaced_by_a_house_bot() -> None:
    report, _ = play(make_run([wire("leaves"), "random"], games=1))
    left, stayed = report.contenders
    assert left.forfeits.keys() == {"crashed"}
    assert 0 < left.forfeits["crashed"] < left.moves
    assert "exit code 5" in left.why
    assert not stayed.forfeits


def test_a_process_that_never_sits_down_forfeits_the_game() -> None:
    report, _ = play(make_run([wire("stays_away"), "random"], games=1))
    assert report.contenders[0].forfeits == {"crashed": report.contenders[0].moves}


def test_a_contender_that_is_late_over_the_wire_is_replaced_by_a_house_bot() -> None:
    report, _ = play(make_run([wire("sleeps"), "random"], games=1, seconds=1.0))
    late, other = report.contenders
    assert late.forfeits.keys() == {"late"}
    assert late.forfeits["late"] == late.moves
    assert not other.forfeits
