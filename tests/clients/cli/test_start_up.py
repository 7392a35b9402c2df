"""How quickly the command line starts: it loads what the command needs that runs, and for its help next to nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from palatine_client.cli import main
from palatine_server.cli import options
from palatine_server.gateway.tokens import LONGEST_DAYS

PALATINE = str(Path(sys.executable).with_name("palatine"))
HEAVY = {"anyio", "asyncio", "cryptography", "picows", "pydantic", "redis", "starlette", "uvicorn", "websockets"}
OURS = {"palatine_server.games", "palatine_server.store", "palatine_server.tables", "palatine_server.web"}
AT_MOST = 5.0  # times the processor time of importing typer and rich; it was 9 when help loaded the games and the web
RUN = """
import sys
from palatine_client.cli.main import main
sys.argv = ["palatine", {word!r}]
try:
    main()
except SystemExit:
    pass
sys.stderr.write(" ".join(sys.modules))
"""


def modules_after(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {*done.stderr.split()}


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_loads_no_part_of_the_server(word: str) -> None:
    loaded = modules_after(RUN.format(word=word))
    assert "typer" in loaded
    assert loaded & HEAVY == set()
    assert loaded & OURS == set()


def test_a_server_with_a_file_starts_without_redis_and_without_drawings() -> None:
    served = "palatine_server.web.preflight, palatine_server.web.server, palatine_server.web.supervisor"
    loaded = modules_after(f"import sys, {served}; sys.stderr.write(' '.join(sys.modules))")
    assert {"starlette", "uvicorn", "palatine_server.games"} <= loaded
    assert loaded & {"redis", "markdown_it", "palatine_client.render.terminal", "palatine_client.render.text"} == set()


def test_a_command_whose_requirements_are_not_installed_says_so() -> None:
    code = "import sys; sys.modules['anyio'] = None; sys.argv = ['palatine', 'serve']; " + (
        "from palatine_client.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("This command needs anyio, which is not installed: pip install 'palatine[client,server]'\n")


def processor_time(*command: str) -> float:
    """Return the least of three runs, in seconds of a core, so that other work on the machine matters little."""
    found = []
    for _ in range(3):
        before = os.times()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


def test_help_takes_little_more_than_what_it_is_made_of() -> None:
    least = processor_time(sys.executable, "-c", "import typer, rich")
    assert processor_time(PALATINE, "--help") <= AT_MOST * least


def test_every_command_has_an_entry_point_of_its_name() -> None:
    named = {part.name for part in entry_points(group=main.PARTS)} | {*main.OWN_COMMANDS}
    app = main.build_app("")
    added = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    assert added | {group.name for group in app.registered_groups} == named


def test_what_is_repeated_so_that_help_need_not_load_it_is_right() -> None:
    assert options.LONGEST_DAYS == LONGEST_DAYS
