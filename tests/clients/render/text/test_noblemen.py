"""Noblemen in words: menus, questions, the hand and the news, in English and German."""

import io
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from rich.console import Console, RenderableType

from palatine_client.cli.ui.prompt import render_question
from palatine_client.menu import OneOf, Partial, apply_answer, build_question
from palatine_client.render.games.noblemen import PRESENTATION
from palatine_client.render.games.noblemen.names import RULES
from palatine_client.render.presentation import find_presentation
from palatine_client.render.text.noblemen import NoblemenText, menu_entries, news_text
from palatine_client.render.text.noblemen.formatter import NoblemenFormatter
from palatine_client.render.text.render_context import RenderContext
from palatine_protocol.offers import Choice, Range
from palatine_server.games.kit import Play, plain
from palatine_server.games.kit.decisions import snake_case, verb_of
from palatine_server.games.noblemen import NOBLEMEN
from palatine_server.simulation import create_draw, derive_seed, next_seat

CATALOG = tomllib.loads((NOBLEMEN.folder / "catalog.toml").read_text(encoding="utf-8"))
PEOPLE = ["Anna", "Bo", "Cem"]
WORDS = NoblemenText()
LANGUAGES = {lang: PRESENTATION.load_translation(lang) for lang in ("en", "de")}


class Moment(Struct, frozen=True):
    """A seat that has to decide, its view, and the news before."""

    seat: int
    board: dict[str, Any]
    hand: dict[str, Any]
    offer: list[Choice]
    news: list[dict[str, Any]]

    def scene(self, lang: str, seat: int | None = 0, waiting: tuple[int, ...] = ()) -> RenderContext:
        hand = self.hand if seat == self.seat else None
        return RenderContext("noblemen", CATALOG, lang, PEOPLE, seat, self.board, hand, list(waiting))


@cache
def moments() -> tuple[Moment, ...]:
    """All moments of several games that together contain every kind of event."""
    plays = [("greedy", 0), ("greedy", 1), ("random", 0), ("random", 1), ("random", 2), ("random", 3)]
    return tuple(moment for policy, number in plays for moment in played(policy, number))


def played(policy: str, number: int) -> Iterator[Moment]:
    seed = derive_seed(7, number)
    play, draw = (
        NOBLEMEN.begin(len(PEOPLE), seed, {"title_choice": "free", "open_totals": bool(number % 2)}),
        create_draw(seed),
    )
    while not play.is_over:
        seat = next_seat(play, draw)
        yield moment(play, seat)
        play.act(seat, NOBLEMEN.policies[policy](play, seat, draw))
    yield moment(play, 0)


def moment(play: Play[Any, Any, Any], seat: int) -> Moment:
    news = [plain(told.news) for told in play.told]
    play.told.clear()
    return Moment(seat, plain(play.board), plain(play.hands[seat]), play.offer(seat), news)


def text(what: RenderableType | list[RenderableType], width: int = 100) -> str:
    screen = Console(record=True, width=width, file=io.StringIO())
    screen.print(*what) if isinstance(what, list) else screen.print(what)
    return screen.export_text()


def entries(offer: list[Choice], chosen: Partial) -> Iterator[tuple[Partial, Partial]]:
    """List the entries of the menus for this offer, up to the first field with a question of its own."""
    asked = build_question(offer, chosen, WORDS.picture_fields)
    if isinstance(asked, OneOf):
        for entry in asked.entries:
            yield entry, chosen
            if not asked.field and entry != chosen:
                yield from entries(offer, entry)


# Completeness


def test_the_game_speaks_its_own_words() -> None:
    presentation = find_presentation("noblemen")
    assert presentation
    assert isinstance(presentation.load_text(), NoblemenText)


def test_every_action_has_words() -> None:
    verbs = {verb_of(action) for action in NOBLEMEN.actions}
    assert verbs == {*menu_entries.ENTRIES}
    assert all(verb in language.PHRASES for verb in verbs for language in LANGUAGES.values())


def test_every_news_has_words() -> None:
    for news in NOBLEMEN.news:
        name = snake_case(news.__name__)
        for language in LANGUAGES.values():
            assert any(key == name or key.startswith(f"{name} ") for key in language.PHRASES), name


def test_every_field_of_the_track_has_words() -> None:
    for field in {field["type"] for field in CATALOG["round_track"]["fields"]}:
        assert all(f"round_marker_moved {field}" in language.PHRASES for language in LANGUAGES.values())


