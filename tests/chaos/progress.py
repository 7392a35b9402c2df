"""The progress bar and the result of a run on a terminal."""

from __future__ import annotations

import msgspec
import typer
from chaos.run import RunOptions, run
from chaos.verdict import Verdict, print_table
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


async def run_and_print(options: RunOptions, *, as_json: bool) -> int:
    """Run, show the progress, print the verdict, and return its exit code."""
    with progress_bar() as bar:
        task = bar.add_task("starting", total=options.kills, acks=0)

        def progress(what: str, faults: int, acks: int) -> None:
            bar.update(task, description=what, completed=faults, acks=acks)

        verdict = await run(options, progress)
    print_verdict(verdict, as_json=as_json)
    return verdict.code


def print_verdict(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(verdict)))
    else:
        print_table(Console(), verdict)


def progress_bar() -> Progress:
    console = Console(stderr=True)
    columns = (
        MofNCompleteColumn(),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[acks]:,} acknowledged"),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.description}"),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
