"""Palais Royal in words: every action, every question and all news, in both languages."""

import io
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

import msgspec
import pytest
from games.palais_royal.situations import first_turn, turn
from rich.console import Console, RenderableType

from palatine_client.cli.ui.prompt import render_question
from palatine_client.menu import OneOf, SomeOf, build_question
from palatine_client.render.games.palais_royal import english, german
from palatine_client.render.presentation import find_presentation
from palatine_client.render.text.palais_royal import PalaisRoyalText, board_text
from palatine_client.render.text.palais_royal.formatter import PalaisRoyalFormatter
from palatine_client.render.text.render_context import RenderContext
from palatine_protocol.offers import Choice
from palatine_server.games.kit import plain
from palatine_server.games.palais_royal import PALAIS_ROYAL
from palatine_server.games.palais_royal.actions import ACTIONS, Draw
from palatine_server.games.palais_royal.board import Palais
from palatine_server.games.palais_royal.catalog import NOBLES
from palatine_server.games.palais_royal.news import NEWS
from palatine_server.simulation import create_draw, derive_seed, next_seat

CATALOG = tomllib.loads((PALAIS_ROYAL.folder / "catalog.toml").read_text(encoding="utf-8"))
PEOPLE = ["Anna", "Bo", "Cem", "Dora"]
LANGUAGES = {"en": english, "de": german}
WORDS = PalaisRoyalText()
LEFT_OVER = re.compile(r"[a-z]+_[a-z]+|\bN\d\d\b|[{}\[\]]")  # identifiers and brackets are no words


def scene_of(play: Palais, lang: str, seat: int | None = 0) -> RenderContext:
    return RenderContext(
        game=PALAIS_ROYAL.name,
        catalog=CATALOG,
        lang=lang,
        people=PEOPLE[: len(play.board.players)],
        seat=seat,
        board=plain(play.board),
        hand=plain(play.hands[seat]) if seat is not None else None,
    )


def printed(what: RenderableType, width: int = 100) -> str:
    screen = Console(record=True, width=width, file=io.StringIO())
    screen.print(what)
    return screen.export_text()


Told = tuple[Palais, dict[str, Any]]


@cache
def stories() -> tuple[list[Told], list[Told]]:
    """All actions and news of some games, with the board at that moment."""
    done: list[Told] = []
    told: list[Told] = []
    for number in range(12):
        play, draw = PALAIS_ROYAL.begin(2 + number % 3, derive_seed(8, number)), create_draw(derive_seed(8, number))
        for step in range(600):
            if play.is_over:
                break
            seat = next_seat(play, draw)
            action = PALAIS_ROYAL.policies["random" if number % 2 or step % 4 else "greedy"](play, seat, draw)
            done.append((PALAIS_ROYAL.copy(play), plain(action)))
            play.act(seat, action)
            copy = PALAIS_ROYAL.copy(play)
            told += [(copy, plain(each.news)) for each in play.told]
            play.told.clear()
    return done, told


def tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


# News


@pytest.mark.parametrize("lang", LANGUAGES)
def test_news_all_of_them_are_sentences(lang: str) -> None:
    for play, news in stories()[1]:
        for seat in (0, None):
            sentence = WORDS.render_news(news, scene_of(play, lang, seat)).plain
            assert sentence.endswith(".")
            assert not LEFT_OVER.search(sentence), sentence


def test_news_every_kind_is_told_in_some_game_or_has_a_phrase() -> None:
    seen = {news["news"] for _, news in stories()[1]}
    rare = {"deck_reshuffled"}
    assert {tag(kind) for kind in NEWS} - seen <= rare


@pytest.mark.parametrize("lang", LANGUAGES)
def test_news_every_kind_has_a_phrase(lang: str) -> None:
    reasons = {"final_round_began": ["park", "stall", "max_rounds"]}
    for kind in NEWS:
        keys = [f"{tag(kind)} {reason}" for reason in reasons[tag(kind)]] if tag(kind) in reasons else [tag(kind)]
        assert all(key in LANGUAGES[lang].PHRASES for key in keys)


