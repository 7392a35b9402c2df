"""HTTP routes of the web client: its pages, and the files that they load.

All pages are the same document; the client reads the address. Its links are relative to `<base>`, so that any prefix
works. The page of a table has OpenGraph tags, so that a pasted link shows the board. A private table has them only
for a link with its invitation.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote, urlsplit

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...games.kit import Refused
from .client_files import INDEX, ClientFile, load_files
from .core_routes import state_of
from .picture_routes import LONGEST_INVITATION, ask_for_public_view, read_parameter
from .static_answers import accepts_gzip, is_known

PAGES = frozenset({"new", "operator"})
BASE = '<base href="./" />'
TITLE = "<title>Palatine</title>"
FOR_EVER = "public, max-age=31536000, immutable"  # files under assets/ have a digest in their names
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'{issuer}; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
SAFETY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address of a table may hold its invitation
    "cross-origin-opener-policy": "same-origin",
}
UNBUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Palatine</title>
<meta name="viewport" content="width=device-width"><h1>The server runs, but its web client was not built</h1>
<p>Run <code>make web</code> in the repository, with Node 20 or later, and load this page again.</p>
<p>Meanwhile, <code>palatine play</code> plays in a terminal, and the <a href="docs">protocol</a> is for programs.
The <a href="docs/games">games</a> have pages, and <a href="examples/">an example of a client</a> plays them.</p>
</html>
"""


async def show_lobby(request: Request) -> Response:
    """Answer with the page at the root."""
    return await respond_with_page(request, "./")


async def show_root_file(request: Request) -> Response:
    """Answer with a page or a file at the root, such as the manifest."""
    name = request.path_params["page"]
    if name in PAGES:
        return await respond_with_page(request, "./")
    files = await to_thread.run_sync(load_files)
    if name not in files or name == INDEX:
        return Response("Not Found", 404, media_type="text/plain")
    return respond_with_file(request, files[name], "public, max-age=300")


async def show_asset(request: Request) -> Response:
    """Answer with a file whose name changes with its content."""
    files = await to_thread.run_sync(load_files)
    found = files.get(f"assets/{request.path_params['file']}")
    return respond_with_file(request, found, FOR_EVER) if found else Response("Not Found", 404, media_type="text/plain")


async def show_replay(request: Request) -> Response:
    """Answer with the page of a replay."""
    return await respond_with_page(request, "../")


async def show_table(request: Request) -> Response:
    """Answer with the page of a table, whose head describes it as far as everybody may see it."""
    return await respond_with_page(request, "../", await describe_table(request))


ROUTES = [
    Route("/", show_lobby),
    Route("/t/{table}", show_table),
    Route("/replay/{table}", show_replay),
    Route("/assets/{file}", show_asset),
    Route("/{page}", show_root_file),
]


# Responses


async def respond_with_page(request: Request, base: str, head: str = TITLE) -> Response:
    """Answer with the client's document, with this base and this head."""
    files = await to_thread.run_sync(load_files)
    headers = {**SAFETY, "content-security-policy": build_policy(request), "cache-control": "no-cache"}
    if INDEX not in files:
        return Response(UNBUILT, 503, headers=headers, media_type="text/html")
    document = files[INDEX].content.decode().replace(BASE, f'<base href="{base}" />', 1).replace(TITLE, head, 1)
    return Response(document, headers=headers, media_type="text/html")


def respond_with_file(request: Request, file: ClientFile, cache_control: str) -> Response:
    headers = {**SAFETY, "etag": file.tag, "cache-control": cache_control, "vary": "Accept-Encoding"}
    if is_known(request, file.tag):
        return Response(status_code=304, headers=headers)
    if file.compressed and accepts_gzip(request):
        return Response(file.compressed, headers={**headers, "content-encoding": "gzip"}, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)


def build_policy(request: Request) -> str:
    """Return the Content-Security-Policy; the issuer of logins is the only other server that pages may ask."""
    issuer = urlsplit(state_of(request).settings.issuer)
    return POLICY.format(issuer=f" {issuer.scheme}://{issuer.netloc}" if issuer.netloc else "")


# OpenGraph


async def describe_table(request: Request) -> str:
    """Return the title and the OpenGraph tags of a table's page; only the title if the table is not for everybody."""
    try:
        snapshot = await ask_for_public_view(request, None)
    except Refused:
        return await describe_archived_game(request)
    info, lang = snapshot.info, choose_language(request)
    picture = build_picture_address(request, lang) if snapshot.board is not None else ""
    names = [seat.name if seat else None for seat in info.seats]
    return build_tags(request, info.game, describe_seats(names, info.status, lang), picture)


async def describe_archived_game(request: Request) -> str:
    """Return the same for a finished game whose table is gone, as long as its record is kept."""
    found = await state_of(request).archive.find(request.path_params["table"])
    invitation = read_parameter(request, "i")[:LONGEST_INVITATION]
    if found is None or not found[0].admits("", invitation) or found[0].game not in state_of(request).directory.games:
        return TITLE
    row = found[0]
    return build_tags(request, row.game, describe_seats(row.names, "over", choose_language(request)))


def build_tags(request: Request, name: str, description: str, picture: str = "") -> str:
    """Return the head of a page that shows this game."""
    lang, titles = choose_language(request), state_of(request).directory.games[name].title
    title = titles.get(lang, titles["en"])
    tags = {"title": title, "type": "website", "site_name": "Palatine", "description": description}
    if picture:
        tags["image"] = picture
    listed = "".join(f'<meta property="og:{key}" content="{escape(value)}" />' for key, value in tags.items())
    card = '<meta name="twitter:card" content="summary_large_image" />' if picture else ""
    hint = f'<meta name="game" content="{escape(name)}" />'  # so that the client loads it at once
    return f"<title>{escape(title)} · Palatine</title>{hint}{listed}{card}"


def choose_language(request: Request) -> str:
    return "de" if request.headers.get("accept-language", "").lower().startswith("de") else "en"


def describe_seats(seats: Sequence[str | None], status: str, lang: str) -> str:
    """Return who plays, and how far the game is."""
    words = {
        "en": {"open": "open table", "playing": "running game", "over": "finished game"},
        "de": {"open": "offener Tisch", "playing": "laufendes Spiel", "over": "beendetes Spiel"},
    }[lang][status]
    names = ", ".join(name for name in seats if name)
    return f"{names} – {words}" if names else words


def build_picture_address(request: Request, lang: str) -> str:
    """Return the whole address of the picture, as programs that show links need it."""
    server = (state_of(request).settings.public_url or str(request.base_url)).rstrip("/")
    invitation = quote(read_parameter(request, "i")[:LONGEST_INVITATION], safe="")
    more = f"&invitation={invitation}" if invitation else ""
    return f"{server}/v1/tables/{quote(request.path_params['table'], safe='')}/board.png?lang={lang}{more}"
