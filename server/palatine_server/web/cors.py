"""CORS: it lets pages of allowed origins read the answers of the HTTP routes.

Starlette's CORSMiddleware does not fit. It decides by a fixed list, so it knows neither the requested address nor our
policy for the websocket. It runs inside the error handler, so pages cannot read a 500. Its refusals name neither the
origin nor the setting.

- There are never cookies, so `Access-Control-Allow-Credentials` is never sent.
- Administrators' routes get no CORS headers, because their tokens do not belong in pages of other origins. A page of
  the server itself reaches them without CORS.
- A request that may change something is refused before it runs if its origin is refused. The browser alone would only
  hide the answer from the page.
- Private network access: a page on the public web may reach a server in a private network if the operator listed its
  origin by name. `*` alone does not allow that.
"""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .origin_gate import OriginGate, read_origin_header
from .routes.core_routes import respond_with_refusal

ADMIN_PATHS = frozenset({"/v1/revocations", "/v1/records", "/v1/erasures", "/v1/overview"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS = "GET, HEAD, POST, PUT, DELETE"
REQUEST_HEADERS = "Accept, Accept-Language, Authorization, Content-Type, If-None-Match"
RESPONSE_HEADERS = "Content-Disposition, ETag, Retry-After"  # besides those that a page may always read
MAX_AGE = "7200"  # seconds for which a browser remembers a preflight; Chromium caps it there
VARY = "Origin"


class Cors:
    """Answers preflights, and adds CORS headers to all other responses, including errors."""

    def __init__(self, app: ASGIApp, gate: OriginGate) -> None:
        self.app, self.gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif (answer := self._answer(scope)) is not None:
            await answer(scope, receive, self._with_headers(scope, send))
        else:
            await self.app(scope, receive, self._with_headers(scope, send))

    def _answer(self, scope: Scope) -> Response | None:
        """Return the answer to a preflight or to a request of a refused origin; None if the routes answer."""
        is_allowed, is_preflight = self.gate.allows(scope), is_preflight_request(scope)
        if not is_allowed and (is_preflight or scope["method"] not in SAFE_METHODS):
            return respond_with_refusal(self.gate.refuse(scope))
        return Response(status_code=204, headers=self._preflight_headers(scope)) if is_preflight else None

    def _preflight_headers(self, scope: Scope) -> dict[str, str]:
        if is_admin(scope):
            return {}
        headers = {
            "access-control-allow-methods": METHODS,
            "access-control-allow-headers": REQUEST_HEADERS,
            "access-control-max-age": MAX_AGE,
        }
        if "access-control-request-private-network" in Headers(scope=scope) and self.gate.names(scope):
            headers["access-control-allow-private-network"] = "true"
        return headers

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        added = self._headers(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(added)
                headers.add_vary_header(VARY)
            await send(message)

        return send_with_headers

    def _headers(self, scope: Scope) -> dict[str, str]:
        """Return the headers that let the page read the answer, or none."""
        origin = read_origin_header(scope)
        if origin is None or is_admin(scope) or not self.gate.allows(scope):
            return {}
        readable_by = "*" if self.gate.policy.allows_all else origin
        return {"access-control-allow-origin": readable_by, "access-control-expose-headers": RESPONSE_HEADERS}


def is_preflight_request(scope: Scope) -> bool:
    """Return whether this is a CORS preflight."""
    headers: Any = Headers(scope=scope)
    return scope["method"] == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


def is_admin(scope: Scope) -> bool:
    return scope["path"] in ADMIN_PATHS