@pytest.mark.parametrize(
    ("lang", "seat", "sentence"),
    [
        ("en", 0, "You recruited Noble 2 at B3 for 3 gold: 3 points, 2 more gold in every turn."),
        ("en", 1, "Anna recruited Noble 2 at B3 for 3 gold: 3 points, 2 more gold in every turn."),
        ("de", 0, "Du hast Adlige 2 auf B3 für 3 Gold angeworben: 3 Punkte, in jedem Zug 2 Gold mehr."),
        ("de", 1, "Anna hat Adlige 2 auf B3 für 3 Gold angeworben: 3 Punkte, in jedem Zug 2 Gold mehr."),
    ],
)
def test_news_a_recruitment_says_what_was_won(lang: str, seat: int, sentence: str) -> None:
    news = {"news": "noble_recruited", "seat": 0, "space": "B3", "noble": "N02", "gold": 3}
    assert WORDS.render_news(news, scene_of(first_turn(), lang, seat)).plain == sentence


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "The discarded privileges were shuffled into a new deck of 1 card."),
        ("de", "Die abgelegten Privileg-Karten wurden zu einem neuen Stapel gemischt: 1 Karte."),
    ],
)
def test_news_one_is_singular(lang: str, sentence: str) -> None:
    assert WORDS.render_news({"news": "deck_reshuffled", "cards": 1}, scene_of(first_turn(), lang)).plain == sentence


# Actions


@pytest.mark.parametrize("lang", LANGUAGES)
def test_actions_every_one_has_words(lang: str) -> None:
    for play, action in stories()[0]:
        spoken = PalaisRoyalFormatter(scene_of(play, lang, play.board.turn.seat)).render_action(action)
        assert spoken is not None
        assert not LEFT_OVER.search(spoken.plain), spoken.plain


def test_actions_every_kind_is_done_in_some_game() -> None:
    assert {action["do"] for _, action in stories()[0]} == {tag(kind) for kind in ACTIONS}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_actions_a_verb_alone_has_words_too(lang: str) -> None:
    scene = scene_of(first_turn(), lang)
    for verb in {tag(kind) for kind in ACTIONS} - {"place"}:  # rooms are always listed
        spoken = WORDS.render_entry({"do": verb}, {}, scene).plain
        assert spoken
        assert not LEFT_OVER.search(spoken)


