"""Access to the developer page, which shows hidden zones: only from this machine, and only with the token."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address

from starlette.requests import Request

from palatine_protocol.errors import Code

from ...games.kit import Refused, refuse
from ...gateway.origins import is_localhost
from ..origin_gate import FORWARDED_HOST, read_requested_origin
from ..routes.core_routes import state_of

HEADER = "x-palatine-develop"  # a page of another origin cannot send it without a preflight, which is not answered


def require_developer(request: Request) -> None:
    """Refuse a request that does not come from the author of the game at this machine."""
    if not is_from_this_machine(request):
        raise refuse(Code.NO_SUCH_ADDRESS)
    expected = state_of(request).settings.develop_token
    given = request.headers.get(HEADER, "")
    if not expected or not compare_digest(given.encode(), expected.encode()):
        sentence = "Open the developer page with the link that `palatine serve --reload` prints."
        raise Refused(Code.NOT_ALLOWED, sentence)


def is_from_this_machine(request: Request) -> bool:
    """Return whether client and host are this machine, and no proxy is between them.

    The host is checked because a page of another site can let its own name point to this machine (DNS rebinding).
    """
    requested, is_forwarded = read_requested_origin(request.scope)
    if is_forwarded or request.scope.get(FORWARDED_HOST) is not None or requested is None or request.client is None:
        return False
    return is_localhost(requested.host) and is_loopback(request.client.host)


def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
