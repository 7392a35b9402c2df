"""Who may do what: every request × who asks × the state of the table × public or private, through real sockets.

What is not in the tables below is not allowed. A new type of request without a row fails here, and so does a new route.
Of a private table, a stranger without its invitation hears only that it is not there.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from copy import deepcopy
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, get_args

import httpx
import pytest
from server_fixture import House, Peer, running
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from palatine_protocol import messages
from palatine_protocol.codec import MSGPACK, for_client
from palatine_protocol.messages import AnyRequest, Hello, Info, Refused, Request
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES as GAME
from palatine_server.games.kit.game import at_random
from palatine_server.gateway.tokens import TokenSigner, read_secret
from palatine_server.store import RequestKey
from palatine_server.tables.handlers import handle_request, play
from palatine_server.tables.model import TableSnapshot
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage.persistence import build_summary, encode
from palatine_server.tables.viewers.updates import Perspective, build_offer

# The columns: three who sit, of whom the first is the host and the third has a bot's token, and two who do not.
# An answer is named by its type, or by its code if it is refused.
KNOWN = """
request       state    host             seat             bot              stranger         admin
hello         any      hello_once       hello_once       hello_once       hello_once       hello_once
ping          any      pong             pong             pong             pong             pong
list_tables   any      tables           tables           tables           tables           tables
create        any      created          created          created          created          created
create+seed   any      not_allowed      not_allowed      not_allowed      not_allowed      created
sit           open     already_seated   already_seated   already_seated   done             done
sit           playing  already_seated   already_seated   already_seated   already_started  already_started
sit           paused   already_seated   already_seated   already_seated   already_started  already_started
sit           over     already_seated   already_seated   already_seated   already_started  already_started
leave         open     done             done             done             not_seated       not_seated
leave         playing  done             done             done             not_seated       not_seated
leave         paused   done             done             done             not_seated       not_seated
leave         over     game_over        game_over        game_over        not_seated       not_seated
add_bot       open     done             not_the_host     not_the_host     not_the_host     not_the_host
add_bot       playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
add_bot       paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
add_bot       over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
remove_bot    open     done             not_the_host     not_the_host     not_the_host     not_the_host
remove_bot    playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
remove_bot    paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
remove_bot    over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
start         open     done             not_the_host     not_the_host     not_the_host     not_the_host
start         playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
start         paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
start         over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
watch         any      watching         watching         watching         watching         watching
unwatch       any      done             done             done             done             done
act           open     not_started      not_started      not_started      not_seated       not_seated
act           playing  done             done             done             not_seated       not_seated
act           paused   paused           paused           paused           not_seated       not_seated
act           over     game_over        game_over        game_over        not_seated       not_seated
undo          open     not_started      not_started      not_started      not_seated       not_seated
undo          playing  done             done             done             not_seated       not_seated
undo          paused   paused           paused           paused           not_seated       not_seated
undo          over     game_over        game_over        game_over        not_seated       not_seated
ready         open     done             done             done             not_seated       not_seated
ready         playing  already_started  already_started  already_started  already_started  already_started
ready         paused   already_started  already_started  already_started  already_started  already_started
ready         over     already_started  already_started  already_started  already_started  already_started
contribute    open     done             done             done             not_seated       not_seated
contribute    playing  already_started  already_started  already_started  already_started  already_started
contribute    paused   already_started  already_started  already_started  already_started  already_started
contribute    over     already_started  already_started  already_started  already_started  already_started
invite        any      invitation       invitation       invitation       not_seated       not_seated
invite+renew  any      invitation       not_the_host     not_the_host     not_the_host     not_the_host
kick          open     done             not_the_host     not_the_host     not_the_host     not_the_host
kick          playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
kick          paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
kick          over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
reserve       open     done             not_the_host     not_the_host     not_the_host     not_the_host
reserve       playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
reserve       paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
reserve       over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
change        open     done             not_the_host     not_the_host     not_the_host     not_the_host
change        playing  already_started  not_the_host     not_the_host     not_the_host     not_the_host
change        paused   already_started  not_the_host     not_the_host     not_the_host     not_the_host
change        over     already_started  not_the_host     not_the_host     not_the_host     not_the_host
hand_over     any      done             not_the_host     not_the_host     not_the_host     not_the_host
pause         open     not_started      not_the_host     not_the_host     not_the_host     not_the_host
pause         playing  done             not_the_host     not_the_host     not_the_host     not_the_host
pause         paused   done             not_the_host     not_the_host     not_the_host     not_the_host
pause         over     game_over        not_the_host     not_the_host     not_the_host     not_the_host
pause+resume  open     not_started      not_the_host     not_the_host     not_the_host     not_the_host
pause+resume  playing  done             not_the_host     not_the_host     not_the_host     not_the_host
pause+resume  paused   done             not_the_host     not_the_host     not_the_host     not_the_host
pause+resume  over     game_over        not_the_host     not_the_host     not_the_host     not_the_host
rematch       open     not_over         not_over         not_over         not_seated       not_seated
rematch       playing  not_over         not_over         not_over         not_seated       not_seated
rematch       paused   not_over         not_over         not_over         not_seated       not_seated
rematch       over     created          created          created          not_seated       not_seated
rollback      open     not_started      not_started      not_started      not_seated       not_seated
rollback      playing  no_such_version  no_such_version  no_such_version  not_seated       not_seated
rollback      paused   no_such_version  no_such_version  no_such_version  not_seated       not_seated
rollback      over     game_over        game_over        game_over        not_seated       not_seated
agree         any      nothing_proposed  nothing_proposed  nothing_proposed  not_seated  not_seated
show          any      done             done             done             not_seated       not_seated
say           open     done             done             done             done             done
say           playing  hush             hush             hush             done             done
say           paused   hush             hush             hush             done             done
say           over     done             done             done             done             done
mute          any      no_such_line     not_the_host     not_the_host     not_the_host     no_such_line
report        any      no_such_line     no_such_line     no_such_line     no_such_line     no_such_line
point         open     not_started      not_started      not_started      not_seated       not_seated
point         playing  noted            noted            noted            not_seated       not_seated
point         paused   paused           paused           paused           not_seated       not_seated
point         over     game_over        game_over        game_over        not_seated       not_seated
preview       open     not_started      not_started      not_started      not_seated       not_seated
preview       playing  previewed        previewed        previewed        not_seated       not_seated
preview       paused   paused           paused           paused           not_seated       not_seated
preview       over     game_over        game_over        game_over        not_seated       not_seated
explain       open     not_started      not_started      not_started      not_started      not_started
explain       playing  explained        explained        explained        explained        explained
explain       paused   explained        explained        explained        explained        explained
explain       over     explained        explained        explained        explained        explained
describe      any      described        described        described        described        described
"""

# At a private table: somebody who holds its invitation, and somebody who watches it because he held it.
# The invitation is given only with the requests that have a place for it.
INVITED = """
request       state    invited          spectator
sit           open     done             done
sit           playing  already_started  already_started
sit           paused   already_started  already_started
sit           over     already_started  already_started
leave         any      no_such_table    not_seated
add_bot       any      no_such_table    not_the_host
remove_bot    any      no_such_table    not_the_host
start         any      no_such_table    not_the_host
watch         any      watching         watching
unwatch       any      no_such_table    done
act           any      no_such_table    not_seated
undo          any      no_such_table    not_seated
ready         open     no_such_table    not_seated
ready         playing  no_such_table    already_started
ready         paused   no_such_table    already_started
ready         over     no_such_table    already_started
contribute    open     no_such_table    not_seated
contribute    playing  no_such_table    already_started
contribute    paused   no_such_table    already_started
contribute    over     no_such_table    already_started
invite        any      no_such_table    not_seated
invite+renew  any      no_such_table    not_the_host
kick          any      no_such_table    not_the_host
reserve       any      no_such_table    not_the_host
change        any      no_such_table    not_the_host
hand_over     any      no_such_table    not_the_host
pause         any      no_such_table    not_the_host
pause+resume  any      no_such_table    not_the_host
rematch       any      no_such_table    not_seated
rollback      any      no_such_table    not_seated
agree         any      no_such_table    not_seated
show          any      no_such_table    not_seated
say           any      no_such_table    done
mute          any      no_such_table    not_the_host
report        any      no_such_table    no_such_line
point         any      no_such_table    not_seated
preview       any      no_such_table    not_seated
explain       open     no_such_table    not_started
explain       playing  no_such_table    explained
explain       paused   no_such_table    explained
explain       over     no_such_table    explained
describe      any      no_such_table    described
"""

# Who is not let in gets one answer, to the first message, and then the close code; nothing else is answered or done.
OUTSIDERS = {
    "expired": ("token_expired", 4002),
    "revoked": ("token_revoked", 4010),
    "forger": ("bad_token", 4002),
    "nobody": ("hello_first", 4001),
}

# Which tables a list shows to whom.
LISTED = """
visibility    state    host             seat             bot              stranger         admin
public        open     listed           listed           listed           listed           listed
public        playing  listed           listed           listed           listed           listed
public        paused   listed           listed           listed           listed           listed
public        over     listed           listed           listed           hidden           hidden
private       open     listed           listed           listed           hidden           hidden
private       playing  listed           listed           listed           hidden           hidden
private       paused   listed           listed           listed           hidden           hidden
private       over     listed           listed           listed           hidden           hidden
"""

# The pictures of a table, which show what a spectator sees: the same to all who may see them.
PICTURES = """
visibility    state    anonymous        host             seat             bot              stranger         admin            invited
public        open     409              409              409              409              409              409              409
public        playing  200              200              200              200              200              200              200
public        paused   200              200              200              200              200              200              200
public        over     200              200              200              200              200              200              200
private       open     404              409              409              409              404              409              409
private       playing  404              200              200              200              404              200              200
private       paused   404              200              200              200              404              200              200
private       over     404              200              200              200              404              200              200
"""  # noqa: E501

ROUTES = """
route                     anonymous        guest            bot              admin            expired          revoked
GET /v1/ws                426              426              426              426              426              426
GET /healthz              200              200              200              200              200              200
GET /readyz               200              200              200              200              200              200
GET /v1/games             200              200              200              200              200              200
GET /v1/games/{name}      200              200              200              200              200              200
GET /v1/tables            200              200              200              200              401              401
GET /v1/tables/{table}/record  404          404              404              404              401              401
GET /v1/tables/{table}/board.svg  404       404              404              404              401              401
GET /v1/tables/{table}/board.png  404       404              404              404              401              401
GET /v1/keys              200              200              200              200              200              200
POST /v1/guests           201              201              403              403              401              401
POST /v1/revocations      401              403              403              204              401              401
POST /v1/users            401              403              403              403              401              401
GET /v1/login             404              404              404              404              404              404
POST /v1/login            400              400              400              400              400              400
GET /v1/me                401              200              403              403              401              401
GET /v1/me/games          401              200              403              403              401              401
POST /v1/me/codes         401              201              403              403              401              401
POST /v1/erasures         401              403              403              204              401              401
POST /v1/records          401              403              403              400              401              401
PUT /v1/webhook           401              200              200              200              401              401
GET /v1/webhook           401              200              200              200              401              401
DELETE /v1/webhook        401              204              204              204              401              401
PUT /v1/tables/{table}/webhook  401         404              404              404              401              401
GET /v1/tables/{table}/webhook  401         404              404              404              401              401
DELETE /v1/tables/{table}/webhook  401      404              404              404              401              401
GET /docs                 200              200              200              200              200              200
GET /docs/README.md       200              200              200              200              200              200
GET /docs/RECORD.md       200              200              200              200              200              200
GET /docs/FAIRNESS.md     200              200              200              200              200              200
GET /docs/CHANCE.md       200              200              200              200              200              200
GET /docs/asyncapi.yaml   200              200              200              200              200              200
GET /docs/schema.json     200              200              200              200              200              200
GET /docs/vectors/messages.json  200        200              200              200              200              200
GET /docs/vectors/patches.json  200        200              200              200              200              200
GET /docs/vectors/digests.json  200        200              200              200              200              200
GET /docs/vectors/records.json  200        200              200              200              200              200
GET /docs/vectors/sessions.json  200        200              200              200              200              200
GET /docs/vectors/drawing/between_two_castles.json  200        200    200    200    200    200
GET /docs/vectors/drawing/noblemen.json  200        200    200    200    200    200
GET /docs/vectors/drawing/palais_royal.json  200        200    200    200    200    200
GET /                     200              200              200              200              200              200
GET /t/{table}            200              200              200              200              200              200
GET /replay/{table}       200              200              200              200              200              200
GET /assets/{file}        404              404              404              404              404              404
GET /{page}               404              404              404              404              404              404
GET /docs/games           200              200              200              200              200              200
GET /docs/games/{name}    200              200              200              200              200              200
GET /v1/overview          401              403              403              200              401              401
POST /discord/interactions  404              404              404              404              404              404
GET /examples             307              307              307              307              307              307
GET /examples/  200        200    200    200    200    200
GET /examples/index.html  200        200    200    200    200    200
GET /examples/page.css  200        200    200    200    200    200
GET /examples/page.js  200        200    200    200    200    200
GET /examples/client.js  200        200    200    200    200    200
DELETE /v1/me             401              204              403              403              401              401
"""

HOOK = {"url": "https://example.com/turns"}
BODIES = {
    "/v1/revocations": {"subject": "somebody"},
    "/v1/erasures": {"user": "somebody"},
    "/v1/webhook": HOOK,
    "/v1/tables/{table}/webhook": HOOK,
}
REQUESTS: dict[str, type[Request]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyRequest)}
STATES, VISIBILITIES = ("open", "playing", "paused", "over"), ("public", "private")
SEATED = ("host", "seat", "bot")
LISTED_BY = {"visibility", "state"}  # columns that say which table it is
ROLES = (*SEATED, "stranger", "admin")
INVITEES = ("invited", "spectator")
LIMITS = {"allow_seeds": False, "tables_per_user": 10_000, "watched_per_connection": 10_000}
SEED, NOW, INVITATION = "5e" * 32, 1_700_000_000_000, "k7m2p9xw4c3d"


def rows(table: str) -> list[dict[str, str]]:
    head, *lines = [re.split(r" {2,}", line) for line in table.strip().splitlines()]
    return [dict(zip(head, line, strict=True)) for line in lines]


class Cell(NamedTuple):
    """One question and its one answer."""

    request: str
    state: str
    visibility: str
    role: str
    answer: str


def cells() -> Iterator[Cell]:
    for row, visibility, role in product(rows(KNOWN), VISIBILITIES, ROLES):
        is_shut = (visibility, role) == ("private", "stranger") and is_about_a_table(row["request"])
        for state in states(row):
            yield Cell(row["request"], state, visibility, role, "no_such_table" if is_shut else row[role])
    for row, role in product(rows(INVITED), INVITEES):
        for state in states(row):
            yield Cell(row["request"], state, "private", role, row[role])


def states(row: dict[str, str]) -> Sequence[str]:
    return STATES if row["state"] == "any" else (row["state"],)


def is_about_a_table(request: str) -> bool:
    return issubclass(REQUESTS[request.partition("+")[0]], messages.AtTable)


# Tables in every state


class Shelf:
    """Books of tables in every state, made once, and put into the store as often as needed."""

    def __init__(self, users: dict[str, str]) -> None:
        self.users = users
        self.numbers = count()
        self.states = {"open": self.seated(5), "full": self.seated(5)}
        self.ask(self.states["open"], "host", messages.AddBot, policy="random", seat=3)
        for _ in range(2):
            self.ask(self.states["full"], "host", messages.AddBot, policy="random")
        for state in ("playing", "paused", "over"):
            self.states[state] = self.seated(3)
            self.ask(self.states[state], "host", messages.Start)
        self.ask(self.states["paused"], "host", messages.Pause)
        self.finish(self.states["over"])

    def ask(self, table_state: TableState, role: str, kind: Any, **given: Any) -> None:
        handle_request(table_state, Requester(self.users[role], role), kind(id="r", table="t", **given), NOW, None)

    def seated(self, seats: int) -> TableState:
        info = Info(game=GAME.name, status="open", visibility="public", host="Host", seats=[None] * seats, options={})
        table_state = TableState.create(GAME, info, self.users["host"], SEED, NOW, INVITATION)
        for role in SEATED:
            self.ask(table_state, role, messages.Sit)
        return table_state

    def finish(self, table_state: TableState) -> None:
        rng = Random(1)
        while waiting := table_state.waiting():
            assert table_state.recorder
            action = at_random(table_state.recorder.play, waiting[0], rng.randrange)
            play.play_for(table_state, waiting[0], action, "act", NOW)

    def read_state(self, state: str, visibility: str) -> TableState:
        page: TableSnapshot = deepcopy(self.states[state].take_snapshot())
        page.version, page.info["visibility"] = 0, visibility
        return TableState.read(GAME, page)

    async def put(self, house: House, state: str, visibility: str) -> str:
        """A new table in this state."""
        name, table_state = f"{state}-{visibility}-{next(self.numbers)}", self.read_state(state, visibility)
        key = RequestKey(self.users["host"], name, b"")
        await house.server._app.state.shared.store.create(
            name, encode(table_state.take_snapshot()), build_summary(table_state), key
        )
        return name


# The people


class World:
    """A server, everybody who asks it, and tables to ask about."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.inside = house.server._app.state.shared
        kinds: dict[str, Any] = {"bot": "bot", "admin": "admin"}
        people = (*ROLES, *INVITEES, "revoked")
        made = {role: self.inside.token_signer.create_token(role, kinds.get(role, "guest")) for role in people}
        self.tokens = {role: token for role, (token, _) in made.items()}
        self.tokens["expired"] = self.token_signer(time.time() - 10 * 86_400).create_token("expired", days=1)[0]
        self.tokens["forger"] = TokenSigner("another secret", time.time).create_token("forger")[0]
        self.shelf = Shelf({role: user.id for role, (_, user) in made.items()})
        self.peers: dict[str, Peer] = {}

    def token_signer(self, now: float) -> TokenSigner:
        return TokenSigner(read_secret(self.house.settings.data), lambda: now)

    async def table(self, request: str, state: str, visibility: str) -> str:
        full = request == "start" and state == "open"
        return await self.shelf.put(self.house, "full" if full else state, visibility)

    def version(self, table: str) -> Any:
        return self.inside.store.heads([table])

    def request(self, name: str, table: str, state: str, role: str) -> Request:
        """A request that would be granted to somebody who may ask for it."""
        kind = REQUESTS[name.partition("+")[0]]
        needed: dict[str, dict[str, Any]] = {
            "hello": {"token": self.tokens.get(role, "")},
            "create": {"game": GAME.name, "seats": 2},
            "create+seed": {"game": GAME.name, "seats": 2, "seed": SEED},
            "remove_bot": {"seat": 3},
            "contribute": {"entropy": "0f" * 16},
            "invite+renew": {"renew": True},
            "kick": {"seat": 1},
            "reserve": {"seat": 4, "user": "somebody"},
            "change": {"delay": 3},
            "hand_over": {"seat": 1},
            "pause+resume": {"paused": False},
            "rollback": {"to": 10_000},
            "say": {"text": "hello"},
            "mute": {"line": 1},
            "report": {"line": 1},
            "preview": {"action": self.action(state, role)},
            "act": {"offer": 0, "action": self.action(state, role)},
        }
        about = {"table": table} if issubclass(kind, messages.AtTable) else {}
        if role == "invited" and "invitation" in kind.__struct_fields__:
            about["invitation"] = INVITATION
        return kind(id=f"{role}-{name}-{table}", **about, **needed.get(name, {}))

    def action(self, state: str, role: str) -> dict[str, Any]:
        seat = SEATED.index(role) if role in SEATED else 0
        offer = build_offer(self.shelf.states["playing"], Perspective(seat, True))
        assert offer is not None
        return next(choice.nth(0) for choice in offer.choices if choice.do == "tick")

    async def prepare(self, cell: Cell, table: str) -> None:
        """A spectator must watch, and there must be something to take back, also in a game that is paused since."""
        if cell.role == "spectator":
            watching = await self.peers[cell.role].do(messages.Watch, table=table, invitation=INVITATION)
            assert isinstance(watching, messages.Watching), watching
        if cell.request == "undo" and cell.state in {"playing", "paused"}:
            for request in ("act",) if cell.state == "playing" else ("pause+resume", "act", "pause"):
                role = cell.role if cell.role in SEATED and request == "act" else "host"
                done = await self.peers[role].ask(self.request(request, table, cell.state, role))
                assert isinstance(done, messages.Done), done


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path, **LIMITS))
        world = World(house)
        for role in (*ROLES, *INVITEES):
            world.peers[role] = await stack.enter_async_context(house.peer(token=world.tokens[role]))
        await world.inside.revoke(world.shelf.users["revoked"], days=1)
        yield world


