"""Hostile frames against a running server, while bystanders play on it; `python -m hostile` makes a long run of it.

The server is a process of its own with the settings it ships with.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from hostile.assault import Attack, Bystanders, connect_peer
from server.process import ServerProcess

FRAMES = 10_000
GROWTH = 64.0  # MiB that the server may grow meanwhile: tables stay open for half a minute after the last look at them


async def test_frames_of_all_kinds_disturb_nobody(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(ServerProcess(tmp_path))
        peers = [await stack.enter_async_context(connect_peer(served, served.token(name))) for name in "ABCD"]
        attack, bystanders = Attack(served, seed=11), Bystanders(peers)
        await attack.create_own_table(served.token("E"))  # everything was used once
        before = served.memory()
        await attack.wave(FRAMES, bystanders)
        print(attack, bystanders, f"{before:.0f} -> {served.memory():.0f} MiB", sep="; ")  # noqa: T201
        assert served.is_alive
        assert served.memory() - before < GROWTH
        assert attack.readable > FRAMES // 10
        assert attack.closed_early > FRAMES // 50
    assert served.said == []
