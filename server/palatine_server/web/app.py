"""The application: the hall and the store live as long as it does; routes lead into them."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from palatine_protocol.codec import SUBPROTOCOLS, for_server
from palatine_protocol.errors import Close, Code

from ..bots.pool import BotPool
from ..games.kit import Refused, refuse
from ..games.registry import load_games
from ..gateway.admission import Admission, household_of
from ..gateway.connection import Connection, spread
from ..gateway.tokens import Identities, secret_of
from ..gateway.websocket import EXTENSION, WebSocketProtocol
from ..metrics import Metrics
from ..records.signing_keys import SigningKeys, find_documents
from ..settings import Settings
from ..store import Keep, Store, Unavailable, milliseconds
from ..store.sqlite import SqliteStore
from ..tables.directory import Hall
from ..webhooks import Bell, Places, Sender
from .collector import QuietCollector
from .costs import charged
from .metrics_server import let_scrape
from .origin_gate import OriginGate
from .routes import core_routes, docs, record_routes, webhook_routes
from .routes.catalogs import Catalogs
from .routes.record_files import RecordFiles
from .text_renderer import describer

log = logging.getLogger("palatine.web")
CHECK_REVOCATIONS_EVERY = 1.0  # seconds


class House:
    """Everything that runs: what routes and connections share."""

    def __init__(self, settings: Settings, store: Store, hall: Hall, tasks: TaskGroup) -> None:
        self.settings, self.store, self.hall, self.tasks = settings, store, hall, tasks
        self.record_files, self.catalogs = RecordFiles(store), Catalogs(hall.shelf)
        self.identities = Identities(secret_of(settings.data), time.time)
        self.admission = Admission(settings, self.identities, time.monotonic)
        self.signing_keys = SigningKeys(find_documents(store, settings.data), milliseconds, settings.public_url)
        self.connections: set[Connection] = set()
        self.bell: Bell | None = None  # unless nobody is to be told anything by webhooks
        self.is_ready = True  # new clients are welcome
        self.is_stopping = False

    async def give_notice(self) -> None:
        """Go on for a while, no longer ready, until a load balancer sends new clients elsewhere."""
        self.is_ready = False
        await anyio.sleep(self.settings.drain_notice)

    def refusal(self, household: str) -> Close | None:
        """Why a connection from there cannot be served now, if so."""
        if self.is_stopping:
            return Close.RESTART
        if len(self.connections) >= self.settings.most_connections:
            return Close.OVERLOADED
        return self.admission.refusal(household)

    def users(self) -> set[str]:
        """Who is connected to this node."""
        return {connection.known.id for connection in self.connections if connection.known}

    def serve(self, socket: WebSocketProtocol, subprotocol: str, household: str) -> None:
        """Serve a websocket that was accepted, until it ends; nothing waits for that."""
        wire, shared = for_server(subprotocol), (self.hall, self.admission, self.settings, self.tasks)
        connection = Connection(socket, wire, *shared, time.monotonic, household, self.release)
        self.hold(connection)
        connection.open(socket.attach(connection, is_text=wire.is_text))

    def hold(self, connection: Connection) -> None:
        """Count a connection until it ends."""
        self.connections.add(connection)
        self.admission.enter(connection.household)

    def release(self, connection: Connection) -> None:
        """Count a connection no longer."""
        self.connections.discard(connection)
        self.admission.leave(connection.household, connection.known)

    # Revocations

    async def revoke(self, subject: str, days: int) -> None:
        """Shut a token or a user out, here at once and elsewhere soon."""
        await self.store.revoke(*self.identities.revocation(subject, days))
        await self.check_revocations()

    async def keep_checking_revocations(self) -> None:
        """Check every second whether a user or a token was revoked."""
        while True:
            await anyio.sleep(CHECK_REVOCATIONS_EVERY)
            await self.check_revocations()

    async def check_revocations(self) -> None:
        """Read who was revoked, and end the connections of those who may not stay."""
        try:
            self.admission.revoked = await self.store.revoked(self.hall.clock())
        except Unavailable:
            log.warning("the store does not say who was revoked")
        except Exception:  # what one row leads to is no reason to stop checking
            log.exception("who was revoked cannot be read")
        for connection in list(self.connections):
            if connection.known and (code := self.admission.must_go(connection.known)):
                connection.end(code)

    # Stopping

    async def drain(self) -> None:
        """Take nothing new, let replies out, say goodbye to everybody and wait for them, but not for ever."""
        self.is_stopping = True
        for connection in list(self.connections):
            connection.end_soon(Close.RESTART, reconnect_in=spread(self.settings))
        with anyio.move_on_after(self.settings.drain):
            while self.connections:
                await anyio.sleep(0.01)
        for connection in self.connections:
            connection.cut()


async def websocket(socket: WebSocket) -> None:
    """A client connects: check where it comes from, agree on a subprotocol, serve it."""
    house: House = socket.app.state.house
    offered = [name for name in socket.scope["subprotocols"] if name in SUBPROTOCOLS]
    subprotocol = offered[0] if offered else None
    origins: OriginGate = socket.app.state.origins
    if not origins.allows(socket.scope):
        house.hall.metrics.closed(Close.FORBIDDEN)
        await socket.send_denial_response(core_routes.refused(origins.refuse(socket.scope)))
        return
    await socket.accept(subprotocol=subprotocol)
    household = household_of(socket.client.host if socket.client else "")
    if refusal := house.refusal(household):
        house.hall.metrics.closed(refusal)
        await socket.close(refusal)
        return
    house.serve(socket.scope["extensions"][EXTENSION], subprotocol or SUBPROTOCOLS[0], household)


async def no_websocket(socket: WebSocket) -> None:
    """Answer a handshake at any other address with 404, which nobody takes for a refused origin."""
    await socket.send_denial_response(core_routes.refused(refuse(Code.NO_SUCH_ADDRESS)))


async def open_store(settings: Settings) -> Store:
    """The store these settings name."""
    keep = Keep(3600 * settings.keep_empty_hours, 3600 * settings.keep_waiting_hours, 86_400 * settings.keep_days)
    if settings.store:
        from ..store.redis import RedisStore  # when it is needed: a server with a file starts without redis-py

        return await RedisStore.open(settings.store, durability=settings.durability, keep=keep)
    return await SqliteStore.open(settings.data, keep=keep, check_within=settings.check_within)


@asynccontextmanager
async def ringing(house: House) -> AsyncIterator[None]:
    """Tell users who are not connected that it is their turn, as long as the block lasts."""
    settings, hall = house.settings, house.hall
    if settings.webhooks == "off":
        yield
        return
    schemes = ["https", "http"] if settings.webhooks == "http" else ["https"]
    sender = Sender(Places(schemes, settings.webhook_networks), hall.clock)
    async with Bell(hall.shelf, house.store, settings, hall.clock, house.users, sender, hall.metrics) as bell:
        house.bell, hall.changed = bell, bell.note
        bell.start()
        yield


ROUTES: list[Any] = [
    WebSocketRoute("/v1/ws", websocket),
    Route("/v1/ws", core_routes.upgrade_required),
    WebSocketRoute("/{path:path}", no_websocket),
    Route("/healthz", core_routes.healthz),
    Route("/readyz", core_routes.readyz),
    Route("/v1/games", core_routes.games),
    Route("/v1/games/{name}", core_routes.game),
    Route("/v1/tables", core_routes.tables),
    Route("/v1/tables/{table}/record", record_routes.record),
    Route("/v1/keys", record_routes.published_keys),
    Route("/v1/guests", core_routes.guests, methods=["POST"]),
    Route("/v1/webhook", webhook_routes.webhook, methods=["GET", "PUT", "DELETE"]),
    Route("/v1/tables/{table}/webhook", webhook_routes.webhook_at, methods=["GET", "PUT", "DELETE"]),
    Route("/v1/revocations", core_routes.revocations, methods=["POST"]),
    Route("/v1/records", record_routes.import_record, methods=["POST"]),
    Route("/", core_routes.front),
    *docs.ROUTES,
]


def application(settings: Settings) -> Starlette:
    """The whole server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings)
        try:
            shelf, metrics = load_games(settings.games), Metrics()
            async with (
                BotPool(settings, metrics) as bots,
                Hall(shelf, store, settings, metrics=metrics, describer=describer(shelf), bots=bots) as hall,
                anyio.create_task_group() as tasks,
            ):
                app.state.house = House(settings, store, hall, tasks)
                hall.metrics.show(connections=app.state.house.connections, tables=hall.tables)
                tasks.start_soon(hall.metrics.feel_lag)
                tasks.start_soon(QuietCollector(hall.metrics.traffic.count_requests).run)
                tasks.start_soon(let_scrape, hall.metrics, settings)
                await app.state.house.check_revocations()
                await app.state.house.signing_keys.ring()
                tasks.start_soon(app.state.house.keep_checking_revocations)
                async with ringing(app.state.house):
                    yield
                tasks.cancel_scope.cancel()
        finally:
            await store.close()

    refusals: dict[Any, Any] = {Refused: core_routes.on_refused, Unavailable: core_routes.on_unavailable}
    app = Starlette(routes=list(map(charged, ROUTES)), lifespan=lifespan, exception_handlers=refusals)
    app.state.origins = OriginGate(settings)
    return app