def named(reply: Any) -> str:
    return str(reply.code if isinstance(reply, Refused) else type(reply).__struct_config__.tag)


# The tests


def test_every_request_has_its_rows() -> None:
    names = {*REQUESTS, *(row["request"] for row in rows(KNOWN))}
    for table, needed in ((KNOWN, names), (INVITED, filter(is_about_a_table, names))):
        found = {name: [row["state"] for row in rows(table) if row["request"] == name] for name in needed}
        assert all(states in (["any"], [*STATES]) for states in found.values()), found


async def test_every_request_of_everybody_who_is_known(world: World) -> None:
    wrong = []
    for cell in cells():
        table = await world.table(cell.request, cell.state, cell.visibility)
        await world.prepare(cell, table)
        before = await world.version(table)
        reply = await world.peers[cell.role].ask(world.request(cell.request, table, cell.state, cell.role))
        has_changed = await world.version(table) != before
        may_change = cell.answer == "done" and cell.request != "unwatch"
        may_change |= (cell.request, cell.answer) in {("invite+renew", "invitation"), ("rematch", "created")}
        if named(reply) != cell.answer or has_changed != may_change:
            wrong.append((cell, named(reply), has_changed))
    assert wrong == []


async def test_every_request_of_everybody_who_is_not_let_in(world: World) -> None:
    wrong = []
    for role, name, state, visibility in product(OUTSIDERS, REQUESTS, STATES, VISIBILITIES):
        table = await world.table(name, state, visibility)
        before = await world.version(table)
        heard = await turned_away(world, role, world.request(name, table, state, role))
        expected = ("bad_token", 4002) if (role, name) == ("nobody", "hello") else OUTSIDERS[role]
        if heard != [*expected] or await world.version(table) != before:
            wrong.append((role, name, state, visibility, heard))
    assert wrong == []


