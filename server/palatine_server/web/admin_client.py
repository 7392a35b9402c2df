"""Letting a running server do something, as an administrator, with nothing but the standard library."""

from __future__ import annotations

import json
import urllib.request
from typing import Any
from urllib.error import HTTPError, URLError

from ..games.kit import Refused

WITHIN = 10.0  # seconds for a server to answer
TOKENLESS = "PALATINE_ADMIN_TOKEN must hold an administrator's token; make one with: palatine token NAME --kind admin"


def ask(server: str, admin_token: str, path: str, body: bytes, kind: str, within: float = WITHIN) -> Any:
    """What the server answers, read as JSON; Refused if it refuses, OSError if it does not answer."""
    if not admin_token:
        raise Refused("bad_token", TOKENLESS)
    address = server.rstrip("/") if "://" in server else f"http://{server.rstrip('/')}"
    headers = {"authorization": f"Bearer {admin_token}", "content-type": kind}
    request = urllib.request.Request(f"{address}{path}", body, headers)  # noqa: S310 (as we are told)
    try:
        with urllib.request.urlopen(request, timeout=within) as answer:  # noqa: S310
            return json.loads(answer.read() or b"{}")
    except HTTPError as refused:
        with refused:
            why = json.loads(refused.read() or b"{}")
        raise Refused(why.get("code", "refused"), why.get("sentence", str(refused))) from None
    except URLError as error:
        raise OSError(f"{server} does not answer: {error.reason}") from None
