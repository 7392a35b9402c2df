"""Draw the pictures of the README; `make picture` runs this.

One has castles in a terminal, from the output of `palatine simulate --show`, the other a table as a player sees it.
"""

import io
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from palatine_client.render.presentation import find_presentation
from palatine_client.render.svg.view import PictureView
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.between_two_castles.board import Castles
from palatine_server.games.kit import plain
from palatine_server.simulation import create_draw, derive_seed, next_seat

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


# The table as a player sees it

TABLE = Path(__file__).with_name("table.svg")
PEOPLE = ["Ada", "Bruno", "Clara", "Dörte"]
SEAT, SEED = 1, 13


def play_until_choosing() -> Castles:
    """Let strong bots play until all choose two rooms, late in the game."""
    seed = derive_seed(SEED, len(PEOPLE))
    play, draw = BETWEEN_TWO_CASTLES.begin(len(PEOPLE), seed), create_draw(seed)
    while not (play.board.round == 2 and play.board.turn == 3 and play.board.phase == "choose"):
        seat = next_seat(play, draw)
        play.act(seat, BETWEEN_TWO_CASTLES.policies["strong"](play, seat, draw))
    return play


def draw_table() -> str:
    """Return the picture of a table as the player of a seat sees it."""
    play, presentation = play_until_choosing(), find_presentation(BETWEEN_TWO_CASTLES.name)
    if not presentation or not presentation.draw:
        raise SystemExit("there is no presentation of Between Two Castles; run `make .venv/ready`")
    catalog = (BETWEEN_TWO_CASTLES.folder / "catalog.toml").read_text(encoding="utf-8")
    view = PictureView(
        game=BETWEEN_TWO_CASTLES.name,
        board=plain(play.board),
        hand=plain(play.hands[SEAT]),
        seat=SEAT,
        names=PEOPLE,
        waiting=play.waiting_for(),
        offer=plain(play.offer(SEAT)),
        catalog=tomllib.loads(catalog),
    )
    return presentation.draw(view)


if __name__ == "__main__":
    TABLE.write_text(draw_table(), encoding="utf-8")
    PICTURE.write_text(render_svg(cut_castles(Text.from_ansi(run_simulation()))), encoding="utf-8")
