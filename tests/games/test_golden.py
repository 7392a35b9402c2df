"""T13, golden games: one recorded game per game and seat count, played again and compared; and how some of them sound.

A difference means that the rules changed: running games would change with them. In a playthrough it may also be the
words. If that is meant, write the files anew with `make golden`, read the difference, and say so in CHANGELOG.md.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
import pytest
from clients.view_fixtures import LANGUAGES, catalog, heard, text, view

from palatine_client.render.text import load_game_text
from palatine_client.render.text.narration import build_context, split_lines
from palatine_client.render.text.platform_news import render_news
from palatine_server.games.kit import Entry, Game, Scribe, plain
from palatine_server.games.registry import GAMES

GOLDEN = Path(__file__).parent / "golden"
TABLES = [(game, players) for game in GAMES.values() for players in game.players]
LOOKS = 5  # at everything, in a playthrough
every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda value: getattr(value, "name", str(value)))
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def recorded(game: Game, players: int) -> dict[str, Any]:
    """A game of random bots: the seed, each action with what came of it, and how it ended."""
    seed = f"{players:064x}"
    scribe, rng, actions = Scribe(game.begin(players, seed)), Random(players), []
    while not scribe.play.is_over:
        seat = rng.choice(scribe.play.waiting_for())
        entry = scribe.act(seat, game.policies["random"](scribe.play, seat, rng.randrange))
        actions.append([seat, entry.action, entry.digests[-1], checksum(scribe, entry)])
    return {
        "game": game.name,
        "players": players,
        "seed": seed,
        "actions": actions,
        "end": plain(game.standings(scribe.play)),
    }


def checksum(scribe: Scribe, entry: Entry) -> int:
    """Of everything after an action, hidden or not, of what everybody was told and sees, and of what chance decided."""
    come = [scribe.zones.document(), plain(entry.news), entry.digests, plain(entry.drawings)]
    return crc32(msgspec.json.encode(come, order="deterministic"))


def record_of(game: Game, players: int) -> Any:
    return json.loads(path_of(game, players).read_text())


def path_of(game: Game, players: int) -> Path:
    return GOLDEN / f"{game.name}-{players}.json"


@every_table
def test_a_golden_game_is_played_as_recorded(game: Game, players: int) -> None:
    record = record_of(game, players)
    scribe = Scribe(game.begin(players, record["seed"]))
    for seat, action, digest, entire in record["actions"]:
        entry = scribe.act(seat, game.read_action(action))
        assert (entry.digests[-1], checksum(scribe, entry)) == (digest, entire)
    assert scribe.play.is_over
    assert plain(game.standings(scribe.play)) == record["end"]


@every_table
def test_a_golden_game_is_regenerated(game: Game, players: int) -> None:
    assert recorded(game, players) == record_of(game, players)


# Playthroughs: what happened in words, and now and then all that somebody sees


@every_game
def test_a_playthrough_reads_as_before(game: Game) -> None:
    assert playthrough(game).splitlines() == script_of(game).read_text(encoding="utf-8").splitlines()


def script_of(game: Game) -> Path:
    return GOLDEN / f"{game.name}.txt"


def playthrough(game: Game) -> str:
    """The golden game with the fewest players as a script."""
    record = record_of(game, game.players[0])
    scribe = Scribe(game.begin(record["players"], record["seed"]))
    lines = [f"{game.name}, {record['players']} players, seed {record['seed']}"]
    pause = len(record["actions"]) // LOOKS
    for number, (seat, action, *_) in enumerate(record["actions"], 1):
        entry = scribe.act(seat, game.read_action(action))
        lines += ["", f"{number}. Seat {seat}: {json.dumps(entry.action)}", *told(scribe, entry), *drawn(entry)]
        if number % pause == 0 or scribe.play.is_over:
            lines += look(scribe, entry, number // pause)
    return "\n".join([*lines, "", json.dumps(plain(game.standings(scribe.play))), ""])


def told(scribe: Scribe, entry: Entry) -> Iterator[str]:
    """What a spectator hears."""
    game = scribe.game.name
    scene = build_context(game, view(scribe, None), catalog(game), "en", None)
    for news in heard(entry, None):
        yield from (f"   {line}" for line in split_lines(render_news(load_game_text(game), news, scene).plain))


def drawn(entry: Entry) -> Iterator[str]:
    for drawing in entry.drawings:
        yield f"   Chance: {drawing.kind} {drawing.label} of {drawing.of}: {drawing.result}"


def look(scribe: Scribe, entry: Entry, number: int) -> Iterator[str]:
    """All that somebody sees: another one each time, in the other language."""
    viewer = [*range(len(scribe.zones.hands)), None][number % (len(scribe.zones.hands) + 1)]
    yield f"\n--- As {'a spectator' if viewer is None else f'seat {viewer}'} sees it:\n"
    yield from text((scribe, entry), viewer, LANGUAGES[number % len(LANGUAGES)]).splitlines()


# Writing them anew


def written(record: dict[str, Any]) -> str:
    """One action per line, so that a difference can be read."""
    actions = ",\n".join(json.dumps(action) for action in record["actions"])
    head = json.dumps({**record, "actions": "ACTIONS"}, indent=1)
    return head.replace('"ACTIONS"', f"[\n{actions}\n]") + "\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for game, players in TABLES:
        path_of(game, players).write_text(written(recorded(game, players)))
    for game in GAMES.values():
        script_of(game).write_text(playthrough(game), encoding="utf-8")
