"""The text rendering of Between Two Castles: menus, questions, castles and news, in every language."""

from __future__ import annotations

import io
import tomllib
from functools import cache
from random import Random
from string import Formatter
from typing import Any

import pytest
from rich.console import Console, RenderableType

from palatine_client.cli.ui.prompt import render_question
from palatine_client.menu import OneOf, SomeOf, build_question
from palatine_client.render.description.untrusted import humanise_name
from palatine_client.render.games.between_two_castles import english
from palatine_client.render.text import load_game_text
from palatine_client.render.text.between_two_castles import BetweenTwoCastlesText
from palatine_client.render.text.between_two_castles.formatter import CastleFormatter
from palatine_client.render.text.render_context import RenderContext
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.between_two_castles.news import NEWS
from palatine_server.games.kit import Recorder, plain

CATALOG = tomllib.loads((BETWEEN_TWO_CASTLES.folder / "catalog.toml").read_text(encoding="utf-8"))
LANGUAGES = ["en", "de"]
WORDS = load_game_text("between_two_castles")


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def text(what: RenderableType, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO())
    console.print(what)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


# A whole game seen from one seat


@cache
def played(players: int) -> list[tuple[Any, Any, list[Any], list[Any]]]:
    """Board, hand, offer and news of seat 0 after every action of a game played at random."""
    rng, table = Random(5), Recorder(BETWEEN_TWO_CASTLES.begin(players, "05" * 32))
    moments = []
    while seats := table.play.waiting_for():
        seat = rng.choice(seats)
        entry = table.act(seat, BETWEEN_TWO_CASTLES.read_action(rng.choice([*rng.choice(table.play.offer(seat))])))
        zones = table.zones
        news = [plain(told.news) for told in entry.news if told.to is None or 0 in told.to]
        offer = [] if table.play.is_over else table.play.offer(0)
        moments.append((plain(zones.board), plain(zones.hands[0]), offer, news))
    return moments


def scene(board: Any, hand: Any, lang: str = "en", people: int = 3, seat: int | None = 0) -> RenderContext:
    names = ["Ida", "Otto", "Emil"][:people]
    return RenderContext("between_two_castles", CATALOG, lang, names, seat, board, hand)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3])
def test_all_that_happens_is_told_in_sentences(players: int, lang: str) -> None:
    for board, hand, _, news in played(players):
        for each in news:
            spoken = WORDS.render_news(each, scene(board, hand, lang, players)).plain
            assert spoken
            assert "_" not in spoken
            assert humanise_name(each["news"]) not in spoken, "words are missing"


def test_every_kind_of_news_has_a_sentence() -> None:
    phrases = {key.partition(" ")[0] for key in english.PHRASES}
    assert {kind.__struct_config__.tag for kind in NEWS} <= phrases


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3])
def test_every_menu_speaks_of_rooms_and_castles(players: int, lang: str) -> None:
    verbs: set[str] = set()
    for board, hand, offer, _ in played(players):
        if choices := WORDS.filter_choices(plain_offer(offer), scene(board, hand, lang, players)):
            verbs |= {choice.do for choice in choices}
            menu = menu_of(choices, scene(board, hand, lang, players))
            assert "_" not in menu
            assert not any(humanise_name(verb) + ":" in menu for verb in verbs), "words are missing"
    assert {"choose", "place", "take_back", "propose", "propose_cell"} <= verbs
    assert not verbs & {"tick", "untick"}


def plain_offer(offer: list[Any]) -> list[Any]:
    """An offer as it arrives over the wire: cells are lists."""
    return [type(choice)(choice.do, {name: listed(field) for name, field in choice.fields.items()}) for choice in offer]


def listed(field: Any) -> Any:
    return [list(value) if isinstance(value, tuple) else value for value in field] if isinstance(field, list) else field


def menu_of(choices: list[Any], seen: RenderContext, chosen: dict[str, Any] | None = None) -> str:
    asked = build_question(choices, chosen or {}, WORDS.picture_fields)
    assert asked
    return text(render_question(WORDS.arrange_question(asked, seen), chosen or {}, seen, WORDS, {}))


def test_the_hand_shows_what_each_room_scores() -> None:
    board, hand, offer, _ = played(3)[0] if played(3)[0][1].get("tiles") else played(3)[1]
    asked = build_question(WORDS.filter_choices(plain_offer(offer), scene(board, hand)), {}, WORDS.picture_fields)
    assert isinstance(asked, SomeOf)
    menu = menu_of(WORDS.filter_choices(plain_offer(offer), scene(board, hand)), scene(board, hand))
    assert menu.count("point") >= len(asked.of)
    assert "the others go on to Otto" in menu