async def turned_away(world: World, role: str, request: Request) -> list[Any]:
    """What somebody hears who says hello, if he has any token, and then asks: answers, and the close code."""
    hello = [Hello(id="hello", token=world.tokens[role])] if role in world.tokens else []
    codec, heard = for_client(MSGPACK), list[Any]()
    async with connect(world.house.socket, subprotocols=[MSGPACK], compression=None) as socket:  # type: ignore[list-item]
        try:
            for each in (*hello, request):
                await socket.send(codec.encode(each))
            while True:
                message = codec.decode(await socket.recv())
                heard += [named(message)] if hasattr(message, "re") else []
        except ConnectionClosed as closed:
            return [*heard, closed.rcvd and closed.rcvd.code]


async def test_lists_show_public_tables_and_ones_own(world: World) -> None:
    wrong = []
    for row in rows(LISTED):
        table = await world.table("list_tables", row["state"], row["visibility"])
        for role in ROLES:
            reply = await world.peers[role].do(messages.ListTables)
            found = "listed" if table in {each.table for each in reply.tables} else "hidden"
            if found != row[role]:
                wrong.append((row["visibility"], row["state"], role, found))
    assert wrong == []


async def test_a_table_that_is_not_there_is_answered_alike_to_everybody(world: World) -> None:
    about = [name for name, kind in REQUESTS.items() if issubclass(kind, messages.AtTable)]
    replies = [
        await world.peers[role].ask(world.request(name, "nowhere", "playing", role))
        for name, role in product(about, ROLES)
    ]
    assert {(named(reply), reply.sentence, reply.rule, reply.path) for reply in replies} == {
        ("no_such_table", "There is no such table, or it is not open to you.", "", "")
    }