def test_every_rule_that_gives_points_has_words() -> None:
    given = {news["rule"] for each in moments() for news in each.news if news["news"] == "points_scored"}
    assert given <= {*RULES}
    assert all({*language.REASONS} == {*RULES} for language in LANGUAGES.values())


# Whole games


def test_in_these_games_nearly_everything_happens() -> None:
    told = {news["news"] for each in moments() for news in each.news}
    offered = {choice.do for each in moments() for choice in each.offer}
    assert {snake_case(news.__name__) for news in NOBLEMEN.news} - told <= {"knight_lifted"}
    assert {verb_of(action) for action in NOBLEMEN.actions} - offered <= {"lift_knight"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_all_news_are_told_in_sentences(lang: str, viewer: int | None) -> None:
    for each in moments():
        speech = NoblemenFormatter(each.scene(lang, viewer))
        for news in each.news:
            sentence = news_text.render_news(speech, news)
            assert sentence is not None, news
            assert sentence.plain.endswith(".")
            assert ".." not in sentence.plain
            assert "{" not in sentence.plain
            assert "_" not in sentence.plain


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_of_every_menu_has_words(lang: str) -> None:
    for each in moments()[::11]:
        scene = each.scene(lang, each.seat)
        for after, before in entries(each.offer, {}):
            spoken = menu_entries.render_action(NoblemenFormatter(scene), after)
            assert spoken is not None
            assert WORDS.render_entry(after, before, scene) == spoken
            assert "_" not in spoken.plain, spoken


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_can_be_shown(lang: str) -> None:
    for each in [each for each in moments() if each.offer][::41]:
        scene = each.scene(lang, each.seat)
        for chosen in ({}, *(after for after, _ in entries(each.offer, {}))):
            asked = build_question(each.offer, chosen, WORDS.picture_fields)
            if asked:
                menu = render_question(WORDS.arrange_question(asked, scene), chosen, scene, WORDS, {})
                assert text(menu).strip()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_hand_can_be_shown(lang: str) -> None:
    for each in moments()[::13]:
        scene = each.scene(lang, each.seat)
        seen = text([WORDS.render_hand(scene) or "", *WORDS.render_remarks(scene)])
        assert LANGUAGES[lang].PHRASES["screen"] in seen
        assert all(card_name(card, lang) in seen for card in each.hand["cards"])


def card_name(card: str, lang: str) -> str:
    return next(str(each[f"name_{lang}"]) for each in CATALOG["card"] if each["id"] == card)


def test_a_spectator_has_no_hand() -> None:
    scene = moments()[0].scene("en", None)
    assert WORDS.render_hand(scene) is None
    assert not [*WORDS.render_remarks(scene)]


# One situation

ESTATE = {
    "tiles": [
        ["meadow", 0, 0, None],
        ["grove", 1, 0, "NE"],
        ["grove", 1, 1, "SE"],
        ["grove", 2, 1, "SW"],
        ["meadow", 0, 1, None],
    ],
    "buildings": [["castle", 0, 0, ""]],
    "knights": [],
}
FOREST = {
    "tiles": [
        ["meadow", 0, 0, None],
        *(["grove", x, y, c] for x, y, c in ((1, 0, "NE"), (1, 1, "SE"), (2, 1, "SW"), (2, 0, "NW"))),
    ],
    "buildings": [["castle", 0, 0, ""]],
    "knights": [[1, 2, 1]],
}


def scene(
    lang: str = "en", *, seat: int | None = 0, draft: Any = None, waiting: tuple[int, ...] = (), **facts: Any
) -> RenderContext:
    first = moments()[-1]
    noblemen = [{**each, "estate": FOREST, "title": "earl", "taxed": False} for each in first.board["noblemen"]]
    noblemen[0] = {**noblemen[0], "estate": ESTATE}
    board = {
        **first.board,
        "noblemen": noblemen,
        "phase": "turn",
        "active": 0,
        "queen": 1,
        "final": [],
        "action_done": False,
        "round": 1,
        **facts,
    }
    hand = {
        "money": 9,
        "tiles": {"field": 2, "fountain": 0, "grove": 1, "meadow": 0},
        "bribes": 3,
        "cards": ["blackmail", "dowry"],
        "card_offer": [],
        "draft": draft,
        "bag_has": {},
    }
    return RenderContext(
        "noblemen", CATALOG, lang, PEOPLE, seat, board, hand if seat is not None else None, list(waiting)
    )


def entry(action: Partial, what: RenderContext) -> str:
    return " ".join(text(WORDS.render_entry(action, {}, what), 200).split())


@pytest.mark.parametrize(
    ("lang", "action", "said"),
    [
        ("en", {"do": "build", "kind": "castle", "folly": None}, "Build ♜ Castle for £5"),
        ("de", {"do": "build", "kind": "castle", "folly": None}, "♜ Burg bauen für 5 £"),
        ("en", {"do": "build", "kind": "folly", "folly": "mixed"}, "Build ∩ Folly of all lands for £11: 12 points"),
        ("en", {"do": "play", "card": "dowry"}, "Play ▤ Dowry Draw 4 tiles."),
        ("de", {"do": "spend_card", "card": "blackmail"}, "▤ Erpressung einsetzen: 3 Prestige"),
        ("de", {"do": "spend_card", "card": "dowry"}, "▤ Mitgift einsetzen: 1 Prestige"),
        ("en", {"do": "land"}, "Gain land: 3 tiles"),
        ("en", {"do": "idle"}, "Idleness: 1 point"),
        ("de", {"do": "give", "kind": "field"}, "Tauschen: ≡ Acker abgeben"),
        ("en", {"do": "place_knight", "player": 2, "vertex": [2, 1]}, "Place a knight on the ♠ Forest in Cem’s estate"),
        (
            "de",
            {"do": "lift_knight", "player": 2, "vertex": [2, 1]},
            "Deinen Ritter versetzen: vom ♠ Wald im Anwesen von Cem",
        ),
        ("en", {"do": "lift_knight", "player": 2}, "Lift your knight in Cem’s estate"),
        ("en", {"do": "end_turn"}, "End your turn"),
        ("en", {"do": "done", "of": "expand"}, "✔ Lay the tiles for good"),
    ],
)
def test_actions_say_what_they_cost_and_bring(lang: str, action: Partial, said: str) -> None:
    what = scene(
        lang, buildings={"castle": 3, "chapel": 3, "palace": 2}, follies=["forests", "manors", "gardens", "mixed"]
    )
    assert entry(action, what) == said


def test_with_the_queen_the_end_of_a_turn_says_what_follows() -> None:
    assert "queen brings 1 point" in entry({"do": "end_turn"}, scene(queen=0))


@pytest.mark.parametrize(("lang", "said"), [("en", "completes a  ♠ Forest"), ("de", "vollendet einen  ♠ Wald")])
def test_a_corner_says_what_it_completes_and_the_best_comes_first(lang: str, said: str) -> None:
    what, chosen = scene(lang), {"do": "lay", "kind": "grove", "cell": [2, 0]}
    asked = build_question(
        [Choice("lay", {"kind": ["grove"], "cell": [[2, 0]], "corner": ["NE", "NW", "SE", "SW"]})],
        chosen,
        WORDS.picture_fields,
    )
    assert asked
    lines = text(render_question(WORDS.arrange_question(asked, what), chosen, what, WORDS, {})).splitlines()
    assert lines[0].split()[:2] == ["1", "▛"]
    assert said in lines[0]
    assert all(said not in line for line in lines[1:])


def test_cells_are_numbered_in_the_estate_from_the_top_left() -> None:
    offer = [Choice("lay", {"kind": ["field"], "cell": [[1, -1], [0, 2], [-1, 0]], "corner": ["NE"]})]
    chosen, what = {"do": "lay", "kind": "field"}, scene()
    asked = build_question(offer, chosen, WORDS.picture_fields)
    assert asked
    seen = text(render_question(WORDS.arrange_question(asked, what), chosen, what, WORDS, {}))
    places = [next(at for at, line in enumerate(seen.splitlines()) if f" {number} " in line) for number in (1, 2, 3)]
    assert places == sorted(places)
    assert "Where shall  ≡ Field  lie?" in seen


def test_areas_for_a_knight_are_numbered_in_the_estate() -> None:
    picture = WORDS.render_picture("vertex", {"do": "place_knight", "player": 1}, [[2, 1]], scene(), {})
    assert picture
    assert " 1  " in text(picture)


@pytest.mark.parametrize(("lang", "said"), [("en", "Which card do you keep?"), ("de", "Welche Karte behältst du?")])
def test_cards_on_offer_are_shown_with_their_numbers_and_effects(lang: str, said: str) -> None:
    what = scene(lang)
    what.hand["card_offer"] = ["tribute", "whitehall", "intrigue"]
    asked = build_question([Choice("keep", {"index": Range(0, 2)})], {}, WORDS.picture_fields)
    assert asked
    cards = WORDS.arrange_question(asked, what)
    seen = text(render_question(cards, {}, what, WORDS, {})).splitlines()
    assert seen[0] == said
    assert [line.split()[0] for line in seen[1:4]] == ["1", "2", "3"]
    assert apply_answer(cards, "3") == {"do": "keep", "index": 2}
    assert "5" in seen[1]


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        ({"draft": "selection", "kinds": ["field", "field", "grove"]}, "picked 2 ≡ Field ♣ Grove"),
        ({"draft": "expansion", "of": "brilliant_move", "tiles": []}, "laid no tiles"),
        ({"draft": "expansion", "of": "expand", "tiles": [["grove", 2, 0, "NW"]]}, "laid ♣ Grove"),
        ({"draft": "construction", "of": "build", "kind": "castle"}, "♜ Castle"),
        ({"draft": "construction", "of": "build", "kind": "castle", "cell": [0, 1]}, "♜ Castle has its site"),
        (
            {
                "draft": "construction",
                "of": "build",
                "kind": "castle",
                "cell": [0, 1],
                "target": {"player": 1, "vertex": [2, 1]},
            },
            "a knight goes on the ♠ Forest in Bo’s estate",
        ),
        ({"draft": "purchase", "bribes": 2}, "2 bribe markers for £4"),
        ({"draft": "levy", "of": "land", "bribes": 1}, "land 4 tiles, with 1 bribe marker"),
        (
            {"draft": "splendour", "bribes": 1, "cards": ["blackmail", "dowry"]},
            "5 prestige, with 1 bribe marker and 2 scandal cards",
        ),
    ],
)
def test_the_hand_shows_what_is_being_put_together(draft: dict[str, Any], said: str) -> None:
    hand = WORDS.render_hand(scene(draft=draft))
    assert hand
    assert said in " ".join(text(hand).split())


