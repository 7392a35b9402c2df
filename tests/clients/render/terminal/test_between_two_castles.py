"""Between Two Castles for the terminal."""

import io
import re
import tomllib
from itertools import count, pairwise
from typing import Any

import pytest
from rich.console import Console
from rich.style import Style
from rich.text import Text

from palatine_client.render.games.between_two_castles import PRESENTATION
from palatine_client.render.games.between_two_castles.theme import DECORATIONS, LOOKS, SKY
from palatine_client.render.hyphenation import wrap_name
from palatine_client.render.terminal import render_board
from palatine_client.render.terminal.layout import Heading
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.kit import plain
from palatine_server.simulation import Match, create_draw, derive_seed, next_seat, play_match

GAME = BETWEEN_TWO_CASTLES.name
CATALOG = tomllib.loads((BETWEEN_TWO_CASTLES.folder / "catalog.toml").read_text(encoding="utf-8"))
ROOMS = {room["id"]: room for room in CATALOG["room"]}
LANGUAGES = ["en", "de"]
LABELS = {lang: PRESENTATION.load_translation(lang).LABELS for lang in LANGUAGES}


def castle(token: str, partners: list[int], rooms: list[list[Any]], **more: Any) -> dict[str, Any]:
    nothing = {"attendants": [], "cards": [], "ludwig": "", "deciding": ""}
    return {"token": token, "throne": "throne_utility_food", "partners": partners, "rooms": rooms, **nothing, **more}


def board(*castles: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"seniority": [0, 1, 2], "round": 1, "turn": 2, "phase": "place", "tiles": [[], [], []]}
    return {**common, "castles": list(castles), "sheets": [], "final": [], **more}


BUILT = castle(
    "eltz",
    [0, 1],
    [["bakery", -1, 0], ["nap_room", 0, 1], ["tower", 0, 2], ["sty", 1, 1], ["crypt", 0, -1], ["dead_end", 1, -2]],
    attendants=["knight"],
    cards=["per_food"],
)


def console(width: int) -> Console:
    return Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")


def text(what: dict[str, Any], lang: str = "en", width: int = 100, seats: list[str] | None = None) -> str:
    screen = console(width)
    screen.print(render_board(GAME, what, CATALOG, lang, seats))
    return screen.export_text()


def styles(what: dict[str, Any], written: str) -> list[Style]:
    """The styles of the places that hold this text."""
    screen = console(100)
    lines = screen.render_lines(render_board(GAME, what, CATALOG))
    return [piece.style for line in lines for piece in line if written in piece.text and piece.style]


def final_board(players: int, number: int = 0) -> dict[str, Any]:
    match = Match(game=GAME, players=players, seed=derive_seed(3, number), policies=["random"] * players)
    result: dict[str, Any] = plain(play_match(match)[0].board)
    return result


def floors(shown: str) -> list[int]:
    return [int(label[1]) for line in shown.splitlines() if (label := re.match(r" ?(-?\d+) ", line))]


# A castle


def test_a_castle_is_drawn_floor_by_floor() -> None:
    shown = [line.rstrip() for line in text(board(BUILT)).splitlines()]
    above = shown.index(next(line for line in shown if "Eltz" in line)) + 2
    assert shown[above : above + 21] == [
        "                   ╔┄♜┄┄┄┄┄┄┄┄┄┄┄┄╗",
        "                   ║    Tower     ║",
        " 2                 ║              ║",
        "                   ╚══════════════╝",
        "                   ╭─☾────────────╮╭┄♣┄┄┄┄┄┄┄┄┄┄┄┄╮",
        "                   │   Nap Room   ││     Sty      │",
        " 1                 │              ││              │",
        "                   ╰────────────☼─╯╰──────────────╯",
        "   ╭─♨────────────╮╔═♛════════════════════════════╗",
        "   │    Bakery    │║         Throne Room          ║",
        " 0 │              │║            ⚒ ♨ ←→            ║",
        "   ╰────────────⚔─╯╚════════════════════════════▣═╝",
        "   ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀",
        "   ░░░░░░░░░░░░░░░░╭─▼────────────╮░░░░░░░░░░░░░░░░",
        "   ░░░░░░░░░░░░░░░░│    Crypt     │░░░░░░░░░░░░░░░░",
        "-1 ░░░░░░░░░░░░░░░░│              │░░░░░░░░░░░░░░░░",
        "   ░░░░░░░░░░░░░░░░╰────────────▣─╯░░░░░░░░░░░░░░░░",
        "   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░╭─↔────────────╮",
        "   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░│   Dead End   │",
        "-2 ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░│              │",
        "   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░╰────────────⚔─╯",
    ]


