"""`palatine check`: it finds the mistakes of a game, says how to see them again, and finds nothing in a sound one."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from cli.leaky_game import LEAKY
from cli.leaky_market import LEAKY_MARKET
from games.kit.example_game import QUAY, BoatMoored, LanternsRevealed, Lay, Moor, Quay, Think
from games.registered import every_game
from msgspec import Meta, Struct
from spice_market import SPICE_MARKET
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.checks import explanations, random_games
from palatine_server.checks.check_list import NAMES, CheckPlan
from palatine_server.checks.random_games import choose_options
from palatine_server.checks.runner import check_game
from palatine_server.cli import check_texts
from palatine_server.games.kit import (
    AGAIN,
    Chance,
    Game,
    Range,
    Refused,
    Seat,
    SecretSwap,
    Standing,
    Topic,
    at_random,
    choice,
    plain,
)
from palatine_server.games.kit.explanations.reasons import Reason

SOURCE = "games.kit.example_game:QUAY"


def palatine(*words: str) -> Result:
    return CliRunner().invoke(main.build_app("check"), ["check", *words], env={"COLUMNS": "200"})


# What it finds


def overdue(game: Quay, late: Any) -> Any:
    seat = min(late)
    action = plain(game.offer(seat)[0].nth(0))
    return seat, QUAY.read_action(action)


SOUND = replace(QUAY, overdue=overdue)


def found(game: Game, *only: str) -> list[str]:
    """Return the sentences of everything that is wrong with a game."""
    plan = CheckPlan(seeds=2, only=frozenset(only))
    return [finding.sentence for finding in check_game(game, plan) if not finding.is_warning]


def test_a_sound_game_has_no_findings() -> None:
    assert found(SOUND) == []


def with_rule(name: str, changed: Callable[..., Any]) -> Game:
    changed.__name__ = name
    return replace(SOUND, rules=tuple(changed if rule.__name__ == name else rule for rule in SOUND.rules))


def losing_moor(game: Quay, seat: Seat) -> Any:
    answer = yield [choice(Moor, bags=[1, 2])]
    game.board.quays[seat] += answer.bags
    game.box.sea.append(9)


memory: list[int] = []


def remembering_moor(game: Quay, seat: Seat) -> Any:
    """The rule keeps state beside the document."""
    answer = yield [choice(Moor, bags=[1, 2])]
    memory.append(answer.bags)
    game.board.quays[seat] += len(memory)


def unlisted_moor(game: Quay, seat: Seat) -> Any:
    answer = yield [choice(Moor, bags=[1, 2])]
    game.board.quays[seat] += answer.bags
    game.tell(BoatMoored(seat))


def raising_moor(game: Quay, seat: Seat) -> Any:
    yield [choice(Moor, bags=[1, 2])]
    raise KeyError("a boat")


def eager_moor(game: Quay, seat: Seat) -> Any:
    """The rule changes the document before it asks; doing so again changes nothing more."""
    game.board.waved = [seat]
    answer = yield [choice(Moor, bags=[1, 2])]
    game.board.quays[seat] += answer.bags


def choose_from_nothing(game: Quay, seat: Seat) -> Any:
    yield [choice(Moor, bags=Range(1, 0))]


def peek(game: Quay, seat: Seat, below: Any) -> Any:
    """The bot looks into all hands."""
    return at_random(game, seat, below) if all(hand.lanterns for hand in game.hands) else Moor(99)


def explain_badly(game: Quay, viewer: Seat | None, seat: Seat) -> Reason:
    return Reason("x", "X-1")


def wrong_refusal(game: Quay, seat: Seat, action: Any) -> Refused:
    return Refused("Not good", "no", "LQ-99")


def fail_at_the_last_boat(game: Quay, seat: Seat, below: Any) -> Any:
    return at_random(game, seat, below) if game.board.sea else Moor(99)


def think_forever(game: Quay, seat: Seat, below: Any) -> Any:
    return Think(1)


@pytest.mark.parametrize(
    ("game", "check", "words"),
    [
        (with_rule("moor", remembering_moor), "rebuilt_is_same", "the same actions lead elsewhere"),
        (with_rule("moor", losing_moor), "pieces_are_conserved", "check fails after"),
        (with_rule("moor", raising_moor), "told_is_seen", "KeyError: 'a boat'"),
        (
            replace(with_rule("moor", unlisted_moor), news=SOUND.news[:2]),
            "as_described",
            "is not in news",
        ),
        (with_rule("moor", eager_moor), "asking_changes_nothing", "'moor' changes the document before it asks seat"),
        (with_rule("moor", choose_from_nothing), "told_is_seen", "'moor' asks seat"),
        (replace(SOUND, policies={**SOUND.policies, "peeking": peek}), "policies_play", "from the view of seat"),
        (replace(SOUND, why_not=wrong_refusal), "refused_is_unchanged", "needs a code of lower-case letters"),
        (QUAY, "overdue_is_legal", "which is not offered"),
        (QUAY, "clock_ends_the_game", "which is refused"),
        (replace(SOUND, standings=lambda game: [Standing(0, 0, 2)]), "standings", "standings has the seats [0]"),
        (replace(SOUND, policies={"random": lambda game, seat, below: Moor(99)}), "policies_play", "which is refused"),
        (
            replace(SOUND, policies={**SOUND.policies, "expert": lambda *_: Moor(99)}),
            "policies_play",
            "'expert' chooses",
        ),
        (replace(SOUND, policies={**SOUND.policies, "late": fail_at_the_last_boat}), "policies_play", "'late' chooses"),
        (
            replace(SOUND, policies={**SOUND.policies, "endless": think_forever}),
            "policies_play",
            "let the rules bring an end",
        ),
        (
            replace(SOUND, topics={"score": Topic(lambda game, viewer: {"seat": game.seats}, explain_badly)}),
            "reasons_hold",
            "names the rule 'X-1'",
        ),
        (replace(SOUND, moments={"game_over": "LQ-END-1"}), "rule_ids", "LQ-END-1"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_a_mistake_is_found(game: Game, check: str, words: str) -> None:
    sentences = found(game, check)
    assert sentences
    assert words in sentences[0]


def test_an_offer_that_depends_on_a_secret_is_found_without_a_swap_of_the_game() -> None:
    (sentence, *_) = found(LEAKY, "offers_read_no_secrets")
    assert "the rule 'play' reads the hand of seat 1 before it asks seat 0" in sentence
    plan = CheckPlan(seeds=20, only=frozenset({"secrets_can_be_swapped"}))
    sentences = [finding.sentence for finding in check_game(LEAKY, plan)]
    assert any("learns a secret from its offer" in sentence for sentence in sentences)
    assert any("read only the board and the hand of the seat" in sentence for sentence in sentences)


# Secret choices

SEALED = replace(SOUND, sealed={"lay": "lanterns_revealed"})


def lay_and(after: Callable[[Quay, int], Any]) -> Game:
    """Return the game with another rule for laying a lantern in secret."""

    def lay(game: Quay, seat: Seat) -> Any:
        hand = game.hands[seat]
        answer = yield [choice(Lay, lantern=hand.lanterns)]
        hand.lanterns.remove(answer.lantern)
        hand.laid = answer.lantern
        return after(game, answer.lantern)

    return replace(with_rule("lay", lay), sealed=SEALED.sealed)


def test_a_choice_that_stays_in_the_hand_is_secret() -> None:
    assert found(SEALED, "secret_choices") == found(lay_and(lambda game, lantern: None), "secret_choices") == []


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (lambda game, lantern: game.board.waved.append(lantern), "from the board: waved"),
        (lambda game, lantern: game.tell(BoatMoored(lantern % 2)), "from the news boat_moored"),
        (lambda game, lantern: setattr(game.hands[0], "thought", lantern), "from the viewer's own hand"),
        (lambda game, lantern: AGAIN if lantern == 1 else None, "changes for which seats the table waits"),
    ],
    ids=["board", "news", "hand", "waiting"],
)
def test_a_secret_choice_that_others_can_tell_is_found(after: Callable[[Quay, int], Any], words: str) -> None:
    sentences = found(lay_and(after), "secret_choices")
    assert any(words in sentence for sentence in sentences), sentences


# Swapped secrets


def swap_thoughts(document: Any, viewer: int, rng: Any) -> Any:
    for seat, hand in enumerate(document["hands"]):
        hand["thought"] = hand["thought"] if seat == viewer else rng.getrandbits(8)
    return document


SWAPPED = replace(SOUND, secrets=SecretSwap(swap_thoughts, {"lanterns_revealed"}))


def telling_reveal(game: Quay) -> None:
    """The rule reveals the lanterns, and beside them what all think, which its news do not name."""
    game.tell(LanternsRevealed([hand.laid for hand in game.hands]))
    game.board.waved = [hand.thought for hand in game.hands]


def test_a_leak_beside_news_that_reveal_something_else_is_found() -> None:
    leaking = replace(with_rule("reveal", telling_reveal), secrets=SWAPPED.secrets)
    assert found(SWAPPED, "secrets_can_be_swapped") == []
    plan = CheckPlan(seeds=12, only=frozenset({"secrets_can_be_swapped"}))
    sentences = [finding.sentence for finding in check_game(leaking, plan)]
    assert any("depends on what it may not know: board" in sentence for sentence in sentences)


def lose_document(document: Any, viewer: int, rng: Any) -> None:
    document.clear()


def change_own_hand(document: Any, viewer: int, rng: Any) -> Any:
    document["hands"][viewer]["thought"] += 1
    return document


def double_a_boat(document: Any, viewer: int, rng: Any) -> Any:
    document["box"]["sea"] += [1]
    return document


@pytest.mark.parametrize(
    ("swap", "words"),
    [
        (lose_document, "secrets.swap returns NoneType; return the document"),
        (change_own_hand, "sees; exchange only what it cannot see"),
        (double_a_boat, "secrets.swap makes an impossible document: its check fails; keep all pieces"),
    ],
)
def test_a_swap_that_is_wrong_is_found(swap: Callable[..., Any], words: str) -> None:
    sentences = found(replace(SOUND, secrets=SecretSwap(swap, {"lanterns_revealed"})), "secrets_can_be_swapped")
    assert sentences
    assert all(words in sentence for sentence in sentences)


def test_a_piece_on_the_board_that_no_revealing_news_tell_is_found() -> None:
    plan = CheckPlan(seeds=12, only=frozenset({"secrets_can_be_swapped"}))
    assert [*check_game(SPICE_MARKET, plan)] == []
    sentences = [finding.sentence for finding in check_game(LEAKY_MARKET, plan)]
    assert any("in board.discard" in sentence and "which no news tell" in sentence for sentence in sentences)


def test_a_swap_that_exchanges_nothing_is_missing() -> None:
    idle = replace(SOUND, secrets=SecretSwap(lambda document, viewer, rng: document, set()))
    plan = CheckPlan(only=frozenset({"secrets"}))
    (finding,) = check_game(idle, plan)
    assert (finding.is_warning, "exchanges nothing" in finding.sentence) == (True, True)
    assert [*check_game(SWAPPED, plan)] == []


def test_a_pile_that_the_swap_leaves_as_it_is_is_missing() -> None:
    plan = CheckPlan(only=frozenset({"secrets"}))
    half = replace(SPICE_MARKET, secrets=SecretSwap(swap_deck, SPICE_MARKET.secrets.revealing))
    (finding,) = check_game(half, plan)
    assert (finding.is_warning, "the pieces in hands.cards, so no leak" in finding.sentence) == (True, True)
    assert [*check_game(SPICE_MARKET, plan)] == []


def swap_deck(document: Any, viewer: int, rng: Any) -> Any:
    rng.shuffle(document["box"]["deck"])
    return document


# Labels


def test_figures_without_labels_are_missing(tmp_path: Path) -> None:
    shutil.copytree(QUAY.folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "catalog.toml").write_text(
        '[[boats]]\nid = "a"\nname_en = "A"\nname_de = "A"\nsuit = "red"\ncopies = 2\n'
    )
    plan = CheckPlan(only=frozenset({"labels"}))
    sentences = [finding.sentence for finding in check_game(replace(SOUND, folder=tmp_path), plan)]
    assert any("so players read suit of catalog.toml in English" in sentence for sentence in sentences)


# Options


class MooringOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of which one makes the game lose a boat."""

    wind: Literal["calm", "storm"] = "calm"
    is_late: bool = False
    boats: Annotated[int, Meta(ge=1, le=4)] = 2


