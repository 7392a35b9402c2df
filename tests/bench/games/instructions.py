"""`python -m bench.games.instructions`: how many instructions an action of each game takes, beside the reference.

The action is the one of in_process.py. valgrind counts its instructions, so the figures are the same on a busy machine,
and they are small numbers of many small costs; they say nothing of caches. It needs valgrind and a C compiler.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from bench.builds import REFERENCE, find_interpreter, python_path
from bench.games.__main__ import prepare
from bench.games.cases import CASES, Case
from bench.peers.contenders import ENVIRONMENT
from bench.progress import Steps
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
TABLES = 16
TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def instructions(
    actions: Annotated[int, typer.Option(min=100, help="Of each game.")] = 1_200,
    scratch: Annotated[Path | None, typer.Option(help="Keep here what is compiled, and callgrind's files.")] = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="Measure what the last run compiled in --scratch.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="Measure these games alone.")] = None,
    python: Annotated[str, typer.Option(help="The interpreter; the quickest one here if it is not named.")] = "",
) -> None:
    """Count the instructions of an action."""
    with ExitStack() as stack:
        folder = scratch or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palatine-bench-")))
        folder.mkdir(parents=True, exist_ok=True)
        builds = prepare(folder.resolve(), reuse)
        cases = [case for case in CASES if not only or case.game in only]
        interpreter = python or find_interpreter()  # a busy machine may find another one next time
        show(cases, [*count_all(interpreter, builds, cases, actions, folder.resolve())], interpreter)


def count_all(python: str, builds: tuple[Path, Path], cases: list[Case], actions: int, folder: Path) -> Iterator[int]:
    """Yield the instructions of an action of each case, for both builds."""
    library = compile_library(folder)
    with Steps(2 * len(cases)) as steps:
        for case in cases:
            for code in builds:
                steps.next(f"counting: {case.name}, {code.name}")
                yield count(python, code, case, actions, library)


def compile_library(folder: Path) -> Path:
    """Compile the function whose calls are counted."""
    library = folder / "counted_call.so"
    include = sysconfig.get_path("include")
    command = ["cc", "-O1", "-shared", "-fPIC", f"-I{include}", str(HERE / "counted_call.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    return library


def count(python: str, code: Path, case: Case, actions: int, library: Path) -> int:
    """Return the instructions of an action; the reference's are counted once for each interpreter."""
    interpreter = python.strip("/").replace("/", "-")
    found = library.with_name(f"callgrind.{code.name}.{case.game}.{case.players}.{actions}.{interpreter}")
    if code.name.endswith(REFERENCE) and found.exists():
        return read_total(found) // actions
    options = ["--instr-atstart=no", "--collect-atstart=no"]
    words = [str(HERE / "counted.py"), case.game, str(case.players), str(TABLES), str(actions), str(library)]
    command = ["valgrind", "--quiet", "--tool=callgrind", *options, f"--callgrind-out-file={found}", python, *words]
    environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": python_path(code), "PYTHONHASHSEED": "0"}
    subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
    return read_total(found) // actions


def read_total(found: Path) -> int:
    total = TOTAL.search(found.read_text())
    assert total is not None
    return int(total[1])


def show(cases: list[Case], counts: list[int], python: str) -> None:
    title = f"instructions of an action, in process, with {python}"
    table = Table("game and players", "now", REFERENCE, "ratio", "bar", title=title, title_justify="left")
    for case, now, before in zip(cases, counts[::2], counts[1::2], strict=True):
        bar = "" if case.bar is None else f"≤ {case.bar:.2f}"
        table.add_row(case.name, f"{now:,}", f"{before:,}", f"{now / before:.3f}", bar)
    Console(width=100).print(table)


if __name__ == "__main__":
    typer.run(instructions)
