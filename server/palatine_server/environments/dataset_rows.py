"""The rows of a data set: one for each decision of a game that policies play, and the proof that they are right."""

from __future__ import annotations

import traceback
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ..games.kit import Action, Game, Seat, Standing, plain
from ..games.kit.choices import as_mapping
from ..simulation import Match, create_draw, find_game_of
from .episode import Episode, RewardKind, SeatView, rate_standings
from .game_text import describe_seat
from .offer_window import find_index, select_action

ObservationKind = Literal["document", "tensor", "text"]
REWARD: RewardKind = "win"
_encode = msgspec.json.Encoder().encode


class DatasetGame(Struct, frozen=True, kw_only=True):
    """A game of a data set, with everything that determines its rows."""

    number: int
    match: Match
    observation: ObservationKind = "document"
    lang: str = "en"


class DatasetRow(Struct, kw_only=True):
    """One decision. JSON values are encoded, so that all processes and files have the same bytes."""

    game: int  # the number of the game in the data set
    seed: str  # of the game
    players: int
    step: int  # the number of the decision in the game
    seat: int
    policy: str
    observation: bytes  # JSON
    legal: int  # how many actions were legal
    action: int  # the number of the chosen one in the offer
    move: bytes  # the same as JSON
    reward: float = 0.0  # of the seat at the end: its share of the first place, less the share that chance gives
    score: int = 0
    rank: int = 0


class BadRows(Exception):  # noqa: N818 (a mistake in the rules of a game, or in a policy)
    """The rows of a game do not lead to the same game again."""


def play_rows(planned: DatasetGame) -> list[DatasetRow]:
    """Play a game, and return its rows after they have been verified; raise BadRows with the reason."""
    try:
        rows = _play(planned)
        verify_rows(planned, rows)
    except BadRows:
        raise
    except Exception:  # of the rules or of a policy, whoever wrote them
        where = f"game {planned.number}, {planned.match.players} players, seed {planned.match.seed}"
        raise BadRows(f"{where}:\n{traceback.format_exc()}") from None
    return rows


def _play(planned: DatasetGame) -> list[DatasetRow]:
    game, match = find_game_of(planned.match), planned.match
    episode = Episode(game, match.players, match.seed, match.options)
    draw, rows = create_draw(match.seed), list[DatasetRow]()
    while (seat := episode.seat) is not None:
        action = game.policies[match.policies[seat]](episode.play, seat, draw)
        rows.append(_build_row(planned, game, episode, seat, action))
        episode.act(action)
    if episode.is_cut_off:
        raise BadRows(f"game {planned.number} is not over after {episode.actions:,} actions")
    note_result(rows, episode.standings())
    return rows


def _build_row(planned: DatasetGame, game: Game, episode: Episode, seat: Seat, action: Action) -> DatasetRow:
    return DatasetRow(
        game=planned.number,
        seed=planned.match.seed,
        players=planned.match.players,
        step=episode.actions,
        seat=seat,
        policy=planned.match.policies[seat],
        observation=_encode(observe(planned, game, episode.view(seat))),
        legal=sum(choice.count() for choice in episode.offer),
        action=find_index(episode.offer, as_mapping(action)),
        move=_encode(plain(action)),
    )


def observe(planned: DatasetGame, game: Game, view: SeatView) -> Any:
    """Return what a seat sees, in the form that the data set wants."""
    match planned.observation:
        case "document":
            return {"board": view.board, "hand": view.hand, "waiting": view.waiting}
        case "text":
            return describe_seat(game, planned.match.players, view, planned.lang)
    return _find_encoder(game.name, planned.match.source, planned.match.players, _encode(planned.match.options))(view)


@cache
def _find_encoder(game: str, source: str, players: int, options: bytes) -> Any:
    """Return a function that encodes views as lists of numbers; numpy is imported only if it is needed."""
    from .encoder import GameEncoder

    wanted = msgspec.json.decode(options)
    found = find_game_of(Match(game=game, source=source, players=players, seed="", policies=[]))
    encoder = GameEncoder(found, players, wanted)
    return lambda view: encoder.encode_view(view).tolist()


def note_result(rows: list[DatasetRow], standings: list[Standing]) -> None:
    """Write the result of the game into its rows."""
    by_seat = sorted(standings, key=lambda row: row.seat)
    rewards = rate_standings(by_seat, REWARD)
    for row in rows:
        place = by_seat[row.seat]
        row.reward, row.score, row.rank = rewards[row.seat], place.score, place.rank


def verify_rows(planned: DatasetGame, rows: list[DatasetRow]) -> None:
    """Play the game again from nothing but its seed and its rows; raise BadRows if anything differs."""
    game, match = find_game_of(planned.match), planned.match
    episode = Episode(game, match.players, match.seed, match.options)
    for row in rows:
        where = f"game {row.game}, decision {row.step}"
        if episode.seat != row.seat:
            raise BadRows(f"{where}: it is not the turn of seat {row.seat}")
        if _encode(observe(planned, game, episode.view(row.seat))) != row.observation:
            raise BadRows(f"{where}: seat {row.seat} sees something else")
        move = select_action(episode.offer, row.action) if row.action < row.legal else None
        action = game.read_action(msgspec.json.decode(row.move))
        if move is None or plain(game.read_action(move)) != plain(action):
            raise BadRows(f"{where}: the number and the move are two actions")
        episode.act(action)
    if not episode.play.is_over:
        raise BadRows(f"game {planned.number} is not over after its last row")
    again = [msgspec.structs.replace(row) for row in rows]
    note_result(again, episode.standings())
    if again != rows:
        raise BadRows(f"game {planned.number} ends in another way")
