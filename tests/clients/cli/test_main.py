"""The `palatine` command: help worth reading, errors that say what to do, and games that can be repeated."""

import ast
import inspect
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_client.cli.commands import play
from palatine_client.cli.json_mode import host_commands, json_lines, table_commands
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.kit import Play
from palatine_server.games.registry import GAMES
from palatine_server.simulation import derive_seed

GAME = BETWEEN_TWO_CASTLES.name
Palatine = Callable[..., Result]


def palatine(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), words)


def simulate(*words: str) -> Result:
    return palatine("simulate", GAME, *words)


# Help


def test_help_shows_examples_that_work_as_they_stand() -> None:
    shown = palatine("--help").output
    assert palatine().output.strip() == shown.strip()
    assert "Examples" in shown
    assert f"palatine simulate {GAME} --players 3 --show" in shown


def test_help_of_simulate_shows_examples_and_groups_its_options() -> None:
    shown = palatine("simulate", "-h").output
    examples = re.findall(rf"palatine simulate {GAME} (.*)", shown)
    assert len(examples) >= 5
    assert all(
        option in shown for option in ("--players", "--games", "--seed", "--jobs", "--show", "--policy", "--lang")
    )
    assert [shown.index(panel) for panel in ("What is played", "How it is played", "What you see")]


@pytest.mark.parametrize("module", [table_commands, host_commands, json_lines])
def test_help_of_play_names_everything_that_a_program_may_say(module: ModuleType) -> None:
    patterns = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.MatchMapping)]
    words = [ast.literal_eval(pattern.keys[0]) for pattern in patterns if pattern.keys]
    assert words
    assert [word for word in words if f'{{"{word}": ' not in play.HELP] == []


def commands(asked: str) -> set[str]:
    return {
        str(command.name or getattr(command.callback, "__name__", ""))
        for command in main.build_app(asked).registered_commands
    }


def test_nobody_waits_for_commands_he_did_not_ask_for() -> None:
    everything = commands("")
    assert {"play", "serve", "simulate", "verify"} <= everything
    assert commands("no such command") == everything
    assert "serve" in commands("serve") < everything - {"play", "simulate", "verify"}
    assert "play" in commands("play") < everything - {"serve", "simulate", "verify"}


def test_version_is_that_of_the_package() -> None:
    assert re.fullmatch(r"palatine \d+\.\d+\.\d+\n", palatine("--version").output)


# Parts


def test_a_part_that_cannot_be_loaded_says_so_and_holds_up_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer()
    main.add_commands(EntryPoint("server", "no_such_module:add_to", main.PARTS), app)
    assert "pip install 'palatine[server]'" in capsys.readouterr().err
    assert app.registered_commands == []


