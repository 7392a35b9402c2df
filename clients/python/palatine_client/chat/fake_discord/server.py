"""The fake Discord as an HTTP server, and as the sender of interactions.

fake = FakeDiscord()
app = fake.create_app()            # serve it, and give the bot its address and `fake.token`
reply = await fake.click(…)        # sends a signed interaction to the bot, and checks its answer
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

import httpx
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from . import limits
from .command_limits import check_commands
from .component_limits import TEXT_INPUT, walk_components
from .limits import LARGEST_FILE
from .payload_checks import BadPayload, check_length, require
from .rate_limits import PER_ROUTE, FakeRateLimits
from .state import ANSWER_WITHIN, DiscordRefusal, FakeInteraction, FakeState, Plain

PROBE_EVERY = 25  # interactions; then Discord sends one with a wrong signature
MOST_FOLLOW_UPS = 5  # of one interaction, if only a person has installed the app
Handler = Callable[[Request], Awaitable[Response]]


class InteractionFailed(Exception):  # noqa: N818 (what a person sees)
    """The app did not answer an interaction as it should: too late, wrongly, or not at all."""


class FakeDiscord:
    """A Discord with one app."""

    def __init__(
        self,
        endpoint: str = "",
        *,
        now: Callable[[], float] = time.time,
        per_route: tuple[int, float] = PER_ROUTE,
        answer_within: float = ANSWER_WITHIN,
    ) -> None:
        self.endpoint, self.now = endpoint, now
        self.key = Ed25519PrivateKey.generate()
        self.public_key = self.key.public_key().public_bytes_raw().hex()
        self.token, self.application = "fake-bot-token", "1200000000000000001"
        self.state, self.rate_limits = FakeState(now, answer_within), FakeRateLimits(now, per_route)
        self.is_user_installed = False  # whether no community has installed the app, only a person
        self.violations: list[str] = []  # what was refused because it breaks a limit
        self.faults: list[int] = []  # the status of the next answers, e.g. [503, 429]; 0 answers as usual
        self.requests = 0  # of the app to the REST API
        self.sent = 0  # interactions to the app's endpoint
        self.latencies: list[float] = []  # seconds from each interaction to its first answer
        self.http: httpx.AsyncClient | None = None

    @property
    def answer_within(self) -> float:
        """Seconds until the first answer to an interaction is too late."""
        return self.state.answer_within

    @answer_within.setter
    def answer_within(self, seconds: float) -> None:
        self.state.answer_within = seconds

    # Interactions

    async def command(
        self, user: Plain, guild: str, channel: str, name: str, *, locale: str = "en-US", **options: Any
    ) -> Plain:
        """Let a person give a subcommand of /palatine; return what they see then."""
        given = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value} for key, value in options.items()
        ]
        data = {"id": "1", "name": "palatine", "type": 1, "options": [{"name": name, "type": 1, "options": given}]}
        return await self.interact(2, user, guild, channel, data, locale)

    async def click(
        self, user: Plain, message: Plain, custom_id: str, values: list[str] | None = None, *, locale: str = "en-US"
    ) -> Plain:
        """Let a person click on a message that they see."""
        if message["viewer"] not in ("", user["id"]):
            raise InteractionFailed("nobody can click on a message that only another person sees")
        self.check_click(message, custom_id, values)
        kind = 3 if values is not None else 2
        data = {"custom_id": custom_id, "component_type": kind, **({} if values is None else {"values": values})}
        guild = self.state.channels[message["channel_id"]]["guild_id"]
        return await self.interact(3, user, guild, message["channel_id"], data, locale, message)

    def check_click(self, message: Plain, custom_id: str, values: list[str] | None) -> None:
        """Check that a click is possible: the control is there, is not disabled, and allows these values."""
        if message["id"] not in self.state.messages:
            raise InteractionFailed("the message is not there any more")
        for control in walk_components(message["components"]):
            if control.get("custom_id") == custom_id:
                if control.get("disabled"):
                    raise InteractionFailed("the button is disabled")
                if values is not None:
                    allowed = {option["value"] for option in control["options"]}
                    low, high = control.get("min_values", 1), control.get("max_values", 1)
                    if not ({*values} <= allowed and low <= len(values) <= high):
                        raise InteractionFailed("the selection does not allow these values")
                return
        raise InteractionFailed("the message has no such control any more")

    async def submit(
        self, user: Plain, message: Plain, modal: Plain, fields: dict[str, str], *, locale: str = "en-US"
    ) -> Plain:
        """Let a person send a form that a click on a message has opened."""
        check_submission(modal, fields)
        rows = [
            {"type": 18, "component": {"type": TEXT_INPUT, "custom_id": name, "value": value}}
            for name, value in fields.items()
        ]
        guild = self.state.channels[message["channel_id"]]["guild_id"]
        data = {"custom_id": modal["custom_id"], "components": rows}
        return await self.interact(5, user, guild, message["channel_id"], data, locale, message)

    async def interact(
        self, kind: int, user: Plain, guild: str, channel: str, data: Plain, locale: str, message: Plain | None = None
    ) -> Plain:
        """Send a signed interaction to the app, check its answer, and return what the person sees then."""
        interaction, body = self.begin_interaction(kind, user, guild, channel, data, locale, message)
        self.sent += 1
        if self.sent % PROBE_EVERY == 0:
            await self.probe()
        response = await self.post(msgspec.json.encode(body))
        if response.status_code != 200:
            raise InteractionFailed(f"the app answered with HTTP {response.status_code}")
        return self.apply(interaction, kind, msgspec.json.decode(response.content))

    def begin_interaction(
        self, kind: int, user: Plain, guild: str, channel: str, data: Plain, locale: str, message: Plain | None = None
    ) -> tuple[FakeInteraction, Plain]:
        """Return an interaction and its body, as the endpoint or the gateway gets it."""
        token = f"interaction-token-{self.state.new_id()}"
        interaction = FakeInteraction(self.state.new_id(), kind, token, self.now(), user["id"], channel, message)
        self.state.interactions[token] = interaction
        body: Plain = {"id": interaction.id, "application_id": self.application, "type": kind, "token": token}
        body |= {"version": 1, "guild_id": guild, "channel_id": channel, "locale": locale, "data": data}
        body |= {"member": describe_member(user), "channel": {"position": 0, **self.state.channels.get(channel, {})}}
        body |= {
            "guild_locale": "en-US",
            "app_permissions": self.state.read_permissions(channel),
            "context": 0,
            "attachment_size_limit": LARGEST_FILE,
        }
        body |= {"entitlements": [], "authorizing_integration_owners": {}}
        if message is not None:
            body["message"] = public(message)
        return interaction, body

    def apply(self, interaction: FakeInteraction, kind: int, answer: Plain) -> Plain:
        """Check the first answer and carry it out."""
        try:
            limits.check_response(answer, kind, has_message=interaction.source is not None)
            shown = self.state.apply_response(interaction, answer)
        except BadPayload as bad:
            self.violations.append(str(bad))
            raise InteractionFailed(str(bad)) from None
        return shown or {}

    async def verify_endpoint(self) -> None:
        """Check the app's endpoint as Discord does before it saves the address: a ping, and wrong signatures."""
        ping = msgspec.json.encode({"id": self.state.new_id(), "application_id": self.application, "type": 1})
        answered = await self.post(ping)
        if answered.status_code != 200 or msgspec.json.decode(answered.content) != {"type": 1}:
            raise InteractionFailed("the app does not answer a ping")
        for signature in ("00" * 64, ""):
            await self.probe(signature)

    async def probe(self, signature: str = "00" * 64) -> None:
        """Send a ping with a wrong signature, as Discord does now and then; it removes an address that accepts one."""
        ping = msgspec.json.encode({"id": self.state.new_id(), "application_id": self.application, "type": 1})
        if (await self.post(ping, signature=signature)).status_code != 401:
            self.violations.append("a wrong signature is not refused with 401")
            raise InteractionFailed("the app does not refuse a wrong signature with 401")

    async def post(self, body: bytes, *, signature: str | None = None, timestamp: str | None = None) -> httpx.Response:
        """Send bytes to the app's endpoint, with a right signature unless another one is given; 3 seconds at most."""
        timestamp = str(int(self.now())) if timestamp is None else timestamp
        signed = self.key.sign(timestamp.encode() + body).hex() if signature is None else signature
        headers = {
            "x-signature-ed25519": signed,
            "x-signature-timestamp": timestamp,
            "content-type": "application/json",
        }
        self.http = self.http or httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=200))
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self.answer_within):
                response = await self.http.post(self.endpoint, content=body, headers=headers)
        except (TimeoutError, httpx.TransportError) as error:
            raise InteractionFailed(f"the app did not answer in time: {type(error).__name__}") from None
        self.latencies.append(time.perf_counter() - began)
        return response

    async def close(self) -> None:
        if self.http is not None:
            await self.http.aclose()

    # Routes

    def create_app(self) -> Starlette:
        """Return the REST API as an ASGI app, below /api/v10."""
        api = "/api/v10"
        messages, webhook = f"{api}/channels/{{channel}}/messages", f"{api}/webhooks/{{application}}/{{token}}"
        routes = [
            Route(f"{api}/applications/@me", self.guard(self.show_application)),
            Route(f"{api}/oauth2/applications/@me", self.guard(self.show_application)),
            Route(f"{api}/users/@me", self.guard(self.show_bot)),
            Route(f"{api}/applications/{{application}}/commands", self.guard(self.put_commands), methods=["PUT"]),
            Route(f"{api}/channels/{{channel}}", self.guard(self.change_channel), methods=["PATCH"]),
            Route(messages, self.guard(self.post_message), methods=["POST"]),
            Route(f"{messages}/{{message}}", self.guard(self.edit_message), methods=["PATCH"]),
            Route(f"{messages}/{{message}}", self.guard(self.show_message), methods=["GET"]),
            Route(f"{messages}/{{message}}", self.guard(self.delete_message), methods=["DELETE"]),
            Route(f"{messages}/{{message}}/threads", self.guard(self.open_thread), methods=["POST"]),
            Route(webhook, self.guard(self.follow_up, is_webhook=True), methods=["POST"]),
            Route(f"{webhook}/messages/@original", self.guard(self.edit_original, is_webhook=True), methods=["PATCH"]),
            Route(f"{webhook}/messages/@original", self.guard(self.show_original, is_webhook=True), methods=["GET"]),
            Route(
                f"{api}/interactions/{{id}}/{{token}}/callback",
                self.guard(self.call_back, is_webhook=True),
                methods=["POST"],
            ),
        ]
        return Starlette(routes=routes)

    def guard(self, handler: Handler, *, is_webhook: bool = False) -> Handler:
        """Return a handler that checks the token and the rate limits first, and turns refusals into answers."""

        async def respond(request: Request) -> Response:
            self.requests += 1
            response = await self.respond(handler, request, is_webhook=is_webhook)
            self.rate_limits.count_invalid(response.status_code)
            return response

        return respond

    async def respond(self, handler: Handler, request: Request, *, is_webhook: bool) -> Response:
        """Return the answer to one request."""
        if self.rate_limits.is_banned():
            return Response("error code: 1015", 429, {"retry-after": "600"})
        if self.faults:
            status = self.faults.pop(0)
            if status:
                return answer({"message": f"{status}: told to fail", "code": 0, "retry_after": 0.1}, status)
        if not is_webhook and request.headers.get("authorization") != f"Bot {self.token}":
            return answer({"message": "401: Unauthorized", "code": 0}, 401)
        where = request.path_params.get("channel") or request.path_params.get("token") or ""
        bucket = f"{request.method} {handler.__name__} {where}"
        headers, wait, is_global = self.rate_limits.take(bucket, is_global=not is_webhook)
        if wait is not None:
            body = {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": is_global}
            scope = {"x-ratelimit-scope": "global" if is_global else "user", "retry-after": str(int(wait) + 1)}
            return answer(body, 429, {**headers, **scope})
        try:
            response = await handler(request)
        except BadPayload as bad:
            self.violations.append(str(bad))
            code = str(bad).partition(":")[0]
            number = int(code) if code.isdecimal() else 50035
            response = answer({"message": "Invalid Form Body", "code": number, "errors": str(bad)}, 400)
        except DiscordRefusal as refusal:
            response = answer({"message": refusal.sentence, "code": refusal.code}, refusal.status)
        response.headers.update(headers)
        return response

    async def show_application(self, request: Request) -> Response:
        texts = dict.fromkeys(("name", "description"), "Fake")
        owner = {"owner": self.state.describe_bot(), "bot_public": True, "bot_require_code_grant": False, "summary": ""}
        made = {"id": self.application, "verify_key": self.public_key, "flags": 0, "icon": None}
        return answer({**made, **texts, **owner})

    async def show_bot(self, request: Request) -> Response:
        return answer(self.state.describe_bot())

    async def put_commands(self, request: Request) -> Response:
        body, _ = await read_payload(request)
        check_commands(body)
        ours = {"application_id": self.application, "version": "1"}
        self.state.commands = [{**command, **ours, "id": self.state.new_id()} for command in body]
        return answer(self.state.commands)

    async def post_message(self, request: Request) -> Response:
        body, files = await read_payload(request)
        limits.check_message(body, files)
        require(not body.get("flags", 0) & limits.EPHEMERAL, "flags: only interactions have ephemeral answers")
        return answer(public(self.state.add_message(request.path_params["channel"], body, files)))

    async def edit_message(self, request: Request) -> Response:
        body, files = await read_payload(request)
        channel, message = request.path_params["channel"], request.path_params["message"]
        check_edit(self.state.find_public_message(channel, message), body, files)
        return answer(public(self.state.edit_message(channel, message, body, files)))

    async def change_channel(self, request: Request) -> Response:
        body, _ = await read_payload(request)
        require(isinstance(body, dict), "body: must be an object")
        return answer(self.state.change_channel(request.path_params["channel"], body))

    async def show_message(self, request: Request) -> Response:
        channel, message = request.path_params["channel"], request.path_params["message"]
        return answer(public(self.state.find_public_message(channel, message)))

    async def delete_message(self, request: Request) -> Response:
        self.state.remove_message(request.path_params["channel"], request.path_params["message"])
        return Response(status_code=204)

    async def open_thread(self, request: Request) -> Response:
        body, _ = await read_payload(request)
        check_length(body.get("name"), 1, 100, "name")
        require(body.get("auto_archive_duration", 60) in (60, 1440, 4320, 10080), "auto_archive_duration")
        channel, message = request.path_params["channel"], request.path_params["message"]
        return answer(self.state.add_thread(channel, message, body["name"]), 201)

    async def follow_up(self, request: Request) -> Response:
        body, files = await read_payload(request)
        interaction = self.state.find_interaction(request.path_params["token"])
        limits.check_message(body, files)
        interaction.follow_ups += 1
        if self.is_user_installed and interaction.follow_ups > MOST_FOLLOW_UPS:
            raise DiscordRefusal(40094, "Maximum number of follow up messages reached for this interaction", 400)
        viewer = interaction.user if body.get("flags", 0) & limits.EPHEMERAL else ""
        return answer(public(self.state.add_message(interaction.channel, body, files, viewer=viewer)))

    async def edit_original(self, request: Request) -> Response:
        body, files = await read_payload(request)
        interaction = self.state.find_interaction(request.path_params["token"])
        if interaction.original is None:
            raise DiscordRefusal(10008, "Unknown Message")
        check_edit(interaction.original, body, files)
        self.state.change_message(interaction.original, body, files)
        return answer(public(interaction.original))

    async def show_original(self, request: Request) -> Response:
        interaction = self.state.find_interaction(request.path_params["token"])
        if interaction.original is None:
            raise DiscordRefusal(10008, "Unknown Message")
        return answer(public(interaction.original))

    async def call_back(self, request: Request) -> Response:
        """Take the first answer of an app that answers with a request of its own."""
        interaction = self.state.find_open_interaction(request.path_params["token"])
        body, _ = await read_payload(request)
        limits.check_response(body, interaction.kind, has_message=interaction.source is not None)
        shown = self.state.apply_response(interaction, body)
        if request.query_params.get("with_response", "").lower() not in ("true", "1"):
            return Response(status_code=204)
        made = {"id": interaction.id, "type": interaction.kind}
        resource = {"type": body["type"], **({"message": public(shown)} if body["type"] in (4, 7) and shown else {})}
        return answer({"interaction": made, "resource": resource})


def check_edit(message: Plain, body: Plain, files: dict[str, bytes]) -> None:
    """Check an edit of a message; the flag for components v2 stays once it is set."""
    kept = message["flags"] & limits.COMPONENTS_V2
    limits.check_message({**body, "flags": body.get("flags", 0) | kept}, files, is_edit=True)


def check_submission(modal: Plain, fields: dict[str, str]) -> None:
    """Check that a person can send these texts: Discord does not send a form that breaks its own limits."""
    inputs = [each for each in walk_components(modal["components"]) if each.get("type") == TEXT_INPUT]
    if {each["custom_id"] for each in inputs} != {*fields}:
        raise InteractionFailed("the form has other fields")
    for each in inputs:
        length, least = len(fields[each["custom_id"]]), max(each.get("min_length", 0), int(each.get("required", True)))
        if not (least <= length <= each.get("max_length", 4000) or length == 0 < 1 - each.get("required", True)):
            raise InteractionFailed("the form does not allow this text")


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def public(message: Plain) -> Plain:
    """Return a message as the API shows it."""
    shown = {key: value for key, value in message.items() if key not in ("viewer", "history")}
    empty = {"mentions": [], "mention_roles": [], "mention_everyone": False, "pinned": False, "tts": False, "type": 0}
    return {**empty, "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, **shown}


def describe_member(user: Plain) -> Plain:
    """Return a person as a member of a community."""
    person = {"discriminator": "0", "avatar": None, **user}
    nothing: Plain = {"nick": None, "avatar": None, "premium_since": None, "joined_at": None, "roles": []}
    return {"user": person, **nothing, "deaf": False, "mute": False, "flags": 0, "permissions": "0"}


async def read_payload(request: Request) -> tuple[Any, dict[str, bytes]]:
    """Return the JSON of a request and its files; both come in parts if there are files."""
    body, kind = await request.body(), request.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data"):
        return decode_json(body), {}
    head = b"content-type: " + kind.encode() + b"\r\n\r\n"
    parts = BytesParser(policy=HTTP).parsebytes(head + body)
    contents: dict[str, bytes] = {}
    for part in parts.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        contents[str(name)] = content if isinstance(content, bytes) else b""
    payload = decode_json(contents.pop("payload_json", b"{}"))
    return payload, contents


def decode_json(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body) if body else {}
    except msgspec.DecodeError:
        raise BadPayload("50109: The request body contains invalid JSON.") from None