def test_actions_say_what_they_close() -> None:
    scene = scene_of(turn("r r .\n. . .\nr . r", phase="a1"), "en")
    assert WORDS.render_entry({"do": "move"}, {}, scene).plain == "Move a servant  closes action 1"
    assert WORDS.render_entry({"do": "recruit"}, {}, scene).plain == "Recruit a noble  closes actions 1–3"
    assert WORDS.render_entry({"do": "reinforce"}, {}, scene).plain == "Put a new servant on the gate"
    assert [str(column) for column in WORDS.render_columns({"do": "move"}, {}, scene)] == [
        "Move a servant",
        "closes action 1",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_questions_every_menu_can_be_shown(lang: str) -> None:
    for play, action in stories()[0][::3]:
        seat = play.board.turn.seat
        scene = scene_of(play, lang, seat)
        for screen in menus(play, action, scene):
            assert screen.strip()
            assert not LEFT_OVER.search(screen), screen


def menus(play: Palais, action: dict[str, Any], scene: RenderContext) -> Iterator[str]:
    """All questions that lead to an action."""
    choices = msgspec.convert(plain(play.offer(play.board.turn.seat)), list[Choice])  # as they come over the wire
    chosen: dict[str, Any] = {}
    while asked := build_question(choices, chosen, WORDS.picture_fields):
        asked = WORDS.arrange_question(asked, scene)
        yield printed(render_question(asked, chosen, scene, WORDS, {}))
        chosen = nearest(asked, action)


def nearest(asked: Any, action: dict[str, Any]) -> dict[str, Any]:
    """The answer that leads to the action."""
    if isinstance(asked, OneOf):
        return next(entry for entry in asked.entries if {**action, **entry} == action)
    return {**asked.chosen, asked.field: action[asked.field]}


def test_questions_nobles_are_chosen_in_the_park_and_rooms_in_the_palace() -> None:
    scene = scene_of(first_turn(), "en")
    assert " 1  Noble" in printed(WORDS.render_picture("space", {"do": "recruit"}, ["B2"], scene, {}) or "")
    assert " 2  King's Cabinet" in printed(
        WORDS.render_picture("source", {"do": "move"}, ["mint", "king"], scene, {}) or ""
    )
    assert WORDS.render_picture("border_from", {"do": "recruit"}, ["supply", "king"], scene, {}) is None
    assert WORDS.render_picture("to", {"do": "advance"}, ["a2", "a3"], scene, {}) is None


def test_questions_once_the_noble_is_chosen_only_the_rest_is_asked() -> None:
    scene = scene_of(first_turn(), "en")
    chosen = {"do": "recruit", "space": "A1"}
    entry = WORDS.render_entry({**chosen, "wild": [0, 0], "border_from": "gate"}, chosen, scene)
    assert entry.plain == "border servant from the Gate"


def test_questions_spaces_are_numbered_as_one_reads() -> None:
    asked = OneOf([{"do": "recruit", "space": space} for space in ("A1", "A2", "B1", "F1")], "space")
    arranged = WORDS.arrange_question(asked, scene_of(first_turn(), "en"))
    assert isinstance(arranged, OneOf)
    assert [entry["space"] for entry in arranged.entries] == ["A1", "B1", "F1", "A2"]


# Cards


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_in_hand_show_name_price_window_and_effect(lang: str) -> None:
    kinds = [card["id"] for card in CATALOG["privileges"]]
    hand = printed(WORDS.render_hand(scene_of(turn(hands=[kinds, []]), lang)) or "", 200)
    for card in CATALOG["privileges"]:
        line = next(line for line in hand.splitlines() if line.strip().startswith(card[f"name_{lang}"]))
        price = LANGUAGES[lang].PHRASES["gold"].format(count=card["price"]) if card["price"] else ""
        assert price in line
        assert LANGUAGES[lang].TIMING[card["timing"]] in line
        assert card[f"text_{lang}"] in line


def test_cards_of_a_kind_are_counted() -> None:
    assert "Four gold ×3" in printed(WORDS.render_hand(scene_of(turn(hands=[["gold4"] * 3, []]), "en")) or "")


def test_cards_just_drawn_are_listed_to_choose_from() -> None:
    play = turn("r . .\n. . .\n. . .", phase="a5", deck=["moves5", "gold4"])
    play.act(0, Draw(1))
    asked = build_question(play.offer(0), {}, WORDS.picture_fields)
    assert isinstance(asked, SomeOf)
    menu = printed(render_question(asked, {}, scene_of(play, "en"), WORDS, {}))
    assert re.search("1 (Four gold|Five moves) ", menu)
    assert "Which cards will you keep?" in menu


def test_nobody_sees_the_cards_of_others() -> None:
    play = turn(hands=[["gold4"], ["moves9"]])
    assert "Nine moves" not in printed(WORDS.render_hand(scene_of(play, "en", 0)) or "")
    assert WORDS.render_hand(scene_of(play, "en", None)) is None


# Boards and hands


def test_boards_all_of_it_at_the_beginning_of_a_turn_then_only_what_changed() -> None:
    play, seen = first_turn(), dict[Any, Any]()
    assert "Noble" in "".join(map(printed, WORDS.render_changed_boards(scene_of(play, "en"), seen)))
    assert not list(WORDS.render_changed_boards(scene_of(play, "en"), seen))
    play.board.rooms["gate"][0] += 1
    (again,) = map(printed, WORDS.render_changed_boards(scene_of(play, "en"), seen))
    assert "Gate" in again
    assert "Noble" not in again


def test_boards_nothing_while_others_move() -> None:
    assert not list(WORDS.render_changed_boards(scene_of(first_turn(), "en", 1), {}))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_explains_every_room(lang: str) -> None:
    explained = printed(WORDS.render_help(scene_of(first_turn(), lang)), 200)
    assert all(room[f"text_{lang}"] in explained for room in CATALOG["rooms"])


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "The turn still allows: 1 servant to the gate, 1 move, 0 gold in the mint, 1 more servant to the King’s "
            "Cabinet, 1 recruitment, 1 card to draw.",
        ),
        (
            "de",
            "Der Zug erlaubt noch: 1 Diener ans Tor, 1 Bewegung, 0 Gold in der Münzerei, 1 Diener mehr ins Kabinett "
            "des Königs, 1 Anwerbung, 1 Karte zu ziehen.",
        ),
    ],
)
def test_in_plain_words_one_is_singular(lang: str, said: str) -> None:
    rooms = {"parade_ground": [1, 1], "stairway": [1, 1], "king": [1, 0], "office": [1, 0], "back_entrance": [1, 0]}
    (allowed,) = next(board_text.narrate_board(PalaisRoyalFormatter(scene_of(turn(rooms), lang))))
    assert allowed == said


# Secret nobles


def with_secret_nobles() -> Palais:
    """Anna has two face-down nobles with 6 and 4 points, and one with a benefit and 3 points."""
    play = turn(nobles=[["N02"], []], secret_nobles=True)
    play.hands[0].nobles, play.board.players[0].hidden_nobles = ["N01", "N04"], 2
    return play