def test_the_highest_floor_comes_first_and_none_is_left_out() -> None:
    assert floors(text(board(BUILT))) == [2, 1, 0, -1, -2]


def test_the_throne_room_is_two_cells_wide_at_any_width() -> None:
    for width in (60, 80, 100, 140):
        ground = next(line for line in text(board(BUILT), width=width).splitlines() if "♛" in line)
        (room,), (throne,) = re.findall("╭.*?╮", ground), re.findall("╔.*?╗", ground)
        assert len(throne) == 2 * len(room)


def test_a_castle_without_rooms_is_its_throne_room_on_the_ground() -> None:
    shown = text(board(castle("eltz", [0, 1], [])))
    assert floors(shown) == [0]
    assert "▀" * 32 in shown


def test_every_room_shows_its_decoration() -> None:
    shown = text(board(BUILT)).splitlines()
    bottoms = {re.search(r"╰─+(.)─╯", line)[1] for line in shown if re.search(r"╰─+[^─]─╯", line)}  # type: ignore[index]
    assert bottoms == {DECORATIONS[ROOMS[name]["decoration"]] for name in ("bakery", "nap_room", "crypt", "dead_end")}


def test_rooms_have_the_colour_of_their_type() -> None:
    for name, kind in (("Bakery", "food"), ("Nap Room", "sleeping"), ("Crypt", "downstairs"), ("Tower", "tower")):
        assert Style.parse(LOOKS[kind].style).bgcolor in [style.bgcolor for style in styles(board(BUILT), name)]


def test_kinds_can_be_told_apart() -> None:
    normal = [LOOKS[kind] for kind in CATALOG["type"]]
    assert len({look.paper for look in normal}) == len(normal)
    assert len({look.sign for look in LOOKS.values()}) == len(LOOKS)


def test_only_rooms_under_the_open_sky_have_a_blue_top() -> None:
    tops = styles(board(BUILT), "┄┄┄┄")
    assert len(tops) == 2  # the sty and the tower
    assert all(top == Style.parse(SKY) for top in tops)


# What lies beside it


def test_the_title_names_castle_and_partners() -> None:
    (title,) = [line for line in text(board(BUILT), seats=["Anna", "Bo", "Cem"]).splitlines() if "Eltz" in line]
    assert title.startswith("♜ Eltz Castle  Anna + Bo ─")


def test_behind_the_last_player_sits_ludwig() -> None:
    shown = text(board(castle("eltz", [1, 2], []), seniority=[0, 1]), "de")
    assert "Burg Eltz  Spieler 2 + Ludwig" in shown


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            ["Attendants   ⚔ Knight", "Royal Feast: 2 points for each food room", "⚒ Utility  or  ♨ Food  at ←→, 4 at"],
        ),
        (
            "de",
            ["Bedienstete  ⚔ Ritter", "Königliches Festmahl: 2 Punkte für", "oder  ♨ Speiseräume  auf ←→, höchstens 4"],
        ),
    ],
)
def test_attendants_bonus_cards_and_wishes_lie_beside_the_castle(lang: str, lines: list[str]) -> None:
    shown = text(board(BUILT), lang)
    assert all(line in shown for line in lines)


@pytest.mark.parametrize(
    ("lang", "question"), [("en", "which attendant to take"), ("de", "wer in den Thronsaal kommt")]
)
def test_what_waits_to_be_done_is_said(lang: str, question: str) -> None:
    waiting = castle("eltz", [0, 1], [], deciding="attendant", ludwig="crypt")
    shown = text(board(waiting, tiles=[[], ["bakery", "sty"], []]), lang, seats=["Anna", "Bo", "Cem"])
    names = [ROOMS[room][f"name_{lang}"] for room in ("bakery", "sty", "crypt")]
    assert all(word in shown for word in (question, *names, "Bo "))


def test_every_question_of_the_game_has_words() -> None:
    asked = {"food", "card", "attendant", "special", "bonus", "cell", "tiles", "cards"}
    assert {label.removeprefix("deciding ") for label in LABELS["en"] if label.startswith("deciding ")} == asked


@pytest.mark.parametrize("players", [2, 4])
def test_a_board_can_be_drawn_at_any_moment(players: int) -> None:
    seed = derive_seed(5, players)
    play, draw = BETWEEN_TWO_CASTLES.begin(players, seed), create_draw(seed)
    for number in count():
        if play.is_over:
            break
        seat = next_seat(play, draw)
        play.act(seat, BETWEEN_TWO_CASTLES.policies["random"](play, seat, draw))
        if number % 5 == 0:
            assert text(plain(play.board), "de")


