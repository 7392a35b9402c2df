"""HTTP routes that download and import records, and publish the keys with which this server signs them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.costs import BYTES_AT_COST
from palatine_protocol.errors import Code

from ...games.kit import Refused, refuse
from ...records.importer import prepare_import, store_import
from ...records.record_limits import LARGEST_RECORD
from .core_routes import address_key_of, authenticate, must_be_admin, read_body, respond_with_json, state_of
from .record_files import respond_with_file
from .static_answers import is_known

if TYPE_CHECKING:
    from ..app import AppState

KEYS_MAX_AGE = 300  # seconds for which clients may cache the published keys
_one_import = CapacityLimiter(1)  # imports that are verified at a time


async def download_record(request: Request) -> Response:
    """Answer with the signed record of a finished game."""
    state, known = state_of(request), authenticate(request)
    user = known.id if known else ""
    id_, invitation = request.path_params["table"], request.query_params.get("invitation", "")
    try:
        file = await read_live_record(request, id_, user, invitation)
    except Refused as why:
        if why.code != Code.NO_SUCH_TABLE:
            raise
        file = await read_archived_record(state, id_, user, invitation)
    state.admission.budget(address_key_of(request), user).owe(len(file) / BYTES_AT_COST)
    return respond_with_file(request, file, f"{id_}.palatine")


async def read_live_record(request: Request, id_: str, user: str, invitation: str) -> bytes:
    """Return the record of a table that the store still has."""
    state = state_of(request)
    table = await state.directory.open(id_)
    if not table.state.admits(user, invitation):
        raise refuse(Code.NO_SUCH_TABLE)
    signer = await state.signing_keys.load_signer()
    return await state.record_files.get_file(table, user or address_key_of(request), signer)


async def read_archived_record(state: AppState, id_: str, user: str, invitation: str) -> bytes:
    """Return the record of an archived game; refuse a user who may not see it as if there were none."""
    found = await state.archive.find(id_)
    if found is None or not found[0].admits(user, invitation):
        raise refuse(Code.NO_SUCH_TABLE)
    return found[1]


async def import_record(request: Request) -> Response:
    """Import a record after verifying it in a worker thread."""
    must_be_admin(request)
    content, state = await read_body(request, LARGEST_RECORD), state_of(request)
    game = await to_thread.run_sync(prepare_import, content, state.directory.games, limiter=_one_import)
    return respond_with_json(await store_import(game, state.store), 201)


async def publish_keys(request: Request) -> Response:
    """Answer with the current and former signing keys of this server, as a JSON Web Key Set."""
    ring = await state_of(request).signing_keys.load_ring()
    content = msgspec.json.encode(ring.publish())
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"cache-control": f"public, max-age={KEYS_MAX_AGE}", "etag": tag}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/jwk-set+json", headers=headers)
