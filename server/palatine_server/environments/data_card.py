"""The data card of a data set: licence, how it was made, the command that makes it again, and what its columns are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import dedent

from msgspec import Struct

from ..games.kit import Game
from .dataset import DatasetSummary
from .dataset_files import FORMATS
from .dataset_rows import ObservationKind

OBSERVATIONS: dict[ObservationKind, str] = {
    "document": "what the seat sees, as JSON: `board` (all seats see it), `hand` (only this seat), `waiting` (seats "
    "that the table waits for). The page of the game at `/docs/games` of any server describes their fields",
    "tensor": "what the seat sees, as numbers: `GameEncoder` of `palatine_server.environments.encoder` makes them",
    "text": "what the seat sees, in words",
}


class CardFacts(Struct, frozen=True, kw_only=True):
    """What a card says besides the summary."""

    game: Game
    target: Path
    observation: ObservationKind
    licence: str
    command: str


def build_card(facts: CardFacts, summary: DatasetSummary) -> str:
    """Return the data card as Markdown, with the head that data hubs read."""
    game, title = facts.game, facts.game.title["en"]
    players = ", ".join(f"{games:,} with {players}" for players, games in sorted(summary.players.items()))
    return dedent(
        f"""\
        ---
        license: {facts.licence.lower()}
        tags: [board-games, reinforcement-learning, palatine]
        ---

        # {title}: {summary.games:,} games of bots

        `{facts.target.name}` ({FORMATS[facts.target.suffix]}, {summary.bytes:,} bytes) has {summary.rows:,} decisions
        of {summary.games:,} games of {title} (games by players: {players}). Licence of the data: {facts.licence}. The
        rules and the components of the game belong to its authors and publishers.

        ## How it was made

        Bots played on the rules of Palatine, without a server. Seats that decide at the same time do not see each
        other. From game to game, the policies move on by one seat. Every game was played a second time from nothing but
        its seed and its rows; everything that every seat saw, every action and the result were the same.

        ```sh
        {facts.command}
        ```

        | | |
        |---|---|
        | SHA-256 of the file | `{summary.digest}` |
        | Palatine | {_find_version("palatine")} |
        | rules of {game.name} | edition `{game.edition}` |
        {_list_writer(facts.target)}| most legal actions of a decision | {summary.most_legal:,} |

        The same command with the same versions gives the same bytes.

        ## Policies

        | policy | seats | mean score | mean reward |
        |---|---|---|---|
        {{policies}}

        ## Columns

        | column | meaning |
        |---|---|
        | `game` | the number of the game, from 0 |
        | `seed` | the seed of the game, from which all chance follows |
        | `players` | the number of players |
        | `step` | the number of the decision in the game, from 0 |
        | `seat` | who decides, from 0 |
        | `policy` | the policy of the seat |
        | `observation` | {OBSERVATIONS[facts.observation]} |
        | `legal` | how many actions were legal |
        | `action` | the number of the chosen action among them, from 0 |
        | `move` | the chosen action as JSON |
        | `reward` | the seat's share of the first place at the end, less the share that chance gives: the sum is 0 |
        | `score` | the points of the seat at the end |
        | `rank` | the place of the seat at the end, from 1 |
        """
    ).replace("{policies}", "\n".join(_list_policies(summary)))


def _list_policies(summary: DatasetSummary) -> Sequence[str]:
    return [
        f"| {name} | {each.seats:,} | {each.score / each.seats:.2f} | {each.reward / each.seats:+.3f} |"
        for name, each in sorted(summary.policies.items())
    ]


def _list_writer(target: Path) -> str:
    return f"| pyarrow | {_find_version('pyarrow')} |\n        " if target.suffix == ".parquet" else ""


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
