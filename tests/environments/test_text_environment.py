"""The text environment: what language models read, what they may answer, and what happens after wrong answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from environments.environment_fixture import ALL, any_game

from palatine_client.render.text import GameText
from palatine_server.environments import game_text, text_environment
from palatine_server.environments.text_environment import BadAnswer, TextEnvironment, Verdict, play_text_game
from palatine_server.games.kit import Game

SPICES = ALL["spice_market"]


def list_offered(text: str) -> list[str]:
    """Return the sentences of the actions at the end of a text."""
    return re.findall(r"(?m)^\d+\. (.+)$", text.rpartition("\n\n")[2])


def pick_at_random(seed: int, texts: list[str]) -> Callable[[str], str]:
    rng = Random(seed)

    def answer(text: str) -> str:
        texts.append(text)
        return str(rng.randrange(len(list_offered(text))) + 1)

    return answer


@any_game
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_turn_says_who_one_is_what_is_seen_and_what_can_be_done(game: Game, lang: str) -> None:
    environment = TextEnvironment(game, lang=lang, seed=1)
    text = environment.observe()
    name = {"en": "You are Player 1", "de": "Du bist Spieler 1"}[lang]
    assert text.startswith(f"{game.title[lang]}. {name}")
    assert len(list_offered(text)) == min(100, sum(choice.count() for choice in environment.episode.offer))
    assert "None" not in text


def test_a_whole_game_is_played_by_numbers() -> None:
    texts: list[str] = []
    environment = TextEnvironment(SPICES, 2, seed=1)
    result = play_text_game(environment, [pick_at_random(1, texts), pick_at_random(2, texts)])
    assert [row.seat for row in result.standings] == [0, 1] or [row.seat for row in result.standings] == [1, 0]
    assert result.failures == result.forced == [0, 0]
    assert len(texts) == environment.episode.actions
    assert environment.seat is None


@pytest.mark.parametrize(
    "form",
    ["{number}", " {number}.\n", "[{number}]", "{sentence}", "{sentence}.", '"{sentence}"', "{number}. {sentence}"],
)
def test_an_answer_is_a_number_or_a_sentence(form: str) -> None:
    environment = TextEnvironment("palais_royal", seed=1)
    sentence = list_offered(environment.observe())[2]
    assert environment.read_answer(form.format(number=3, sentence=sentence)) == 2
    assert environment.read_answer(form.format(number=3, sentence=sentence.upper())) == 2


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("", "Your answer was empty."),
        ("11", "There is no action 11."),
        ("0", "There is no action 0."),
        ("I would like 3 servants", "“I would like 3 servants” is none of your actions."),
        ("3. Recruit the king", "Action 3 is another one than “Recruit the king” says."),
        ("3" * 20_000, "Your answer was longer than 10,000 characters."),
    ],
)
def test_a_wrong_answer_gets_a_sentence_and_changes_nothing(answer: str, sentence: str) -> None:
    environment = TextEnvironment("palais_royal", seed=1)
    text = environment.observe()
    verdict = environment.answer(answer)
    assert not verdict.accepted
    assert verdict.sentence == (
        f"{sentence} Answer with a number from 1 to 10, or with the sentence of an action, and nothing else."
    )
    assert environment.observe() == text
    assert environment.failures[0] == 1


def test_german_agents_get_german_sentences() -> None:
    environment = TextEnvironment("palais_royal", seed=1, lang="de")
    assert environment.answer("99").sentence.startswith("Es gibt keine Aktion 99. Antworte mit einer Nummer von 1 bis")


def test_cells_are_said_in_the_words_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_text, "load_game_text", lambda name: GameText())
    environment = TextEnvironment("between_two_castles", players=2, seed=1)
    while "Place " not in environment.observe():
        environment.answer("1")
    sentences = [sentence for sentence in list_offered(environment.observe()) if sentence.startswith("Place ")]
    assert all(" at column " in sentence for sentence in sentences), sentences


def test_an_answer_that_fits_two_actions_is_ambiguous(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = TextEnvironment("palais_royal", seed=1)
    monkeypatch.setattr(environment, "_sentences", ["Wait", "wait"])
    with pytest.raises(BadAnswer, match="Several actions"):
        environment.read_answer("Wait")
    assert environment.read_answer("2. Wait") == 1


def test_after_too_many_wrong_answers_a_random_legal_action_is_carried_out() -> None:
    environment = TextEnvironment("palais_royal", seed=1, patience=3)
    verdicts = [environment.answer("?") for _ in range(3)]
    assert [verdict.forced for verdict in verdicts] == [False, False, True]
    assert environment.episode.actions == 1
    assert (environment.failures[0], environment.forced[0]) == (3, 1)
    assert environment.answer("1") == Verdict(accepted=True)  # the patience is new in the next turn


def test_agents_that_crash_or_babble_finish_their_game() -> None:
    heard: list[str] = []

    def crash(text: str) -> str:
        raise ZeroDivisionError

    def babble(text: str) -> str:
        heard.append(text)
        return "Let me think about this."

    environment = TextEnvironment(SPICES, 2, seed=2, patience=2)
    result = play_text_game(environment, [crash, babble])
    assert len(result.standings) == 2
    assert all(forced * 2 == failures > 0 for forced, failures in zip(result.forced, result.failures, strict=True))
    assert "is none of your actions. Answer with a number" in heard[1]


def test_the_same_seed_is_the_same_game() -> None:
    boards = []
    for _ in range(2):
        environment = TextEnvironment(SPICES, 2, seed=3, patience=1)
        play_text_game(environment, [lambda text: "?", lambda text: "?"])
        boards.append(repr(environment.episode.play.board))
    assert boards[0] == boards[1]


def test_large_offers_are_chosen_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_environment, "MOST_LISTED", 10)
    environment = TextEnvironment("between_two_castles", 3, seed=1)
    groups = list_offered(environment.observe())
    assert len(groups) == 5
    assert groups[0].startswith("10 actions, from “")
    assert environment.answer("5").accepted
    assert (environment.seat, environment.episode.actions) == (0, 0)
    assert len(list_offered(environment.observe())) == 5
    assert environment.answer("5").accepted
    assert (environment.seat, environment.episode.actions) == (1, 1)


def test_every_player_needs_an_agent() -> None:
    with pytest.raises(ValueError, match="2 players need as many agents, not 1"):
        play_text_game(TextEnvironment(SPICES, 2), [str])
