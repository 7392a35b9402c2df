"""A REST client of Discord: rate limits as the headers tell them, bounded queues, and retries.

Each route has a bucket. A request waits until its bucket has room; what a bucket allows is known only from the headers
of its answers. A 429 makes the bucket, or with `global` the whole client, wait as long as Discord says.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgspec

log = logging.getLogger("palatine.discord")

API = "https://discord.com/api/v10"
MOST_WAITING = 1_000  # requests of the whole client; more are refused
MOST_BUCKETS = 10_000  # that are remembered; beyond it, idle ones are forgotten
ATTEMPTS = 6
LONGEST_WAIT = 60.0  # seconds for which one request waits for a limit
TIMEOUT = 15.0  # seconds
TEMPORARY = {500, 502, 503, 504}
INVALID_TOKEN, TOKEN_PAUSE = 401, 300.0  # seconds without requests after Discord refused the bot's token
Files = dict[str, tuple[str, bytes]]


class DiscordRefused(Exception):  # noqa: N818 (an answer of Discord)
    """Discord refused a request."""

    def __init__(self, status: int, code: int, sentence: str) -> None:
        super().__init__(f"{status} {code} {sentence}")
        self.status, self.code, self.sentence = status, code, sentence


class DiscordBusy(Exception):  # noqa: N818 (a state of the world)
    """The queue is full, or Discord does not answer."""


class RouteBucket:
    """What one route allows: how many requests are left, and when it is full again."""

    def __init__(self) -> None:
        self.lock, self.remaining, self.resets = asyncio.Lock(), 1, 0.0

    def read(self, headers: httpx.Headers, now: float) -> None:
        """Note what an answer says of the bucket."""
        try:
            remaining, after = int(headers["x-ratelimit-remaining"]), float(headers["x-ratelimit-reset-after"])
        except (KeyError, ValueError):
            self.remaining = 1
            return
        self.remaining, self.resets = remaining, now + after

    def wait_time(self, now: float) -> float:
        return max(0.0, self.resets - now) if self.remaining <= 0 else 0.0


class DiscordRest:
    """Sends requests as the app's bot."""

    def __init__(
        self,
        token: str,
        api: str = API,
        *,
        http: httpx.AsyncClient | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token, self._api, self._now = token, api.rstrip("/"), now
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)
        self._buckets: dict[str, RouteBucket] = {}
        self._waiting, self._blocked_until = 0, 0.0

    async def close(self) -> None:
        await self._http.aclose()

    async def send(
        self, method: str, path: str, body: Any = None, files: Files | None = None, *, bucket: str = ""
    ) -> Any:
        """Send a request and return the decoded answer; raise DiscordRefused or DiscordBusy."""
        if self._waiting >= MOST_WAITING:
            raise DiscordBusy("too many requests wait for Discord")
        self._waiting += 1
        try:
            return await self._send_in_turn(self._find_bucket(bucket or f"{method} {path}"), method, path, body, files)
        finally:
            self._waiting -= 1

    def _find_bucket(self, key: str) -> RouteBucket:
        if len(self._buckets) >= MOST_BUCKETS:
            now = self._now()
            self._buckets = {k: each for k, each in self._buckets.items() if each.lock.locked() or each.resets > now}
        return self._buckets.setdefault(key, RouteBucket())

    async def _send_in_turn(self, bucket: RouteBucket, method: str, path: str, body: Any, files: Files | None) -> Any:
        async with bucket.lock:
            for attempt in range(ATTEMPTS):
                await self._wait_for_room(bucket)
                answer = await self._try(method, path, body, files)
                if answer is not None:
                    bucket.read(answer.headers, self._now())
                if answer is None or answer.status_code in TEMPORARY:
                    await asyncio.sleep(0.1 * 2**attempt)
                elif answer.status_code == 429:
                    self._note_limit(bucket, answer)
                else:
                    self._note_token(answer, path)
                    return read_answer(answer)
        raise DiscordBusy(f"Discord does not answer {method} {path.split('/')[1]}")

    async def _wait_for_room(self, bucket: RouteBucket) -> None:
        wait = max(bucket.wait_time(self._now()), self._blocked_until - self._now())
        if wait > LONGEST_WAIT:
            raise DiscordBusy("Discord allows the next request only later")
        if wait > 0:
            await asyncio.sleep(wait)

    async def _try(self, method: str, path: str, body: Any, files: Files | None) -> httpx.Response | None:
        headers = {"authorization": f"Bot {self._token}", "user-agent": "DiscordBot (palatine, 0.1)"}
        try:
            if files:
                parts = {"payload_json": (None, msgspec.json.encode(body), "application/json")}
                images = {name: (file, content, "image/png") for name, (file, content) in files.items()}
                return await self._http.request(method, self._api + path, headers=headers, files={**parts, **images})
            content = None if body is None else msgspec.json.encode(body)
            kind = {"content-type": "application/json"} if content else {}
            return await self._http.request(method, self._api + path, headers={**headers, **kind}, content=content)
        except httpx.TransportError as error:
            log.info("a request to Discord failed: %s", error)
            return None

    def _note_token(self, answer: httpx.Response, path: str) -> None:
        """Send nothing for a while if Discord refuses the bot's token; a webhook has a token of its own."""
        if answer.status_code == INVALID_TOKEN and not path.startswith("/webhooks/"):
            log.error("Discord refuses the token of the bot; copy a new one from the developer portal")
            self._blocked_until = self._now() + TOKEN_PAUSE

    def _note_limit(self, bucket: RouteBucket, answer: httpx.Response) -> None:
        """Wait as long as a 429 says: with this bucket, or with everything, as if Discord bans the address."""
        try:
            told = msgspec.json.decode(answer.content, type=dict[str, Any])
        except msgspec.DecodeError:  # not of Discord itself, but of what stands before it
            told = {"global": True}
        try:
            after = float(told.get("retry_after") or answer.headers.get("retry-after", 1))
        except (ValueError, TypeError):
            after = 1.0
        if told.get("global"):
            self._blocked_until = self._now() + after
        else:
            bucket.remaining, bucket.resets = 0, self._now() + after


def read_answer(answer: httpx.Response) -> Any:
    """Return the decoded body of an answer; raise DiscordRefused."""
    try:
        body = msgspec.json.decode(answer.content) if answer.content else None
    except msgspec.DecodeError:
        body = None
    if answer.is_success:
        return body
    told = body if isinstance(body, dict) else {}
    code = told.get("code")
    raise DiscordRefused(answer.status_code, code if isinstance(code, int) else 0, str(told.get("message", ""))[:200])
