"""T13, golden games: one recorded game per game and seat count, played again and compared; and how some of them sound.

A difference means that the rules changed: running games would change with them. In a playthrough it may also be the
words. If that is meant, write the files anew with `make golden`, read the difference, and say so in CHANGELOG.md.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
from clients.view_fixtures import LANGUAGES, catalog, heard, text, view
from games.registered import GOLDEN, every_game, every_table

from palatine_client.render.text import load_game_text
from palatine_client.render.text.narration import build_context, split_lines
from palatine_client.render.text.platform_news import render_news
from palatine_protocol.offers import Choice
from palatine_server.checks import golden_games, play_examples
from palatine_server.games.kit import Entry, Game, Recorder, plain
from palatine_server.games.registry import GAMES

LOOKS = 5  # at everything, in a playthrough


@every_table
def test_a_golden_game_is_played_as_recorded(game: Game, players: int) -> None:
    assert golden_games.golden_game_is_played_as_recorded(game, players, GOLDEN) > 0


@every_table
def test_a_golden_game_is_regenerated(game: Game, players: int) -> None:
    assert golden_games.golden_game_is_recorded_again(game, players, GOLDEN) > 0


# Examples for authors of clients


@every_game
def test_examples_there_is_one_of_every_action_and_all_news(game: Game) -> None:
    found = {*game.examples["actions"], *game.examples["news"]}
    assert found == play_examples.list_names(game)


@every_game
def test_examples_are_what_a_client_sends_and_receives(game: Game) -> None:
    for verb, example in game.examples["actions"].items():
        choice = msgspec.convert(example["choice"], Choice)
        assert choice.do == example["action"]["do"] == verb
        assert choice.permits(example["action"])
        assert plain(game.read_action(example["action"])) == example["action"]
    for name, example in game.examples["news"].items():
        assert example["news"]["news"] == name


@every_game
def test_examples_refusals_and_answers_say_their_rule_in_two_languages(game: Game) -> None:
    for example in [*game.examples["refusals"].values(), *game.examples["questions"].values()]:
        assert example["text"].keys() == {"en", "de"}
        assert all(example["reason"]["rule"] in lines[0] for lines in example["text"].values())


# Playthroughs: what happened in words, and now and then all that somebody sees


@every_game
def test_a_playthrough_reads_as_before(game: Game) -> None:
    assert playthrough(game).splitlines() == script_of(game).read_text(encoding="utf-8").splitlines()


def script_of(game: Game) -> Path:
    return GOLDEN / f"{game.name}.txt"


def playthrough(game: Game) -> str:
    """The golden game with the fewest players as a script."""
    record = golden_games.read_golden_game(game, game.players[0], GOLDEN)
    recorder = Recorder(game.begin(record["players"], record["seed"]))
    lines = [f"{game.name}, {record['players']} players, seed {record['seed']}"]
    pause = max(1, len(record["actions"]) // LOOKS)
    for number, (seat, action, *_) in enumerate(record["actions"], 1):
        entry = recorder.act(seat, game.read_action(action))
        lines += ["", f"{number}. Seat {seat}: {json.dumps(entry.action)}", *told(recorder, entry), *drawn(entry)]
        if number % pause == 0 or recorder.play.is_over:
            lines += look(recorder, entry, number // pause)
    return "\n".join([*lines, "", json.dumps(plain(game.standings(recorder.play))), ""])


def told(recorder: Recorder, entry: Entry) -> Iterator[str]:
    """What a spectator hears."""
    game = recorder.game.name
    scene = build_context(game, view(recorder, None), catalog(game), "en", None)
    for news in heard(entry, None):
        yield from (f"   {line}" for line in split_lines(render_news(load_game_text(game), news, scene).plain))


def drawn(entry: Entry) -> Iterator[str]:
    for drawing in entry.drawings:
        yield f"   Chance: {drawing.kind} {drawing.label} of {drawing.of}: {drawing.result}"


def look(recorder: Recorder, entry: Entry, number: int) -> Iterator[str]:
    """All that somebody sees: another one each time, in the other language."""
    viewer = [*range(len(recorder.zones.hands)), None][number % (len(recorder.zones.hands) + 1)]
    yield f"\n--- As {'a spectator' if viewer is None else f'seat {viewer}'} sees it:\n"
    yield from text((recorder, entry), viewer, LANGUAGES[number % len(LANGUAGES)]).splitlines()


# Writing them anew

if __name__ == "__main__":
    for game in GAMES.values():
        golden_games.write_golden_games(game, GOLDEN)
        play_examples.write_examples(game)
        script_of(game).write_text(playthrough(game), encoding="utf-8")
