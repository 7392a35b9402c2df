"""A presentation may come from any package: whatever it does when it draws, the server has a picture."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from palatine_server.games.kit import plain
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.pictures import pool as picture_pool
from palatine_server.pictures.jobs import PictureJob, PictureStyle
from palatine_server.pictures.pool import PicturePool
from palatine_server.pictures.worker import _encode
from palatine_server.settings import Settings

GAME = next(iter(GAMES.values()))
# The first player's name says what the presentation does.
MODULE = """
import os, sys
from palatine_client.render.presentation import Presentation

def loop():
    while True: pass

DEEDS = {
    "raises": lambda: 1 / 0,
    "exits": lambda: sys.exit("I stop everything"),
    "returns nothing": lambda: None,
    "returns no XML": lambda: "<svg><g></svg>",
    "returns a script": lambda: "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "calls itself": lambda: (f := lambda: f())(),
    "ends the process": lambda: os._exit(1),
    "never ends": loop,
}
PRESENTATION = Presentation(game=%r, load_text=None, draw=lambda view: DEEDS[view.names[0]]())
"""


@pytest.fixture
async def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PicturePool]:
    """Return a pool whose worker processes find the hostile presentation before our own."""
    info = tmp_path / "hostile-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[palatine.presentations]\n{GAME.name} = a_hostile:PRESENTATION\n")
    (tmp_path / "a_hostile.py").write_text(MODULE % GAME.name)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(picture_pool, "SECONDS", 2.0)  # for a first picture, with its imports
    pool = PicturePool(Settings(picture_workers=1), Metrics())
    yield pool
    await pool._stop()


def build_job(deed: str) -> bytes:
    players = GAME.players[0]
    play = GAME.begin(players, "00" * 32)
    names = [deed, *(["Ada"] * (players - 1))]
    return _encode(PictureJob(GAME.name, GAME.edition, PictureStyle("svg"), names, [], plain(play.board)))


@pytest.mark.parametrize(
    "deeds",
    [
        [
            "raises",
            "exits",
            "returns nothing",
            "returns no XML",
            "returns a script",
            "returns too much",
            "calls itself",
        ],
        ["ends the process"],
        ["never ends"],
    ],
    ids=lambda deeds: deeds[0],
)
async def test_the_generic_picture_is_drawn_instead(
    pool: PicturePool, deeds: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    for deed in deeds:
        with anyio.fail_after(60):
            picture = (await pool.draw(build_job(deed), "somebody")).decode()
        assert GAME.title["en"] in picture
        assert deed in picture  # the generic picture shows the names of the players
        assert "<script" not in picture
    assert sum("cannot draw a view" in record.getMessage() for record in caplog.records) == len(deeds)
