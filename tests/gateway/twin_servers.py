"""Two worlds that differ only in what a viewer may not know: the same table on two servers, with other secrets."""

from __future__ import annotations

import logging
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from contextvars import ContextVar
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from server_fixture import House, Peer, Table, running

from palatine_protocol.messages import Done, Info, Show, Sit, Update, Watch
from palatine_server.checks import random_games
from palatine_server.games.kit import Game, Recorder, plain
from palatine_server.gateway.tokens import TokenSigner
from palatine_server.log_format import LineFormatter, as_json
from palatine_server.store import Append, RequestKey, append_and_wait
from palatine_server.store.hash_chain import link, origin
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables import handlers
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage.persistence import build_summary

TABLE = "the-table"
NOW = 1_772_700_000_000
SECRET = "a secret that both servers know"
# The seal of a secret choice and the fork of a version are keyed hashes: they differ, and say nothing.
HIDING = re.compile(rb"(?<=\xa4seal\xd9\x40)[0-9a-f]{64}|(?<=\xa4fork\xa8)[\w+/]{8}")
BEGUN = time.time()  # the tokens of both worlds are made at the same time
WORLD = ContextVar("world", default="")  # in which everything happens that its server does


class Setting:
    """A game in full swing, and its twin with other secrets."""

    def __init__(self, game: Game, seed: int, delay: int = 0) -> None:
        self.game, self.rng, self.delay = game, Random(seed), delay
        assert game.secrets
        self.secrets = game.secrets
        self.players = self.rng.choice(list(game.players))
        self.options = random_games.choose_options(game, self.players, seed)
        self.start = self.players + 1  # the version at which the game begins, where it was interrupted
        zones = random_games.find_moment(random_games.begun(game, self.players, seed), self.rng, 60, part=0.5)
        here = plain(zones.document())
        self.viewer = self.rng.choice(game.resume(plain(here)).waiting_for())
        self.revealing = self.secrets.list_revealing(here)
        self.documents = here, self.secrets.swap(plain(here), self.viewer, self.rng)

    async def planted(self, data: Path, document: Any) -> None:
        """A store with a table whose seats belong to the users u0, u1, …, and whose game begins with this document."""
        seats: Any = [None] * self.players
        info = Info(
            game=self.game.name,
            status="open",
            visibility="public",
            host="",
            seats=seats,
            options=self.options,
            delay=self.delay,
        )
        state = TableState.create(self.game, info, "u0", "00" * 32, NOW)
        key = RequestKey("u0", "plant", b"")
        data.mkdir(mode=0o700)
        store = await SqliteStore.open(data)
        await store.create(TABLE, msgspec.msgpack.encode(state.take_snapshot()), build_summary(state), key)
        head = origin(TABLE)
        for entry in self._entries(state, document):
            encoded = msgspec.msgpack.encode(entry)
            await append_and_wait(store, Append(TABLE, head, encoded, summary=build_summary(state)))
            head = link(head, encoded)
        await store.close()

    def _entries(self, state: TableState, document: Any) -> Iterator[Any]:
        for seat in range(self.players):
            yield handlers.seats.sit(state, Requester(f"u{seat}", f"Name {seat}"), Sit(id="s", table=TABLE), NOW)
        state.recorder, state.info.status = Recorder(self.game.resume(document)), "playing"
        state.run_clocks(NOW)
        yield state.entry(NOW, "u0", {"do": "start"}, None, [])


class Seen(Table):
    """What somebody sees who asks again and again for what he has seen already."""

    def _go_on(self, message: Update) -> None:
        if message.version > self.version:
            super()._go_on(message)


class World:
    """One of the worlds: its server, a connection for each seat, a spectator, and one who looks over a shoulder."""

    def __init__(self, house: House, setting: Setting) -> None:
        self.house, self.setting, self.peers = house, setting, list[Peer]()
        self.tables: list[Table] = []
        self.version = setting.start

    @classmethod
    async def entered(cls, stack: AsyncExitStack, data: Path, setting: Setting, document: Any) -> World:
        """Everybody comes and watches; the viewer lets his friend look at his hand."""
        await setting.planted(data, document)
        WORLD.set(data.name)
        world = cls(await stack.enter_async_context(running(data)), setting)
        token_signer = TokenSigner(SECRET, lambda: BEGUN)
        for user in [*(f"u{seat}" for seat in range(setting.players)), "visitor", "friend"]:
            peer = await stack.enter_async_context(
                world.house.peer(token=token_signer.create_token(user, user=user)[0])
            )
            peer.next_id = numbered()  # type: ignore[method-assign]
            world.peers.append(peer)
            world.tables.append(Seen(peer, TABLE))
            await peer.do(Watch, table=TABLE)
        await world.change(setting.viewer, Show)
        await world.peers[-1].do(Watch, table=TABLE, seat=setting.viewer)
        await world.settled()
        return world

    async def change(self, who: int, kind: Any, **given: Any) -> None:
        """Something that becomes an entry."""
        reply = await self.peers[who].do(kind, table=TABLE, **given)
        assert isinstance(reply, Done), reply
        self.version = reply.version

    async def settled(self) -> None:
        """Everybody has been told everything that he is to be told."""
        for number, table in enumerate(self.tables):
            is_late = number >= self.setting.players
            await table.until_version(self.version - self.setting.delay if is_late else self.version)

    def seen(self) -> list[list[bytes]]:
        """All bytes that the viewer, the spectator and the friend were sent, but for the greeting with its times."""
        watching = self.peers[self.setting.viewer], *self.peers[-2:]
        return [[HIDING.sub(b"", frame) for frame in peer.frames[1:]] for peer in watching]  # type: ignore[arg-type]


def numbered() -> Any:
    """The same request ids in both worlds."""
    numbers = iter(range(100_000))
    return lambda: f"r{next(numbers)}"


class Ears(logging.Handler):
    """Hears what each server writes into its log, but for the time."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: defaultdict[str, list[Any]] = defaultdict(list)
        self.setFormatter(LineFormatter(as_json))

    def emit(self, record: logging.LogRecord) -> None:
        line = msgspec.json.decode(self.format(record))
        self.lines[WORLD.get()].append({**line, "time": ""})
