"""Between Two Castles drawn for the terminal: castles floor by floor, the score sheet, the final ranking."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from .wrapping import wrapped

Plain = dict[str, Any]
Cell = tuple[int, int]


def drawn(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """The whole board: what is going on, every castle, and at the end of the game who has won."""
    names = Names(catalog, lang, seats, players=len(board["seniority"]))
    castles = [picture(board, number, names) for number in range(len(board["castles"]))]
    parts = [heading(board, names), *castles, legend(names)]
    return Group(*parts, *ending(board, names))


# Words

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "round": "Round {} of {}",
        "turn": "Turn {} of {}",
        "setup": "Setup",
        "ludwig": "Drawing for Ludwig",
        "choose": "Everybody chooses two rooms",
        "place": "Everybody places",
        "over": "The game is over",
        "seat": "Player {}",
        "to place": "{} has to place",
        "points": "{} points",
        "throne": "Throne room",
        "likes": "{points} points each for {types} at {where}, {most} at most",
        "or": " or ",
        "attendants": "Attendants",
        "attendant": "Attendants",
        "cards": "Bonus cards",
        "bonus_card": "Bonus cards",
        "progress": "Rooms so far",
        "ludwig tile": "Ludwig’s room",
        "deciding": "To be decided",
        "deciding food": "which of five rooms to take",
        "deciding card": "which of three bonus cards to keep",
        "deciding attendant": "which attendant to take",
        "deciding special": "which special room to take",
        "deciding bonus": "which bonus to take",
        "deciding cell": "where to put the new room",
        "deciding tiles": "nothing yet: waiting for rooms to draw",
        "deciding cards": "nothing yet: waiting for bonus cards to draw",
        "open sky": "Open sky",
        "score sheet": "Score sheet",
        "total": "Total",
        "ranking": "Final ranking",
        "player": "Player",
        "score": "Score: poorer castle",
        "better": "Better castle",
        "specials": "Special rooms",
    },
    "de": {
        "round": "Runde {} von {}",
        "turn": "Zug {} von {}",
        "setup": "Aufbau",
        "ludwig": "Für Ludwig wird gezogen",
        "choose": "Alle wählen zwei Räume",
        "place": "Alle legen an",
        "over": "Das Spiel ist aus",
        "seat": "Spieler {}",
        "to place": "{} hat noch anzulegen",
        "points": "{} Punkte",
        "throne": "Thronsaal",
        "likes": "je {points} Punkte für {types} auf {where}, höchstens {most}",
        "or": " oder ",
        "attendants": "Bedienstete",
        "attendant": "Bedienstete",
        "cards": "Bonuskarten",
        "bonus_card": "Bonuskarten",
        "progress": "Räume bisher",
        "ludwig tile": "Ludwigs Raum",
        "deciding": "Zu entscheiden",
        "deciding food": "welcher von fünf Räumen genommen wird",
        "deciding card": "welche von drei Bonuskarten behalten wird",
        "deciding attendant": "wer in den Thronsaal kommt",
        "deciding special": "welcher Sonderraum genommen wird",
        "deciding bonus": "welcher Bonus genommen wird",
        "deciding cell": "wohin der neue Raum kommt",
        "deciding tiles": "noch nichts: es fehlen Räume zum Ziehen",
        "deciding cards": "noch nichts: es fehlen Bonuskarten zum Ziehen",
        "open sky": "Freier Himmel",
        "score sheet": "Wertungsblock",
        "total": "Summe",
        "ranking": "Endstand",
        "player": "Spieler",
        "score": "Punkte: ärmeres Schloss",
        "better": "Besseres Schloss",
        "specials": "Sonderräume",
    },
}
PIECES = ("room", "throne", "special", "attendant", "bonus_card", "castle_token")


class Names:
    """What things and players are called in one language."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        self.lang = lang if lang in LABELS else "en"
        self.meta, self.types, self.decorations = catalog["meta"], catalog["type"], catalog["decoration"]
        self.pieces: dict[str, Plain] = {piece["id"]: piece for kind in PIECES for piece in catalog[kind]}
        self.seats = seats or [self.label("seat", number) for number in range(1, players + 1)]

    def label(self, key: str, *values: object, **named: object) -> str:
        return LABELS[self.lang][key].format(*values, **named)

    def of(self, entry: Plain) -> str:
        """The name of an entry of the catalog; English where there is no other."""
        return str(entry.get(f"name_{self.lang}") or entry["name_en"])

    def piece(self, name: str) -> str:
        return self.of(self.pieces[name])

    def line(self, line: str) -> str:
        """A line of the score sheet."""
        if line in self.types:
            return self.of(self.types[line])
        return self.label(line) if line in LABELS["en"] else self.piece(line)

    def seat(self, seat: int) -> str:
        """Who sits there; behind the last player sits Ludwig."""
        return self.seats[seat] if seat < len(self.seats) else "Ludwig"


