"""Charging HTTP requests to the budget of their user, or without a token to that of their address."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from palatine_protocol.costs import HTTP_COSTS, Cost

from ..games.kit import Refused
from ..gateway.rate_limits import Budget
from .routes.core_routes import house_of, household, too_fast, user_of
from .routes.docs import Endpoint

DOCS = "/docs/"


def cost_of(method: str, path: str) -> Cost:
    """What a request to a route costs; one that the table does not know is expensive, and a test names it."""
    file = f"{DOCS}{{file}}" if path.startswith(DOCS) else path
    return HTTP_COSTS.get(("GET" if method == "HEAD" else method, file), Cost.EXPENSIVE)


def charged(route: BaseRoute) -> BaseRoute:
    """The same route, whose requests are charged before they are carried out."""
    if not isinstance(route, Route):
        return route
    carry_out: Endpoint = route.endpoint

    async def endpoint(request: Request) -> Response:
        cost = cost_of(request.method, route.path)
        if cost and (wait := budget_of(request).take(cost)):
            house_of(request).hall.metrics.hit("budget")
            return too_fast(wait)
        return await carry_out(request)

    return Route(route.path, endpoint, methods=list(route.methods or ()))


def budget_of(request: Request) -> Budget:
    """The budget of the user whose token comes with a request; a token that is not valid is none."""
    try:
        known = user_of(request)
    except Refused:
        known = None
    return house_of(request).admission.budget(household(request), known.id if known else "")
