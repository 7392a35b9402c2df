"""Noblemen for the terminal."""

import io
import re
import tomllib
from functools import cache
from typing import Any

import pytest
from rich.console import Console
from rich.style import Style

from palatine_client.render.games.noblemen import PRESENTATION, theme
from palatine_client.render.games.noblemen.names import RULES
from palatine_client.render.terminal import render_board
from palatine_server.games.kit import plain
from palatine_server.games.noblemen import NOBLEMEN
from palatine_server.games.noblemen.board import Noblemen
from palatine_server.games.noblemen.decade import building_points
from palatine_server.simulation import create_draw, derive_seed, next_seat

CATALOG = tomllib.loads((NOBLEMEN.folder / "catalog.toml").read_text(encoding="utf-8"))
SEATS = ["Anna", "Bo", "Cem", "Dora", "Emil"]
LANGUAGES = ["en", "de"]
LABELS = {lang: PRESENTATION.load_translation(lang).LABELS for lang in LANGUAGES}

# A forest of four groves with Bo's knight on it, an enclosed palace beside a chapel, and a folly.
ESTATE: dict[str, Any] = {
    "tiles": [
        ["meadow", 0, 0, None],
        ["grove", 1, 0, "NE"],
        ["grove", 1, 1, "SE"],
        ["grove", 2, 1, "SW"],
        ["grove", 2, 0, "NW"],
        ["meadow", 0, 1, None],
        ["field", -1, 1, "SW"],
        ["fountain", -1, 0, "NE"],
        ["field", -1, -1, "NW"],
        ["meadow", 0, -1, None],
        ["field", 1, -1, "SE"],
    ],
    "buildings": [["palace", 0, 0, ""], ["chapel", 0, 1, ""], ["folly", 0, -1, "forests"]],
    "knights": [[1, 2, 1]],
}
START: dict[str, Any] = {"tiles": [["meadow", 0, 0, None]], "buildings": [["castle", 0, 0, ""]], "knights": []}


def nobleman(estate: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"title": "baron", "vp": 0, "lines": {}, "prestige": 0, "taxed": False, "landed": False, "knights": 2}
    return {"estate": estate, **common, **more}


