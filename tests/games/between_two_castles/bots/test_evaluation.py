"""The estimate of a castle's final value: what is not computed again is what a tile does not change."""

from random import Random

import pytest

from palatine_server.games.between_two_castles.bots.common import sketched
from palatine_server.games.between_two_castles.bots.evaluation import Future, gain_of, outlook, outlook_with
from palatine_server.games.between_two_castles.castle import Building, legal_cells
from palatine_server.games.between_two_castles.catalog import THRONES
from palatine_server.games.between_two_castles.scoring import TILES


@pytest.mark.parametrize("seed", range(12))
def test_the_outlook_with_a_tile_is_that_of_the_castle_in_which_it_lies(seed: int) -> None:
    rng = Random(seed)
    castle = Building(throne=rng.choice([*THRONES]))
    for tile in rng.sample([*TILES], 24):
        cells, future = legal_cells(castle, tile), Future(rng.randrange(4) * 6, rng.choice([1.0, 0.5]))
        if cells:
            assert outlook_with(castle, tile, cells, future) == {
                cell: compute_afresh(castle, tile, cell, future) for cell in cells
            }
            castle.lay(tile, rng.choice(cells))


def compute_afresh(castle: Building, tile: str, cell: tuple[int, int], future: Future) -> float:
    sketch = sketched(castle)
    sketch.lay(tile, cell)
    return outlook(sketch, future) + gain_of(sketch, tile, future)
