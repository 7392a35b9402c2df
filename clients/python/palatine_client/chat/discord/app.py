"""The HTTP app: it checks signatures, answers interactions in time, and adds pictures afterwards.

The answer to an interaction is the HTTP response itself, so no second request can fail. If the game server is slow, the
app promises an answer before Discord's three seconds are over, and sends it within 15 minutes. Pictures are drawn in
other processes and edited in; a seat's picture is an attachment of a private message and has no address of ours.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ...render.translations import Lang
from ..messages.chat_messages import ChatAnswer, FormAnswer, PrivateAnswer, Replacement, RoomMessage, TextPart
from ..messages.phrases import phrase
from ..runner import ChatRunner, ServerAway
from .interactions import AUTOCOMPLETE, COMPONENT, MODAL, PING, Interaction, decode_interaction, read_event, read_person
from .payloads import EPHEMERAL, build_form, build_message, name_picture
from .places import explain_obstacle
from .poster import DiscordPoster, Draw
from .rest_client import DiscordBusy, DiscordRefused
from .routes import DiscordRoutes
from .signatures import is_recent, is_signed

log = logging.getLogger("palatine.discord")

PATH = "/discord/interactions"
LARGEST_BODY = 256 * 1024  # bytes
ANSWER_WITHIN = 1.8  # seconds until the app promises an answer; Discord allows 3
ANSWER_PAUSES = (0.3, 1.0, 3.0)  # seconds before an edit of an answer that Discord does not know yet is sent again
UNKNOWN_WEBHOOK = 10015
CLOSE_WITHIN = 5.0  # seconds that the app waits for its last edits when it stops
MOST_AT_ONCE = 500  # interactions; more are asked to try again
MOST_PICTURES = 2_000  # private pictures whose newest version is remembered
PONG, MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, SUGGESTIONS, FORM = 1, 4, 5, 6, 7, 8, 9
Plain = dict[str, Any]


class PrivatePicture:
    """The picture of one person's private message: one is drawn at a time, and only for the newest answer."""

    def __init__(self) -> None:
        self.newest, self.drawing = 0, asyncio.Lock()


