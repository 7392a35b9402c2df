"""Draw the picture of the README from the output of `palatine simulate --show`; `make picture` runs this."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

PICTURE = Path(__file__).with_name("between_two_castles.svg")
WIDTH = 120
CASTLES = 2  # the whole board is too tall for the README
COMMAND = "simulate between_two_castles --players 4 --policy strong --seed 7 --show"


def run_simulation() -> str:
    """Return what the command prints on a colour terminal."""
    palatine = Path(sys.executable).with_name("palatine")
    terminal = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color", "COLUMNS": str(WIDTH)}
    command, environment = [palatine, *COMMAND.split()], os.environ | terminal
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def cut_castles(board: Text) -> Text:
    """Return the first castles of a board."""
    lines = board.split("\n")
    headings = [number for number, line in enumerate(lines) if line.plain.startswith("♜ ")]
    return Text("\n").join(lines[headings[0] : headings[CASTLES] - 1])


def render_svg(picture: Text) -> str:
    """Return a picture as SVG that loads no fonts from elsewhere."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor")
    console.print(picture)
    svg = console.export_svg(title=f"palatine {COMMAND}", theme=MONOKAI, unique_id="board")
    return re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.write_text(render_svg(cut_castles(Text.from_ansi(run_simulation()))), encoding="utf-8")
