"""Palais Royal for the terminal."""

import io
import re
import tomllib
from collections import Counter
from itertools import pairwise
from string import Formatter
from typing import Any

import pytest
from games.palais_royal.situations import first_turn, turn
from rich.console import Console
from rich.style import Style
from rich.text import Text

from palatine_client.render.games.palais_royal import PRESENTATION, derived_values, theme
from palatine_client.render.hyphenation import wrap_name
from palatine_client.render.terminal import render_board
from palatine_client.render.terminal.palais_royal import Palace, PalaisRoyalNames, Park
from palatine_client.render.terminal.palais_royal.park import NARROWEST
from palatine_server.games.kit import plain
from palatine_server.games.palais_royal import PALAIS_ROYAL
from palatine_server.games.palais_royal.board import Palais
from palatine_server.games.palais_royal.catalog import ROWS
from palatine_server.games.palais_royal.majority import ROOMS_WITH_BONUS
from palatine_server.games.palais_royal.rooms import moves_left
from palatine_server.games.palais_royal.scoring import strengths_in
from palatine_server.simulation import Match, create_draw, derive_seed, next_seat, play_match

GAME = PALAIS_ROYAL.name
CATALOG = tomllib.loads((PALAIS_ROYAL.folder / "catalog.toml").read_text(encoding="utf-8"))
PEOPLE = ["Anna", "Bo", "Cem", "Dora"]
LANGUAGES = ["en", "de"]
LABELS = {lang: PRESENTATION.load_translation(lang).LABELS for lang in LANGUAGES}
SIGNS = [theme.LIVERIES[colour["id"]].sign for colour in CATALOG["colours"]]
PALACE = """
    .   rb   g
    rrb rbgy bb
    ggy rbb  rrgg
"""


def console(width: int) -> Console:
    return Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")


def shown(what: Any, width: int = 100) -> str:
    screen = console(width)
    screen.print(what)
    return screen.export_text()


def text(board: dict[str, Any], lang: str = "en", width: int = 100) -> str:
    return shown(render_board(GAME, board, CATALOG, lang, PEOPLE[: len(board["players"])]), width)


def names(board: dict[str, Any], lang: str = "en") -> PalaisRoyalNames:
    return PalaisRoyalNames(CATALOG, lang, PEOPLE[: len(board["players"])], len(board["players"]))


def situation(players: int = 4, **more: Any) -> dict[str, Any]:
    board: dict[str, Any] = plain(
        turn(PALACE if players == 4 else "r b .\n. . .\n. . .", players=players, **more).board
    )
    return board


def final_board(players: int, number: int = 0, policy: str = "greedy") -> dict[str, Any]:
    match = Match(game=GAME, players=players, seed=derive_seed(3, number), policies=[policy] * players)
    board: dict[str, Any] = plain(play_match(match)[0].board)
    return board


def moments(players: int, policy: str, every: int) -> list[Palais]:
    """A game at every so many actions, and at its end."""
    seed, seen = derive_seed(5, players), []
    play, draw = PALAIS_ROYAL.begin(players, seed), create_draw(seed)
    for number in range(2_000):
        if play.is_over:
            break
        if number % every == 0:
            seen.append(PALAIS_ROYAL.copy(play))
        seat = next_seat(play, draw)
        play.act(seat, PALAIS_ROYAL.policies[policy](play, seat, draw))
        play.told.clear()
    return [*seen, play]


# The park


def test_every_noble_stands_on_the_space_of_the_board() -> None:
    board = plain(first_turn().board)
    rows = [line for line in shown(Park(board, names(board)), 60).splitlines() if "Noble" in line]
    found = [re.findall(r"Noble \d+", row) for row in rows]
    by_id = {noble["id"]: noble["name_en"] for noble in CATALOG["nobles"]}
    assert found == [[by_id[board["park"][f"{column}{row}"]] for column in "ABCDEF"] for row in range(1, 7)]


