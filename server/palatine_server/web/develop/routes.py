"""HTTP routes of the developer page. They exist only while an author serves their game with `--reload`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from palatine_protocol.errors import Code

from ...games.kit import refuse
from ..routes.core_routes import choose_language, decode_body, respond_with_json, state_of
from ..routes.examples import SAFETY
from ..routes.static_answers import StaticAnswer, respond_with_answer
from .access import require_developer
from .forks import ForkRequest, fork_table
from .rules_report import Lang, RulesReport, describe_report, read_report
from .table_view import view_table

FILES = {"page.html": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
NO_STORE = {"cache-control": "no-store", **SAFETY}


@cache
def read_answer(name: str) -> StaticAnswer:
    content = (Path(__file__).parent / name).read_bytes()
    return StaticAnswer(content, FILES[name], {**SAFETY, "cache-control": "no-cache"})


async def show_page(request: Request) -> Response:
    """Answer with the page, which holds no data."""
    return await respond_with_answer(request, read_answer("page.html"))


async def show_file(request: Request) -> Response:
    """Answer with a file of the page."""
    name = request.path_params["file"]
    if name not in FILES:
        raise refuse(Code.NO_SUCH_ADDRESS)
    return await respond_with_answer(request, read_answer(name))


async def list_tables(request: Request) -> Response:
    """Answer with the tables of this server, and what the last change of the rules did."""
    require_developer(request)
    state = state_of(request)
    report = await to_thread.run_sync(read_report, state.settings.data)
    lang: Lang = "de" if choose_language(request) == "de" else "en"
    heads = await find_heads(request, [each.table for each in report.different] if report else [])
    return respond_privately({"tables": heads, "report": show_report(report, lang)})


def show_report(report: RulesReport | None, lang: Lang) -> dict[str, Any] | None:
    """Return what the page shows of a report; None if there is nothing to show."""
    if report is None or not report.is_worth_showing:
        return None
    lines = [", ".join(report.changed)] if report.changed else []
    return {"at": report.at, "lines": [*lines, *describe_report(report, lang)], "error": report.error}


async def find_heads(request: Request, reported: list[str]) -> list[dict[str, Any]]:
    """Return the tables that are open here, public, or in the report, each with its newest version."""
    state = state_of(request)
    rows = {table: (row.game, row.status) for table, row in await state.store.tables()}
    rows |= {table: (opened.game.name, opened.state.info.status) for table, opened in state.directory.tables.items()}
    names = [*rows, *(table for table in reported if table not in rows)]
    heads = await state.store.heads(names)
    known = ((table, *rows.get(table, ("", ""))) for table in names if table in heads)
    return [{"table": each[0], "game": each[1], "status": each[2], "version": heads[each[0]].version} for each in known]


async def show_table(request: Request) -> Response:
    """Answer with every zone of a table at a version."""
    require_developer(request)
    directory, at = state_of(request).directory, request.query_params.get("at", "")
    if at and not (at.isascii() and at.isdigit() and len(at) < 10):
        raise refuse(Code.NO_SUCH_VERSION)
    table = request.path_params["table"]
    return respond_privately(await view_table(table, int(at) if at else None, directory.store, directory.games))


async def create_fork(request: Request) -> Response:
    """Fork a table; answer with the id of the new one."""
    require_developer(request)
    wanted = await decode_body(request, ForkRequest)
    table, plan = await fork_table(wanted, state_of(request).directory)
    return respond_privately({"table": table, "entries": len(plan.entries), "stopped": plan.stopped}, 201)


def respond_privately(content: Any, status: int = 200) -> Response:
    response = respond_with_json(content, status)
    response.headers.update(NO_STORE)
    return response


ROUTES = [
    Route("/develop", show_page),
    Route("/develop/tables", list_tables),
    Route("/develop/tables/{table}", show_table),
    Route("/develop/forks", create_fork, methods=["POST"]),
    Route("/develop/{file}", show_file),
]
