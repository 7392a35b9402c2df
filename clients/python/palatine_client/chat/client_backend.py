"""The game server over the Python client: a connection for each person, and a few that watch as spectators.

People are users of a service: the app has the service's token, and asks for a token for each person. Spectators are
users of the same service, who take no seat; each watches a bounded number of tables on one connection. So the public
message of a table never comes from a connection that sees a hand.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from typing import Any

import msgspec

from palatine_protocol.messages import AnyReply, AnyRequest, Refused

from ..client import Client
from ..exceptions import Disconnected, RequestRefused
from ..guest_tokens import HTTP_SCHEMES, Guest, build_url, send_request
from ..table import Table, copy_document
from .chat_events import Person
from .chat_memory import ChatMemory, PersonRecord
from .messages.text_limits import cut_text
from .runner import ServerAway
from .steps import ChatView, GameFacts

log = logging.getLogger("palatine.chat")

LONGEST_NAME = 24  # characters that the server allows
MOST_CONNECTIONS = 500  # of people; at the limit, the one that was not used for the longest time is closed
IDLE = 300.0  # seconds after which a person's connection is closed
ANSWER_WITHIN = 10.0  # seconds
TABLES_PER_SPECTATOR = 24
MOST_GAMES = 64  # games in both languages that are remembered
GAME_LIFE = 600.0  # seconds after which the server is asked for a game again
MOST_NEWS = 20
MOST_WATCHED = 16  # tables on the connection of one person; the server allows 32


class PersonConnection:
    """The connection of one person, and when it was last used."""

    def __init__(self, client: Client, expires: int) -> None:
        self.client, self.expires = client, expires
        self.used, self.uses = time.monotonic(), 0


class SpectatorConnection:
    """A connection that watches tables as a spectator."""

    def __init__(self, number: int, client: Client, expires: int, table: str) -> None:
        self.number, self.client, self.expires, self.tables = number, client, expires, {table}


class ClientBackend:
    """A game server, over websockets."""

    def __init__(self, server: str, service_token: str, memory: ChatMemory | None = None) -> None:
        self.server, self._service_token, self._memory = server, service_token, memory
        self._people: dict[str, PersonConnection] = {}  # the one used last is last
        self._openings: dict[str, asyncio.Lock] = {}
        self._spectators: list[SpectatorConnection] = []
        self._spectating = asyncio.Lock()
        self._games: dict[tuple[str, str], tuple[GameFacts, float]] = {}  # and when they were asked for

    async def close(self) -> None:
        """Close all connections."""
        for person in list(self._people):
            await self._drop(person)
        for spectator in self._spectators:
            await spectator.client.__aexit__(None, None, None)
        self._spectators.clear()

    # People

    async def ask(self, person: Person, request: AnyRequest) -> AnyReply:
        async with self._connection(person) as client:
            return await ask_client(client, request)

    async def see(self, table: str, person: Person | None, invitation: str = "") -> ChatView | Refused:
        if person is None:
            return await self._see_as_spectator(table, invitation)
        async with self._connection(person) as client:
            seen = await see_table(client, table, invitation)
            await forget_tables(client)
            return seen

    async def _see_as_spectator(self, table: str, invitation: str) -> ChatView | Refused:
        for spectator in filter(is_usable, self._spectators):
            if table in spectator.tables:
                with convert_failures():
                    async with asyncio.timeout(ANSWER_WITHIN):
                        return await see_table(spectator.client, table, invitation)
        return await self.see(table, Person("spectator:guest", "Spectator"), invitation)

    @asynccontextmanager
    async def _connection(self, person: Person) -> AsyncIterator[Client]:
        """Yield the open connection of a person; raise ServerAway if there is none in time."""
        with convert_failures():
            async with asyncio.timeout(ANSWER_WITHIN):
                opened = await self._open(person)
                opened.uses += 1
                try:
                    yield opened.client
                finally:
                    opened.uses -= 1
                    opened.used = time.monotonic()

    async def _open(self, person: Person) -> PersonConnection:
        async with self._openings.setdefault(person.id, asyncio.Lock()):
            known = self._people.pop(person.id, None)
            if known is not None and is_usable(known):
                self._people[person.id] = known
                return known
            if known is not None:
                await known.client.__aexit__(None, None, None)
            await self._make_room()
            try:
                guest = await self._mint(person.id, person.name)
                client = Client(self.server, guest.token, patience=None, client="palatine-chat")
                await client.__aenter__()
            except BaseException:
                self._openings.pop(person.id, None)
                raise
            self._people[person.id] = opened = PersonConnection(client, guest.expires)
            return opened

    async def _make_room(self) -> None:
        """Close connections that nobody used for a while, and at the limit the one used least recently."""
        now = time.monotonic()
        idle = [person for person, each in self._people.items() if not each.uses and now - each.used > IDLE]
        unused = [person for person, each in self._people.items() if not each.uses]
        for person in idle or (unused[:1] if len(self._people) >= MOST_CONNECTIONS else []):
            await self._drop(person)
        if len(self._people) >= MOST_CONNECTIONS:
            raise ServerAway("too many people at once")

    async def _drop(self, person: str) -> None:
        self._openings.pop(person, None)
        if dropped := self._people.pop(person, None):
            await dropped.client.__aexit__(None, None, None)

    async def _mint(self, person: str, name: str) -> Guest:
        """Return a token for a person; the same person always is the same user."""
        record = await self._memory.find_person(person) if self._memory else PersonRecord(person)
        name = cut_text(name, LONGEST_NAME) or record.name or cut_text(person.rpartition(":")[2], LONGEST_NAME)
        body = json.dumps({"id": person, "name": name}).encode()
        url = build_url(self.server, HTTP_SCHEMES, "/v1/users")
        request = urllib.request.Request(url, body, {"content-type": "application/json"})  # noqa: S310 (the scheme is ours)
        request.add_header("authorization", f"Bearer {self._service_token}")
        guest = msgspec.json.decode(await asyncio.to_thread(send_request, request), type=Guest)
        if self._memory and (record.user, record.name) != (guest.user, name) and not person.startswith("spectator:"):
            await self._memory.save_person(msgspec.structs.replace(record, user=guest.user, name=name))
        return guest

    # Spectators

    async def follow(self, table: str, invitation: str) -> AsyncIterator[ChatView]:
        """Yield what spectators see of a table: now, and after every change; raise RequestRefused if it is gone."""
        spectator = await self._find_spectator(table)
        try:
            watched = await spectator.client.join(table, invitation=invitation)
            news: list[dict[str, Any]] = []
            async for change in watched.updates(after_end=True):
                news = [*news, *change.news][-MOST_NEWS:]
                if watched.view.is_current:
                    yield copy_view(watched, news)
        finally:
            await self._stop_watching(spectator, table)

    async def _stop_watching(self, spectator: SpectatorConnection, table: str) -> None:
        """Let a spectator watch a table no longer; close a connection that was retired with its last table."""
        spectator.tables.discard(table)
        if not (spectator.tables or spectator in self._spectators):
            await spectator.client.__aexit__(None, None, None)
            return
        with suppress(RequestRefused, Disconnected, KeyError, TimeoutError):
            async with asyncio.timeout(1):
                await Table(spectator.client, table).unwatch()

    async def _find_spectator(self, table: str) -> SpectatorConnection:
        """Return a spectator who can watch one more table; one whose token expires is retired."""
        async with self._spectating:
            self._spectators = [each for each in self._spectators if is_usable(each)]
            for spectator in self._spectators:
                if len(spectator.tables) < TABLES_PER_SPECTATOR:
                    spectator.tables.add(table)
                    return spectator
            self._spectators.append(await self._open_spectator(table))
            return self._spectators[-1]

    async def _open_spectator(self, table: str) -> SpectatorConnection:
        taken = {each.number for each in self._spectators}
        number = next(number for number in count() if number not in taken)
        guest = await self._mint(f"spectator:{number}", "Spectator")
        client = Client(self.server, guest.token, patience=None, client="palatine-chat")
        await client.__aenter__()
        return SpectatorConnection(number, client, guest.expires, table)

    # Games

    async def see_game(self, game: str, lang: str) -> GameFacts | Refused:
        """Return the facts of a game; known ones are asked for again now and then, as the server may be newer."""
        known, asked = self._games.get((game, lang), (None, 0.0))
        if known is not None and time.monotonic() - asked < GAME_LIFE:
            return known
        if known is None:
            return await self._learn_game(game, lang)
        self._keep_game(game, lang, known)  # for everybody else who asks meanwhile
        try:
            return await self._learn_game(game, lang)
        except ServerAway:
            return known

    async def _learn_game(self, game: str, lang: str) -> GameFacts | Refused:
        facts = await self._fetch(f"/v1/games/{game}?lang={lang}" if game.isidentifier() else "/v1/games/-")
        if isinstance(facts, GameFacts):
            self._keep_game(game, lang, facts)
        return facts

    def _keep_game(self, game: str, lang: str, facts: GameFacts) -> None:
        self._games.pop((game, lang), None)
        while len(self._games) >= MOST_GAMES:
            del self._games[next(iter(self._games))]
        self._games[game, lang] = facts, time.monotonic()

    async def _fetch(self, path: str) -> GameFacts | Refused:
        bare, _, query = path.partition("?")
        url = build_url(self.server, HTTP_SCHEMES, bare) + (f"?{query}" if query else "")
        request = urllib.request.Request(url)  # noqa: S310 (the scheme is ours)
        with convert_failures():
            try:
                body = await asyncio.to_thread(send_request, request)
                return await asyncio.to_thread(msgspec.json.decode, body, type=GameFacts)
            except RequestRefused as refused:
                return Refused(re="", code=refused.code, sentence=refused.sentence)

    async def list_games(self) -> list[GameFacts]:
        """Return all games of the server, in English and without their catalogs."""
        request = urllib.request.Request(build_url(self.server, HTTP_SCHEMES, "/v1/games"))  # noqa: S310
        with convert_failures():
            body = await asyncio.to_thread(send_request, request)
            return msgspec.json.decode(body, type=dict[str, list[GameFacts]])["games"]


@contextmanager
def convert_failures() -> Iterator[None]:
    """Raise ServerAway instead of everything that says that the server does not answer."""
    try:
        yield
    except (Disconnected, TimeoutError) as error:
        raise ServerAway(str(error)) from error
    except RequestRefused as refused:  # not of a request: of the service's token, or of a new connection
        log.error("the game server refuses the app: %s", refused)
        raise ServerAway(refused.code) from refused


def is_usable(known: PersonConnection | SpectatorConnection) -> bool:
    """Return whether a connection has not ended, and its token is valid for another hour."""
    try:
        known.client.check()
    except Disconnected:
        return False
    return known.expires > time.time() + 3600


async def ask_client(client: Client, request: AnyRequest) -> AnyReply:
    """Send a request; return the refusal as a message."""
    try:
        return await client.request(request)
    except RequestRefused as refused:
        return Refused(re=request.id, code=refused.code, sentence=refused.sentence)


async def see_table(client: Client, table: str, invitation: str) -> ChatView | Refused:
    """Return what the user of this connection sees of a table."""
    try:
        return copy_view(await client.join(table, invitation=invitation), [])
    except RequestRefused as refused:
        return Refused(re="", code=refused.code, sentence=refused.sentence)


async def forget_tables(client: Client) -> None:
    """Stop watching the tables that a connection has watched the longest, if there are many."""
    for table in list(client.listeners)[:-MOST_WATCHED]:
        with suppress(RequestRefused, KeyError):
            await Table(client, table).unwatch()


def copy_view(watched: Table, news: list[dict[str, Any]]) -> ChatView:
    """Return a copy of a view that later updates do not change."""
    view = watched.view
    return ChatView(
        table=watched.id,
        version=view.version or 0,
        seat=view.seat,
        info=watched.info,
        board=copy_document(view.board),
        hand=copy_document(view.hand),
        offer=view.offer,
        waiting=view.waiting,
        can_undo=view.can_undo,
        news=news or view.news,
    )