class DiscordApp:
    """Answers the interactions of one Discord application."""

    def __init__(
        self,
        key: Ed25519PublicKey,
        runner: ChatRunner,
        routes: DiscordRoutes,
        draw: Draw,
        poster: DiscordPoster,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._key, self._runner, self._routes, self._draw, self.poster = key, runner, routes, draw, poster
        self._now = now
        self._tasks: set[asyncio.Task[None]] = set()
        self._pictures: dict[tuple[str, str], PrivatePicture] = {}  # of each person in each channel
        self._handled = 0

    async def receive(self, request: Request) -> Response:
        """Answer an HTTP request of Discord; 401 unless Discord signed it."""
        body = await read_body(request)
        signature, timestamp = (request.headers.get(f"x-signature-{name}", "") for name in ("ed25519", "timestamp"))
        if body is None or not is_signed(self._key, signature, timestamp, body):
            return Response("invalid request signature", 401)
        if not is_recent(timestamp, self._now()):
            return Response("this request is too old; is the clock of this machine right?", 401)
        try:
            interaction = decode_interaction(body)
        except (msgspec.DecodeError, msgspec.ValidationError):
            return Response("this is not an interaction", 400)
        return respond(await self.answer(interaction))

    async def answer(self, interaction: Interaction) -> Plain:
        """Return the first answer to an interaction, in time."""
        if interaction.type == PING:
            return {"type": PONG}
        if interaction.type == AUTOCOMPLETE:  # the app registers no such option
            return {"type": SUGGESTIONS, "data": {"choices": []}}
        if self._handled >= MOST_AT_ONCE:
            return build_response(interaction, say(interaction, "busy"))
        self._handled += 1
        work = asyncio.ensure_future(self._handle(interaction))
        work.add_done_callback(self._note_handled)
        try:
            answer = await asyncio.wait_for(asyncio.shield(work), ANSWER_WITHIN)
        except TimeoutError:
            self._spawn(self._answer_later(interaction, work))
            return defer(interaction)
        self._spawn(self._add_picture(interaction, answer))
        return build_response(interaction, answer)

    def _note_handled(self, _: object) -> None:
        self._handled -= 1

    async def _handle(self, interaction: Interaction) -> ChatAnswer:
        event = read_event(interaction)
        if event is None:
            return say(interaction, "unknown")
        if obstacle := explain_obstacle(interaction, event.person.lang):
            return PrivateAnswer(RoomMessage(parts=[TextPart(lines=[obstacle])]))
        try:
            return await self._runner.handle(event)
        except ServerAway:
            return say(interaction, "server away")
        except Exception:  # the person gets a sentence, and the operator the error
            log.exception("an interaction could not be answered")
            return say(interaction, "server away")

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # After the first answer

    async def _answer_later(self, interaction: Interaction, work: asyncio.Future[ChatAnswer]) -> None:
        answer = await work
        if isinstance(answer, FormAnswer):  # a form can only be a first answer
            answer = say(interaction, "busy")
        await self._edit(interaction, build_message(answer.message))
        await self._add_picture(interaction, answer)

    async def _add_picture(self, interaction: Interaction, answer: ChatAnswer) -> None:
        """Draw the picture of a private message and add it, unless the person has clicked again meanwhile.

        The edit changes the picture alone: a newer answer, perhaps from another process, keeps its text and buttons.
        """
        person = read_person(interaction)
        if isinstance(answer, FormAnswer) or person is None:
            return
        private, number = self._find_picture(person.id, interaction.channel_id or ""), int(interaction.id)
        if answer.message.picture is None and isinstance(answer, PrivateAnswer):
            return  # a sentence beside the message with the picture
        private.newest = max(private.newest, number)  # Discord's ids ascend, and a late answer is not a newer one
        if answer.message.picture is None:
            return
        async with private.drawing:
            if private.newest != number:
                return
            picture = await self._draw(answer.message.picture, person.id)
        if private.newest == number:
            attachments = [] if picture is None else name_picture(answer.message)
            await self._edit(interaction, {"attachments": attachments}, picture)

    def _find_picture(self, person: str, channel: str) -> PrivatePicture:
        found = self._pictures.pop((person, channel), None) or PrivatePicture()
        self._pictures[person, channel] = found
        while len(self._pictures) > MOST_PICTURES:
            del self._pictures[next(iter(self._pictures))]
        return found

    async def _edit(self, interaction: Interaction, body: Plain, picture: bytes | None = None) -> None:
        """Edit the answer to an interaction; again after a while if Discord has not read that answer yet."""
        for pause in (*ANSWER_PAUSES, None):
            try:
                await self._routes.edit_answer(interaction.application_id, interaction.token, body, picture)
                return
            except (DiscordRefused, DiscordBusy) as error:
                if pause is None or not is_unread(error):
                    log.info("an answer could not be edited: %s", error)
                    return
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Finish what was begun, but wait only a short time for a Discord that does not answer."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=CLOSE_WITHIN)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def is_unread(error: DiscordRefused | DiscordBusy) -> bool:
    """Return whether Discord does not know our answer yet: a picture that is drawn already may overtake it."""
    return isinstance(error, DiscordRefused) and error.code == UNKNOWN_WEBHOOK


# Responses


def build_response(interaction: Interaction, answer: ChatAnswer) -> Plain:
    """Return the first answer as Discord wants it."""
    if isinstance(answer, FormAnswer):
        return {"type": FORM, "data": build_form(answer.form)}
    is_update = isinstance(answer, Replacement) and interaction.type in (COMPONENT, MODAL) and interaction.is_private
    body = build_message(answer.message)
    if not is_update:
        return {"type": MESSAGE, "data": {**body, "flags": EPHEMERAL}}
    if answer.message.picture is None:
        body["attachments"] = []  # otherwise the picture stays until the next one is drawn
    return {"type": UPDATE, "data": body}


def defer(interaction: Interaction) -> Plain:
    """Promise an answer."""
    if interaction.type in (COMPONENT, MODAL) and interaction.is_private:
        return {"type": DEFERRED_UPDATE}
    return {"type": DEFERRED_MESSAGE, "data": {"flags": EPHEMERAL}}


def say(interaction: Interaction, key: str) -> PrivateAnswer:
    lang: Lang = "de" if interaction.locale.startswith("de") else "en"
    return PrivateAnswer(RoomMessage(parts=[TextPart(lines=[phrase(lang, key)])]))


def respond(content: Plain) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json")


async def read_body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is too large."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return None
    except ClientDisconnect:
        return None
    return body


@asynccontextmanager
async def run_app(app: DiscordApp) -> AsyncIterator[None]:
    """Post tables for as long as the block lasts."""
    poster = asyncio.create_task(app.poster.run())
    try:
        yield
    finally:
        poster.cancel()
        await asyncio.gather(poster, return_exceptions=True)
        await app.close()


def create_discord_app(app: DiscordApp) -> Starlette:
    """Return the app on its own, for `palatine discord`."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with run_app(app):
            yield

    async def show_health(_: Request) -> Response:
        return Response("ok")

    routes = [Route(PATH, app.receive, methods=["POST"]), Route("/healthz", show_health)]
    return Starlette(routes=routes, lifespan=lifespan)