def board(*noblemen: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {
        "noblemen": list(noblemen),
        "queen": 1,
        "active": 0,
        "phase": "turn",
        "action_done": False,
        "card_played": False,
        "round": 2,
        "decade": 2,
        "buildings": {"castle": 3, "chapel": 2, "palace": 0},
        "follies": ["manors", "gardens", "mixed"],
        "reserve": {"castle": 9, "chapel": 12, "palace": 10},
        "titles": {"duke": 1, "marquess": 0, "earl": 1, "viscount": 1, "baron": 0},
        "bribes": 17,
        "church": {"field": 2, "fountain": 0, "grove": 3, "meadow": 0},
        "totals": None,
        "final": [],
        "revealed": None,
    }
    return {**common, **more}


KNOWN = board(nobleman(ESTATE, vp=23, title="earl", taxed=True), nobleman(START, knights=1), nobleman(START))


def console(width: int) -> Console:
    return Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")


def text(what: dict[str, Any], lang: str = "en", width: int = 100) -> str:
    screen = console(width)
    screen.print(render_board("noblemen", what, CATALOG, lang, SEATS[: len(what["noblemen"])]))
    return screen.export_text()


def styles(what: dict[str, Any], written: str) -> list[Style]:
    """The styles of the places that hold this text."""
    lines = console(100).render_lines(render_board("noblemen", what, CATALOG))
    return [piece.style for line in lines for piece in line if written in piece.text and piece.style]


def line(shown: str, beginning: str) -> str:
    return next(line for line in shown.splitlines() if line.lstrip(" ▶").startswith(beginning))


@cache
def games() -> tuple[tuple[Noblemen, ...], ...]:
    """A greedy game with each number of players, at many moments, and one with the other reading of the areas."""
    overlap: dict[str, Any] = {"area_model": "overlap"}
    return (played(3, {"open_totals": True}), played(4, {"title_choice": "free"}), played(5, {}), played(4, overlap))


def played(players: int, options: dict[str, Any]) -> tuple[Noblemen, ...]:
    seed = derive_seed(11, players)
    play, draw, kept = NOBLEMEN.begin(players, seed, options), create_draw(seed), []
    for number in range(20_000):
        if play.is_over:
            break
        seat = next_seat(play, draw)
        play.act(seat, NOBLEMEN.policies["greedy"](play, seat, draw))
        if number % 23 == 0 or play.is_over:
            kept.append(NOBLEMEN.copy(play))
    return tuple(kept)


def boards() -> list[dict[str, Any]]:
    return [plain(play.board) for game in games() for play in game]


def final_board(players: int) -> dict[str, Any]:
    result: dict[str, Any] = next(plain(game[-1].board) for game in games() if len(game[-1].seats) == players)
    return result


# An estate


def test_an_estate_is_drawn_tile_by_tile() -> None:
    shown = [line.rstrip() for line in text(board(nobleman(ESTATE))).splitlines()]
    above = next(at for at, line in enumerate(shown) if line == " 1  Anna")
    assert shown[above + 1 : above + 10] == [
        "╭────╮╔════╗╭──────────╮",
        "│ ≡≡ │║ †  ║│ ♠♠    ♠♠ │",
        "▙────╯╚════╝│    ♞2    │",
        "╭────▜╔════╗│   ▜██▛   │",
        "│ ≈≈ │║♚ 7 ║│ ♠♠    ♠♠ │",
        "╰────╯╚════╝╰──────────╯",
        "▛────╮╔════╗╭────╮",
        "│ ≡≡ │║∩♠♠ ║│ ≡≡ │",
        "╰────╯╚════╝╰────▟",
    ]


def test_where_four_quarters_meet_stands_the_symbol_unless_a_knight_does() -> None:
    free = {**ESTATE, "knights": []}
    shown = text(board(nobleman(free)))
    assert "│    ▟▙    │" in shown
    assert "│    ▜▛    │" in shown
    assert "▜██▛" not in shown


def test_a_square_whose_quarters_do_not_meet_is_no_area() -> None:
    turned = [["grove", 2, 0, "SE"] if tile[:3] == ["grove", 2, 0] else tile for tile in ESTATE["tiles"]]
    shown = text(board(nobleman({**ESTATE, "tiles": turned, "knights": []})))
    assert "│    ▟▙    │" not in shown
    assert shown.count("♣♣") == 4


def test_without_corners_areas_may_share_tiles() -> None:
    tiles = [["meadow", -1, 0, None], *(["field", x, y, None] for x in range(3) for y in range(2))]
    estate = {"tiles": tiles, "buildings": [["castle", -1, 0, ""]], "knights": []}
    shown = text(board(nobleman(estate)))
    assert "╭────────────────╮" in shown
    assert "│    ▟▙    ▟▙    │" in shown


def test_a_knight_has_the_colour_of_his_player() -> None:
    (knight,) = styles(board(nobleman(ESTATE), nobleman(START)), f" {theme.KNIGHT}2 ")
    assert knight == Style.parse(theme.find_seat_style(1))


def test_tiles_have_the_colour_of_their_kind_and_areas_another() -> None:
    papers = {style.bgcolor for style in styles(KNOWN, "≡≡")}
    assert papers == {Style.parse(theme.KINDS["field"].style).bgcolor}
    whole = {style.bgcolor for style in styles(board(nobleman(ESTATE)), "♠♠    ♠♠")}
    assert whole == {Style.parse(f"on {theme.KINDS['grove'].whole}").bgcolor}


def test_kinds_buildings_and_players_can_be_told_apart() -> None:
    assert len({look.paper for look in theme.KINDS.values()}) == len(theme.KINDS)
    signs = [look.sign for look in theme.KINDS.values()] + [facade.sign for facade in theme.BUILDINGS.values()]
    assert len({*signs}) == len(signs)
    assert len({*theme.SEATS}) == len({*theme.INKS}) == len(theme.SEATS) == CATALOG["meta"]["max_players"]


@pytest.mark.parametrize(("estate", "sign"), [(START, "║ ♜  ║"), (ESTATE, "║♚ 7 ║")])
def test_a_building_shows_what_it_scores_once_it_is_enclosed(estate: dict[str, Any], sign: str) -> None:
    assert sign in text(board(nobleman(estate)))


def test_the_points_on_the_buildings_add_up() -> None:
    estate = NOBLEMEN.copy(games()[0][-1]).board.noblemen[0].estate
    shown = text(board(nobleman(plain(estate)), title="baron"))
    written = [int(number) for number in re.findall(r"║[♜♚] ?(\d+) ?║", shown)]
    assert sum(written) == building_points(estate)


# The common board


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Decade II · Anna’s turn · action done"), ("de", "Dekade II · Anna ist am Zug · Aktion ausgeführt")],
)
def test_the_heading_says_decade_turn_and_what_is_done(lang: str, said: str) -> None:
    assert text({**KNOWN, "action_done": True}, lang).splitlines()[0].rstrip() == said