def test_a_tile_shows_name_price_seals_benefit_and_points() -> None:
    board = situation()
    space = next(space for space, noble in board["park"].items() if noble == "N42")
    park = Park(board, names(board))
    assert [line.plain for line in park.render_space(space, 9)] == ["Noble 42 ", " 4 ◆◆♥♥  ", "+3☺    5 "]
    assert [line.plain for line in park.render_space(space, 12)] == [" Noble 42   ", "  4 ◆◆♥♥    ", " +3☺     5  "]


def test_a_lowered_price_is_marked() -> None:
    board = situation()
    board["park"] = {"C3": "N01", "E5": "N02"}
    cost = [list(Park(board, names(board)).render_space(space, 9))[1].plain for space in ("C3", "E5")]
    assert cost == ["↓0 ◆♥    ", "↓0 ◆◆    "]


def test_border_servants_stand_in_their_colours_under_the_name_of_their_master() -> None:
    board = situation()
    del board["park"]["A4"], board["park"]["F1"]
    board["border"] = {"A4": 1, "F1": 3}
    park = Park(board, names(board))
    for space, seat in board["border"].items():
        above, servant, below = park.render_space(space, 9)
        assert servant.plain.strip() == f"{SIGNS[seat]} {PEOPLE[seat]}"
        assert servant.style == theme.find_livery(board, seat).style
        assert not above.plain.strip()
        assert below.plain.strip() == ("×2" if space == "A4" else "")


def test_a_free_space_is_lawn() -> None:
    board = situation()
    del board["park"]["C3"]
    assert [line.plain.strip() for line in Park(board, names(board)).render_space("C3", 9)] == ["", "·", ""]


def test_double_spaces_are_marked() -> None:
    board = situation()
    assert shown(Park(board, names(board)), 60).count("×2") == 4


