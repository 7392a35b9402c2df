"""Runs of the arena: the same seed gives the same bytes, whatever the number of processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from arena.arena_fixture import BOTS, make_run, play, process

from palatine_server.arena.plot import draw_plot
from palatine_server.arena.report import encode_report
from palatine_server.arena.sequential_test import LEAST_DEALS, SequentialTest


def read_all(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_two_runs_of_one_seed_are_the_same_byte_by_byte(tmp_path: Path) -> None:
    outputs = []
    for jobs in (1, 2):
        contenders = ["greedy", "random", process("good"), f"{BOTS}:first"]
        run = make_run(contenders, players=2, games=12, seed=9, jobs=jobs, records=tmp_path / str(jobs))
        report, _ = play(run)
        drawn = [
            draw_plot(report, "Royal Palace", lang, scheme) for lang in ("en", "de") for scheme in ("light", "dark")
        ]
        outputs.append((encode_report(report), drawn, read_all(tmp_path / str(jobs))))
    assert outputs[0] == outputs[1]
    assert len(outputs[0][2]) == 12


def test_another_seed_gives_other_games() -> None:
    one, other = (play(make_run(["greedy", "random"], seed=seed))[0].digest for seed in (1, 2))
    assert one != other


def test_the_stop_rule_ends_a_run_early() -> None:
    report, results = play(make_run(["greedy", "random"], games=2_000, test=SequentialTest(low=1.0, high=1.5)))
    assert report.stop is not None
    assert (report.stop.verdict, report.stop.contender) == ("H1", "greedy")
    assert 2 * LEAST_DEALS <= len(results) < 200


def test_a_worker_that_ends_is_reported() -> None:
    from concurrent.futures.process import BrokenProcessPool

    with pytest.raises(BrokenProcessPool):
        play(make_run([f"{BOTS}:Fatal", "random"], games=2, jobs=2))


def test_a_plot_shows_every_contender_and_escapes_their_names() -> None:
    report, _ = play(make_run(["a.b-c=greedy", "random"], games=12))
    report.contenders[0].name = "<b>&"
    drawn = draw_plot(report, "Royal Palace", "en", "light")
    assert "&lt;b&gt;&amp;" in drawn
    assert "random" in drawn
    numbers = [float(number) for number in re.findall(r'c?x="([-\d.]+)"', drawn)]
    assert all(0 <= number <= 960 for number in numbers)