@pytest.mark.parametrize(
    ("at", "track"),
    [
        (2, " ➤ Start   1   ●   3   ∞ Ball   5   6   7   8   ∞ Ball   ⊗ Lock   ♜ Scoring"),
        (9, " ➤ Start   1   2   3   ∞ Ball   5   6   7   8   ● Ball   ⊗ Lock   ♜ Scoring"),
    ],
)
def test_the_round_track_shows_the_marker(at: int, track: str) -> None:
    assert text({**KNOWN, "round": at}).splitlines()[2].rstrip() == track


@pytest.mark.parametrize(("lang", "said"), [("en", "nobody can take the queen"), ("de", "niemand kann die Königin")])
def test_on_the_lock_the_heading_says_so(lang: str, said: str) -> None:
    assert said in text({**KNOWN, "round": 10}, lang)
    assert said not in text(KNOWN, lang)


def test_buildings_on_the_board_stand_with_their_prices_and_the_cheapest_is_on_sale() -> None:
    shown = text(KNOWN)
    assert line(shown, "♜ Castle").split()[2:7] == ["·", "·", "6", "7", "8"]
    assert line(shown, "† Chapel").split()[2:7] == ["·", "·", "·", "5", "6"]
    assert line(shown, "♚ Palace").split()[2:6] == ["·"] * 4
    assert Style.parse(theme.BUILDINGS["castle"].style) in styles(KNOWN, " 6 ")


def test_follies_bribes_church_and_titles_are_shown() -> None:
    shown = text(KNOWN)
    assert "⌂⌂   ❀❀   ♠⌂❀   10 points for the next" in line(shown, "∩ Folly")
    assert "17 left, £2 each" in line(shown, "Bribes")
    assert "≡  ●●○   ≈  ○○○   ♣  ●●●   ·  ○○○" in line(shown, "Church")
    assert "Duke 14+ ●   Marquess 10+ ○   Earl 6+ ●   Viscount 2+ ●" in line(shown, "Titles")


def test_when_all_follies_are_built_that_is_said() -> None:
    assert "all built" in text({**KNOWN, "follies": []})


# Players


def test_every_player_has_a_line() -> None:
    shown = text(KNOWN)
    assert line(shown, "1  Anna").split() == [
        "▶",
        "1",
        "Anna",
        "Earl",
        "/",
        "Countess",
        "23",
        "♞♞",
        "£3",
        "✓",
        "4",
        "3",
    ]
    assert line(shown, "2  Bo").split() == ["2", "Bo", "♛", "Baron", "/", "Baroness", "0", "♞·", "£0", "2", "0"]


def test_open_totals_are_shown_only_where_the_table_shows_them() -> None:
    totals = [{"money": 71, "tiles": 12, "bribes": 3, "cards": 2}] * 3
    assert line(text({**KNOWN, "totals": totals}), "3  Cem").split()[-4:] == ["71", "12", "3", "2"]
    assert theme.BRIBE + " " + theme.CARD not in text(KNOWN)


# The ball


def test_the_prestige_track_is_shown_during_a_ball() -> None:
    ball = board(
        nobleman(START, prestige=12, title=""), nobleman(START, prestige=3, title=""), nobleman(START, title="")
    )
    shown = text({**ball, "phase": "ball"})
    assert line(shown, "Prestige   0  3").split()[2:] == [
        *("3", "1", "2", "2", "4", "5", "6", "7", "8", "9", "10", "11", "1"),
        *(str(field) for field in range(13, 21)),
    ]
    assert "Prestige   0" not in text({**ball, "phase": "turn"})