def test_ornaments_stand_between_the_spaces_they_cut() -> None:
    board = situation()
    lines = shown(Park(board, names(board)), 60).splitlines()[1:]
    width = 9
    for obstacle in CATALOG["park"]["obstacles"]:
        (left, top), (right, _) = ((ord(space[0]) - ord("A"), int(space[1]) - 1) for space in obstacle["between"])
        row = top * 4 + (1 if left != right else 3)
        column = 1 + left * (width + 1) + (width if left != right else width // 2)
        assert lines[row][column] == theme.ORNAMENTS[obstacle["kind"]]


def test_nobles_that_may_be_chosen_have_a_number_and_are_bright() -> None:
    board = situation()
    park = Park(board, names(board), {"B2": 1, "F6": 12})
    titles = [next(iter(park.render_space(space, 12))) for space in ("B2", "F6", "C3")]
    assert [title.plain[:3] for title in titles][:2] == [" 1 ", "12 "]
    assert [theme.TILE_AWAY in str(title.style) for title in titles] == [False, False, True]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_strength_in_every_border_row_is_that_of_the_rules(lang: str) -> None:
    for play in moments(4, "greedy", 60):
        board = plain(play.board)
        screen = text(board, lang)
        for row in CATALOG["park"]["border_rows"]:
            strengths = strengths_in(play, ROWS[row["id"]])
            assert derived_values.count_strengths(board, row) == strengths
            strongest = sorted(range(4), key=lambda seat: (-strengths[seat], seat))
            chips = "".join(rf" +{SIGNS[seat]} {strengths[seat]}" for seat in strongest if strengths[seat])
            assert re.search(f"{row[f'name_{lang}']}{chips or ' +–'}", screen)


# The palace


def test_the_nine_rooms_stand_in_the_order_of_the_layout() -> None:
    board = plain(first_turn(layout="random").board)
    by_id = {room["id"]: room["name_en"] for room in CATALOG["rooms"]}
    screen = shown(Palace(board, names(board)), 80)
    places = [screen.index(by_id[room]) for row in board["layout"] for room in row]
    assert len(places) == 9
    assert all(before < after for before, after in pairwise(places))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_beside_the_park_rooms_stand_in_the_order_of_the_layout(lang: str) -> None:
    board = situation()
    by_id = {room["id"]: room[f"name_{lang}"] for room in CATALOG["rooms"]}
    right = [line[62:] for line in text(board, lang).splitlines()]
    tops = [line for line in right if all(wrap_name(by_id[room], 11)[0] in line for room in board["layout"][0])]
    assert len(tops) == 1
    at = right.index(tops[0])
    for row, rooms in enumerate(board["layout"]):
        places = [right[at + 8 * row].index(wrap_name(by_id[room], 11)[0]) for room in rooms]
        assert places == sorted(places)


@pytest.mark.parametrize("width", [77, 80, 100])
def test_every_room_counts_the_servants_of_every_seat(width: int) -> None:
    board = situation()
    screen = re.sub(f"[ {theme.MAJORITY}]+", "", shown(Palace(board, names(board)), width))
    counts = "".join(
        "".join(f"{SIGNS[seat]}{count or '·'}" for seat, count in enumerate(board["rooms"][room]))
        for row in board["layout"]
        for room in row
    )
    assert "".join(re.findall(f"[{''.join(SIGNS)}][0-9·]+", screen)) == counts


def test_beside_the_park_bars_are_as_long_as_servants_are_many() -> None:
    board = situation()
    bars = re.findall(rf"([{''.join(SIGNS)}]) (\d+|·)", "\n".join(line[62:] for line in text(board).splitlines()[3:27]))
    expected = sorted((SIGNS[seat], count) for room in board["rooms"].values() for seat, count in enumerate(room))
    assert sorted((sign, 0 if count == "·" else int(count)) for sign, count in bars) == expected


def test_only_the_majority_of_who_is_to_move_has_a_crown() -> None:
    board = situation(seat=1)
    rooms = {room for room in ROOMS_WITH_BONUS if derived_values.has_majority(board, 1, room, names(board))}
    assert rooms
    assert shown(Palace(board, names(board))).count(theme.MAJORITY) == len(rooms)


def test_colours_can_be_told_apart_without_colours() -> None:
    assert len(set(SIGNS)) == len({look.paper for look in theme.LIVERIES.values()}) == 4


# Players and turn


def test_a_line_for_each_player_shows_what_he_has() -> None:
    board = situation(gold=[3, 11, 0, 5], nobles=[["N02", "N01"], [], ["N30"], []], front=[["points4"], [], [], []])
    screen = text(board)
    line = next(line for line in screen.splitlines() if "▸ ● Anna" in line)
    own, king, madame = board["players"][0], board["rooms"]["king"][0], board["rooms"]["madame"][0]
    numbers = [
        "3",
        str(own["supply"]),
        str(own["reserve"]),
        f"◆{king}",
        f"♥{madame}",
        str(3 + 6 + 4),
        str(own["cards"]),
    ]
    assert line.split()[3:10] == numbers
    assert "Noble 2 +2◉, 1 other, ▤ Four points" in line


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Round 1 · To move: Anna · Action 2: Stairway · 3 moves left"),
        ("de", "Runde 1 · Am Zug: Anna · Aktion 2: Treppenhaus · noch 3 Bewegungen"),
    ],
)
def test_the_first_line_says_whose_turn_it_is_and_what_is_left(lang: str, sentence: str) -> None:
    game = first_turn()
    game.board.turn.phase, game.board.turn.moves_left = "a2", 3
    assert text(plain(game.board), lang).splitlines()[0].rstrip() == sentence


def test_the_track_shows_what_every_action_allows() -> None:
    game = first_turn()
    allowed = moves_left(game, 0)
    assert f"2 Moves {allowed}" in text(plain(game.board)).splitlines()[1]


def test_the_seat_to_move_is_marked() -> None:
    assert [line.split()[2] for line in text(situation(seat=2)).splitlines() if line.startswith("▸")] == ["Cem"]


