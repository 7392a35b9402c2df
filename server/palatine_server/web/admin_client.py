"""A client for the administrators' HTTP routes of a running server, made of the standard library only."""

from __future__ import annotations

import json
import urllib.request
from typing import Any
from urllib.error import HTTPError, URLError

from ..games.kit import Refused

TIMEOUT = 10.0  # seconds for a server to answer
NO_TOKEN = "Put an administrator's token into PALATINE_ADMIN_TOKEN; to make one: palatine token NAME --kind admin"  # noqa: S105 (not a token)


def post_as_admin(server: str, admin_token: str, path: str, body: bytes, kind: str, timeout: float = TIMEOUT) -> Any:
    """Post a body and return the JSON of the answer; raise Refused if the server refuses, OSError if it is silent."""
    if not admin_token:
        raise Refused("bad_token", NO_TOKEN)
    address = server.rstrip("/") if "://" in server else f"http://{server.rstrip('/')}"
    headers = {"authorization": f"Bearer {admin_token}", "content-type": kind}
    request = urllib.request.Request(f"{address}{path}", body, headers)  # noqa: S310 (the operator names the server)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
            return json.loads(answer.read() or b"{}")
    except HTTPError as refused:
        with refused:
            why = json.loads(refused.read() or b"{}")
        raise Refused(why.get("code", "refused"), why.get("sentence", str(refused))) from None
    except URLError as error:
        raise OSError(f"{server} does not answer: {error.reason}; check the address and that the server runs") from None
