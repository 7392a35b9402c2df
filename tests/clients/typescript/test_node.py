"""The tests of the TypeScript client, which node runs; `make types` builds them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[3] / "clients" / "typescript"
TESTS = sorted((CLIENT / "test").glob("*.test.ts"))


def test_the_build_is_newer_than_its_sources() -> None:
    sources = [*(CLIENT / "src").rglob("*.ts"), *(CLIENT / "test").glob("*.ts")]
    built = min((path.stat().st_mtime for path in (CLIENT / "build").glob("*.test.js")), default=0.0)
    assert built > max(path.stat().st_mtime for path in sources), "run `make types`"


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.removesuffix(".test.ts"))
def test_node(path: Path) -> None:
    test = CLIENT / "build" / path.name.replace(".ts", ".js")
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(test)], cwd=CLIENT, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
