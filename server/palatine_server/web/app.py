"""The application: it opens the store and the tables, serves the routes, and drains connections when it stops."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from palatine_protocol.codec import DEFAULT, SUBPROTOCOLS, for_server
from palatine_protocol.errors import Close, Code

from ..bots.pool import BotPool
from ..games.kit import Refused, refuse
from ..games.registry import load_games
from ..gateway.admission import Admission, find_address_key
from ..gateway.connection import Connection, choose_reconnect_delay
from ..gateway.identities import Identities
from ..gateway.move_codes import MoveCodes
from ..gateway.nastiness import Nastiness
from ..gateway.tokens import TokenSigner, read_secret
from ..gateway.trusted_issuer import open_issuer
from ..gateway.websocket import EXTENSION, WebSocketProtocol
from ..metrics import Metrics
from ..pictures.pool import PicturePool
from ..records.archive import Archive
from ..records.signing_keys import SigningKeys, find_documents
from ..settings import Settings
from ..store import Retention, Store, Unavailable, milliseconds
from ..store.sqlite import SqliteStore
from ..tables.directory import TableDirectory
from ..webhooks import UrlPolicy, WebhookDispatcher, WebhookSender
from .collector import QuietCollector, time_collections
from .costs import charge_route
from .develop import routes as develop_routes
from .discord_service import DiscordService
from .metrics_server import serve_metrics
from .origin_gate import OriginGate
from .routes import (
    client_pages,
    core_routes,
    docs,
    examples,
    game_pages,
    overview_routes,
    picture_routes,
    record_routes,
    user_routes,
    webhook_routes,
)
from .routes.catalogs import Catalogs
from .routes.record_files import RecordFiles
from .text_renderer import create_describer

log = logging.getLogger("palatine.web")
CHECKED_AT_ONCE = 500  # connections; then the event loop runs other tasks
CHECK_REVOCATIONS_EVERY = 1.0  # seconds


class AppState:
    """The state that routes and connections share."""

    def __init__(self, settings: Settings, store: Store, directory: TableDirectory, tasks: TaskGroup) -> None:
        self.settings, self.store, self.directory, self.tasks = settings, store, directory, tasks
        self.record_files, self.catalogs = RecordFiles(store), Catalogs(directory.games)
        self.game_pages = game_pages.GamePages(directory.games)
        self.pictures = PicturePool(settings, directory.metrics)
        self.token_signer = TokenSigner(read_secret(settings.data), time.time)
        self.admission = Admission(settings, self.token_signer, time.monotonic)
        self.signing_keys = SigningKeys(find_documents(store, settings.data), milliseconds, settings.public_url)
        secret = read_secret(settings.data)
        self.identities, self.move_codes = Identities(store, secret), MoveCodes(store, secret)
        self.issuer = open_issuer(settings)
        self.nastiness = None if settings.nasty is None else Nastiness(settings.nasty)
        self.archive = Archive(
            store, self.signing_keys, directory.clock, settings.keep_records_days, directory.close_unwatched
        )
        self.connections: set[Connection] = set()
        self.webhook_dispatcher: WebhookDispatcher | None = None  # None if webhooks are switched off
        self.discord = DiscordService.create(settings, store, self.token_signer, directory.metrics)
        self.is_ready = True  # whether /readyz invites new clients
        self.is_stopping = False

    def note_address(self, url: str) -> None:
        """Tell the Discord app, which is a client too, at which address this server listens."""
        if self.discord is not None:
            self.discord.note_address(url)

    async def announce_stop(self) -> None:
        """Report as not ready, and keep serving until the load balancer has noticed."""
        self.is_ready = False
        await anyio.sleep(self.settings.drain_notice)

    def find_refusal(self, address_key: str) -> Close | None:
        """Return why a new connection from this address is refused; None if it is accepted."""
        if self.is_stopping:
            return Close.RESTART
        if len(self.connections) >= self.settings.most_connections:
            return Close.OVERLOADED
        return self.admission.refusal(address_key)

    def online_users(self) -> set[str]:
        """Return the ids of all users who are connected to this node."""
        return {connection.known.id for connection in self.connections if connection.known}

    def serve(self, socket: WebSocketProtocol, subprotocol: str, address_key: str) -> None:
        """Start to serve an accepted websocket; return without waiting for its end."""
        wire, shared = for_server(subprotocol), (self.directory, self.admission, self.settings, self.tasks)
        connection = Connection(socket, wire, *shared, time.monotonic, address_key, self.remove_connection)
        self.add_connection(connection)
        send = socket.attach(connection, is_text=wire.is_text)
        nastiness = self.nastiness
        connection.open(nastiness.wrap(connection, send, is_text=wire.is_text) if nastiness else send)

    def add_connection(self, connection: Connection) -> None:
        """Count a new connection against the limits."""
        self.connections.add(connection)
        self.admission.enter(connection.address_key)

    def remove_connection(self, connection: Connection) -> None:
        """Stop counting a connection that has ended."""
        self.connections.discard(connection)
        self.admission.leave(connection.address_key, connection.known)

    # Revocations

    async def revoke(self, subject: str, days: int) -> None:
        """Revoke a token or a user, at once on this node and within a second on the others."""
        await self.store.revoke(*self.token_signer.build_revocation(subject, days))
        await self.check_revocations()

    async def keep_checking_revocations(self) -> None:
        """Check the revocations every second, for as long as the server runs."""
        while True:
            await anyio.sleep(CHECK_REVOCATIONS_EVERY)
            await self.check_revocations()

    async def check_revocations(self) -> None:
        """Read the revocations, and end the connections of revoked users and tokens."""
        try:
            self.admission.revoked = await self.store.list_revoked(self.directory.clock())
        except Unavailable:
            log.warning("revocations are not up to date: the store does not answer; check its address and its log")
        except Exception:  # one unreadable row must not end the checks
            log.exception("revocations are not up to date: they cannot be read; the check is repeated in a second")
        for number, connection in enumerate(list(self.connections), 1):
            if connection.known and (code := self.admission.must_go(connection.known)):
                connection.end(code)
            if number % CHECKED_AT_ONCE == 0:
                await anyio.sleep(0)

    # Stopping

    async def drain(self) -> None:
        """Refuse new connections, flush replies, close all connections, and cut those that outlast the drain time."""
        self.is_stopping = True
        for connection in list(self.connections):
            connection.end_soon(Close.RESTART, reconnect_in_ms=choose_reconnect_delay(self.settings))
        with anyio.move_on_after(self.settings.drain):
            while self.connections:
                await anyio.sleep(0.01)
        for connection in self.connections:
            connection.cut()


async def accept_websocket(socket: WebSocket) -> None:
    """Check the origin and the limits of a new websocket, choose a subprotocol, and serve it."""
    state: AppState = socket.app.state.shared
    offered = [name for name in socket.scope["subprotocols"] if name in SUBPROTOCOLS]
    subprotocol = offered[0] if offered else None
    origins: OriginGate = socket.app.state.origins
    if not origins.allows(socket.scope):
        state.directory.metrics.count_close(Close.FORBIDDEN)
        await socket.send_denial_response(core_routes.respond_with_refusal(origins.refuse(socket.scope)))
        return
    await socket.accept(subprotocol=subprotocol)
    address_key = find_address_key(socket.client.host if socket.client else "")
    if refusal := state.find_refusal(address_key):
        state.directory.metrics.count_close(refusal)
        await socket.close(refusal)
        return
    state.serve(socket.scope["extensions"][EXTENSION], subprotocol or DEFAULT, address_key)


async def answer_interaction(request: Request) -> Response:
    """Answer an interaction of Discord; 404 if no app is configured."""
    discord: DiscordService | None = request.app.state.shared.discord
    return Response(status_code=404) if discord is None else await discord.receive(request)


async def refuse_websocket(socket: WebSocket) -> None:
    """Answer a handshake at any other path with 404, so that its author does not take it for a refused origin."""
    await socket.send_denial_response(core_routes.respond_with_refusal(refuse(Code.NO_SUCH_ADDRESS)))


async def open_store(settings: Settings) -> Store:
    """Open the store that these settings name."""
    keep = Retention(3600 * settings.keep_empty_hours, 3600 * settings.keep_waiting_hours, 86_400 * settings.keep_days)
    if settings.store:
        from ..store.redis import RedisStore  # imported late: a server with a file starts without redis-py

        return await RedisStore.open(settings.store, durability=settings.durability, keep=keep)
    return await SqliteStore.open(settings.data, keep=keep, check_within=settings.check_within)


@asynccontextmanager
async def run_webhooks(state: AppState) -> AsyncIterator[None]:
    """Run the webhook dispatcher for as long as the block lasts."""
    settings, directory = state.settings, state.directory
    if settings.webhooks == "off":
        yield
        return
    schemes = ["https", "http"] if settings.webhooks == "http" else ["https"]
    sender = WebhookSender(UrlPolicy(schemes, settings.webhook_networks), directory.clock)
    async with WebhookDispatcher(
        directory.games, state.store, settings, directory.clock, state.online_users, sender, directory.metrics
    ) as dispatcher:
        state.webhook_dispatcher = dispatcher
        directory.on_change.append(dispatcher.note_change)
        dispatcher.start()
        yield


@asynccontextmanager
async def run_discord(state: AppState) -> AsyncIterator[None]:
    """Run the Discord app, if one is configured, for as long as the block lasts."""
    if state.discord is None:
        yield
        return
    async with state.discord.run():
        yield


ROUTES: list[Any] = [
    WebSocketRoute("/v1/ws", accept_websocket),
    Route("/v1/ws", core_routes.require_upgrade),
    WebSocketRoute("/{path:path}", refuse_websocket),
    Route("/healthz", core_routes.show_health),
    Route("/readyz", core_routes.show_readiness),
    Route("/v1/games", core_routes.list_games),
    Route("/v1/games/{name}", core_routes.show_game),
    Route("/v1/tables", core_routes.list_tables),
    Route("/v1/tables/{table}/record", record_routes.download_record),
    Route("/v1/tables/{table}/board.svg", picture_routes.serve_picture("svg")),
    Route("/v1/tables/{table}/board.png", picture_routes.serve_picture("png")),
    Route("/v1/keys", record_routes.publish_keys),
    Route("/v1/guests", core_routes.create_guest, methods=["POST"]),
    Route("/v1/users", user_routes.create_user, methods=["POST"]),
    Route("/v1/login", user_routes.show_login),
    Route("/v1/login", user_routes.log_in, methods=["POST"]),
    Route("/v1/me", user_routes.show_me),
    Route("/v1/me", user_routes.erase_me, methods=["DELETE"]),
    Route("/v1/me/games", user_routes.list_my_games),
    Route("/v1/me/codes", user_routes.create_code, methods=["POST"]),
    Route("/v1/erasures", user_routes.erase_user, methods=["POST"]),
    Route("/v1/webhook", webhook_routes.handle_user_webhook, methods=["GET", "PUT", "DELETE"]),
    Route("/v1/tables/{table}/webhook", webhook_routes.handle_table_webhook, methods=["GET", "PUT", "DELETE"]),
    Route("/v1/revocations", core_routes.create_revocation, methods=["POST"]),
    Route("/v1/records", record_routes.import_record, methods=["POST"]),
    Route("/v1/overview", overview_routes.show_overview),
    Route("/discord/interactions", answer_interaction, methods=["POST"]),
    *game_pages.ROUTES,
    *docs.ROUTES,
    *examples.ROUTES,
    *client_pages.ROUTES,  # last: they take every other name at the root
]


def create_app(settings: Settings) -> Starlette:
    """Return the whole server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings)
        try:
            games, metrics = load_games(settings.games), Metrics()
            async with (
                BotPool(settings, metrics) as bots,
                TableDirectory(
                    games, store, settings, metrics=metrics, describer=create_describer(games), bots=bots
                ) as directory,
                anyio.create_task_group() as tasks,
            ):
                app.state.shared = AppState(settings, store, directory, tasks)
                directory.metrics.watch_sizes(connections=app.state.shared.connections, tables=directory.tables)
                tasks.start_soon(directory.metrics.measure_loop_lag)
                tasks.start_soon(QuietCollector(directory.metrics.traffic.count_requests).run)
                tasks.start_soon(serve_metrics, directory.metrics, settings)
                directory.on_end.append(app.state.shared.archive.note_end)
                tasks.start_soon(app.state.shared.archive.run)
                await app.state.shared.check_revocations()
                await app.state.shared.signing_keys.load_ring()
                tasks.start_soon(app.state.shared.keep_checking_revocations)
                tasks.start_soon(app.state.shared.pictures.end_idle_processes)
                async with run_webhooks(app.state.shared), run_discord(app.state.shared):
                    with time_collections(metrics.count_collection):
                        yield
                tasks.cancel_scope.cancel()
        finally:
            await store.close()

    refusals: dict[Any, Any] = {Refused: core_routes.handle_refused, Unavailable: core_routes.handle_unavailable}
    developer_routes = develop_routes.ROUTES if settings.develop_token else []
    routes = [*developer_routes, *map(charge_route, ROUTES)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=refusals)
    app.state.origins = OriginGate(settings)
    return app