def castle_name(castle: Plain) -> str:
    """The castle's own name, which is the same in all languages."""
    return str(castle["token"]).capitalize()


# Colours and signs


@dataclass(frozen=True)
class Look:
    """How rooms of one kind look."""

    sign: str
    ink: str
    paper: str
    corners: tuple[str, str, str, str] = ("╭", "╮", "╰", "╯")
    edge: str = "─"
    wall: str = "│"

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"


def grand(sign: str, ink: str, paper: str) -> Look:
    """The look of a special room."""
    return Look(sign, ink, paper, corners=("╔", "╗", "╚", "╝"), edge="═", wall="║")


LOOKS = {
    "food": Look("♨", "#ffd76a", "#7a1f1f"),
    "living": Look("♥", "#dcb3ff", "#3d2159"),
    "utility": Look("⚒", "#e0cfb8", "#54473a"),
    "outdoor": Look("♣", "#a6e88a", "#173f1f"),
    "sleeping": Look("☾", "#a9cbff", "#172f5e"),
    "corridor": Look("↔", "#ffd0a0", "#8a4a0c"),
    "downstairs": Look("▼", "#c3c5cc", "#2b2d33"),
    "fountain": grand("≋", "#3b2a00", "#e3bd4f"),
    "tower": grand("♜", "#3b2a00", "#e3bd4f"),
    "foyer": grand("❖", "#3b2a00", "#e3bd4f"),
    "throne": grand("♛", "#5c1030", "#fff6da"),
}
DECORATIONS = {"painting": "▣", "torch": "☼", "swords": "⚔", "mirror": "◎"}
OTHER_SIGNS = {"bonus_card": "▤", "attendant": "☺"}
POSITIONS = {"left": "←", "right": "→", "above_left": "↖", "above_right": "↗", "below_left": "↙", "below_right": "↘"}
SKY, SKY_EDGE = "bold #e4f6ff on #1d7cc4", "┄"
NEW = "✦"  # a room that was not there when the viewer looked last
GRASS, EARTH = "#6fae4e", "#5a4636"
GOLD = "bold #ffd75f"


def kind_of(piece: Plain) -> str:
    """The type of a room, or which special room it is."""
    if "attendant_slots" in piece:
        return "throne"
    return str(piece["id"] if piece["type"] == "special" else piece["type"])


def has_open_sky(piece: Plain, names: Names) -> bool:
    return bool(piece.get("open_sky") or names.types.get(piece.get("type"), {}).get("open_sky"))


# One room: a box with its kind at the top, its name in the middle and its decoration at the bottom

ROOMY = 9  # narrower rooms give up their walls for the name


@dataclass(frozen=True)
class Room:
    """A room as it is drawn."""

    name: str
    look: Look
    decoration: str = ""
    open_sky: bool = False
    remark: str = ""
    is_new: bool = False

    def words(self, width: int) -> list[str]:
        room_for_words = width - 2 if width >= ROOMY else width - 1
        return [*wrapped(self.name, room_for_words), *([self.remark] if self.remark else [])]

    def lines(self, width: int, height: int) -> Iterator[Text]:
        """The box, line by line."""
        words, inner = self.words(width), height - 2
        above = (inner - len(words)) // 2
        padded = [""] * above + words + [""] * (inner - above - len(words))
        yield self.top(width)
        yield from (self.middle(line, width) for line in padded)
        yield self.bottom(width)

    def top(self, width: int) -> Text:
        left, right = self.look.corners[:2]
        edge, style = (SKY_EDGE, SKY) if self.open_sky else (self.look.edge, self.look.style)
        rest = edge * (width - 6) + NEW + edge if self.is_new and width > 6 else edge * (width - 4)
        return Text(left + edge + self.look.sign + rest + right, style)

    def middle(self, line: str, width: int) -> Text:
        wall, style = self.look.wall, self.look.style
        if width < ROOMY:
            return Text(f" {line:{width - 1}}", f"bold {style}")
        return Text.assemble(wall, (line.center(width - 2), "bold"), wall, style=style)

    def bottom(self, width: int) -> Text:
        left, right = self.look.corners[2:]
        sign, edge = self.decoration or self.look.edge, self.look.edge
        return Text(left + edge * (width - 4) + sign + edge + right, self.look.style)


