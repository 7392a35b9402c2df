"""The origin check of requests: it reads the requested address, also behind a proxy, and applies the origin policy."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from starlette.datastructures import Headers
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from palatine_protocol.errors import Code

from ..games.kit import Refused
from ..gateway.origins import Origin, OriginPolicy, explain_refusal, parse_address, show_origin
from ..gateway.rate_limits import TokenBucket
from ..settings import Settings

FORWARDED_HOST = "palatine.forwarded_host"  # the key under which a scope holds the host that a trusted proxy names
FORWARDED = ("x-forwarded-host", "x-forwarded-proto", "x-forwarded-for")
PAGES = {"ws": "http", "wss": "https"}  # the scheme of the pages that such a websocket belongs to
LINES_AT_ONCE, LINES_PER_SECOND = 10, 0.1  # log lines about refused origins; with more, any page could flood the log

log = logging.getLogger("palatine.web")


class TrustedProxies(ProxyHeadersMiddleware):
    """Takes the client, the scheme and the host of a request from a trusted proxy; uvicorn takes only the first two."""

    def __init__(self, app: Any, trusted: list[str]) -> None:  # uvicorn and Starlette have different types for an app
        super().__init__(app, trusted)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Record the forwarded host before uvicorn replaces the client."""
        client = scope.get("client")
        if client and client[0] in self.trusted_hosts:
            scope[FORWARDED_HOST] = read_forwarded_host(Headers(scope=scope))
        await super().__call__(scope, receive, send)


def read_forwarded_host(headers: Headers) -> str | None:
    """Return the host that the client of a proxy asked for; None if no proxy forwarded the request."""
    if not any(name in headers for name in FORWARDED):
        return None
    return headers.get("x-forwarded-host", headers.get("host", "")).split(",")[0].strip()


def read_requested_origin(scope: Any) -> tuple[Origin | None, bool]:
    """Return the address that the client asked for, and whether a trusted proxy named it."""
    forwarded: str | None = scope.get(FORWARDED_HOST)
    host = Headers(scope=scope).get("host", "") if forwarded is None else forwarded
    return parse_address(PAGES.get(scope["scheme"], scope["scheme"]), host), forwarded is not None


def read_origin_header(scope: Any) -> str | None:
    """Return the `Origin` header; several are joined, and so match no allowed origin."""
    given = Headers(scope=scope).getlist("origin")
    return ", ".join(given) if given else None


class OriginGate:
    """Applies the origin policy to requests, and logs refusals."""

    def __init__(self, settings: Settings, now: Callable[[], float] = monotonic) -> None:
        self.policy = OriginPolicy(settings.origins, settings.public_url, settings.host)
        self._lines = TokenBucket(LINES_AT_ONCE, LINES_PER_SECOND, now)

    def allows(self, scope: Any) -> bool:
        """Return whether this request is allowed."""
        requested, is_forwarded = read_requested_origin(scope)
        return self.policy.allows(read_origin_header(scope), requested, is_forwarded=is_forwarded)

    def names(self, scope: Any) -> bool:
        """Return whether the origin of this request is allowed by name, not only by `*`."""
        requested, is_forwarded = read_requested_origin(scope)
        return self.policy.names(read_origin_header(scope) or "", requested, is_forwarded=is_forwarded)

    def refuse(self, scope: Any) -> Refused:
        """Return the refusal of this request, with a sentence that names its origin and the setting."""
        origin = read_origin_header(scope) or ""
        if not self._lines.take():
            log.warning(
                "a web page was refused because of its origin; to allow it, add it to --origin or PALATINE_ORIGINS",
                extra={"origin": show_origin(origin)},
            )
        return Refused(Code.ORIGIN_NOT_ALLOWED, explain_refusal(origin))
