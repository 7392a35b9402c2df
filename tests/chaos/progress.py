"""A run as somebody at a terminal sees it."""

from __future__ import annotations

import msgspec
import typer
from chaos.run import Wish, run
from chaos.verdict import Verdict, show
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


async def told(wish: Wish, *, as_json: bool) -> int:
    """Run, show how far it is, tell the verdict; its exit code."""
    with progress_bar() as bar:
        task = bar.add_task("starting", total=wish.kills, acks=0)

        def progress(what: str, faults: int, acks: int) -> None:
            bar.update(task, description=what, completed=faults, acks=acks)

        verdict = await run(wish, progress)
    tell(verdict, as_json=as_json)
    return verdict.code


def tell(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(verdict)))
    else:
        show(Console(), verdict)


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
