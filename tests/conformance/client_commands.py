"""The clients that the kit is tried with: ours, which must pass, and broken ones, each of which fails its check."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from browser.chromium import FLAGS, chromium_path, page_server

from palatine_client.conformance.reports import read_expected
from palatine_client.conformance.runner import ScenarioResult, run_scenario
from palatine_client.conformance.scripted_server import ScriptedServer

HERE = Path(__file__).parent
PLAYER = HERE / "node_player.mjs"
EXAMPLES = HERE.parents[1] / "clients" / "examples"
PLACE = ("{url}", "{token}", "{table}")
AT_ONCE = 6  # clients; most of them wait most of the time
BROWSERS_AT_ONCE = 2


class ClientCommand(NamedTuple):
    """How to start a client, and which checks it leaves out on purpose."""

    words: Sequence[str]
    left_out: frozenset[str] = frozenset()


CLIENTS = {
    "Python client": ClientCommand((sys.executable, str(HERE / "python_player.py"), *PLACE)),
    "TypeScript client, JSON": ClientCommand(("node", str(PLAYER), "json", *PLACE)),
    "TypeScript client, msgpack": ClientCommand(("node", str(PLAYER), "index", *PLACE)),
    "minimal.py": ClientCommand(
        (sys.executable, str(EXAMPLES / "minimal.py"), "{url}", "{table}"), read_expected(EXAMPLES / "minimal.expected")
    ),
    "small player": ClientCommand((sys.executable, str(HERE / "broken_player.py"), "none", *PLACE)),
}
MISTAKES = {  # of broken_player.py, and the check that each of them fails
    "talks_first": "hello-first",
    "long_ids": "id-form",
    "reuses_ids": "id-unique",
    "speaks_nonsense": "readable",
    "miscounts": "offer-number",
    "strict_keys": "unknown-keys",
    "strict_types": "unknown-messages",
    "any_kind": "unknown-field-kinds",
    "knows_all_codes": "unknown-codes",
    "ignores_gaps": "gap",
    "takes_doubles": "doubled",
    "no_digest": "damaged",
    "keeps_newer": "snapshot-any-time",
    "small_frames": "large-snapshot",
    "resumes_too_early": "resume-version",
    "new_ids": "resend-same-id",
    "changes_requests": "resend-unchanged",
    "impatient": "retry-later",
    "stubborn": "stale-offer",
    "hurried": "bye-waits",
    "stays_here": "bye-elsewhere",
    "hot_loop": "backs-off",
    "comes_back": "stays-away",
}


def list_runtimes(programs: Path) -> dict[str, ClientCommand]:
    """Return the TypeScript client on the programs in a folder, with both encodings."""
    starts = {"Node 22": ["node"], "Deno": ["deno", "run", "--allow-all"], "Bun": ["bun"]}
    return {
        f"{name}, {entry}": ClientCommand((str(programs / start[0]), *start[1:], str(PLAYER), entry, *PLACE))
        for name, start in starts.items()
        for entry in ("json", "index")
    }


@contextmanager
def serve_browser_example() -> Iterator[ClientCommand]:
    """Serve the example page, and yield the command that opens it in a Chromium of its own for each scenario."""
    with page_server(EXAMPLES / "browser") as port, TemporaryDirectory(ignore_cleanup_errors=True) as profiles:
        page = f"http://127.0.0.1:{port}/index.html#url={{url}}&token={{token}}&table={{table}}&auto"
        profile = f"--user-data-dir={profiles}/{{scenario}}"
        yield ClientCommand((chromium_path(), "--headless", *FLAGS, profile, page))


def build_broken(mistake: str) -> list[str]:
    """Return the command of the player with one mistake."""
    return [sys.executable, str(HERE / "broken_player.py"), mistake, *PLACE]


async def run_all(
    command: Sequence[str], scenarios: Sequence[type[ScriptedServer]], at_once: int = AT_ONCE
) -> list[ScenarioResult]:
    """Run a client with all scenarios, some at a time."""
    limit = asyncio.Semaphore(at_once)

    async def run_one(scenario: type[ScriptedServer]) -> ScenarioResult:
        async with limit:
            return await run_scenario(command, scenario)

    return await asyncio.gather(*map(run_one, scenarios))


def find_failures(results: Sequence[ScenarioResult]) -> dict[str, str]:
    """Return the failed checks, each with its reason."""
    return {verdict.check: verdict.why_not for result in results for verdict in result.verdicts if verdict.why_not}