def test_every_switch_word_and_limit_is_played_and_the_first_seed_is_as_usual() -> None:
    game = replace(SOUND, options=MooringOptions)
    chosen = [choose_options(game, game.players[0], seed) for seed in range(5)]
    assert chosen == [{}, {"wind": "storm"}, {"is_late": True}, {"boats": 1}, {"boats": 4}]
    assert choose_options(game, game.players[0], 5) == {}


def test_a_finding_names_the_options_that_show_it() -> None:
    def set_up(players: int, options: MooringOptions, chance: Chance) -> Any:
        assert options.wind == "calm", "a storm"
        return QUAY.setup(players, QUAY.options(), chance)

    game = replace(SOUND, options=MooringOptions, setup=set_up)
    plan = CheckPlan(seeds=5, players=game.players[0], only=frozenset({"told_is_seen"}))
    (finding,) = check_game(game, plan)
    assert (finding.seed, finding.options) == (1, {"wind": "storm"})
    assert "a storm" in finding.sentence


# Refusals


def test_only_what_may_be_a_refusal_needs_a_translation(tmp_path: Path) -> None:
    source = tmp_path / "rules.py"
    source.write_text(
        """
def rule(game):
    '''A docstring with a sentence.'''
    assert game, "An assertion that failed."
    limit = Meta(description="What an option means.")
    return kit.Refused("late", "You come too late.", "X-1")
"""
    )
    assert [*explanations._find_refusals(source)] == ["You come too late."]


