"""Golden games: recorded games of random bots, which later versions of the rules play in the same way.

A difference means that the rules changed: running games would change with them. If that is meant, record them again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from palatine_server.games.kit import Entry, Game, Recorder, plain

from .random_games import MOST_ACTIONS, create_rng, require, seed_of


def find_golden_folder(game: Game) -> Path:
    """Return the folder in which a game keeps its golden games, unless a command names another one."""
    return game.folder / "golden"


def path_of(folder: Path, game: Game, players: int) -> Path:
    return folder / f"{game.name}-{players}.json"


def record_game(game: Game, players: int) -> dict[str, Any]:
    """Play a game of random bots; return its seed, each action with a checksum of what came of it, and how it ended."""
    seed = seed_of(players)
    recorder, rng, actions = Recorder(game.begin(players, seed)), create_rng(players), list[Any]()
    while not recorder.play.is_over and len(actions) < MOST_ACTIONS:
        seat = rng.choice(recorder.play.waiting_for())
        entry = recorder.act(seat, game.policies["random"](recorder.play, seat, rng.randrange))
        actions.append([seat, entry.action, entry.digests[-1], compute_checksum(recorder, entry)])
    end = plain(game.standings(recorder.play))
    return {"game": game.name, "players": players, "seed": seed, "actions": actions, "end": end}


def compute_checksum(recorder: Recorder, entry: Entry) -> int:
    """Return a checksum of everything after an action: the whole document, the news, and what chance decided."""
    come = [recorder.zones.document(), plain(entry.news), entry.digests, plain(entry.drawings)]
    return crc32(msgspec.json.encode(come, order="deterministic"))


def format_record(record: dict[str, Any]) -> str:
    """Return the record with one action per line, so that a difference can be read."""
    actions = ",\n".join(json.dumps(action) for action in record["actions"])
    head = json.dumps({**record, "actions": "ACTIONS"}, indent=1)
    return head.replace('"ACTIONS"', f"[\n{actions}\n]") + "\n"


def write_golden_games(game: Game, folder: Path) -> list[Path]:
    """Record a golden game for each number of players; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [path_of(folder, game, players) for players in game.players]
    for players, file in zip(game.players, files, strict=True):
        file.write_text(format_record(record_game(game, players)), encoding="utf-8")
    return files


def read_golden_game(game: Game, players: int, folder: Path) -> Any:
    return json.loads(path_of(folder, game, players).read_text(encoding="utf-8"))


def golden_game_is_played_as_recorded(game: Game, players: int, folder: Path) -> int:
    """The actions of a golden game lead to the recorded documents, news and result."""
    record = read_golden_game(game, players, folder)
    recorder, remedy = Recorder(game.begin(players, record["seed"])), "if the rules changed on purpose, record it again"
    for number, (seat, action, public, entire) in enumerate(record["actions"], 1):
        entry = recorder.act(seat, game.read_action(action))
        what = f"the golden game of {players} differs after action {number}, {action}"
        require(entry.digests[-1] == public, f"{what}, on the board; {remedy}")
        require(
            compute_checksum(recorder, entry) == entire, f"{what}, in a hand, the box, the news or chance; {remedy}"
        )
    ends = recorder.play.is_over and plain(game.standings(recorder.play)) == record["end"]
    require(ends, f"the golden game of {players} ends otherwise; {remedy}")
    return len(record["actions"])


def golden_game_is_recorded_again(game: Game, players: int, folder: Path) -> int:
    """Random bots choose the recorded actions again: they are offered the same in the same order."""
    record, again = read_golden_game(game, players, folder), record_game(game, players)
    same = msgspec.json.decode(msgspec.json.encode(again)) == record
    require(same, f"in the golden game of {players}, bots are offered something else; record it again if that is meant")
    return len(record["actions"])
