"""A table of the arena: one game in this process, with the log from which its record is built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from palatine_protocol.messages import Info, Offer, Seated, Start

from ..games.kit import Action, Game, Play, Seat
from ..records import build_record, encode_record
from ..tables import fairness
from ..tables.handlers.play import play_for, start
from ..tables.model import LogEntry
from ..tables.state import Requester, TableState
from .contenders import Contender
from .schedule import ArenaGame

ARENA = Requester("arena", "Arena")
_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode


class ArenaTable:
    """A running game. Its clock counts entries, so that the same game has the same record."""

    def __init__(
        self, game: Game, planned: ArenaGame, contenders: Sequence[Contender], options: dict[str, Any]
    ) -> None:
        self.name = f"arena-{planned.name}"
        self.state = _create_state(game, planned, contenders, options)
        self._entries: list[LogEntry] = []
        self._news: list[list[dict[str, Any]]] = [[] for _ in planned.lineup]
        self._log(start(self.state, ARENA, Start(id="", table=self.name), 1))

    @property
    def play(self) -> Play[Any, Any, Any]:
        return self.state.require_begun().play

    @property
    def version(self) -> int:
        return self.state.version

    @property
    def standings(self) -> list[dict[str, Any]]:
        return self.state.info.standings

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out an action, or refuse it and change nothing."""
        self._log(play_for(self.state, seat, action, "bot", self.state.version + 1))

    # What a seat may know

    def view(self, seat: Seat) -> tuple[Any, Any]:
        """Return copies of the board and of the seat's own hand, as plain data."""
        zones = self.state.require_begun().zones
        board, hand = _decode(_encode((zones.board, zones.hands[seat])))
        return board, hand

    def offer(self, seat: Seat) -> Offer:
        """Return the offer of a seat, numbered as on the wire."""
        return Offer(id=self.state.secrets.answers[seat], choices=self.play.offer(seat))

    def take_news(self, seat: Seat) -> list[dict[str, Any]]:
        """Return the news for a seat since the last call."""
        news, self._news[seat] = self._news[seat], []
        return news

    # The record

    def _log(self, entry: LogEntry) -> None:
        self._entries.append(entry)
        for told in entry.news:
            for seat, heard in enumerate(self._news):
                if told.is_for(seat):
                    heard.append(told.news)

    def encode_record(self) -> bytes:
        """Return the record file of the finished game."""
        return encode_record(build_record(self.name, self.state.take_snapshot(), self._entries))


def _create_state(
    game: Game, planned: ArenaGame, contenders: Sequence[Contender], options: dict[str, Any]
) -> TableState:
    seated: list[Seated | None] = [_seat(contenders[each]) for each in planned.lineup]
    info = Info(
        game=game.name,
        status="open",
        visibility="private",
        host=ARENA.name,
        seats=seated,
        options=game.select_options(options),
        commitment=fairness.compute_commitment(planned.seed),
    )
    return TableState.create(game, info, ARENA.user, planned.seed, 0, text_secret=planned.derive("texts"))


def _seat(contender: Contender) -> Seated:
    return Seated(name=contender.name, bot=True, policy=contender.what if contender.kind == "policy" else "")