# The command


def test_findings_come_with_the_command_that_shows_them_again() -> None:
    first = palatine(SOURCE, "--seeds", "1", "--jobs", "1", "--only", "overdue_is_legal", "--lang", "en")
    assert first.exit_code == 1
    (command,) = [line.strip() for line in first.stdout.splitlines() if line.strip().startswith("palatine check")]
    again = palatine(*command.split()[2:], "--jobs", "1", "--lang", "en")
    assert "overdue chooses" in again.stdout
    assert again.exit_code == 1


def test_a_game_that_does_not_end_is_not_played_again_for_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "MOST_ACTIONS", 100)
    done = palatine("cli.endless_game:ENDLESS", "--jobs", "1", "--lang", "en")
    assert done.exit_code == 1
    assert "random play is not over after" in done.stdout
    assert "3 games played" in done.stdout
    assert "further games were not played" in done.stdout


def test_warnings_fail_only_a_strict_check() -> None:
    words = [SOURCE, "--only", "labels", "--jobs", "1"]
    assert palatine(*words).exit_code == 0
    assert palatine(*words, "--strict").exit_code == 1


def test_the_report_for_programs() -> None:
    done = palatine(
        SOURCE, "--only", "standings", "--only", "overdue_is_legal", "--players", "2", "--json", "--jobs", "1"
    )
    report = json.loads(done.stdout)
    assert (report["game"], report["checks"], report["games"]) == ("quay", 2, 6)
    (finding,) = report["findings"]
    assert (finding["check"], finding["players"], finding["seed"]) == ("overdue_is_legal", 2, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere:X"], "No module named"),
        ([SOURCE, "--only", "luck"], "There is no check 'luck'"),
        ([SOURCE, "--players", "9"], "2 to 4"),
    ],
)
def test_what_cannot_be_checked_says_why(words: list[str], said: str) -> None:
    done = palatine(*words, "--lang", "en")
    assert done.exit_code == 2
    assert said in done.stderr


