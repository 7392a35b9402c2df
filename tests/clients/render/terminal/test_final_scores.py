"""The score sheet and the ranking for the terminal, in any game."""

import io
from typing import Any

import pytest
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.table import Column

from palatine_client.render.terminal import render_board
from palatine_client.render.terminal.final_scores import FinalScores, build_number_column
from palatine_client.render.terminal.layout import GOLD
from palatine_server.games.kit import plain
from palatine_server.games.registry import GAMES
from palatine_server.simulation import Match, derive_seed, play_match

END = FinalScores()
LINES = [("Rooms", [12, 0, 7]), ("Cards", [0, 3, 5])]
FINAL = [{"seat": 2, "rank": 1}, {"seat": 1, "rank": 3}, {"seat": 0, "rank": 1}]
PEOPLE = ["Anna", "Bo", "Cem"]


def sheet(end: FinalScores = END, sums: tuple[int, ...] = (12, 3, 12)) -> RenderableType:
    return end.render_sheet("Score sheet", map(build_number_column, PEOPLE), LINES, ("Total", [*sums]))


def ranking(end: FinalScores = END) -> RenderableType:
    return end.render_ranking("Ranking", [Column("Player")], FINAL, name)


def name(row: dict[str, Any]) -> list[RenderableType]:
    return [PEOPLE[row["seat"]]]


def pieces(picture: RenderableType) -> list[list[Segment]]:
    return Console(width=80, file=io.StringIO()).render_lines(picture, pad=False)


def shown(picture: RenderableType) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in pieces(picture)]


def written_in(style: str, picture: RenderableType) -> list[str]:
    """The text that has exactly this style."""
    return [
        text
        for line in pieces(picture)
        for piece in line
        if piece.style == Style.parse(style) and (text := piece.text.strip())
    ]


def test_a_sheet_shows_the_points_line_by_line_and_a_dot_for_none() -> None:
    assert shown(sheet()) == [
        "Score sheet",
        "       Anna  Bo  Cem",
        "────────────────────",
        "Rooms    12   ·    7",
        "Cards     ·   3    5",
        "",
        "Total    12   3   12",
    ]


def test_the_highest_total_is_golden_for_all_who_have_it() -> None:
    assert written_in(GOLD, sheet(sums=(12, 3, 12))) == ["Score sheet", "12", "12"]


def test_a_ranking_begins_with_the_best_and_equals_stand_in_the_order_of_seats() -> None:
    assert shown(ranking()) == [
        "Ranking",
        "      Player",
        "────────────",
        "♛ 1.  Anna",
        "♛ 1.  Cem",
        "  3.  Bo",
    ]


def test_who_has_won_is_golden_or_as_the_game_likes() -> None:
    assert written_in(GOLD, ranking()) == ["Ranking", "♛ 1.", "Anna", "♛ 1.", "Cem"]
    assert written_in(GOLD, ranking(FinalScores(winner="bold"))) == ["Ranking", "♛ 1.", "♛ 1."]


def test_a_game_may_like_its_columns_further_apart_and_its_headings_faint() -> None:
    assert shown(ranking(FinalScores(gap=2)))[1] == "       Player"
    assert written_in("dim", ranking(FinalScores(headings="dim"))) == ["Player"]


STRANGE = ["[/]", "[red]x", ":bug:"]  # names that rich would read as markup


@pytest.mark.parametrize("name", GAMES)
def test_names_are_written_as_they_are_whatever_they_look_like(name: str) -> None:
    game = GAMES[name]
    names = STRANGE[: max(count for count in game.players if count <= max(len(STRANGE), game.players[0]))]
    match = Match(game=name, players=len(names), seed=derive_seed(3, 0), policies=["random"] * len(names))
    board = plain(play_match(match)[0].board)
    screen = Console(width=160, record=True, file=io.StringIO())
    screen.print(render_board(name, board, game.catalog, "en", names, game.description))
    text = screen.export_text()
    assert [each for each in names if each not in text] == []
