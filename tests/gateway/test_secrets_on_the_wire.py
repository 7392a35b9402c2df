"""Law 3 on the wire: two worlds that differ only in what a viewer may not know send him the same bytes.

The same table lies in two stores, once with the hidden tiles and cards exchanged; two servers serve them. The others do
the corresponding things in both worlds, the viewer does the same, and every frame he and a spectator get is compared
until something is revealed.
"""

import time
from collections.abc import Collection
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from gateway.twin_servers import HIDING, NOW, SECRET, TABLE, numbered
from server_fixture import House, Peer, Table, running

from palatine_protocol import messages
from palatine_protocol.messages import Act, Info, Point, Seated, Update, Watch
from palatine_server.checks import random_games
from palatine_server.games.kit import Game, plain
from palatine_server.games.registry import GAMES
from palatine_server.gateway.tokens import TokenSigner
from palatine_server.store import RequestKey
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.model import TableSnapshot
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_summary

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def page_of(game: Game, document: Any, players: int) -> TableSnapshot:
    """A running table whose seats belong to the users u0, u1, …"""
    seats: list[Seated | None] = [Seated(name=f"Name {seat}") for seat in range(players)]
    info = Info(game=game.name, status="playing", visibility="public", host="Name 0", seats=seats, options={})
    state = TableState.create(game, info, "u0", "00" * 32, 0)
    state.secrets.users = [f"u{seat}" for seat in range(players)]
    rest = {name: document[name] for name in ("box", "chance", "agenda")}
    hidden = {**plain(state.secrets), "game": rest}
    return TableSnapshot(version=0, info=plain(info), board=document["board"], hands=document["hands"], hidden=hidden)


async def planted(data: Path, game: Game, page: TableSnapshot) -> None:
    """A store that holds nothing but this table."""
    data.mkdir(mode=0o700)
    store = await SqliteStore.open(data)
    summary = build_summary(TableState.read(game, page))
    await store.create(TABLE, msgspec.msgpack.encode(page), summary, RequestKey("u0", "plant", b""))
    await store.close()


class World:
    """One of the two worlds: its server, a connection for each seat and one for a spectator."""

    def __init__(self, peers: list[Peer], spectator: Peer) -> None:
        self.peers, self.spectator = peers, spectator
        self.tables = [Table(peer, TABLE) for peer in peers]
        self.spectating = Table(spectator, TABLE)

    @classmethod
    async def entered(cls, stack: AsyncExitStack, house: House, players: int) -> "World":
        token_signer = TokenSigner(SECRET, time.time)
        peers = []
        for user in [*(f"u{seat}" for seat in range(players)), "visitor"]:
            token, _ = token_signer.create_token(user, user=user)
            peer = await stack.enter_async_context(house.peer(token=token))
            peer.next_id = numbered()  # type: ignore[method-assign]
            await peer.do(Watch, table=TABLE)
            peers.append(peer)
        return cls(peers[:-1], peers[-1])

    async def until(self, version: int) -> None:
        for table in (*self.tables, self.spectating):
            await table.until_version(version)


@every_game
@pytest.mark.parametrize("seed", range(6))
async def test_swapped_secrets_leave_the_server_as_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game, seed: int
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    monkeypatch.setattr(StoreClock, "__call__", lambda clock: NOW)
    monkeypatch.setattr("palatine_server.tables.viewers.pointers.POINT_EVERY", 0)
    secrets, rng = game.secrets, Random(seed)
    assert secrets
    players = rng.choice(list(game.players))
    viewer = rng.randrange(players)
    zones = random_games.find_moment(random_games.begun(game, players, seed), rng, 200, part=0.5)
    document = plain(zones.document())
    swapped = secrets.swap(plain(document), viewer, rng)
    await planted(tmp_path / "here", game, page_of(game, document, players))
    await planted(tmp_path / "there", game, page_of(game, swapped, players))
    async with AsyncExitStack() as stack:
        worlds = [
            await World.entered(stack, await stack.enter_async_context(running(tmp_path / name)), players)
            for name in ("here", "there")
        ]
        assert await compared(worlds, viewer, rng, secrets.list_revealing(document)) > 0


async def compared(worlds: list[World], viewer: int, rng: Random, revealing: Collection[str]) -> int:
    """Play on in both worlds until something is revealed to the viewer; how many frames were the same."""
    here, there = worlds
    for version in range(1, 40):
        for world in worlds:
            await world.until(version - 1)
        assert raw(here, viewer) == raw(there, viewer)
        await pointed(here, there, viewer, rng)
        waiting = [table for table in here.tables if table.is_waited_for]
        if not waiting or not await acted(here, there, rng.choice(waiting), viewer, rng):
            break
        for world in worlds:
            await world.until(version)
        if revealed(here, viewer, version, revealing):
            break
    return len(here.peers[viewer].frames)


async def pointed(here: World, there: World, viewer: int, rng: Random) -> None:
    """Every other seat points at corresponding things in both worlds; whom that reaches is up to the game."""
    for seat in set(range(len(here.tables))) - {viewer}:
        offers = [world.tables[seat].offer for world in (here, there)]
        mine, other = ([] if offer is None else offer.choices for offer in offers)
        if not mine or [(choice.do, choice.count()) for choice in mine] != [(one.do, one.count()) for one in other]:
            continue
        place = rng.randrange(len(mine))
        number = rng.randrange(mine[place].count())
        for world, choices in ((here, mine), (there, other)):
            reply = await world.peers[seat].do(Point, table=TABLE, action=choices[place].nth(number))
            assert isinstance(reply, messages.Noted), reply


async def acted(here: World, there: World, table: Table, viewer: int, rng: Random) -> bool:
    """The seat acts in both worlds: the viewer the same, another the corresponding thing, if there is one."""
    seat = here.tables.index(table)
    twin = there.tables[seat]
    assert table.offer is not None
    assert twin.offer is not None
    mine, other = table.offer.choices, twin.offer.choices
    if seat == viewer:
        assert mine == other
    if [(choice.do, choice.count()) for choice in mine] != [(choice.do, choice.count()) for choice in other]:
        return False
    place = rng.randrange(len(mine))
    number = rng.randrange(mine[place].count())
    for world, choices in ((here, mine), (there, other)):
        peer, offer = world.peers[seat], world.tables[seat].offer
        assert offer is not None
        reply = await peer.do(Act, table=TABLE, offer=offer.id, action=choices[place].nth(number))
        assert isinstance(reply, messages.Done), reply
    return True


def raw(world: World, viewer: int) -> list[list[bytes]]:
    """All bytes the viewer and the spectator have got, but for the greeting, which names the time."""
    return [[HIDING.sub(b"", frame) for frame in peer.frames[1:]] for peer in (world.peers[viewer], world.spectator)]


def revealed(world: World, viewer: int, version: int, revealing: Collection[str]) -> bool:
    updates = (message for message in world.peers[viewer].heard if isinstance(message, Update))
    news = (item for update in updates if update.version == version for item in update.news or [])
    return any(item["news"] in revealing for item in news)