def test_golden_games_are_recorded_and_compared(tmp_path: Path) -> None:
    assert palatine(SOURCE, "--record", "--golden", str(tmp_path)).exit_code == 0
    words = [SOURCE, "--only", "golden", "--golden", str(tmp_path), "--jobs", "1", "--lang", "en"]
    assert palatine(*words).exit_code == 0
    file = next(tmp_path.iterdir())
    file.write_text(file.read_text().replace('"end": [', '"end": [5,'))
    assert "ends otherwise" in palatine(*words).stdout


def test_several_processes_find_the_same() -> None:
    words = [SOURCE, "--seeds", "1", "--json"]
    assert palatine(*words, "--jobs", "1").stdout == palatine(*words, "--jobs", "2").stdout


def test_all_checks_have_titles_in_both_languages() -> None:
    assert [*check_texts.TITLES] == [*NAMES]
    assert all(english != german for english, german in [*check_texts.TITLES.values(), *check_texts.TEXTS.values()])


@every_game
def test_registered_games_are_checked_by_name(game: Game) -> None:
    assert palatine(game.name, "--only", "description", "--jobs", "1", "--lang", "de").exit_code == 0


def test_it_needs_no_development_tools() -> None:
    loaded = [name for name in sys.modules if name.startswith("palatine_server.checks")]
    assert loaded
    for name in loaded:
        assert "hypothesis" not in Path(str(sys.modules[name].__file__)).read_text(encoding="utf-8")