def test_the_estate_is_shown_as_it_would_be() -> None:
    draft = {"draft": "expansion", "of": "expand", "tiles": [["grove", 2, 0, "NW"]]}
    seen = text([*WORDS.render_remarks(scene(draft=draft))])
    assert "▟▙" in seen  # the forest is whole
    assert "▟▙" not in text([*WORDS.render_remarks(scene())])


# Sentences


@pytest.mark.parametrize(
    ("lang", "seat", "news", "said"),
    [
        ("en", 0, {"news": "turn_began", "seat": 0}, "It is your turn."),
        ("de", 1, {"news": "turn_began", "seat": 0}, "Anna ist am Zug."),
        ("de", 0, {"news": "money_handed_over", "giver": 1, "receiver": 0, "pounds": 2}, "Bo hat dir 2 £ gegeben."),
        (
            "de",
            0,
            {"news": "tiles_handed_over", "giver": 0, "receiver": 1, "count": 0},
            "Du hast Bo keine Plättchen geben können.",
        ),
        (
            "en",
            0,
            {"news": "knight_lifted", "seat": 1, "player": 0, "vertex": [2, 1]},
            "Bo lifted a knight in your estate.",
        ),
        (
            "de",
            0,
            {"news": "knight_lifted", "seat": 0, "player": 1, "vertex": [2, 1]},
            "Du hast einen Ritter im Anwesen von Bo abgezogen.",
        ),
        (
            "de",
            0,
            {"news": "knight_placed", "seat": 1, "player": 0, "vertex": [2, 1], "area": "forest"},
            "Bo hat einen Ritter auf den ♠ Wald in deinem Anwesen gestellt.",
        ),
        (
            "en",
            0,
            {"news": "points_scored", "seat": 1, "points": 1, "rule": "NM-IDLE-1"},
            "Bo scored 1 point for idleness.",
        ),
        (
            "en",
            0,
            {"news": "buildings_refilled", "added": {"castle": 2, "chapel": 0}},
            "New on the board: 2 ♜ Castle .",
        ),
        (
            "en",
            0,
            {"news": "hands_filled", "drawn": [0, 2, 0]},
            "The hands are filled from the bag: You 0, Bo 2, Cem 0.",
        ),
        ("de", 0, {"news": "title_taken", "seat": 0, "title": "duke"}, "Du bist jetzt Duke/Duchess."),
        (
            "en",
            1,
            {
                "news": "prestige_counted",
                "seat": 0,
                "base": 5,
                "bribes": 0,
                "blackmails": 1,
                "other_cards": 0,
                "total": 8,
                "field": 7,
            },
            "Anna counted 8 prestige (estate 5, blackmails 1) and stands on field 7.",
        ),
    ],
)
def test_news_are_sentences_to_whoever_hears_them(lang: str, seat: int, news: dict[str, Any], said: str) -> None:
    assert " ".join(WORDS.render_news(news, scene(lang, seat=seat)).plain.split()) == said