SECRET = {
    "en": (
        "Anna, red: 0 gold, 18 servants in supply, 7 in reserve, no card, 3 points and those of face-down nobles.",
        "Nobles face down, which only their owner sees: 2.",
        "Your face-down nobles, which only you see",
    ),
    "de": (
        "Anna, rot: 0 Gold, 18 Diener im Vorrat, 7 in der Reserve, keine Karte, 3 Punkte und die der verdeckten "
        "Adligen.",
        "Verdeckte Adlige, die nur sehen kann, wem sie gehören: 2.",
        "Deine verdeckten Adligen, die nur du siehst",
    ),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seat", [1, None])
def test_secret_nobles_of_others_are_only_counted(lang: str, seat: int | None) -> None:
    scene = scene_of(with_secret_nobles(), lang, seat)
    player = next(
        lines for lines in board_text.narrate_board(PalaisRoyalFormatter(scene)) if lines[0].startswith("Anna")
    )
    assert player[0].lower() == SECRET[lang][0].lower()
    assert SECRET[lang][1] in player
    noble = {"en": r"Noble [14]\b", "de": r"Adlige [14]\b"}[lang]
    assert not re.search(noble, " ".join(player))
    assert WORDS.render_hand(scene) is None
    assert not [*board_text.narrate_hand(PalaisRoyalFormatter(scene))]
    drawn = printed(WORDS.render_all_boards(scene), 140)
    assert "3+?" in drawn
    assert {"en": "2 others", "de": "2 weitere"}[lang] in drawn


@pytest.mark.parametrize("lang", LANGUAGES)
def test_secret_nobles_are_shown_and_counted_to_their_owner(lang: str) -> None:
    play = with_secret_nobles()
    scene = scene_of(play, lang, 0)
    points = sum(NOBLES[noble].points for noble in ("N01", "N02", "N04"))
    drawn = printed(WORDS.render_all_boards(scene), 140)
    assert "+?" not in drawn
    assert re.search(rf"\b{points}\b", next(line for line in drawn.splitlines() if "Gold" not in line and "▸" in line))
    player = next(
        lines
        for lines in board_text.narrate_board(PalaisRoyalFormatter(scene))
        if lines[0].startswith(f"{scene.name_subject(0)}, ")
    )
    assert f"{points} " in player[0]
    assert SECRET[lang][1] not in player
    hand = printed(WORDS.render_hand(scene) or "", 140)
    held = " ".join(board_text.narrate_hand(PalaisRoyalFormatter(scene)))
    for words in (hand, held):
        assert SECRET[lang][2] in words
        assert f"{CATALOG['nobles'][0][f'name_{lang}']} (6 " in words
        assert not LEFT_OVER.search(words)


# Endings that are not printed


@pytest.mark.parametrize(
    ("lang", "options", "said"),
    [
        ("en", {}, ["after 10 rounds in a row", "round 100 is the last one"]),
        ("de", {}, ["Wirbt 10 Runden nacheinander niemand an", "Runde 100 ist die letzte"]),
        ("en", {"stall_rounds": 0, "max_rounds": 7}, ["round 7 is the last one"]),
        ("en", {"stall_rounds": 0, "max_rounds": 0}, ["the game ends only as printed"]),
        ("de", {"stall_rounds": 0, "max_rounds": 0}, ["endet das Spiel nur wie gedruckt"]),
    ],
)
def test_endings_that_are_not_printed_are_told_with_the_options_of_the_table(
    lang: str, options: dict[str, int], said: list[str]
) -> None:
    scene = scene_of(first_turn(**options), lang)
    endings = [*PalaisRoyalFormatter(scene).list_endings()]
    assert len(endings) == len(said)
    assert all(words in ending for words, ending in zip(said, endings, strict=True))
    assert not any(LEFT_OVER.search(ending) for ending in endings)
    assert endings in [*board_text.narrate_board(PalaisRoyalFormatter(scene))]
    assert all(words in printed(WORDS.render_help(scene), 300) for words in said)


# Languages


def fields(phrase: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(phrase) if name is not None}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rooms_windows_and_benefits_of_the_catalog_are_all_there(lang: str) -> None:
    language, rooms = LANGUAGES[lang], {room["id"] for room in CATALOG["rooms"]}
    assert language.INTO.keys() == rooms
    assert language.FROM.keys() == {"supply", *rooms}
    assert language.BENEFITS.keys() == CATALOG["benefits"].keys()
    assert language.TIMING.keys() == {card["timing"] for card in CATALOG["privileges"]}


def test_the_words_are_in_the_registry() -> None:
    presentation = find_presentation(PALAIS_ROYAL.name)
    assert presentation
    assert isinstance(presentation.load_text(), PalaisRoyalText)
