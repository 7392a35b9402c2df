"""The views that `palatine picture` draws: moments of a record, or of a table on a server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from palatine_client.render.svg.drawable_names import list_drawable_names
from palatine_client.render.svg.view import PictureView, Plain

from .games import open_games
from .output import give_up
from .picture_order import PictureOrder, must_have_entry, must_have_seat

if TYPE_CHECKING:
    from palatine_client.cli.http_api import GameInfo, HttpApi
    from palatine_client.client import Client

    from ..games.kit import Game
    from ..records.playback import RecordPlayback


@dataclass(frozen=True)
class GameData:
    """What a picture needs to know of a game."""

    name: str
    title: str
    catalog: Plain
    description: Plain


def build_view(order: PictureOrder, game: GameData, seats: Sequence[Any], board: Any, **seen: Any) -> PictureView:
    """Return what is drawn of one moment."""
    names = [name_seat(seated) for seated in seats]
    return PictureView(
        game=game.name,
        title=game.title,
        board=board,
        names=names if order.kind == "svg" else list_drawable_names(names, order.lang),
        catalog=game.catalog,
        description=game.description,
        lang=order.lang,
        scheme=order.scheme,
        layout=order.layout,
        seat=order.seat,
        **seen,
    )


def name_seat(seated: Any) -> str:
    """Return the name on a seat, which is a struct of the protocol or plain data."""
    name = seated.get("name", "") if isinstance(seated, dict) else getattr(seated, "name", "")
    return str(name)


# Records


def read_record(order: PictureOrder, names: Sequence[str] | None) -> Iterator[PictureView]:
    """Yield the views of a record: one, or one for each entry; raise typer.Exit with a sentence if it is damaged."""
    from ..games.named_games import UnknownGame
    from ..records import BadRecord, decode_record, read_file
    from ..records.playback import RecordPlayback
    from ..records.verify import FORGERY_ERRORS

    try:
        games = open_games(names)
        playback = RecordPlayback(decode_record(read_file(Path(order.source))))
    except (BadRecord, UnknownGame) as why:
        give_up(str(why))
    must_have_seat(order, len(playback.hands))
    game = find_game(games, playback.record.header.game, order.lang)
    try:
        yield from play_record(order, playback, game)
    except FORGERY_ERRORS:
        give_up(order.say("does not follow", version=playback.version))


def play_record(order: PictureOrder, playback: RecordPlayback, game: GameData) -> Iterator[PictureView]:
    """Yield the views of the moments that are wanted."""
    if order.pace is None:
        must_have_entry(order, playback.length)
        playback.go_to(playback.length if order.at is None else order.at)
        yield view_record(order, playback, game)
        return
    while not playback.is_over:
        playback.step()
        if playback.board is not None:
            yield view_record(order, playback, game)


def view_record(order: PictureOrder, playback: RecordPlayback, game: GameData) -> PictureView:
    if playback.board is None:
        give_up(order.say("too early", version=playback.version))
    hand = None if order.seat is None else playback.hands[order.seat]
    return build_view(order, game, playback.info["seats"], playback.board, hand=hand)


def find_game(games: dict[str, Game], name: str, lang: str) -> GameData:
    """Return what is known of a game; a game that is not installed is drawn as plain data."""
    game = games.get(name)
    if game is None:
        return GameData(name, "", {}, {})
    return GameData(name, game.title.get(lang, game.title["en"]), game.catalog, game.description)


# Tables


async def watch_once(
    order: PictureOrder, client: Client, api: HttpApi, table_id: str, invitation: str
) -> AsyncIterator[PictureView]:
    """Yield the present view of a table; a seat is the user's own, or one that shows its hand."""
    table = await client.join(table_id, invitation=invitation)
    if order.seat is not None and table.seat != order.seat:
        must_have_seat(order, len(table.info.seats))
        table = await client.join(table_id, invitation=invitation, seat=order.seat)
    must_have_begun(order, table.board)
    game = read_game(await api.fetch_game(table.info.game))
    offer = table.view.offer.choices if order.seat is not None and table.view.offer else []
    yield build_view(
        order,
        game,
        table.info.seats,
        table.board,
        hand=None if order.seat is None else table.hand,
        waiting=[waiting.seat for waiting in table.view.waiting],
        offer=msgspec.to_builtins(offer),
    )


async def replay_table(
    order: PictureOrder, client: Client, api: HttpApi, table_id: str, invitation: str
) -> AsyncIterator[PictureView]:
    """Yield the views of a game from its log: of one version, or of all."""
    replay = client.replay(table_id, seat=order.seat, since=order.at or 0, invitation=invitation)
    game: GameData | None = None
    async for _ in replay:
        must_have_seat(order, len(replay.info.seats))
        game = game or read_game(await api.fetch_game(replay.info.game))
        if order.at is not None:
            must_have_begun(order, replay.board)
        if replay.board is not None:
            hand = None if order.seat is None else replay.hand
            yield build_view(order, game, replay.info.seats, replay.board, hand=hand)
        if order.at is not None:
            return


def must_have_begun(order: PictureOrder, board: Any) -> None:
    from palatine_client.cli.errors import CommandError

    if board is None:
        raise CommandError(order.say("not begun"))


def read_game(info: GameInfo) -> GameData:
    return GameData(info.game, info.title, info.catalog, info.description)
