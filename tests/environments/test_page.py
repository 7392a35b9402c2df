"""The page of the environments is true: its Python runs, its example changes a policy, its command prints speeds."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from environments.environment_fixture import ALL
from rich.console import Console

from palatine_server.environments import speed
from palatine_server.environments.game_env import GameEnv

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "clients" / "ENVIRONMENTS.md").read_text("utf-8")
EXAMPLE = ROOT / "clients" / "examples" / "self_play.py"


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_python_of_the_page_runs(block: str) -> None:
    exec(compile(block, "ENVIRONMENTS.md", "exec"), {})


def test_self_play_changes_the_policy_and_can_be_repeated() -> None:
    example = runpy.run_path(str(EXAMPLE))
    env = GameEnv(ALL["spice_market"])
    first, second = (example["train"](env, 15) for _ in range(2))
    assert np.abs(first.weights).sum() > 0
    assert np.isfinite(first.weights).all()
    assert (first.weights == second.weights).all()
    assert 0 <= example["measure"](env, first, 4) <= 1


def test_the_speed_of_every_way_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "GAMES", {"spice_market": ALL["spice_market"]})
    console = Console(width=120)
    with console.capture() as captured:
        console.print(speed.build_table(0.01))
    rows = [line.split("│")[1:-1] for line in captured.get().splitlines() if "Spice" in line]
    assert [int(row[1]) for row in rows] == [2, 5]
    assert all(float(cell.replace(",", "")) > 0 for row in rows for cell in row[2:])
