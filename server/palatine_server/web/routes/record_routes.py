"""HTTP routes about records: one to download, one to import, and the keys with which this server signs."""

from __future__ import annotations

import hashlib

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.costs import BYTES_AT_COST
from palatine_protocol.errors import Code

from ...games.kit import refuse
from ...records.importer import imported, verified
from ...records.record_limits import LARGEST_RECORD
from .core_routes import as_json, body_of, house_of, household, must_be_admin, user_of
from .record_files import file_response

KEYS_KEPT = 300  # seconds for which others may keep the published keys
_one_import = CapacityLimiter(1)  # that is verified at a time


async def record(request: Request) -> Response:
    """A game that is over, as a file, signed by this server."""
    house, known = house_of(request), user_of(request)
    user = known.id if known else ""
    table = await house.hall.open(request.path_params["table"])
    if not table.book.admits(user, request.query_params.get("invitation", "")):
        raise refuse(Code.NO_SUCH_TABLE)
    signer = await house.signing_keys.signer()
    file = await house.record_files.file_of(table, user or household(request), signer)
    house.admission.budget(household(request), user).owe(len(file) / BYTES_AT_COST)
    return file_response(file, f"{table.id}.palatine")


async def import_record(request: Request) -> Response:
    """Take the record of a game in; whether everything in it follows is seen to in a thread."""
    must_be_admin(request)
    content, house = await body_of(request, LARGEST_RECORD), house_of(request)
    game = await to_thread.run_sync(verified, content, house.hall.shelf, limiter=_one_import)
    return as_json(await imported(game, house.store), 201)


async def published_keys(request: Request) -> Response:
    """The public keys with which this server signs records, or has signed them, as a JSON Web Key Set."""
    ring = await house_of(request).signing_keys.ring()
    content = msgspec.json.encode(ring.publish())
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"cache-control": f"public, max-age={KEYS_KEPT}", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/jwk-set+json", headers=headers)
