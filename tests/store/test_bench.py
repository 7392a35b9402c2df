"""The bench of the stores still runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from palatine_server import bench_stores


async def test_the_bench_prints_figures_for_one_table_and_for_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench_stores, "SECONDS", 0.1)
    monkeypatch.setattr(bench_stores, "AT_ONCE", 7)
    await bench_stores.main([])
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if "SQLite" in line]
    assert [row[3] for row in rows] == ["1", "7", "7"]
    assert list(tmp_path.iterdir()) == []
