"""`palatine conform`: test a client against a scripted server, check by check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import HOW, PANEL

if TYPE_CHECKING:
    from rich.console import Console

    from ...conformance.reports import Row
    from ...conformance.scripted_server import ScriptedServer

MARKS = {"PASSED": ("✓", "green"), "FAILED": ("✗", "red"), "EXPECTED": ("–", "dim"), "SURPRISE": ("!", "yellow")}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("conform", rich_help_panel=PANEL)(conform)


def conform(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="-- COMMAND",
            show_default=False,
            help="The client, with {url} and {token} where it takes them; {table} and {scenario} are there too.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this check or scenario; repeatable.", show_default=False),
    ] = None,
    expected: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A file with the checks that are expected to fail, one per line.", show_default=False
        ),
    ] = None,
    list_checks: Annotated[bool, typer.Option("--list", help="List all checks, and run nothing.")] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JSON.", rich_help_panel=HOW)
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JUnit XML.", rich_help_panel=HOW)
    ] = None,
) -> None:
    """Test whether a client follows the protocol.

    A scripted server plays a game that no client knows, and does what real networks do: it loses, doubles and damages
    updates, breaks lines and says goodbye. The client is started once for each scenario. It says hello, sits down
    (at {table}, or at a table that it creates) and plays to the end. For example:

    palatine conform -- python my_client.py {url} {token}
    """
    import anyio

    from ...conformance.reports import BadExpectations
    from ...conformance.runner import CannotStart
    from ...screen_console import ScreenConsole

    console = ScreenConsole(highlight=False)
    if list_checks:
        show_checks(console)
        return
    if not command:
        raise typer.BadParameter("name the client: palatine conform -- ./my-client {url} {token}")
    scenarios = choose_scenarios(only or [])
    try:
        rows = anyio.run(run_all, console, command, scenarios, expected)
    except (CannotStart, BadExpectations) as why:
        console.print(str(why), style="red", markup=False)
        raise typer.Exit(2) from None
    write_reports(rows, json, junit)
    raise typer.Exit(show_summary(console, rows))


def choose_scenarios(only: list[str]) -> list[type[ScriptedServer]]:
    """Return the scenarios with these names or checks, or all."""
    from ...conformance.scenarios import SCENARIOS

    chosen = [scenario for scenario in SCENARIOS if not only or {scenario.name, *scenario.judged} & {*only}]
    known = {word for scenario in SCENARIOS for word in (scenario.name, *scenario.judged)}
    if unknown := sorted({*only} - known):
        raise typer.BadParameter(f"there is no check or scenario {', '.join(unknown)}; see palatine conform --list")
    return chosen


async def run_all(
    console: Console, command: list[str], scenarios: list[type[ScriptedServer]], expected: Path | None
) -> list[Row]:
    """Run all scenarios, and print each verdict as soon as it is known."""
    from ...conformance.reports import Row, build_rows, read_expected, settle_surprises
    from ...conformance.runner import run_scenarios

    known, rows = read_expected(expected) if expected else frozenset[str](), list[Row]()
    async for result in run_scenarios(command, scenarios):
        console.print(f"\n{result.scenario.title}", style="bold", markup=False)
        found = build_rows(result, known)
        for row in found:
            show_row(console, row)
        if any(row.status.name == "FAILED" for row in found) and result.output.strip():
            console.print(f"  the client's last words: {result.output.strip()[-500:]}", style="dim", markup=False)
        rows += found
    judged = {check for scenario in scenarios for check in scenario.judged}
    return settle_surprises(rows, known & judged)


def show_row(console: Console, row: Row) -> None:
    """Print one verdict."""
    mark, style = MARKS[row.status.name]
    level = "" if row.status.name == "PASSED" else f"{row.check.level.value} "
    console.print(f"  {mark} {row.check.id}", style=style, end="", markup=False)
    console.print(f"  {level}{row.check.sentence}", markup=False, soft_wrap=True)
    if row.why:
        console.print(
            f"    {row.why}  (protocol/README.md#{row.check.anchor})", style=style, markup=False, soft_wrap=True
        )


def show_summary(console: Console, rows: list[Row]) -> int:
    """Print the result, and return the exit code."""
    fatal = sorted({row.check.id for row in rows if row.is_fatal})
    weak = sorted({row.check.id for row in rows if row.status.name == "FAILED"} - {*fatal})
    console.print()
    for row in rows:
        if row.status.name == "SURPRISE":
            console.print(f"{row.check.id} passes now: remove it from the expected failures.", style="yellow")
    passed = sum(row.status.name == "PASSED" for row in rows)
    console.print(f"{passed} of {len(rows)} verdicts are good.", markup=False)
    if weak:
        console.print(f"Better would be: {', '.join(weak)}.", style="yellow", markup=False)
    if fatal:
        console.print(f"The client does not conform: {', '.join(fatal)}.", style="red", markup=False)
        return 1
    console.print("The client conforms.", style="green")
    return 0


def show_checks(console: Console) -> None:
    """Print all checks."""
    from ...conformance.checks import ALL
    from ...conformance.scenarios import SCENARIOS

    for check in ALL:
        names = ", ".join(scenario.name for scenario in SCENARIOS if check.id in scenario.judged)
        console.print(f"{check.level.value:6} {check.id}  {check.sentence}", markup=False, soft_wrap=True)
        console.print(f"       {names}  protocol/README.md#{check.anchor}", style="dim", markup=False, soft_wrap=True)


def write_reports(rows: list[Row], json: Path | None, junit: Path | None) -> None:
    """Write the files that were asked for."""
    from json import dumps

    from ...conformance.reports import to_json, to_junit

    if json:
        json.write_text(dumps(to_json(rows), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    if junit:
        junit.write_bytes(to_junit(rows))
