"""The three games as the generic rendering shows them: what their own renderings name, it names too."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from clients.view_fixtures import LANGUAGES, Position, heard, played, view
from games.lower_bounds import find_least

from palatine_client.render.description.pieces import list_entries
from palatine_client.render.description.values import ValueNames
from palatine_client.render.terminal.generic import render_board
from palatine_client.render.text import load_game_text
from palatine_client.render.text.base import GameText
from palatine_client.render.text.narration import build_context, narrate_view
from palatine_client.render.text.render_context import RenderContext
from palatine_client.screen_console import ScreenConsole
from palatine_server.games.kit import plain
from palatine_server.games.kit.description.schemas import walk_nodes
from palatine_server.games.registry import GAMES

WORDS = GameText()
EVERY = 61  # position
DUMPED = re.compile(r"[{}\[\]\"]|\bNone\b|\bTrue\b|\bFalse\b|[a-z]_[a-z]")  # plain data and identifiers
every_game = pytest.mark.parametrize("game", GAMES)
every_language = pytest.mark.parametrize("lang", LANGUAGES)


@cache
def positions(game: str) -> list[tuple[RenderContext, Any, list[Any]]]:
    """Return some positions of a game with the context, the view and the news of a player, in English."""
    return [*list_positions(game)]


def list_positions(game: str) -> Iterator[tuple[RenderContext, Any, list[Any]]]:
    news: list[Any] = []
    for number, position in enumerate(played(GAMES[game], GAMES[game].players[-1], 3)):
        news += heard(position[1], 0)
        if number % EVERY == 0 or position[0].play.is_over:
            yield *build(position, "en"), news
            news = []


def build(position: Position, lang: str) -> tuple[RenderContext, Any]:
    recorder, game = position[0], position[0].game
    shown = view(recorder, 0)
    return build_context(game.name, shown, game.catalog, lang, None, game.description), shown


def in_language(context: RenderContext, lang: str) -> RenderContext:
    return RenderContext(
        context.game,
        context.catalog,
        lang,
        context.people,
        context.seat,
        context.board,
        context.hand,
        context.waiting,
        description=context.description,
    )


def draw(context: RenderContext) -> Any:
    return render_board(context.board, context.catalog, context.lang, context.people, context.description)


def printed(what: Any, width: int = 120) -> str:
    console = ScreenConsole(file=io.StringIO(), width=width, record=True, color_system=None)
    console.print(what)
    return console.export_text()


def join_wrapped(text: str) -> str:
    """Return a drawing as one line of words, so that names in narrow columns are whole again."""
    return " ".join(re.sub(r"[│┃─━┌┐└┘├┤┬┴┼]", " ", text).split())


@every_language
@every_game
def test_a_whole_game_is_told_without_plain_data(game: str, lang: str) -> None:
    for context, shown, news in positions(game):
        told = narrate_view(WORDS, in_language(context, lang), shown, news)
        assert not DUMPED.search(told), DUMPED.search(told)
        assert all(name in told for name in context.people[1:])
        assert "\n\n\n" not in told


@every_language
@every_game
def test_every_piece_of_a_document_is_named_and_has_its_figures(game: str, lang: str) -> None:
    named = 0
    for context, _, _ in positions(game):
        scene = in_language(context, lang)
        told = "\n".join(line for lines in WORDS.narrate_board(scene) for line in lines)
        hand = "\n".join(WORDS.narrate_hand(scene))
        for zone, document, words in (("board", scene.board, told), ("hand", scene.hand, hand)):
            for name, entry in scene.values.list_pieces(document, scene.values.find_schema(zone)):
                assert str(entry.get(f"name_{lang}") or entry["name_en"]) in words, name
                assert all(figure in words for figure in scene.values.pieces.list_figures(entry)), name
                named += 1
    assert named > (find_least(GAMES[game], "pieces named by the generic rendering") or 0)


@every_language
@every_game
def test_the_screen_shows_what_the_words_tell(game: str, lang: str) -> None:
    context = in_language(positions(game)[len(positions(game)) // 2][0], lang)
    screen = join_wrapped(printed(draw(context), 200))
    for name, entry in context.values.list_pieces(context.board, context.values.find_schema("board")):
        assert str(entry.get(f"name_{lang}") or entry["name_en"]) in screen, name
    assert all(name in screen for name in context.people)
    assert not DUMPED.search(screen), DUMPED.search(screen)


@every_language
@every_game
def test_it_names_every_piece_that_the_games_own_words_name(game: str, lang: str) -> None:
    own = load_game_text(game)
    for context, shown, news in positions(game):
        scene = in_language(context, lang)
        theirs, ours = narrate_view(own, scene, shown, news), narrate_view(WORDS, scene, shown, news)
        named = {name for name in list_names(game, lang) if is_named(name, theirs)}
        assert {name for name in named if not is_named(name, ours)} == set()


def list_names(game: str, lang: str) -> set[str]:
    """Return the names of all pieces: the entries of those sections of the catalog that documents refer to."""
    description, names = GAMES[game].description, ValueNames(GAMES[game].description, GAMES[game].catalog, lang)
    shown = [description["schemas"][zone] for zone in ("board", "hand", "actions")]
    sections = {section for node in walk_nodes(shown) for section in node.get("x-sections", ())}
    entries = [entry for section in sections for entry in list_entries(names.pieces.follow(section))]
    return {names.pieces.name(name, entry) for name, entry in entries}


def is_named(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


@every_game
def test_fields_are_in_the_order_of_the_schema(game: str) -> None:
    """Records write the keys of objects in the order of the alphabet."""
    context, _, _ = positions(game)[-1]
    values, alphabetical = context.values, dict(sorted(context.board.items()))
    schema = values.resolve(values.find_schema("board"), alphabetical)
    names = [name for name, _, _ in values.list_fields(alphabetical, schema)]
    assert names == [*context.board]
    assert names != [*alphabetical]


@every_game
def test_news_and_menus_are_sentences_of_the_game(game: str) -> None:
    for context, shown, news in positions(game):
        for each in news:
            template = GAMES[game].description["labels"]["news"][each["news"]]["sentence"]["en"]
            spoken = WORDS.render_news(each, context).plain
            assert spoken.startswith(template.partition("{")[0]), spoken
            assert "{" not in spoken
        for choice in shown.offer.choices if shown.offer else ():
            assert WORDS.format_action({"do": choice.do}, context)


@every_game
def test_only_what_has_changed_is_shown_again(game: str) -> None:
    first, second = positions(game)[0][0], positions(game)[1][0]
    seen: dict[Any, Any] = {}
    assert [*WORDS.render_changed_boards(first, seen)]
    assert [*WORDS.render_changed_boards(first, seen)] == []
    changed = printed(next(WORDS.render_changed_boards(second, seen)))
    assert 0 < len(changed) < len(printed(draw(second)))


def test_a_cell_is_chosen_in_a_drawing() -> None:
    play = GAMES["between_two_castles"].begin(3, "00" * 16)
    board = plain(play.board)
    context = RenderContext(
        "between_two_castles",
        GAMES["between_two_castles"].catalog,
        "en",
        ["Ida", "Otto", "Emil"],
        0,
        board | {"castles": [{**castle, "rooms": [["library", 2, 0]]} for castle in board["castles"]]},
        description=GAMES["between_two_castles"].description,
    )
    assert "cell" in WORDS.find_picture_fields(context)
    chosen = {"do": "place", "tile": "bakery", "castle": 1}
    picture = WORDS.render_picture("cell", chosen, [[2, 1], [3, 0]], context, {})
    lines = printed(picture).splitlines()
    below = next(line for line in lines if "Library" in line)
    above = lines[lines.index(below) - 2]
    assert re.search(r"│ +1 +│", above)
    assert re.search(r"Library +│ +2 +│", below)