def test_titles_stand_above_the_prestige_that_they_need() -> None:
    shown = text({**KNOWN, "phase": "ball"}).splitlines()
    at = next(number for number, line in enumerate(shown) if line.startswith("Prestige   0"))
    for title in CATALOG["title"]:
        name = title["name_en"].split("/")[0]
        under = shown[at][shown[at - 1].index(name) :].split()[0]
        assert under == str(title["prestige"])


# The end


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_score_sheet_is_that_of_the_board(players: int, lang: str) -> None:
    what = final_board(players)
    shown = text(what, lang, 80)
    sheet = shown[shown.index(LABELS[lang]["score sheet"]) : shown.index(LABELS[lang]["ranking"])]
    for rule in RULES:
        row = line(sheet, LABELS[lang][rule]).removeprefix(LABELS[lang][rule]).split()
        assert [0 if word == "·" else int(word) for word in row] == [
            nobleman["lines"].get(rule, 0) for nobleman in what["noblemen"]
        ]
    total = line(sheet, LABELS[lang]["total"]).split()[1:]
    assert [int(word) for word in total] == [nobleman["vp"] for nobleman in what["noblemen"]]


def test_the_ranking_is_that_of_the_board() -> None:
    what = final_board(4)
    rows = re.findall(r"(\d)\. +\d +(\w+) +(\d+) +£(\d+)", text(what).split("Final ranking")[1])
    best_first = sorted(what["final"], key=lambda row: (row["rank"], row["seat"]))
    assert [(int(rank), name, int(score), int(money)) for rank, name, score, money in rows] == [
        (row["rank"], SEATS[row["seat"]], row["score"], row["money"]) for row in best_first
    ]


def test_before_the_end_there_is_neither_score_nor_ranking() -> None:
    assert "Score sheet" not in text(KNOWN)
    assert "Final ranking" not in text(KNOWN)


# Names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pieces_are_named_in_both_languages(lang: str) -> None:
    shown = text(KNOWN, lang)
    named = [*CATALOG["tile"], *CATALOG["area"], *CATALOG["building"], CATALOG["folly"]]
    assert all(piece[f"name_{lang}"] in shown for piece in named)


def test_an_unknown_language_is_english() -> None:
    assert text(KNOWN, "fr") == text(KNOWN, "en")


def test_every_phase_has_words() -> None:
    phases = {what["phase"] for what in boards()} | {"setup_tiles", "setup_cards", "gift", "ball", "title", "over"}
    assert all(phase in LABELS["en"] for phase in phases)


# Room for it


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100])
def test_nothing_is_wider_than_the_terminal_or_cut_off(width: int, lang: str) -> None:
    for what in boards():
        shown = text(what, lang, width)
        assert max(map(len, shown.splitlines())) <= width
        assert "…" not in shown
        assert line(shown, LABELS[lang]["decade"].format("")[:6] if not what["final"] else LABELS[lang]["over"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_there_is_little_room_players_stand_below_each_other(lang: str) -> None:
    shown = text(board(*(nobleman(START) for _ in range(3))), lang, width=40)
    assert max(map(len, shown.splitlines())) <= 40
    assert "…" not in shown
    assert shown.count(f"{LABELS[lang]['of prestige']} 0") == 3
    assert LABELS[lang]["scoring"] in shown  # the last field of the track


def test_estates_stand_side_by_side_where_there_is_room() -> None:
    what = board(*(nobleman(ESTATE) for _ in range(3)))
    assert any("Anna" in row and "Cem" in row for row in text(what, width=100).splitlines()[-20:])
    assert not any("Anna" in row and "Cem" in row for row in text(what, width=60).splitlines())


def test_a_very_wide_estate_has_narrow_tiles() -> None:
    wide = {**START, "tiles": [["meadow", x, 0, None] for x in range(18)]}
    shown = text(board(nobleman(wide)), width=80)
    assert "╭──╮" * 17 in shown
