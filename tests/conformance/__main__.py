"""`make conform` and `make runtimes`: clients through every scenario of the kit, printed as tables.

Without an argument, our clients run, and then every broken client. With a folder of programs, the TypeScript client
runs on those programs.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from conformance.client_commands import (
    AT_ONCE,
    BROWSERS_AT_ONCE,
    CLIENTS,
    MISTAKES,
    ClientCommand,
    build_broken,
    find_failures,
    list_runtimes,
    run_all,
    serve_browser_example,
)
from rich.console import Console
from rich.table import Table

from palatine_client.conformance.scenarios import SCENARIOS


async def main(programs: str = "") -> int:
    """Print the tables and return the exit code."""
    console = Console()
    wrong = await (try_runtimes(console, Path(programs)) if programs else try_everything(console))
    console.print(f"{wrong or 'none'} of the clients surprised the kit.")
    return 1 if wrong else 0


async def try_runtimes(console: Console, programs: Path) -> int:
    """Run the TypeScript client on other programs than Node 20."""
    return await try_clients(console, list_runtimes(programs))


async def try_everything(console: Console) -> int:
    """Run our clients, the example page in a browser, and the broken clients."""
    wrong = await try_clients(console, CLIENTS)
    with serve_browser_example() as page:
        wrong += await try_clients(console, {"example page in Chromium": page}, BROWSERS_AT_ONCE)
    return wrong + await try_broken_clients(console)


async def try_clients(console: Console, clients: Mapping[str, ClientCommand], at_once: int = AT_ONCE) -> int:
    """Run clients; return how many of them failed, or passed what they leave out."""
    table, wrong = Table("client", "verdicts", "passed", "left out on purpose", "failed"), 0
    for name, client in clients.items():
        results = await run_all(client.words, SCENARIOS, at_once)
        verdicts, failed = [verdict for result in results for verdict in result.verdicts], find_failures(results)
        wrong += failed.keys() != client.left_out
        bad = [f"{check}: {why}" for check, why in failed.items() if check not in client.left_out]
        good = sum(not verdict.why_not for verdict in verdicts)
        table.add_row(name, str(len(verdicts)), str(good), ", ".join(sorted(client.left_out)), "\n".join(bad) or "-")
    console.print(table)
    return wrong


async def try_broken_clients(console: Console) -> int:
    """Run the broken clients; return how many of them did not fail exactly their check."""
    table, wrong = Table("mistake", "its check", "failed checks", "why"), 0
    for mistake, check in MISTAKES.items():
        failed = find_failures(await run_all(build_broken(mistake), SCENARIOS))
        wrong += {*failed} != {check}
        table.add_row(mistake, check, ", ".join(failed) or "-", failed.get(check, ""))
    console.print(table)
    return wrong


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main(*sys.argv[1:])))