def test_news_that_nobody_knows_are_still_told() -> None:
    assert "Comet seen" in WORDS.render_news({"news": "comet_seen", "seat": 1}, scene()).plain


# When boards are shown


def test_an_estate_is_shown_again_only_when_it_has_changed() -> None:
    seen: dict[Any, Any] = {}
    assert len([*WORDS.render_changed_boards(scene(waiting=(0,)), seen)]) == 2  # the common board and all estates
    assert not [*WORDS.render_changed_boards(scene(waiting=(0,)), seen)]
    noblemen = scene().board["noblemen"]
    grown = {**ESTATE, "tiles": [*ESTATE["tiles"], ["field", 0, 2, "NE"]]}
    what = scene(noblemen=[{**noblemen[0], "estate": grown}, *noblemen[1:]])
    (estates,) = WORDS.render_changed_boards(what, seen)
    assert "Anna" not in text(estates)
    assert "you" in text(estates)
    assert "Bo" not in text(estates)


def test_the_common_board_waits_until_the_viewer_is_asked() -> None:
    seen: dict[Any, Any] = {}
    assert len([*WORDS.render_changed_boards(scene(), seen)]) == 1
    (common,) = WORDS.render_changed_boards(scene(waiting=(0,)), seen)
    assert "Church" in text(common)