async def test_pictures_of_tables(world: World) -> None:
    wrong = []
    async with httpx.AsyncClient(base_url=world.house.url, timeout=60) as client:
        for row in rows(PICTURES):
            table = await world.table("board", row["state"], row["visibility"])
            answers = {role: await get_picture(client, world, table, role) for role in row if role not in LISTED_BY}
            wrong += [
                (row, role, answer.status_code)
                for role, answer in answers.items()
                if answer.status_code != int(row[role])
            ]
            shown = {answer.content for answer in answers.values() if answer.status_code == 200}
            assert len(shown) <= 1
    assert wrong == []


async def get_picture(client: httpx.AsyncClient, world: World, table: str, role: str) -> httpx.Response:
    headers = {"authorization": f"Bearer {world.tokens[role]}"} if role not in {"anonymous", "invited"} else {}
    given = {"invitation": INVITATION} if role == "invited" else {}
    return await client.get(f"/v1/tables/{table}/board.svg", headers=headers, params=given)


async def test_every_route(world: World) -> None:
    tokens = {**world.tokens, "guest": world.tokens["stranger"]}
    wrong = []
    async with httpx.AsyncClient(base_url=world.house.url) as client:
        for row, role in product(rows(ROUTES), ("anonymous", "guest", "bot", "admin", "expired", "revoked")):
            method, path = row["route"].split()
            headers = {"authorization": f"Bearer {tokens[role]}"} if role in tokens else {}
            body = BODIES.get(path) if method in {"POST", "PUT"} else None
            answer = await client.request(method, path.replace("{name}", GAME.name), headers=headers, json=body)
            if answer.status_code != int(row[role]):
                wrong.append((row["route"], role, answer.status_code))
    assert wrong == []


async def test_every_route_has_its_row(world: World) -> None:
    routes = [route for route in world.house.server._app.routes if hasattr(route, "methods")]
    served = {f"{method} {route.path}" for route in routes for method in route.methods - {"HEAD"}}
    assert served == {row["route"] for row in rows(ROUTES)}