# Errors: one line that says what to do next, exit code 2


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["betwen_two_castles"], "Did you mean between_two_castles?"),
        (["chess"], "Try between_two_castles"),
        ([GAME, "--players", "9"], "Try --players 7 or --players 2-7."),
        ([GAME, "--players", "1-4"], "Try --players 7 or --players 2-7."),
        ([GAME, "--players", "5-3"], "Try --players 7 or --players 2-7."),
        ([GAME, "--players", "many"], "Try --players 7 or --players 2-7."),
        ([GAME, "--seed", "abc"], "Use a whole number such as 1"),
        ([GAME, "--seed", "-3"], "Use a whole number such as 1"),
        ([GAME, "--seed", "f" * 64], "Use --games 1 and --players with one number."),
        ([GAME, "--seed", "f" * 64, "--players", "3", "--games", "2"], "Use --games 1 and --players with one number."),
        ([GAME, "--policy", "wise"], "Use one of random, greedy, strong, expert, or one for each seat."),
        ([GAME, "--policy", "random,greedy", "--players", "3"], "Name one for all, or use --players 2."),
        ([GAME, "--option", "takeback"], "Write --option KEY=VALUE"),
        (
            [GAME, "--option", "hats=3"],
            "Options are: reseat, takeback, finite_supply, finite_attendants, ages, seniority.",
        ),
        ([GAME, "--option", "takeback=perhaps"], "--option takeback: "),
        ([GAME, "--option", "seniority=[0,0]"], "The seniority must name every seat once."),
    ],
)
def test_what_cannot_be_understood_ends_in_one_line_of_advice(words: list[str], advice: str) -> None:
    result = palatine("simulate", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert advice in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


# Playing


def figures(*words: str) -> dict[str, object]:
    """The figures of a run without the times."""
    result = simulate("--json", *words)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    for row in report["by_players"]:
        del row["seconds"], row["actions_per_second"]
    return {"digest": report["digest"], "by_players": report["by_players"]}


def test_the_same_seed_gives_the_same_figures_with_any_number_of_processes() -> None:
    alone = figures("--games", "6", "--seed", "7", "--jobs", "1")
    assert alone == figures("--games", "6", "--seed", "7", "--jobs", "2")
    assert alone != figures("--games", "6", "--seed", "8", "--jobs", "1")


def test_a_game_of_a_run_can_be_played_alone_by_its_seed() -> None:
    run = figures("--games", "1", "--seed", "7", "--players", "4")
    assert run == figures("--seed", derive_seed(7, 0), "--players", "4")


def test_without_more_words_every_number_of_players_plays_one_game() -> None:
    rows = figures()["by_players"]
    assert [(row["players"], row["games"]) for row in rows] == [(number, 1) for number in range(2, 8)]  # type: ignore[attr-defined]


def test_games_take_turns_through_a_range_of_players() -> None:
    rows = figures("--players", "2-3", "--games", "5")["by_players"]
    assert [(row["players"], row["games"]) for row in rows] == [(2, 3), (3, 2)]  # type: ignore[attr-defined]


def test_naming_policies_seats_as_many_players() -> None:
    shown = simulate("--policy", "random,greedy,random").output
    assert re.search(r"2 +greedy +\d", shown)
    assert re.search(r"greedy: [\d.]+% of the first places with 1 of 3 seats \(by chance 33.3%\)", shown)


def test_words_and_json_are_both_options() -> None:
    plainly = figures("--players", "3", "--option", "reseat=random", "-o", "takeback=false")
    assert plainly == figures("--players", "3", "--option", 'reseat="random"', "-o", "takeback=false")
    assert plainly != figures("--players", "3")


def test_figures_are_shown_as_tables() -> None:
    shown = simulate("--players", "2", "--games", "3").output
    assert "Between Two Castles" in shown
    assert re.search(r"^2 +3 +\d+ +\d+ +\d+ +[\d.]+ +\d+ +\d+ +[\d,]+$", shown, re.MULTILINE)
    assert "First places" in shown
    assert "3 games," in shown


def test_a_game_can_be_named_with_hyphens() -> None:
    assert palatine("simulate", "between-two-castles", "--players", "2").exit_code == 0


# Showing


@pytest.mark.parametrize(("lang", "words"), [("en", ("Throne Room", "Score sheet")), ("de", ("Thronsaal", "Endstand"))])
def test_show_draws_the_final_board(lang: str, words: tuple[str, str]) -> None:
    shown = simulate("--players", "3", "--show", "--lang", lang).output
    assert all(word in shown for word in words)
    assert "random 1 + random 2" in shown


@pytest.mark.parametrize(("games", "drawn"), [("3", 3), ("4", 1)])
def test_of_more_than_three_games_only_the_last_is_drawn(games: str, drawn: int) -> None:
    shown = simulate("--players", "2", "--games", games, "--show").output
    assert shown.count("Final ranking") == drawn
    assert derive_seed(1, int(games) - 1) in shown


# Failing


def lose_a_tile(play: Play) -> None:  # type: ignore[type-arg]
    if play.board.round == 2:
        raise AssertionError("a tile is lost")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "broken", replace(BETWEEN_TWO_CASTLES, name="broken", check=lose_a_tile))


@pytest.mark.usefixtures("broken")
def test_a_crash_prints_one_command_that_repeats_it() -> None:
    words = ["--players", "3-4", "--games", "5", "--option", "takeback=false", "--option", "ages=[7, 8]"]
    first = palatine("simulate", "broken", *words, "--policy", "random")
    assert first.exit_code == 1
    assert "AssertionError: a tile is lost" in first.stderr
    (command,) = [line for line in first.stderr.splitlines() if line.startswith("palatine ")]
    assert f"--players 3 --games 1 --seed {derive_seed(1, 0)}" in command
    again = palatine(*shlex.split(command)[1:])
    assert (again.exit_code, again.stderr) == (1, first.stderr)


@pytest.mark.usefixtures("broken")
def test_a_crash_leaves_no_half_truth_for_programs() -> None:
    result = palatine("simulate", "broken", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
