"""`make peers`: interleaved rounds of all contenders, and how they compare.

Every server has one core, and the load generator the other: tables of four, the seats act in turn, the next one when
all have seen the last action. Rounds are interleaved, so that whatever else the machine does concerns all contenders;
medians are compared. Because a busy machine takes time away from whoever is measured, what is compared is the time that
an action costs on the core, not the rate. Every contender with a store has a Valkey of its own with the same settings,
on the server's core, where its work counts, or on the generator's, where it does not. Palatine is compiled as it is
deployed, from this checkout and from the commit that it is measured against, and runs on the quickest interpreter here.
The bare Python server shows what is left for Palatine's own work below a bar.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer
from bench.builds import NoReferenceError, build_both
from bench.peers.comparison import Comparison, Rounds, render_bars, render_comparison, render_warning
from bench.peers.contenders import PLACES, Contender, Place, find_contenders, install_competitors
from bench.progress import Steps
from rich.console import Console

from palatine_client.load.plan import Plan


def peers(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long.")] = 5.0,
    warmup: Annotated[float, typer.Option(min=0.1, help="Seconds before.")] = 2.0,
    tables: Annotated[int, typer.Option(min=1, help="Of four players each.")] = 64,
    store: Annotated[Literal["same core", "elsewhere", "both"], typer.Option(help="Where the Valkey runs.")] = "both",
    scratch: Annotated[
        Path | None, typer.Option(help="Keep here what npm installs and what is compiled, for the next run.")
    ] = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="Measure what the last run compiled in --scratch.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs: all figures as JSON.")] = False,
) -> None:
    """Measure Palatine, boardgame.io and Colyseus with the same trivial game."""
    plan = Plan(url="", game="counter", tables=tables, players=4, at_once=1, warmup=warmup, seconds=seconds)
    places: tuple[Place, ...] = PLACES if store == "both" else (store,)
    with ExitStack() as stack:
        folder = scratch or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palatine-peers-")))
        folder.mkdir(parents=True, exist_ok=True)
        contenders = prepare(folder.resolve(), places, reuse)
        comparison = Comparison.of(rounds, measure(contenders, plan, rounds))
    show(comparison, json)


def prepare(scratch: Path, places: tuple[Place, ...], is_reused: bool) -> list[Contender]:
    """Install and build all contenders."""
    with Steps(2) as steps:
        try:
            steps.next("compiling this checkout and the reference, which takes some minutes")
            current, reference = build_both(scratch, is_reused)
        except NoReferenceError as why:
            raise SystemExit(str(why)) from None
        steps.next("installing boardgame.io and Colyseus")
        install_competitors(scratch)
    return find_contenders(current, reference, scratch, places)


def measure(contenders: list[Contender], plan: Plan, rounds: int) -> Rounds:
    """Return all rounds of all contenders; every second round runs backwards."""
    found: Rounds = {(contender.name, contender.place): [] for contender in contenders}
    with Steps(rounds * len(contenders)) as steps:
        for number in range(rounds):
            for contender in contenders if number % 2 == 0 else contenders[::-1]:
                where = "in memory" if contender.place == "none" else f"store {contender.place}"
                steps.next(f"round {number + 1} of {rounds}: {contender.name}, {where}")
                found[contender.name, contender.place].append(contender.play(plan))
    return found


def show(comparison: Comparison, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(msgspec.json.encode(comparison).decode() + "\n")
        return
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(f"Medians of {comparison.rounds} interleaved rounds; µs are of one core for one action.")
    console.print(render_comparison(comparison, False))
    console.print(render_comparison(comparison, True))
    console.print(render_bars(comparison.bars), render_warning(comparison))


if __name__ == "__main__":
    typer.run(peers)
