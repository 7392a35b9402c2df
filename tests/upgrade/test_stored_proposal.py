"""An open proposal to go back that version 0.1 stored as `taking_back`: players see it, answer it, or play on."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from server_fixture import Peer, Table, running
from upgrade.stored import FOLDERS, read_list, unpack_sqlite

from palatine_protocol import messages
from palatine_server.gateway.tokens import TokenSigner, read_secret

FOLDER = next(folder for folder in FOLDERS if folder.name == "0.1.0-1eec13c")
STORED = read_list(FOLDER, "sqlite")["palais of two"]  # fixture-ada has proposed to go back by six entries


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[list[Table]]:
    """Open the table on this version, with both players and a spectator at it."""
    unpack_sqlite(FOLDER, data)
    async with running(data) as house, AsyncExitStack() as stack:
        signer = TokenSigner(read_secret(data), time.time)
        tables = []
        for user in (*STORED.users, "somebody-else"):
            token = signer.create_token(str(user), user=str(user))[0]
            tables.append(await watched(await stack.enter_async_context(house.peer(token=token))))
        yield tables


async def watched(peer: Peer) -> Table:
    watching = await peer.do(messages.Watch, table=STORED.id)
    assert isinstance(watching, messages.Watching), watching
    table = Table(peer, STORED.id)
    await table.until_version(watching.version)
    return table


def proposal(table: Table) -> Any:
    """Return the open proposal as the protocol page says: the log of version 0.1 has its earlier name."""
    return table.info.get("rollback") or table.info.get("taking_back")


async def test_everybody_sees_the_proposal(tmp_path: Path) -> None:
    async with opened(tmp_path) as tables:
        for table in tables:
            assert proposal(table) == {"to": STORED.version - 8, "by": 0, "agreed": [0]}


@pytest.mark.parametrize("agree", [True, False])
async def test_the_other_player_answers_it(tmp_path: Path, agree: bool) -> None:
    async with opened(tmp_path) as tables:
        done = await tables[1].peer.do(messages.Agree, table=STORED.id, agree=agree)
        assert isinstance(done, messages.Done), done
        for table in tables:
            await table.until_version(done.version)
            assert not proposal(table)
            updates = [each for each in table.peer.heard if isinstance(each, messages.Update)]
            told = {item["news"] for update in updates for item in update.news or []}
            assert ("rolled_back" in told, "rollback_refused" in told) == (agree, not agree)


async def test_a_move_ends_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as tables:
        mover = next(table for table in tables if table.is_waited_for)
        done = await mover.act(lambda below: 0)
        assert isinstance(done, messages.Done), done
        for table in tables:
            await table.until_version(done.version)
            assert not proposal(table)
