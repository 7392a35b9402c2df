"""Explaining: sums, what a viewer is answered from, words in two languages."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from games.kit.example_game import QUAY, Lay, Quay, Think

from palatine_protocol.errors import Code
from palatine_server.games.kit import (
    ExplanationTextError,
    Phrase,
    Reason,
    Refused,
    Standing,
    Topic,
    engine,
    explain_topic,
    places,
    plain,
    questions,
    read_explanation_text,
    sum_of,
    total,
    why_refused,
)
from palatine_server.games.kit.explanations.explanation_text import COMMON, NO_TEXT
from palatine_server.games.kit.explanations.reasons import at_least_nothing, sight

WORDS = """
[topic]
light = { en = "What light does {seat} have?", de = "Welches Licht hat {seat}?" }

[what]
light = { en = "{seat} has lanterns: {count}; {lamp}.", de = "{seat} hat Laternen: {count}; {lamp}." }
lanterns = { en = "Lanterns: {lanterns}; at {cells}.", de = "Laternen: {lanterns}; bei {cells}." }

[name]
lamp = { en = "Lamp", de = "Lampe" }

[refusal]
"It is dark." = "Es ist dunkel."
"""


def light(game: Quay, viewer: int | None, seat: int) -> Reason:
    """The number of lanterns that the asker knows of."""
    held = [] if viewer != seat else game.hands[seat].lanterns
    return total("light", "Q-1", (Reason("lantern", "Q-2", lantern) for lantern in held), seat=seat)


def lanterns_of(game: Quay, seat: int, action: Lay) -> list[Reason]:
    return [Reason("lanterns", "Q-3", None, {"lanterns": game.hands[seat].lanterns})]


GAME = replace(
    QUAY,
    topics={
        "light": Topic(lambda game, viewer: {"seat": game.seats}, light),
        "fog": Topic(lambda game, viewer: None, light),
    },
    grounds={"not_offered": lanterns_of},
    words=read_explanation_text(WORDS, {"boat": Phrase("Boat", "Boot")}),
)


def begun() -> Any:
    return GAME.begin(3, "11" * 32)


# Reasons


def test_a_total_is_the_sum_of_what_has_an_amount() -> None:
    parts = [Reason("one", "Q-1", 3), Reason("two", "Q-1"), Reason("three", "Q-1", -1)]
    assert total("all", "Q-2", parts, count=2) == Reason("all", "Q-2", 2, {"count": 2}, parts)
    assert sum_of([]) == 0


def test_what_falls_below_zero_is_made_good() -> None:
    assert at_least_nothing("floor", "Q-1", -2) == [Reason("floor", "Q-1", 2)]
    assert at_least_nothing("floor", "Q-1", 0) == []


def test_a_reason_is_plain_data_without_what_it_does_not_say() -> None:
    reason = total("all", "Q-1", [Reason("one", "Q-2", 3)], cells=[(1, 2)])
    because = [{"what": "one", "rule": "Q-2", "amount": 3}]
    assert plain(reason) == {
        "what": "all",
        "rule": "Q-1",
        "amount": 3,
        "figures": {"cells": [[1, 2]]},
        "because": because,
    }


def test_places_are_compared_until_nobody_is_left() -> None:
    rows = [Standing(0, 7, 1), Standing(1, 7, 1), Standing(2, 4, 3)]
    assert list(places(rows, 2, ("score", "Q-1"), shared="Q-2")) == [
        Reason("place_by_score", "Q-1", None, {"score": 4, "others": [7, 7]})
    ]
    assert list(places(rows, 0, ("score", "Q-1"), shared="Q-2"))[1] == Reason(
        "place_shared", "Q-2", None, {"seats": [1]}
    )


# Who is answered, and from what


def test_sight_holds_the_board_and_the_own_hand_and_nothing_else() -> None:
    game = begun()
    seen = sight(game, 1)
    assert seen.board is game.board
    assert [hand is not None for hand in seen.document.hands] == [False, True, False]
    assert (seen.document.box, seen.document.chance, seen.document.agenda) == (None, None, [])
    assert sight(game, None).document.hands == [None, None, None]


def test_an_explanation_that_reaches_for_another_hand_fails() -> None:
    nosy = replace(GAME, topics={"light": Topic(lambda game, viewer: {}, lambda game, viewer: game.hands[2].lanterns)})
    with pytest.raises(AttributeError):
        explain_topic(nosy.begin(3, "11" * 32), 0, {"do": "light"})


def test_questions_come_as_an_offer_and_only_these_are_answered() -> None:
    game = begun()
    assert plain(questions(game, 0)) == [{"do": "light", "fields": {"seat": [0, 1, 2]}}]
    assert explain_topic(game, 0, {"do": "light", "seat": 0}).amount == 15
    assert explain_topic(game, 0, {"do": "light", "seat": 1}).amount == 0
    assert explain_topic(game, 0, {"do": "light", "seat": 0, "more": 1}).amount == 15
    for question in (
        {"do": "light", "seat": True},
        {"do": "fog", "seat": 0},
        {"do": []},
    ):
        with pytest.raises(Refused, match="not_explained"):
            explain_topic(game, 0, question)


def test_a_refusal_is_explained_with_its_grounds_and_changes_nothing() -> None:
    game = begun()
    before = GAME.pack(game)
    reason = why_refused(game, 0, Lay(9))
    assert reason
    assert reason.figures == {"code": "not_offered", "sentence": "This action is not among those offered to you."}
    assert reason.because == [Reason("lanterns", "Q-3", None, {"lanterns": [1, 2, 3, 4, 5]})]
    assert why_refused(game, 0, Lay(2)) is None
    assert why_refused(game, 0, Think(3)) is None
    assert GAME.pack(game) == before


def test_a_refusal_is_the_one_that_acting_gives() -> None:
    game = begun()
    game.act(0, Lay(2))
    with pytest.raises(Refused) as refused:
        game.act(0, Lay(3))
    reason = why_refused(game, 0, Lay(3))
    assert reason
    assert (reason.figures["code"], reason.figures["sentence"]) == (refused.value.code, refused.value.sentence)


# Words


def test_sentences_name_players_components_and_cells() -> None:
    reason = Reason("light", "Q-1", 2, {"seat": 1, "count": 2, "lamp": "boat"})
    assert GAME.words.sentence(reason, "en", ["Ada", "Ben"]) == "Ben has lanterns: 2; Boat."
    assert GAME.words.sentence(reason, "de") == "Spieler 2 hat Laternen: 2; Boot."
    cells = Reason("lanterns", "Q-1", None, {"lanterns": ["lamp", "boat"], "cells": [(0, 1), (-1, 2)]})
    assert GAME.words.sentence(cells, "de") == "Laternen: Lampe, Boot; bei (0, 1), (-1, 2)."
    again = msgspec.convert(plain(cells), Reason)
    assert GAME.words.sentence(again, "de") == GAME.words.sentence(cells, "de")
    none = Reason("lanterns", "Q-1", None, {"lanterns": [], "cells": []})
    assert GAME.words.sentence(none, "en") == "Lanterns: none; at none."


def test_refusals_and_questions_have_words_too() -> None:
    refused = Reason("refused", "", None, {"code": "dark", "sentence": "It is dark."})
    assert [GAME.words.sentence(refused, lang) for lang in ("en", "de")] == ["It is dark.", "Es ist dunkel."]
    over = Reason("refused", "", None, {"code": "game_over", "sentence": "The game is over."})
    assert QUAY.words.sentence(over, "de") == "Das Spiel ist vorbei."
    assert GAME.words.question({"do": "light", "seat": 0}, "de", ["Ada"]) == "Welches Licht hat Ada?"


def test_what_has_no_words_is_said_with_its_own_names() -> None:
    assert NO_TEXT.question({"do": "final_score", "seat": 0}, "en", ["Ada"]) == "Final score: seat Ada"
    reason = Reason("fine_lamps", "Q-1", 2, {"seat": 1, "lamp": "boat"})
    assert [*NO_TEXT.account(reason, "de", ["Ada", "Ben"])] == ["2  Fine lamps: seat Ben, lamp boat [Q-1]"]


def test_an_account_has_a_line_for_each_reason_with_its_amount_and_rule() -> None:
    cause = Reason("lanterns", "Q-2", None, {"lanterns": ["lamp"], "cells": [(0, 1)]})
    reason = Reason("light", "Q-1", 2, {"seat": 0, "count": 2, "lamp": "lamp"}, [cause])
    assert list(GAME.words.account(reason, "en", ["Ada"])) == [
        "2  Ada has lanterns: 2; Lamp. [Q-1]",
        "  Lanterns: Lamp; at (0, 1). [Q-2]",
    ]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ('[what]\nlight = { en = "Light." }', "what.light"),
        ('[what]\nlight = { en = "Light.", de = "" }', "light"),
        ('[what]\nlight = { en = "{count} lights.", de = "{number} Lichter." }', "light"),
        ('[what]\nlight = { en = "{a.b} lights.", de = "{a.b} Lichter." }', "light"),
        ('[topic]\nlight = { en = "{count}?", de = "Wie viele?" }', "topic 'light'"),
        ('[waht]\nlight = { en = "Light.", de = "Licht." }', "waht"),
    ],
)
def test_wrong_words_are_refused_when_read(wrong: str, named: str) -> None:
    with pytest.raises(ExplanationTextError, match=named):
        read_explanation_text(wrong, {})


def test_the_refusals_of_the_kit_have_german_words() -> None:
    codes = {*re.findall(r"Code\.(\w+)", Path(engine.__file__).read_text("utf-8"))}
    assert len(codes) == 4
    assert {Code[code].sentence for code in codes} == {*COMMON}
