"""Whole games through the fake Discord, over HTTP with real signatures."""

from __future__ import annotations

from pathlib import Path

import pytest

from .discord_fixture import staged
from .discord_players import begin_game, play_to_the_end, wait_for_end


@pytest.mark.parametrize(("game", "seats"), [("palais_royal", 2), ("spice_market", 3)])
async def test_people_play_a_game_to_the_end(tmp_path: Path, game: str, seats: int) -> None:
    """The second game comes from another package, and has no presentation of its own."""
    async with staged(tmp_path, games=["spice_market:SPICE_MARKET"]) as stage:
        post = await begin_game(stage, game, seats)
        clicks = await play_to_the_end(stage, post, seats, seed=1)
        assert "1. Person" in (await wait_for_end(stage, post)).replace("\\", "")
        assert clicks > 10
        assert stage.fake.violations == []
        assert max(stage.fake.latencies) < 3