# Names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_room_is_named_in_both_languages(lang: str) -> None:
    what = final_board(3)
    for one in what["castles"]:
        shown = text(board(one), lang, width=400)
        names = [piece[f"name_{lang}"] for name, _, _ in one["rooms"] for piece in pieces() if piece["id"] == name]
        assert len(names) == len(one["rooms"])
        assert all(line in shown for name in names for line in wrap_name(name, 14))


def pieces() -> list[dict[str, Any]]:
    return [*CATALOG["room"], *CATALOG["special"]]


def test_an_unknown_language_is_english() -> None:
    assert text(board(BUILT), "fr") == text(board(BUILT), "en")


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("Bakery", 14, ["Bakery"]),
        ("Hall of Ever-Closing Walls", 12, ["Hall of", "Ever-Closing", "Walls"]),
        ("Schmetterlingsgarten", 9, ["Schmet-", "terlings-", "garten"]),
        ("Waschküche", 7, ["Wasch-", "küche"]),
        ("Fluchtraum", 7, ["Flucht-", "raum"]),
        ("Subterranean Tunnel", 9, ["Subterra-", "nean", "Tunnel"]),
        ("Schwiegereltern-Suite", 10, ["Schwiege-", "reltern-", "Suite"]),
    ],
)
def test_long_names_are_broken_between_syllables(name: str, width: int, lines: list[str]) -> None:
    assert wrap_name(name, width) == lines


@pytest.mark.parametrize("width", range(3, 20))
def test_no_letter_of_a_name_gets_lost_and_no_line_is_too_long(width: int) -> None:
    for name in (room[f"name_{lang}"] for room in pieces() for lang in LANGUAGES):
        lines = wrap_name(name, width)
        assert max(map(len, lines)) <= width
        assert re.sub("[ -]", "", "".join(lines)) == re.sub("[ -]", "", name)


# The end


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 7])
def test_the_score_sheet_is_that_of_the_board(players: int, lang: str) -> None:
    what = final_board(players)
    shown = text(what, lang, 80)
    sheet = shown[shown.index(LABELS[lang]["score sheet"]) : shown.index(LABELS[lang]["ranking"])]
    rows = [
        [int(word) if word != "·" else 0 for word in re.findall(r"(?<= )(\d+|·)(?= |$)", row)]
        for row in sheet.splitlines()
    ]
    numbers = [row for row in rows if row]
    assert numbers[:-1] == [[sheet[line] for sheet in what["sheets"]] for line in what["sheets"][0]]
    assert len(numbers[:-1]) == 13
    assert numbers[-1] == [sum(sheet.values()) for sheet in what["sheets"]]


def test_the_ranking_is_that_of_the_board() -> None:
    what = final_board(4)
    shown = text(what, seats=["Anna", "Bo", "Cem", "Dora"]).split("Final ranking")[1]
    rows = re.findall(r"(\d)\. +(\w+) +(\d+) +\w+ +(\d+) +\w+ +(\d+)", shown)
    best_first = sorted(what["final"], key=lambda row: row["rank"])
    expected = [(row["rank"], row["seat"], row["score"], row["better"], row["specials"]) for row in best_first]
    assert [
        (int(rank), ["Anna", "Bo", "Cem", "Dora"].index(name), *map(int, rest)) for rank, name, *rest in rows
    ] == expected
    assert all(above[0] <= below[0] for above, below in pairwise(rows))


def test_before_the_end_there_is_neither_score_nor_ranking() -> None:
    shown = text(board(BUILT))
    assert "Score sheet" not in shown
    assert "points ─" not in shown


# Room for it


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100])
def test_nothing_is_wider_than_the_terminal_or_cut_off(width: int, lang: str) -> None:
    for number in range(4):
        shown = text(final_board(7, number), lang, width)
        assert max(map(len, shown.splitlines())) <= width
        assert "…" not in shown


@pytest.mark.parametrize("width", [20, 80])
def test_a_heading_is_shown_whole(width: int) -> None:
    screen = Console(file=io.StringIO(), width=width)
    screen.print(Heading(Text("Round 1 · To move: Bärbel · Before action 1")))
    assert "Round 1 · To move: Bärbel · Before action 1" in " ".join(screen.file.getvalue().replace("━", "").split())  # type: ignore[attr-defined]