# Names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_noble_room_and_card_of_a_board_is_named(lang: str) -> None:
    board = situation(nobles=[["N02"], ["N28"], [], []], front=[["points2"], [], [], []], discard=["gold4", "moves5"])
    screen = text(board, lang, width=80)
    called = {
        piece["id"]: piece[f"name_{lang}"] for kind in ("nobles", "rooms", "privileges") for piece in CATALOG[kind]
    }
    seen = [*board["park"].values(), *board["rooms"], "N02", "N28", "points2", "gold4", "moves5"]
    assert [called[name] for name in seen if called[name] not in screen] == []


def fields(phrase: str) -> list[str]:
    return sorted(name for _, name, *_ in Formatter().parse(phrase) if name is not None)


def test_an_unknown_language_is_english() -> None:
    assert text(situation(), "fr") == text(situation(), "en")


def test_every_benefit_and_ornament_has_a_sign() -> None:
    assert theme.BENEFITS.keys() == CATALOG["benefits"].keys()
    assert theme.ORNAMENTS.keys() == {ornament["id"] for ornament in CATALOG["park"]["ornaments"]}


# The end


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_score_sheet_and_ranking_are_those_of_the_board(players: int, lang: str) -> None:
    board = final_board(players)
    screen = text(board, lang, 80)
    sheet, ranking = screen.split(LABELS[lang]["score sheet"])[1].split(LABELS[lang]["ranking"])
    rows = [
        [int(word) if word != "·" else 0 for word in re.findall(r"(?<= )(\d+|·)(?= |$)", row)]
        for row in sheet.splitlines()
    ]
    lines = ("nobles", "played", "unplayed", "park", "total")
    assert [row for row in rows if row] == [[sheet[line] for sheet in board["sheets"]] for line in lines]
    ranked = re.findall(rf"(\d)\. +[{''.join(SIGNS)}] (\w+) +(\d+) +(\d+)", ranking)
    best_first = sorted(board["final"], key=lambda row: (row["rank"], row["seat"]))
    assert [(int(rank), PEOPLE.index(name), int(score), int(cardinal)) for rank, name, score, cardinal in ranked] == [
        (row["rank"], row["seat"], row["score"], row["cardinal"]) for row in best_first
    ]


def test_before_the_end_there_is_neither_score_nor_ranking() -> None:
    assert "Score sheet" not in text(situation())


# Room for it


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
def test_nothing_is_wider_than_the_terminal_or_cut_off(width: int, lang: str) -> None:
    for play in moments(4, "greedy", 80):
        screen = text(plain(play.board), lang, width)
        assert max(map(len, screen.splitlines())) <= width
        assert "…" not in screen


@pytest.mark.parametrize("width", [40, 60])
def test_where_there_is_little_room_the_park_comes_in_parts_and_nothing_is_missing(width: int) -> None:
    board = situation()
    park = Park(board, names(board))
    assert [letter for part in park.split_columns(width) for letter in part] == list("ABCDEF")
    drawn = [line for part in park.split_columns(width) for line in park.render_lines(park.choose_width(width), part)]
    assert max(line.cell_len for line in drawn) <= width
    whole = [*park.render_lines(NARROWEST)]
    assert signs(drawn) == signs(whole)


def signs(lines: list[Text]) -> Counter[str]:
    """The number of each seal, servant and ornament in these lines."""
    drawn = {"◆", "♥", *SIGNS, *theme.ORNAMENTS.values()}
    return Counter(sign for line in lines for sign in line.plain if sign in drawn)


@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_board_can_be_drawn_at_any_moment(players: int, policy: str) -> None:
    for play in moments(players, policy, 15):
        assert text(plain(play.board), "de", 80)


def test_tiles_have_the_colour_of_the_park() -> None:
    board = situation()
    lines = console(60).render_lines(Park(board, names(board)))
    papers = {piece.style.bgcolor for line in lines for piece in line if piece.style and piece.style.bgcolor}
    assert {Style.parse(f"on {colour}").bgcolor for colour in (theme.LAWN, theme.TILE)} <= papers
