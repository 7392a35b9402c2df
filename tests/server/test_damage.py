"""A real server and a damaged file: found at the start after an unclean stop, and later at the cost of one table."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import anyio
import httpx
import pytest
from server.player import PersistentPlayer, play_together, start_game
from server.process import PALATINE, ServerProcess
from store.damage import damage_snapshot

from palatine_protocol.messages import Refused, Watch
from palatine_server.web.preflight import EXIT_DAMAGED

SOON = 20.0  # seconds; generous, for machines with other work


async def played(served: ServerProcess, names: str) -> tuple[str, list[PersistentPlayer]]:
    """A game that has gone on for a while."""
    players = [PersistentPlayer(served, name) for name in names]
    table = await start_game(players)
    await play_together(players, until=lambda table: table.version > 50)
    return table, players


def hasty(data: Path) -> ServerProcess:
    """A server on which nobody is too fast."""
    served = ServerProcess(data)
    served.environment = {"PALATINE_BURST": "10000", "PALATINE_RATE": "10000"}
    return served


async def leave(players: list[PersistentPlayer]) -> None:
    for player in players:
        await player.close()


def serve_again(data: Path) -> subprocess.CompletedProcess[str]:
    command = [PALATINE, "serve", "--data", str(data), "--port", "0"]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_damaged_file_is_found_before_it_is_served(tmp_path: Path, how: signal.Signals) -> None:
    """After kill -9; and after a stop in good order too, when somebody has touched the file since."""
    async with hasty(tmp_path) as served:
        table, players = await played(served, "AB")
        await leave(players)
        await served.stop(how)
    damage_snapshot(tmp_path, table, secretly=how is signal.SIGKILL)
    before = (tmp_path / "palatine.db").read_bytes()
    ended = serve_again(tmp_path)
    assert ended.returncode == EXIT_DAMAGED
    assert "is damaged" in ended.stderr
    assert f"palatine doctor --data {tmp_path}" in ended.stderr
    assert "Restore a backup" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "palatine.db").read_bytes() == before


async def test_damage_met_later_costs_one_table_and_is_shown(tmp_path: Path) -> None:
    async with hasty(tmp_path) as served:
        damaged, friends = await played(served, "AB")
        healthy, others = await played(served, "CD")
        await leave([*friends, *others])
        await served.stop()
        damage_snapshot(tmp_path, damaged, secretly=True)
        await served.start()  # nothing looks wrong, so nothing is checked
        peer = await PersistentPlayer(served, "Stranger").peer()
        refused = await peer.do(Watch, table=damaged)
        assert isinstance(refused, Refused)
        await peer.do(Watch, table=healthy)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}") as client:
            ready = await client.get("/readyz")
        assert (ready.status_code, ready.text.splitlines()[0]) == (200, "ready")
        assert "a part of the file is damaged" in ready.text
        lines = [json.loads(line) for line in served.said]
        assert [line["table"] for line in lines if "is damaged" in line["event"]] == [damaged]
        assert all("palatine doctor" in line["event"] for line in lines if "is damaged" in line["event"])
        with anyio.fail_after(SOON):
            await play_together(others)  # to the end of the game
        assert damaged not in ready.text
        await leave(others)
        await peer.socket.close()
