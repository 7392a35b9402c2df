"""The app as a real process: killed with SIGKILL between and during clicks, and under some load."""

from __future__ import annotations

from pathlib import Path

from .long_runs import kill_often, measure_answers


async def test_no_click_is_lost_or_doubled_when_the_app_is_killed(tmp_path: Path) -> None:
    count = await kill_often(tmp_path, kills=5)
    assert count.between + count.during == 5
    assert count.decisions >= 2
    assert (count.lost, count.doubled) == (0, 0)


async def test_first_answers_come_in_time_while_pictures_are_drawn(tmp_path: Path) -> None:
    times = await measure_answers(tmp_path, tables=4, seconds=4)
    assert len(times.seconds) >= 8
    assert times.late == 0, str(times)
    assert times.processor / len(times.seconds) < 0.3, str(times)
