"""A bot as a program: without arguments it plays over standard input and output, with URL TOKEN TABLE over the wire."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from random import Random
from typing import Any, BinaryIO

from ..screen_text import screen_lines
from .bot import Bot, GameEnd, GameStart
from .bot_turn import BotTurn
from .line_protocol import (
    PROTOCOL,
    BotAct,
    BotAsked,
    BotHello,
    BotOver,
    BotReady,
    BotStart,
    ToBot,
    read_order,
    write_message,
)
from .loader import BotFactory, make_factory

USAGE = "usage: without arguments over standard input and output, or URL TOKEN TABLE over the wire"


def run(bot: Bot | type[Bot], arguments: Sequence[str] | None = None) -> None:
    """Run a bot as a program; of a class, each game gets a new instance."""
    factory, given = make_factory(bot, "the bot"), sys.argv[1:] if arguments is None else arguments
    if not given:
        play_lines(factory, sys.stdin.buffer, take_standard_output())
    elif len(given) == 3:
        asyncio.run(play_over_wire(factory(), *given))
    else:
        sys.exit(screen_lines(USAGE))


def take_standard_output() -> BinaryIO:
    """Keep standard output for messages; what the bot prints goes to standard error."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return out


def play_lines(factory: BotFactory, source: BinaryIO, out: BinaryIO) -> None:
    """Answer the lines of a parent process until its input ends."""
    player = LinePlayer(factory)
    with asyncio.Runner() as runner:
        for line in source:
            answer = runner.run(player.answer(read_order(line)))
            if answer is not None:
                out.write(write_message(answer))


class LinePlayer:
    """Plays one game after the other for a parent process."""

    def __init__(self, factory: BotFactory) -> None:
        self._factory = factory
        self._hello = BotHello(protocol=PROTOCOL, game="")
        self._start = BotStart(seat=0, players=0, seed="")
        self._bot, self._rng = Bot(), Random()  # noqa: S311 (bots may be guessed)

    async def answer(self, order: ToBot) -> BotReady | BotAct | None:
        """Carry out a message of the parent; return the answer, if it wants one."""
        match order:
            case BotHello():
                self._hello = order
                return BotReady()
            case BotStart():
                await self._begin(order)
            case BotAsked():
                action = await self._bot.play_turn(self._make_turn(order))
                return BotAct(offer=order.offer.id, action=dict(action))
            case BotOver():
                await self._bot.end_game(GameEnd(standings=order.standings, news=order.news))
        return None

    async def _begin(self, start: BotStart) -> None:
        self._start, self._bot, self._rng = start, self._factory(), Random(start.seed)  # noqa: S311
        await self._bot.begin_game(
            GameStart(
                game=self._hello.game,
                seat=start.seat,
                players=start.players,
                options=start.options,
                seconds=start.seconds,
                catalog=self._hello.catalog,
            )
        )

    def _make_turn(self, asked: BotAsked) -> BotTurn:
        return BotTurn(
            game=self._hello.game,
            players=self._start.players,
            seat=self._start.seat,
            version=asked.version,
            board=asked.board,
            hand=asked.hand,
            choices=asked.offer.choices,
            news=asked.news,
            rng=self._rng,
        )


async def play_over_wire(bot: Bot, url: str, token: str, table: str) -> list[dict[str, Any]]:
    """Let a bot play at a table of a server to the end, and return the standings."""
    from ..client import connect, run_bot  # imports websockets, which a bot over standard input does not need

    async with connect(url, token) as client:
        return await run_bot(client, table, bot)
