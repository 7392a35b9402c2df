"""Chance: the generator is the one CHANCE.md specifies, and it is fair."""

import json
import shutil
import subprocess
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from palatine_server.games.kit import Chance

HERE = Path(__file__).parent
VECTORS: list[dict[str, Any]] = json.loads((HERE / "chance.json").read_text())


def carried_out(chance: Chance, drawing: dict[str, Any]) -> Any:
    items = list(range(drawing["n"] if drawing["kind"] != "below" else 0))
    match drawing["kind"]:
        case "below":
            return chance.below(drawing["n"], drawing["label"])
        case "draw":
            return chance.draw(items, drawing["count"], drawing["label"])
    chance.shuffle(items, drawing["label"])
    return items


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])
def test_vectors_are_what_the_generator_gives(vector: dict[str, Any]) -> None:
    chance = Chance(vector["seed"])
    assert [carried_out(chance, drawing) for drawing in vector["drawings"]] == vector["results"]


def test_vectors_agree_with_javascript() -> None:
    node = shutil.which("node")
    assert node, "node is needed to compare the generator with its twin"
    answer = subprocess.run(
        [node, HERE / "chance.mjs"], input=json.dumps(VECTORS), capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == [vector["results"] for vector in VECTORS]


def test_every_order_is_equally_likely() -> None:
    chance = Chance("07" * 32)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6_000):
        items = [0, 1, 2]
        chance.shuffle(items, "fair")
        orders[tuple(items)] += 1
    expected = 1_000
    chi_squared = sum((orders[order] - expected) ** 2 / expected for order in permutations([0, 1, 2]))
    assert chi_squared < 20.5  # 5 degrees of freedom, one in a thousand


def test_drawings_of_one_seed_differ_and_are_counted() -> None:
    chance = Chance("07" * 32)
    assert chance.below(2**60, "a") != chance.below(2**60, "a")
    assert chance.drawings == 2
    assert Chance("07" * 32).below(2**60, "a") != Chance("07" * 32).below(2**60, "b")


def test_a_draw_takes_no_more_than_there_is() -> None:
    items = [1, 2, 3]
    assert sorted(Chance("07" * 32).draw(items, 5, "all")) == [1, 2, 3]
    assert items == []
