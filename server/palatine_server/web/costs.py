"""The costs of HTTP requests, charged to the budget of the user, or to that of the address if there is no token."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from palatine_protocol.costs import HTTP_COSTS, Cost

from ..games.kit import Refused
from ..gateway.rate_limits import Budget
from .routes.core_routes import address_key_of, authenticate, respond_too_fast, state_of
from .routes.docs import Endpoint

FOLDERS = ("/docs/", "/examples/")  # all files of a folder cost the same


def find_cost(method: str, path: str) -> Cost:
    """Return the cost of a request to a route; an unlisted route is expensive, and a test reports it."""
    generic = next((f"{folder}{{file}}" for folder in FOLDERS if path.startswith(folder)), path)
    return HTTP_COSTS.get(("GET" if method == "HEAD" else method, generic), Cost.EXPENSIVE)


def charge_route(route: BaseRoute) -> BaseRoute:
    """Return a route that charges each request before it runs."""
    if not isinstance(route, Route):
        return route
    handle: Endpoint = route.endpoint

    async def endpoint(request: Request) -> Response:
        cost = find_cost(request.method, route.path)
        if cost and (budget := find_budget(request)).take(cost):
            state_of(request).directory.metrics.count_limit("budget")
            return respond_too_fast(budget.appoint(cost))
        return await handle(request)

    return Route(route.path, endpoint, methods=list(route.methods or ()))


def find_budget(request: Request) -> Budget:
    """Return the budget of the request's user; an invalid token counts as none."""
    try:
        known = authenticate(request)
    except Refused:
        known = None
    return state_of(request).admission.budget(address_key_of(request), known.id if known else "")
