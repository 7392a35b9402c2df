"""The narration of a view: complete in every language, without signs, and without secrets of other seats."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest
from clients.view_fixtures import LANGUAGES, TABLES, catalog, heard, played, text, view

import palatine_server.tables
from palatine_client.render.games.between_two_castles import english as castles_english
from palatine_client.render.games.between_two_castles import german as castles_german
from palatine_client.render.games.noblemen import english as noblemen_english
from palatine_client.render.games.noblemen import german as noblemen_german
from palatine_client.render.games.palais_royal import english as palais_english
from palatine_client.render.games.palais_royal import german as palais_german
from palatine_client.render.text import describe_view, load_game_text
from palatine_client.render.text.narration import MOST_VALUES, build_context, narrate_offer
from palatine_client.render.text.platform_news import PLATFORM, render_news
from palatine_client.render.text.render_context import RenderContext
from palatine_protocol.messages import Snapshot, Waiting
from palatine_protocol.offers import Choice, Range
from palatine_server.checks import secret_worlds
from palatine_server.checks.random_games import list_all_options
from palatine_server.games.kit import Recorder
from palatine_server.games.registry import GAMES

PLAIN = re.compile(r"[\w\s.,;:!?()/+×£'’“”„–-]*")
MOST_CHARACTERS = 50_000
LANGUAGE = {  # the games that have words of their own
    "between_two_castles": (castles_english, castles_german),
    "noblemen": (noblemen_english, noblemen_german),
    "palais_royal": (palais_english, palais_german),
}
OPTIONS: dict[str, dict[str, Any]] = {"noblemen": {"title_choice": "free", "open_totals": True}}
EVERY = {"between_two_castles": 3, "palais_royal": 8, "noblemen": 8}  # position: games are not equally long
RARE = {"noblemen": [(4, 10)]}  # a game in which a player lifts a knight
every_language = pytest.mark.parametrize("lang", LANGUAGES)
every_table = pytest.mark.parametrize(("game", "players"), [table for table in TABLES if table[0] in LANGUAGE])
every_game = pytest.mark.parametrize("game", LANGUAGE)


@pytest.fixture(autouse=True)
def no_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail when a rendering falls back to readable identifiers: our games have phrases for everything."""

    def lost_for_words(name: str) -> str:
        raise AssertionError(f"there are no words for {name}")

    for module in ("description.labels", "description.pieces", "description.values", "text.generic_sentences"):
        monkeypatch.setattr(f"palatine_client.render.{module}.humanise_name", lost_for_words)


# Whole games


