"""What everybody has, and the privilege cards that nobody has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from . import looks
from .listing import Listed
from .names import Names, Plain


def players(board: Plain, names: Names) -> Table:
    """A line for each player."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="dim")
    table.add_column(names.label("player"), no_wrap=True)
    for key in ("gold column", "supply", "reserve"):
        table.add_column(names.label(key), justify="right", no_wrap=True)
    table.add_column(names.label("seals column"), no_wrap=True)
    table.add_column(names.label("points column"), justify="right", no_wrap=True)
    table.add_column(names.label("cards column"), justify="right", no_wrap=True)
    table.add_column(names.label("nobles column"))
    for seat in board["order"]:
        table.add_row(*player(board, seat, names))
    return table


def player(board: Plain, seat: int, names: Names) -> Iterator[RenderableType]:
    """Name, gold, supply, reserve, seals, points, cards and nobles."""
    own = board["players"][seat]
    is_to_move = seat == board["turn"]["seat"] and not board["final"]
    yield Text.assemble(("▸" if is_to_move else " ", looks.TITLE), looks.chip(board, seat, names.seat(seat)))
    yield Text(str(own["gold"]), f"bold {looks.GOLD}")
    yield Text(str(own["supply"]), "bold")
    yield Text(str(own["reserve"]))
    yield seals(board, seat)
    yield Text(str(points(own, names)), "bold")
    yield Text(str(own["cards"]))
    yield Listed([*nobles(own, names)] or [Text("–", "dim")])


def seals(board: Plain, seat: int) -> Text:
    """The servants that are seals."""
    return Text(" ").join(
        Text(f"{looks.SEALS[colour][0]}{board['rooms'][room][seat]}", looks.SEALS[colour][1])
        for room, colour in looks.SEAL_OF.items()
    )


def points(own: Plain, names: Names) -> int:
    """The points of nobles and of cards that lie open."""
    nobles = sum(int(names.pieces[noble]["points"]) for noble in [*own["face_up"], *own["face_down"]])
    return nobles + sum(int(names.pieces[card]["effect"]["points"]) for card in own["front"])


def nobles(own: Plain, names: Names) -> Iterator[Text]:
    """The nobles whose benefit lasts, how many others, and the points cards."""
    yield from (looks.noble_name(noble, names) for noble in own["face_up"])
    yield from others(own, names)
    yield from (Text(f"▤ {card}") for card in counted(own["front"], names))


def others(own: Plain, names: Names) -> Iterator[Text]:
    count = len(own["face_down"])
    if count and own["face_up"]:
        yield Text(names.label("other") if count == 1 else names.label("others", count), "dim")
    elif count:
        yield Text(names.counted("only", count), "dim")


# Cards


def cards(board: Plain, names: Names) -> Text:
    """The deck, the discard pile, and what is in force until the end of the turn."""
    piles = [names.label("in deck", board["deck"]), discarded(board, names)]
    text = Text.assemble((f"▤ {names.label('deck')}: ", "bold"), " · ".join(piles))
    if board["turn"]["active"]:
        text.append("\n" + names.label("active", ", ".join(counted(board["turn"]["active"], names))), looks.TITLE)
    if board["bank"] is not None:
        text.append("\n" + names.label("bank", board["bank"]), looks.GOLD)
    return text


def discarded(board: Plain, names: Names) -> str:
    pile = board["discard"]
    return names.label("discarded", ", ".join(counted(pile, names))) if pile else names.label("none discarded")


def counted(kinds: list[str], names: Names) -> Iterator[str]:
    """Cards by their kinds."""
    for kind, number in Counter(kinds).items():
        yield names.piece(kind) + (f" ×{number}" if number > 1 else "")
