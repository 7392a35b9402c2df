"""The benches: they measure what they say, on this checkout too, and judge by the bars."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench import builds
from bench.bot_strengths import bot_strengths
from bench.games.__main__ import compare, interleave
from bench.games.cases import CASES, Case
from bench.games.in_process import BenchTable
from bench.peers.comparison import OLD, PALATINE, Comparison, Figures, render_bars, render_comparison, render_warning
from bench.peers.contenders import Place
from rich.console import Console

from palatine_client.load.counters import Counters
from palatine_client.load.plan import Plan
from palatine_client.load.report import Report, ServerReport
from palatine_server.games.registry import GAMES

TESTS = Path(__file__).parents[1]

# House bots


def test_the_strengths_of_house_bots_are_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    bot_strengths(quick=False, games=2, game=["palais_royal"], players=[2], policy=["strong"], seed=1, jobs=1)
    head, ruler, row = (line.split(" | ") for line in capsys.readouterr().out.splitlines())
    assert len(head) == len(row) == 6
    assert row[:3] == [f"| {GAMES['palais_royal'].title['en']}", "2", "`strong`"]
    assert 0 <= float(row[3]) <= 2
    assert row[4:] == [f"{50 * float(row[3]):.0f} %", "2 |"]


# In process


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_path_of_an_action_is_measured_for_every_game(case: Case) -> None:
    script = TESTS / "bench" / "games" / "in_process.py"
    command = [sys.executable, str(script), "2", "20", case.game, str(case.players)]
    done = subprocess.run(command, env={"PYTHONPATH": str(TESTS)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0


def test_an_action_in_process_is_in_the_log_and_games_follow_each_other() -> None:
    table = BenchTable(GAMES["palais_royal"], 2, 1)
    first = table.book
    while table.book is first:
        before = table.book.version
        table.carry_out(*table.next_request())
        assert table.book is not first or table.book.version == before + 1


def test_both_builds_of_a_case_follow_each_other_in_changing_order() -> None:
    found = [(case.name, name) for case, name, _ in interleave((Path("a"), Path("b")), 2)]
    assert found[:2] == [(CASES[0].name, "current"), (CASES[0].name, "reference")]
    assert found[len(CASES) * 2 :][:2] == [(CASES[0].name, "reference"), (CASES[0].name, "current")]


@pytest.mark.parametrize(("current", "is_met"), [(50.0, True), (51.0, False)])
def test_a_game_is_judged_by_the_medians_of_both_builds(current: float, is_met: bool) -> None:
    costs = {"current": [current, 1.0, 500.0], "reference": [100.0, 99.0, 900.0]}
    assert compare(Case("game", 4), "in process", 0.5, costs.__getitem__).is_met is is_met


# Peers


def report_of(cpu_us: float) -> Report:
    counters = Counters(actions=1000, seconds=1.0, connections=4)
    server = ServerReport(cpu=cpu_us / 1000, cpu_us_per_action=cpu_us, starved=0.0, memory=1, memory_before=1)
    return Report.of(Plan(url="", game="counter", tables=1, players=4), counters, server)


def compared(palatine: float) -> Comparison:
    costs: dict[tuple[str, Place], float] = {
        (PALATINE, "same core"): palatine,
        (OLD, "same core"): 160.0,
        ("bare Python server", "same core"): 40.0,
        ("boardgame.io", "same core"): 400.0,
        ("Colyseus", "same core"): 72.0,
        ("Colyseus with views", "same core"): 83.0,
        ("boardgame.io", "none"): 335.0,
        ("Colyseus", "none"): 52.0,
        ("Colyseus with views", "none"): 60.0,
    }
    return Comparison.of(1, {who: [report_of(cost)] for who, cost in costs.items()})


@pytest.mark.parametrize(
    ("palatine", "met"), [(78.0, [True, True, True]), (84.0, [False, True, False]), (160.0, [False, False, False])]
)
def test_the_bars_of_the_counter_game(palatine: float, met: list[bool]) -> None:
    assert [bar.is_met for bar in compared(palatine).bars] == met


def test_medians_are_compared() -> None:
    figures = Figures.of("", "none", [report_of(cost) for cost in (10.0, 1000.0, 20.0)])
    assert figures.cpu_us_per_action == pytest.approx(20.0)
    assert figures.rounds_us == [10.0, 1000.0, 20.0]


@pytest.mark.parametrize(("cpu_us", "is_busy"), [(900.0, False), (300.0, True)])
def test_a_busy_machine_is_noticed(cpu_us: float, is_busy: bool) -> None:
    comparison = Comparison(rounds=1, figures=[Figures.of("", "none", [report_of(cpu_us)])], bars=[])
    assert ("busy" in str(render_warning(comparison))) is is_busy


def test_both_comparisons_are_shown_with_their_bars() -> None:
    console = Console(width=150, record=True, quiet=True)
    comparison = compared(78.0)
    with console.capture() as shown:
        console.quiet = False
        console.print(render_comparison(comparison, False), render_comparison(comparison, True))
        console.print(render_bars(comparison.bars))
    text = shown.get()
    assert "As shipped" in text
    assert "Same promise" in text
    assert text.count("met") == 3


# Builds


def test_a_clone_without_the_reference_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(builds, "REFERENCE", "0" * 40)
    with pytest.raises(builds.NoReferenceError, match="git fetch --unshallow"):
        builds.build_both(tmp_path)


def test_a_finished_build_of_the_reference_is_used_again(tmp_path: Path) -> None:
    (tmp_path / builds.COMPLETE).touch()
    assert builds.build_reference(tmp_path) == tmp_path