def test_rooms_in_hand_lie_by_their_type() -> None:
    tiles = ["sty", "bakery", "crypt", "brewery"]
    board, hand, _, _ = played(3)[0]
    arranged = WORDS.arrange_question(SomeOf({"do": "choose"}, "tiles", 2, 2, tiles), scene(board, hand))
    assert isinstance(arranged, SomeOf)
    assert arranged.of == ["bakery", "brewery", "sty", "crypt"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_piece_has_words_for_what_it_scores(lang: str) -> None:
    board, hand, _, _ = played(3)[0]
    speech = CastleFormatter(scene(board, hand, lang))
    for kind in ("room", "special", "attendant", "bonus_card"):
        for piece in CATALOG[kind]:
            assert "{" not in speech.describe_worth(piece["id"])
            assert ("point" if lang == "en" else "Punkt") in speech.describe_worth(piece["id"])


# The castle with numbers in it


def castle(rooms: list[list[Any]], **more: Any) -> dict[str, Any]:
    nothing = {"attendants": [], "cards": [], "ludwig": "", "deciding": "", "decision": None, "laid": [], "marker": 0}
    return {"token": "eltz", "throne": "throne_utility_food", "partners": [0, 1], "rooms": rooms, **nothing, **more}


def board(*castles: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"seniority": [0, 1, 2], "round": 1, "turn": 2, "phase": "place", "tiles": [["bakery"], [], []]}
    return {**common, "castles": list(castles), "sheets": [], "final": [], **more}


def test_places_are_numbers_in_a_drawing_of_the_castle_as_one_reads() -> None:
    here = scene(board(castle([["sty", -1, 0]])), {})
    cells = [[2, 0], [0, 1], [1, 1], [-2, 0]]
    choices = [type_of("place", tile=["bakery"], castle=[0], cell=cells)]
    lines = menu_of(choices, here).splitlines()
    above, ground = next(line for line in lines if "1" in line and "╎" in line), line_with("Sty", lines)
    assert above.index(" 1 ") < above.index(" 2 ")
    assert ground.index(" 3 ") < ground.index("Sty") < ground.index("Throne") < ground.index(" 4 ")
    assert any("Where in Eltz Castle shall" in line and "Bakery" in line for line in lines)
    asked = WORDS.arrange_question(one_of(build_question(choices, {}, WORDS.picture_fields)), here)
    assert [entry["cell"] for entry in one_of(asked).entries] == [[0, 1], [1, 1], [-2, 0], [2, 0]]


def type_of(do: str, **fields: Any) -> Any:
    from palatine_protocol.offers import Choice

    return Choice(do, fields)


def one_of(asked: Any) -> OneOf:
    assert isinstance(asked, OneOf)
    return asked


def line_with(word: str, lines: list[str]) -> str:
    return next(line for line in lines if word in line)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_numbers_fit_into_any_terminal(width: int) -> None:
    cells = [[x, 0] for x in range(2, 9)]
    here = scene(board(castle([])), {})
    asked = build_question([type_of("place", tile=["bakery"], castle=[0], cell=cells)], {}, WORDS.picture_fields)
    assert asked
    lines = text(render_question(WORDS.arrange_question(asked, here), {}, here, WORDS, {}), width).splitlines()
    assert all(len(line) <= width for line in lines)
    assert all(f"{number}" in "".join(lines) for number in range(1, 8))


def test_new_rooms_are_marked_until_they_were_seen() -> None:
    seen: dict[Any, Any] = {}
    old = scene(board(castle([["sty", -1, 0]]), phase="choose"), {})
    new = scene(board(castle([["sty", -1, 0], ["bakery", 2, 0]]), phase="choose"), {})
    assert "✦" not in shown_boards(old, seen)
    assert shown_boards(old, seen) == ""
    assert shown_boards(new, seen).count("✦") == 1
    assert shown_boards(new, seen) == ""


def shown_boards(seen_now: RenderContext, seen: dict[Any, Any]) -> str:
    return "".join(text(each) for each in BetweenTwoCastlesText().render_changed_boards(seen_now, seen))


def test_own_castles_come_first_and_stand_side_by_side_if_there_is_room() -> None:
    castles = [
        castle([], token=token, partners=partners)
        for token, partners in zip(("eltz", "cochem", "mespelbrunn"), ([0, 1], [1, 2], [2, 0]), strict=True)
    ]
    here = scene(board(*castles, phase="choose"), {})
    narrow, wide = (text(next(WORDS.render_changed_boards(here, {})), width) for width in (80, 160))
    assert narrow.index("Eltz") < narrow.index("Mespelbrunn")
    assert "Cochem" not in narrow
    assert any("Eltz" in line and "Mespelbrunn" in line for line in wide.splitlines())
    everything = text(WORDS.render_all_boards(here))
    assert everything.index("Eltz") < everything.index("Mespelbrunn") < everything.index("Cochem")


# Decisions


def deciding(**more: Any) -> dict[str, Any]:
    decision = {"castle": 0, "about": "attendant", "options": ["painter", "knight"], **more}
    return board(castle([], deciding="attendant", decision=decision), tiles=[[], [], []])


PROPOSE = [type_of("propose", castle=[0], choice=["painter", "knight"])]
OTHERS = [type_of("accept", castle=[0], revision=[1]), type_of("call_tiebreak", castle=[0])]


def test_what_the_partner_proposes_comes_first_and_is_marked() -> None:
    here = scene(deciding(proposals=[{"seat": 1, "choice": "knight", "revision": 1}]), {})
    choices = WORDS.filter_choices([*PROPOSE, *OTHERS], here)
    assert [choice.do for choice in choices] == ["propose"]
    first, second = [line for line in menu_of(choices, here).splitlines() if line.strip()][:2]
    assert "Knight" in first
    assert "← Otto" in first
    assert "Painter" in second
    assert "← Otto" not in second


def test_in_a_quarrel_one_can_agree_or_call_for_the_tie_break() -> None:
    mine, theirs = ({"seat": seat, "choice": what, "revision": seat} for seat, what in ((0, "painter"), (1, "knight")))
    here = scene(deciding(proposals=[mine, theirs]), {})
    menu = menu_of(WORDS.filter_choices([*PROPOSE, *OTHERS], here), here)
    assert "agree with Otto: ⚔ Knight" in menu
    assert "call for the tie-break" in menu
    remarks = "".join(text(each) for each in WORDS.render_remarks(here))
    assert "you propose ▣ Painter" in remarks
    assert "Otto proposes ⚔ Knight" in remarks