def test_a_spectator_sees_the_common_board_with_every_turn() -> None:
    seen: dict[Any, Any] = {}
    assert len([*WORDS.render_changed_boards(scene(seat=None), seen)]) == 2
    assert not [*WORDS.render_changed_boards(scene(seat=None, bribes=3), seen)]
    assert len([*WORDS.render_changed_boards(scene(seat=None, bribes=3, active=1), seen)]) == 1


@pytest.mark.parametrize(("lang", "said"), [("en", "Decade III · Your turn"), ("de", "Dekade III · Du bist am Zug")])
def test_the_heading_says_whose_turn_it_is(lang: str, said: str) -> None:
    heading = WORDS.render_heading(scene(lang))
    assert heading
    assert heading.plain == said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_tells_the_game_in_short(lang: str) -> None:
    assert LANGUAGES[lang].HELP[0][:40] in text(WORDS.render_help(scene(lang)))


# The printed German words

BEGINS = {
    "lay": "expand",
    "build": "build",
    "buy": "bribe",
    "tax": "tax",
    "land": "land",
    "donate": "donate",
    "idle": "idle",
}
NOT_PRINTED = (
    "Folli",
    "die Folly",
    "diese Folly",
    "jeder Folly",
    "erweiter",
    "spende",
    "Landmarker",
    "hinter dem Schirm",
)


@pytest.mark.parametrize("phrase", BEGINS)
def test_actions_have_their_printed_german_names(phrase: str) -> None:
    (action,) = (action for action in CATALOG["action"] if action["id"] == BEGINS[phrase])
    assert action["name_de_source"] == "rulebook"
    assert LANGUAGES["de"].PHRASES[phrase].startswith(action["name_de"])


def test_german_sentences_use_the_printed_words() -> None:
    explained = (NOBLEMEN.folder / "explain.toml").read_text(encoding="utf-8")
    german = LANGUAGES["de"]
    sentences = [*german.PHRASES.values(), *german.REASONS.values(), *german.FIELDS.values(), *german.HELP]
    sentences += [*german.LABELS.values(), *(card["text_de"] for card in CATALOG["card"])]
    sentences += [line.rpartition("= ")[2] for line in explained.splitlines()]
    without_places = [re.sub(r"{\w+}", "", sentence).lower() for sentence in sentences]
    assert not [sentence for sentence in without_places for word in NOT_PRINTED if word.lower() in sentence]