def room(name: str, names: Names, is_new: bool = False) -> Room:
    """A tile of the catalog as it is drawn."""
    piece = names.pieces[name]
    remark = wishes(piece) if "attendant_slots" in piece else ""
    decoration = DECORATIONS.get(piece["decoration"], "")
    return Room(names.of(piece), LOOKS[kind_of(piece)], decoration, has_open_sky(piece, names), remark, is_new)


def wishes(throne: Plain) -> str:
    """What a throne room likes to have around it, and where, in signs."""
    liked, where = (LOOKS[kind].sign for kind in throne["types"]), (POSITIONS[at] for at in throne["positions"])
    return f"{' '.join(liked)} {''.join(where)}"


# One space: a dashed box where something may be put, with the number to type for it

SPACE, SPACE_NUMBER = "#c9a94a", "bold #241a00 on #ffd75f"


@dataclass(frozen=True)
class Space:
    """An empty cell that may be chosen."""

    number: int
    remark: str = ""

    def words(self, width: int) -> list[str]:
        return [f" {self.number} "[: width - 2], *([self.remark[: width - 2]] if self.remark else [])]

    def lines(self, width: int, height: int) -> Iterator[Text]:
        """The box, line by line."""
        words, inner = self.words(width), height - 2
        above = (inner - len(words)) // 2
        yield Text(f"┌{'╌' * (width - 2)}┐", SPACE)
        for at in range(inner):
            yield self.middle(words[at - above] if 0 <= at - above < len(words) else "", width, at == above)
        yield Text(f"└{'╌' * (width - 2)}┘", SPACE)

    def middle(self, word: str, width: int, is_number: bool) -> Text:
        rest = width - 2 - len(word)
        shown = (word, SPACE_NUMBER if is_number else SPACE)
        return Text.assemble("╎", " " * (rest // 2), shown, " " * (rest - rest // 2), "╎", style=SPACE)


# One castle: floors from the top down, numbered at the left, the ground line under floor 0

LABEL = 3  # columns for the number of a floor
NARROWEST, WIDEST = 4, 16
LOWEST, LOWEST_WITH_ROOMS = 1, 2  # lines inside the boxes of a floor
Filled = Room | Space


@dataclass(frozen=True)
class Castle:
    """A castle as it is drawn: rooms by cell; the throne room begins in (0, 0) and covers (1, 0) too."""

    rooms: dict[Cell, Room]
    spaces: Mapping[Cell, Space] = field(default_factory=dict)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        narrowest, widest = (LABEL + width * len(self.columns) for width in (NARROWEST, WIDEST))
        return Measurement(narrowest, widest).clamp(max_width=options.max_width)

    @property
    def cells(self) -> dict[Cell, Filled]:
        return {**self.spaces, **self.rooms}

    @property
    def columns(self) -> range:
        columns = [0, 1, *(x for x, _ in self.cells)]
        return range(min(columns), max(columns) + 1)

    def lines(self, available: int) -> Iterator[Text]:
        width = max(NARROWEST, min(WIDEST, (available - LABEL) // len(self.columns)))
        floors = [y for _, y in self.cells]
        for y in range(max(floors), min(floors) - 1, -1):
            yield from self.floor(y, width)
            if y == 0:
                yield Text(" " * LABEL + "▀" * (width * len(self.columns)), GRASS, no_wrap=True)

    def floor(self, y: int, width: int) -> Iterator[Text]:
        """All lines of one floor."""
        filled = [(box, span) for _, box, span in self.across(y, width) if box]
        least = LOWEST_WITH_ROOMS if any(isinstance(box, Room) for box, _ in filled) else LOWEST
        height = 2 + max([least, *(len(box.words(span)) for box, span in filled)])
        cells = [cell_lines(box, span, height, y) for _, box, span in self.across(y, width)]
        label = [Text(f"{y if number == height // 2 else '':>{LABEL - 1}} ", "bold") for number in range(height)]
        for parts in zip(label, *cells, strict=True):
            yield Text("", no_wrap=True, overflow="crop").join(parts)

    def across(self, y: int, width: int) -> Iterator[tuple[int, Filled | None, int]]:
        """The cells of a floor from left to right, each with what it holds and its width in columns of text."""
        cells = self.cells
        for x in self.columns:
            if (x, y) != (1, 0):
                yield x, cells.get((x, y)), width * 2 if (x, y) == (0, 0) else width


def cell_lines(box: Filled | None, width: int, height: int, y: int) -> list[Text]:
    """A room, a space, the sky or the earth."""
    if box:
        return list(box.lines(width, height))
    return [Text("░" * width, EARTH) if y < 0 else Text(" " * width)] * height


def castle_of(
    castle: Plain, names: Names, spaces: Mapping[Cell, Space] | None = None, new: Collection[Cell] = ()
) -> Castle:
    """A castle with the spaces that may be chosen in it, and those rooms marked that are new to the viewer."""
    rooms = {(x, y): room(name, names, (x, y) in new) for name, x, y in castle["rooms"]}
    return Castle({(0, 0): room(castle["throne"], names), **rooms}, spaces or {})


# A castle with its title and what lies beside it


def picture(
    board: Plain, number: int, names: Names, new: Collection[Cell] = (), *, for_builder: bool = False
) -> RenderableType:
    """A castle with its notes; whoever builds it also sees how far it is from its bonuses."""
    castle = board["castles"][number]
    beside = Table.grid(padding=(0, 2))
    beside.add_column(style="dim", no_wrap=True)
    beside.add_column()
    for label, text in notes(castle, names):
        beside.add_row(label, text)
    if for_builder:
        beside.add_row(names.label("progress"), progress(castle, names))
    drawing = castle_of(castle, names, new=new)
    return Group(title(board, number, names), Text(), drawing, Padding(beside, (1, 0, 1, LABEL)))


# A type that is one room short of a bonus is bright.
def progress(castle: Plain, names: Names) -> Text:
    """How many rooms of each type there are."""
    kinds = [kind_of(names.pieces[name]) for name, _, _ in castle["rooms"]]
    counts = {name: kinds.count(name) for name in names.types}
    short = {threshold - 1 for threshold in names.meta["bonus_thresholds"]}
    return Text("  ").join(
        Text.assemble((f" {LOOKS[name].sign} ", LOOKS[name].style), (f" {count}", GOLD if count in short else ""))
        for name, count in counts.items()
    )


def title(board: Plain, number: int, names: Names) -> Rule:
    castle = board["castles"][number]
    text = Text.assemble((f"♜ {names.piece(castle['token'])}", GOLD), "  ", partners(castle, names))
    if board["sheets"]:
        text.append(f"  {names.label('points', sum(board['sheets'][number].values()))}", "bold")
    return Rule(text, align="left", style="#8a6d1f")


def partners(castle: Plain, names: Names) -> str:
    return " + ".join(names.seat(seat) for seat in castle["partners"])


def notes(castle: Plain, names: Names) -> Iterator[tuple[str, RenderableType]]:
    """What is not a room: the wishes of the throne, attendants, bonus cards, and what waits to be done."""
    yield names.label("throne"), wishes_in_words(names.pieces[castle["throne"]], names)
    if castle["attendants"]:
        yield names.label("attendants"), Text(", ").join(attendant(name, names) for name in castle["attendants"])
    if castle["cards"]:
        yield names.label("cards"), Group(*(card(name, names) for name in castle["cards"]))
    if castle["ludwig"]:
        yield names.label("ludwig tile"), tile(castle["ludwig"], names)
    if castle["deciding"]:
        yield names.label("deciding"), names.label(f"deciding {castle['deciding']}")


def wishes_in_words(throne: Plain, names: Names) -> Text:
    types = Text(names.label("or")).join(kind(name, names) for name in throne["types"])
    where = "".join(POSITIONS[at] for at in throne["positions"])
    sentence = names.label("likes", points=throne["points"], most=throne["max_points"], where=where, types="\0")
    before, after = sentence.split("\0")
    return Text.assemble(before, types, after)


def kind(name: str, names: Names) -> Text:
    """A room type with its sign, in its colour."""
    return Text(f" {LOOKS[name].sign} {names.of(names.types[name])} ", LOOKS[name].style)


def tile(name: str, names: Names) -> Text:
    """A room outside of any castle."""
    look = LOOKS[kind_of(names.pieces[name])]
    return Text(f" {look.sign} {names.piece(name)} ", look.style)


def attendant(name: str, names: Names) -> Text:
    decoration = names.pieces[name]["decoration"]
    return Text.assemble((DECORATIONS[decoration], "bold"), " ", names.piece(name))


def card(name: str, names: Names) -> Text:
    piece = names.pieces[name]
    return Text.assemble((names.of(piece), "bold"), ": ", card_text(piece, names))


def card_text(piece: Plain, names: Names) -> str:
    """What a bonus card says."""
    return str(piece.get(f"text_{names.lang}") or piece["note"])


# What is going on


def heading(board: Plain, names: Names) -> RenderableType:
    """Round, turn and phase, and the rooms that lie open and are not placed yet."""
    return Group(moment(board, names), *open_tiles(board, names), Text())


def moment(board: Plain, names: Names) -> Text:
    """Round, turn and phase."""
    meta = names.meta
    where = (
        names.label("round", board["round"], meta["rounds"]),
        names.label("turn", board["turn"], meta["turns_per_round"]),
        names.label(board["phase"]),
    )
    return Text(" · ".join(where[2:] if board["phase"] == "over" else where), "bold")


def open_tiles(board: Plain, names: Names) -> Iterator[Text]:
    for seat, tiles in enumerate(board["tiles"]):
        if tiles:
            label = names.label("to place", names.seat(seat))
            yield Text.assemble(f"{label}: ", Text(" ").join(tile(name, names) for name in tiles))


def legend(names: Names) -> RenderableType:
    """What the colours and signs mean."""
    types = Columns([kind(name, names) for name in names.types], padding=(0, 1))
    signs = [Text(f"{DECORATIONS[name]} {names.of(entry)}") for name, entry in names.decorations.items()]
    sky = Text.assemble((SKY_EDGE * 3, SKY), f" {names.label('open sky')}")
    return Group(Rule(style="dim"), types, Text("   ").join([*signs, sky]), Text())


# The end

TABLE: dict[str, Any] = {
    "title_style": GOLD,
    "title_justify": "left",
    "box": box.SIMPLE_HEAD,
    "padding": (0, 1, 0, 0),
    "pad_edge": False,
    "show_edge": False,
}


def ending(board: Plain, names: Names) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: Names) -> Table:
    """Every line of the score sheet for every castle."""
    table = Table(title=names.label("score sheet"), **TABLE)
    table.add_column(no_wrap=True)
    for castle in board["castles"]:
        table.add_column("\n".join(wrapped(castle_name(castle), 8)), justify="right", vertical="bottom")
    for line in board["sheets"][0]:
        table.add_row(sheet_label(line, names), *(points(sheet[line]) for sheet in board["sheets"]))
    table.add_section()
    table.add_row(Text(f"    {names.label('total')}"), *totals(board), style="bold")
    return table


def sheet_label(line: str, names: Names) -> Text:
    sign, style = (LOOKS[line].sign, LOOKS[line].style) if line in LOOKS else (OTHER_SIGNS[line], "")
    return Text.assemble((f" {sign} ", style), " ", names.line(line))


def points(number: int) -> Text:
    return Text(str(number) if number else "·", "" if number else "dim")


def totals(board: Plain) -> Iterable[Text]:
    values = [sum(sheet.values()) for sheet in board["sheets"]]
    return (Text(str(value), GOLD if value == max(values) else "bold") for value in values)


def ranking(board: Plain, names: Names) -> Table:
    """Who has won: the poorer castle counts, then the better one, then the special rooms."""
    table = Table(title=names.label("ranking"), **TABLE)
    table.add_column(justify="right")
    table.add_column(names.label("player"))
    table.add_column(names.label("score"))
    table.add_column(names.label("better"))
    table.add_column(names.label("specials"), justify="right")
    for row in sorted(board["final"], key=lambda row: (row["rank"], row["seat"])):
        table.add_row(*ranked(board, row, names), style=GOLD if row["rank"] == 1 else "")
    return table


def ranked(board: Plain, row: Plain, names: Names) -> list[str]:
    own = sorted(castles_of(board, row["seat"]))
    poorer, better = (f"{value:>3}  {castle}" for value, castle in own)
    crown = "♛ " if row["rank"] == 1 else ""
    return [f"{crown}{row['rank']}.", names.seat(row["seat"]), poorer, better, str(row["specials"])]


def castles_of(board: Plain, seat: int) -> Iterator[tuple[int, str]]:
    """The two castles of a seat, with their values."""
    for castle, sheet in zip(board["castles"], board["sheets"], strict=True):
        if seat in castle["partners"]:
            yield sum(sheet.values()), castle_name(castle)
