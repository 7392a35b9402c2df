"""The protocol page as a server shows it: every link leads somewhere, and what it says of the server is so."""

import re
from collections import deque
from html.parser import HTMLParser
from inspect import signature
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import httpx
import pytest
from server_fixture import running

from palatine_protocol import costs, messages
from palatine_protocol.errors import STATUS, Code
from palatine_protocol.spec import README
from palatine_server.games.kit import recorder, refuse
from palatine_server.games.registry import GAMES
from palatine_server.gateway import connection, http_protocol, websocket
from palatine_server.gateway.admission import ENDS
from palatine_server.gateway.rate_limits import FRAMES_AT_ONCE, FRAMES_PER_SECOND
from palatine_server.records import record_limits
from palatine_server.settings import Settings
from palatine_server.store import Store
from palatine_server.tables.handlers import chat
from palatine_server.tables.storage.log_length import RESERVE
from palatine_server.web import server
from palatine_server.web.routes import core_routes, docs
from palatine_server.webhooks.url_policy import LONGEST, PORTS

PAGE = README.read_text("utf-8")
USUAL = Settings()
LISTED = signature(Store.tables).parameters["limit"].default
SITE = "https://palatine.example"


class Places(HTMLParser):
    """Where a page can be entered, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []


# Links


async def test_links_all_lead_somewhere(tmp_path: Path) -> None:
    seen: dict[str, Places] = {}
    waiting = deque(["/docs"])
    async with running(tmp_path) as house, httpx.AsyncClient(base_url=house.url) as client:
        while waiting:
            path = waiting.popleft()
            if path not in seen:
                answer = await client.get(path)
                assert answer.status_code == 200, path
                is_page = answer.headers["content-type"].startswith("text/html")
                seen[path] = Places(answer.text if is_page else "")
                waiting += [link for link, _ in led(path, seen[path]) if not link.startswith("https://")]
    assert [(path, place) for path in seen for link, place in led(path, seen[path]) if is_lost(link, place, seen)] == []
    assert "/examples/" in seen
    pages = {path for path in seen if not path.startswith(("/docs/games", "/v1/games", "/examples/"))}
    assert pages == {route.path for route in docs.ROUTES}
    assert {f"/docs/games/{name}?lang={lang}" for name in GAMES for lang in ("en", "de")} <= {*seen}


def led(path: str, places: Places) -> list[tuple[str, str]]:
    """The paths a page leads to, or whole addresses outside of it, each with the place on that page."""
    targets = (urldefrag(urljoin(SITE + path, link)) for link in places.links)
    return [(url.removeprefix(SITE), place) for url, place in targets]


def is_lost(link: str, place: str, seen: dict[str, Places]) -> bool:
    return bool(place) and link in seen and place not in seen[link].ids


def test_links_the_table_of_contents_works() -> None:
    places = Places(docs.render_page("README.md"))
    assert len(places.ids) == len({*places.ids})
    assert {f"#{name}" for name in ("in-short", "a-tables-life", "refusals-over-http", "limits")} <= {*places.links}
    assert "a-tables-life" in places.ids


def test_links_to_elsewhere_are_left_alone() -> None:
    assert docs.rewrite_link("https://example.org/RECORD.md") == "https://example.org/RECORD.md"
    assert docs.rewrite_link("#limits") == "#limits"
    assert docs.rewrite_link("RECORD.md") == "/docs/RECORD.md"


def test_links_the_page_leads_to_the_pages_of_games_and_to_the_example() -> None:
    links = Places(docs.render_page("README.md")).links
    games = {link for link in links if link.startswith("/docs/games/")}
    assert {"/docs/games", "/examples/"} <= {*links}
    assert games  # the page names some; `/docs/games` leads to all of them
    assert games <= {f"/docs/games/{name}" for name in GAMES}


# What the page says of the server


def test_words_who_is_not_let_in_is_closed_with_the_code_on_the_page() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \| [^|]+ \| (\d{4}) \|$", PAGE, re.MULTILINE)
    told = {code: int(close) for codes, close in rows for code in re.findall(r"`(\w+)`", codes)}
    assert told == {str(code): int(close) for code, close in ENDS.items()}


def test_words_refusals_over_http_have_the_status_on_the_page() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (.+) \|$", PAGE, re.MULTILINE)
    told = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    assert told == {str(code): status for code, status in STATUS.items()}
    assert core_routes.respond_with_refusal(refuse(Code.NO_WEBHOOK)).status_code == told["no_webhook"] == 404
    assert core_routes.respond_with_refusal(refuse(Code.BAD_WEBHOOK)).status_code == 400


def longest(kind: object) -> int:
    """The most that an annotated type lets through."""
    (meta,) = kind.__metadata__  # type: ignore[attr-defined]
    return int(meta.le or meta.max_length)


LIMITS = {
    "frame": f"| a frame that you send | {USUAL.largest_frame // 1024} KiB,",
    "items": f"| 4 levels; {messages.FEW.max_length} items in a list or map inside them |",
    "budget of one user": f"| {USUAL.burst:,} units at once, {USUAL.rate:.0f} per second on average;",
    "budget of one address": f"| {USUAL.budgets_per_address * USUAL.burst:,} units at once, "
    f"{USUAL.budgets_per_address * USUAL.rate:.0f} per second on average;",
    "replays": f"Every {costs.REPLAYED_AT_COST} entries\nof a replay cost one unit more",
    "records by size": f"every {costs.BYTES_AT_COST // 1024} KiB of a record",
    "waiting messages": f"that wait for the server | {connection.MOST_WAITING} |",
    "log": f"| entries of one table | {USUAL.entries_per_table:,}; then {USUAL.entries_per_table // RESERVE:,} more",
    "control frames": f"between two messages | {websocket.MOST_CONTROL_FRAMES} |",
    "fragments": f"| fragments of one message | {websocket.MOST_FRAGMENTS} |",
    "bytes": f"| {FRAMES_AT_ONCE} of the largest frames at once, {FRAMES_PER_SECOND} per second",
    "bytes of one user": "on all connections | "
    f"{USUAL.byte_budgets_per_user * FRAMES_AT_ONCE} of the largest frames at once, "
    f"{USUAL.byte_budgets_per_user * FRAMES_PER_SECOND} per second",
    "bytes from one address": "bytes that come from one address | "
    f"{USUAL.byte_budgets_per_address * FRAMES_AT_ONCE} of the largest frames at once, "
    f"{USUAL.byte_budgets_per_address * FRAMES_PER_SECOND} per second",
    "connections": f"| connections of one server | {USUAL.most_connections:,} |",
    "of one user": f"| connections of one user | {USUAL.connections_per_user} |",
    "from one address": f"| connections from one address | {USUAL.connections_per_address};",
    "joins": f"opens | {USUAL.joins_per_minute} per minute |",
    "unreadable": f"| frames that are no messages at all | {USUAL.bad_frames - 1} on one connection |",
    "handshake": f"| time for the handshake | {websocket.HANDSHAKE_WITHIN:.0f} seconds |",
    "hello": f"| time until `hello` | {USUAL.hello_within:.0f} seconds |",
    "pings": f"every {2 * Settings().heartbeat / server.PINGS:.0f} seconds if `welcome.heartbeat` is 30",
    "silence": f"| twice `welcome.heartbeat`, which is {USUAL.heartbeat} seconds |",
    "own tables": f"until they are over | {USUAL.tables_per_user} |",
    "watched": f"| tables that one connection watches | {USUAL.watched_per_connection} |",
    "viewers": f"| connections that watch one table, on one server | {USUAL.viewers_per_table:,} |",
    "inbox": f"| requests that wait at one table | {USUAL.inbox} |",
    "listed": f"| tables in a list | the {LISTED} newest public ones and your {LISTED} newest,",
    "clock": f"| each figure of a clock | {longest(messages.Seconds) // 86_400} days |",
    "talk": f"{chat.AT_ONCE} messages in {chat.WITHIN // 1000} seconds at one table |",
    "spectators": f"together | {chat.MOST_SPECTATORS} in {chat.WITHIN // 1000} seconds |",
    "reports": f"| reports of one chat message | {chat.MOST_REPORTS}, one by each user |",
    "newcomers": f"| chat messages in a snapshot | the last {chat.MOST_LINES} |",
    "delay": f"| the `delay` of spectators | {longest(messages.Delay)} entries |",
    "outbox": f"| {USUAL.outbox_messages} messages or {USUAL.outbox_bytes // 1024} KiB,",
    "stall": f" KiB, or {USUAL.write_stall:.0f} seconds | cut off |",
    "tail": f"| missed entries that the server sends as updates | {USUAL.tail} |",
    "guests": f"of guests, and logins, from one address | {USUAL.guests_per_minute} per minute |",
    "bodies": f"| the body of an HTTP request | {core_routes.LARGEST_BODY // 2**10} KiB;",
    "records": f"of an imported record, {record_limits.LARGEST_RECORD // 2**20} MiB |",
    "requests": f"again to read its answer | {http_protocol.REQUEST_WITHIN:.0f} seconds |",
    "idle connections": f"two HTTP requests on one connection | {http_protocol.KEEP_ALIVE} seconds;",
    "tokens": f"| a guest's or user's token | {USUAL.guest_days} days |",
    "undo": f"up to {recorder.MOST_UNDONE} actions in a row",
    "a URL": f"at most {LONGEST} characters",
    "ports": f"port {PORTS['https'][0]} or {PORTS['https'][1]} of a public host",
}


@pytest.mark.parametrize("words", LIMITS.values(), ids=LIMITS)
def test_words_figures_are_those_of_the_server(words: str) -> None:
    assert words in PAGE