@every_table
def test_every_position_is_told_in_words_alone(game: str, players: int) -> None:
    told, every = 0, EVERY[game]
    for number, position in enumerate(played(GAMES[game], players, 1, **OPTIONS.get(game, {}))):
        if number % every and not position[0].play.is_over:
            continue
        for viewer in (number // every % players, None):
            for lang in LANGUAGES:
                assert is_plain(spoken := text(position, viewer, lang)), spoken
                told += 1
    assert told > 60


def is_plain(spoken: str) -> bool:
    """Tell whether a text is plain: no signs, no identifiers, no empty or endless paragraphs."""
    lines = spoken.splitlines()
    is_tidy = all(line == " ".join(line.split()) for line in lines) and "\n\n\n" not in spoken
    is_known = PLAIN.fullmatch(spoken) and "_" not in spoken and "None" not in spoken
    return bool(is_tidy and is_known and 0 < len(spoken) <= MOST_CHARACTERS)


@every_game
def test_every_action_has_words(game: str) -> None:
    wanted = {action.__struct_config__.tag for action in GAMES[game].actions}
    assert verbs_told(game) == wanted


@cache
def verbs_told(game: str) -> set[str]:
    """The verbs of all offers of some games, after narrating each of them."""
    verbs: set[str] = set()
    games = [(players, seed) for players in GAMES[game].players[:2] for seed in range(3)]
    for players, seed in [*games, *RARE.get(game, [])]:
        for recorder, _ in played(GAMES[game], players, seed, **OPTIONS.get(game, {})):
            for seat in range(players) if not recorder.play.is_over else ():
                verbs |= new_verbs_told(recorder, seat, verbs)
    return verbs


def new_verbs_told(recorder: Recorder, seat: int, known: set[str]) -> set[str]:
    new = {choice.do for choice in recorder.play.offer(seat)} - known
    if new:
        shown, words = view(recorder, seat), load_game_text(recorder.game.name)
        assert shown.offer
        choices = [choice for choice in shown.offer.choices if choice.do in new]
        for lang in LANGUAGES:
            scene = build_context(recorder.game.name, shown, catalog(recorder.game.name), lang, None)
            assert all(is_plain(line) for choice in choices for line in narrate_offer(words, scene, [choice]))
    return new


@every_game
def test_every_kind_of_news_has_a_sentence_in_every_language(game: str) -> None:
    for language in LANGUAGE[game]:
        known = {key.partition(" ")[0] for key in language.PHRASES}
        assert {news.__struct_config__.tag for news in GAMES[game].news} <= known


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


@every_game
def test_every_component_has_a_name_in_every_language(game: str) -> None:
    named = [piece for piece in entries(catalog(game)) if "name_en" in piece or "name_de" in piece]
    assert len(named) > 20
    assert all(piece.get("name_en") and piece.get("name_de") for piece in named)
    explained = [piece for piece in entries(catalog(game)) if "text_en" in piece or "text_de" in piece]
    assert explained
    assert all(piece.get("text_en") and piece.get("text_de") for piece in explained)


def entries(value: Any) -> list[dict[str, Any]]:
    """All tables of a catalog, however deep."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [*([value] if isinstance(value, dict) else []), *(entry for each in inner for entry in entries(each))]


# News of the platform


def test_every_news_of_the_platform_has_a_sentence() -> None:
    assert told_by_tables() <= PLATFORM
    assert {"said", "game_started", "seat_taken", "choice_sealed", "rolled_back", "player_away"} <= told_by_tables()


def told_by_tables() -> set[str]:
    """The names of the platform's news that the server's source contains."""
    found: set[str] = set()
    for path in Path(palatine_server.tables.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                named = [item for key, item in zip(node.keys, node.values, strict=True) if is_news(key)]
                found |= {word for item in named for word in literals(item)}
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"_told", "_settled"}:
                found |= {word for item in node.args for word in literals(item)}
            if isinstance(node, ast.FunctionDef) and node.name == "_seating":
                found |= {word for item in node.args.defaults for word in literals(item)}
    return found


def is_news(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and key.value == "news"


def literals(node: ast.expr) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


@every_language
@pytest.mark.parametrize("news", sorted(PLATFORM))
@pytest.mark.parametrize("is_so", [True, False])
def test_sentences_of_the_platform(news: str, lang: str, is_so: bool) -> None:
    scene = RenderContext("between_two_castles", {}, lang, ["Ida", "Otto"], 0, plain=True)
    more = {
        "name": "Otto",
        "text": "Hello!",
        "to": 7,
        "table": "k3Xq9ZpTd0Rw7LmA",
        "is_ready": is_so,
        "reserved": is_so,
        "changed": ["clock", "delay"],
    }
    for seat in (0, 1):
        assert is_plain(render_news(load_game_text(scene.game), {"news": news, "seat": seat, **more}, scene).plain)


@pytest.mark.parametrize(
    ("lang", "seat", "said"),
    [
        ("en", 0, "Time is up; the server decides for you."),
        ("en", 1, "Time is up; the server decides for Otto."),
        ("de", 0, "Die Zeit ist um; der Server entscheidet für dich."),
        ("de", None, "Die Zeit ist um; der Server entscheidet für Ida."),
    ],
)
def test_the_viewer_himself_is_spoken_to(lang: str, seat: int | None, said: str) -> None:
    scene = RenderContext("between_two_castles", {}, lang, ["Ida", "Otto"], None if seat is None else 0)
    assert render_news(load_game_text(scene.game), {"news": "time_ran_out", "seat": seat or 0}, scene).plain == said


# Offers


def test_an_offer_is_told_as_sets_not_one_by_one() -> None:
    recorder = next(played(GAMES["palais_royal"], 3, 1))[0]
    scene = build_context("palais_royal", view(recorder, 0), catalog("palais_royal"), "en", None)
    words = load_game_text("palais_royal")
    draw, end = Choice("draw", {"count": Range(1, 1000)}), Choice("end_turn")
    lines = [*narrate_offer(words, scene, [draw, end])]
    assert len(lines) == 3
    assert "how many: a number from 1 to 1000" in "\n".join(lines)
    assert "a number from 1 to 1000." in [*narrate_offer(words, scene, [draw])]


def test_long_lists_are_cut_short() -> None:
    recorder = next(played(GAMES["noblemen"], 3, 1))[0]
    scene = build_context("noblemen", view(recorder, 0), catalog("noblemen"), "en", None)
    cells = [[number, 0] for number in range(MOST_VALUES + 7)]
    lines = [*narrate_offer(load_game_text("noblemen"), scene, [Choice("site", {"cell": cells}), Choice("end_turn")])]
    assert "7 more" in "\n".join(lines)
    assert f"column {MOST_VALUES}, row 0" not in "\n".join(lines)


def test_numbers_are_those_of_the_menu() -> None:
    recorder = next(played(GAMES["noblemen"], 3, 1))[0]
    lines = text((recorder, None), 0, "en").splitlines()
    numbers = [int(line.partition(".")[0]) for line in lines if re.match(r"\d+\. ", line)]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert numbers


# For whom the table waits


@every_language
def test_it_says_who_is_waited_for_and_how_long(lang: str) -> None:
    shown = view(next(played(GAMES["palais_royal"], 2, 1))[0], None)
    shown.waiting = [Waiting(seat=1, since=1_700_000_000_000, until=1_700_000_060_000), Waiting(seat=0)]
    spoken = describe_view("palais_royal", catalog("palais_royal"), shown, lang)
    assert "Otto" in spoken
    assert "2023-11-14 22:13:20 UTC" in spoken
    assert "2023-11-14 22:14:20 UTC" in spoken


@every_language
def test_a_table_before_the_game_is_told_too(lang: str) -> None:
    shown = view(next(played(GAMES["palais_royal"], 2, 1))[0], None)
    shown.board, shown.waiting, shown.info.seats = None, [], [None, *shown.info.seats[1:]]
    spoken = describe_view("palais_royal", catalog("palais_royal"), shown, lang)
    assert is_plain(spoken)
    assert "Otto" in spoken


# The same view, the same words


@every_game
def test_the_same_view_gives_the_same_text(game: str) -> None:
    *_, (recorder, entry) = zip_first(played(GAMES[game], 3, 2), 40)
    shown = view(recorder, 1)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(shown), type=Snapshot)
    for lang in LANGUAGES:
        first, second = (
            describe_view(game, catalog(game), each, lang, news=heard(entry, 1)) for each in (shown, again)
        )
        assert first == second


def zip_first(positions: Any, count: int) -> list[Any]:
    return [position for _, position in zip(range(count), positions, strict=False)]


# Law 3: two worlds that differ only in what a viewer may not know have the same narration


@every_table
def test_secrets_are_not_told(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def sound_the_same(here: Recorder, there: Recorder, viewer: int) -> None:
        nonlocal compared
        for looking in (viewer, None) if compared % 5 == 0 else ():
            for lang in LANGUAGES:
                assert text((here, None), looking, lang) == text((there, None), looking, lang)
        compared += 1

    monkeypatch.setattr(secret_worlds, "require_same_view", sound_the_same)
    for seed in range(max(8, 1 + len(list_all_options(GAMES[game])))):  # `choose_options` takes all options in turn
        secret_worlds.secrets_can_be_swapped(GAMES[game], players, seed)
    assert compared > 8


def test_the_test_of_secrets_can_fail() -> None:
    """Two seats, and a spectator, get different narrations."""
    position = next(played(GAMES["between_two_castles"], 3, 1))
    assert len({text(position, viewer, "en") for viewer in (0, 1, None)}) == 3
