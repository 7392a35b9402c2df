"""Views of games for tests: snapshots as a client gets them, and their narration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec

from palatine_client.render.text import describe_view
from palatine_protocol.messages import Info, Offer, Seated, Snapshot, Waiting
from palatine_server.checks import random_games
from palatine_server.checks.laws import list_policies
from palatine_server.games.kit import Entry, Game, Recorder, plain
from palatine_server.games.registry import GAMES

PEOPLE = ["Ida", "Otto", "Emil", "Ada", "Max", "Eva", "Jonas"]
LANGUAGES = ["en", "de"]
TABLES = [(game, players) for game in GAMES for players in GAMES[game].players]
Position = tuple[Recorder, Entry | None]


@cache
def catalog(game: str) -> Any:
    return GAMES[game].catalog


def view(recorder: Recorder, viewer: int | None) -> Snapshot:
    """Build the snapshot that a viewer gets of a table."""
    play, zones = recorder.play, recorder.zones
    people = PEOPLE[: len(zones.hands)]
    waiting = [] if play.is_over else [Waiting(seat=seat, since=1_700_000_000_000) for seat in play.waiting_for()]
    is_asked = viewer is not None and not play.is_over
    snapshot = Snapshot(
        table="table",
        version=1,
        seat=viewer,
        view=viewer,
        info=Info(
            game=recorder.game.name,
            status="over" if play.is_over else "playing",
            visibility="public",
            host=people[0],
            seats=[Seated(name=name) for name in people],
            options={},
        ),
        board=plain(zones.board),
        hand=None if viewer is None else plain(zones.hands[viewer]),
        offer=Offer(id=1, choices=play.offer(viewer)) if is_asked else None,  # type: ignore[arg-type]
        waiting=waiting,
        can_undo=False,
        digest=0,
        info_digest=0,
    )
    return msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)


def heard(entry: Entry | None, viewer: int | None) -> list[Any]:
    """Return the news of an entry that a viewer gets."""
    told = entry.news if entry else []
    return [plain(each.news) for each in told if each.to is None or viewer in each.to]


def text(position: Position, viewer: int | None, lang: str) -> str:
    recorder, entry = position
    game = recorder.game.name
    return describe_view(game, catalog(game), view(recorder, viewer), lang, news=heard(entry, viewer))


def played(game: Game, players: int, seed: int, **options: Any) -> Iterator[Position]:
    """Play a game with lively random moves and yield every position."""
    recorder = Recorder(game.begin(players, random_games.seed_of(seed), options))
    yield recorder, None
    for seat, action in random_games.random_moves(recorder, Random(seed), list_policies(game)):
        yield recorder, recorder.act(seat, action)
