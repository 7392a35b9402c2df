"""A table under load: whoever may decide does so at random, and each action is timed until everybody has seen it."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

from palatine_protocol.messages import (
    Act,
    AnyReply,
    Create,
    Created,
    Done,
    Refused,
    Sit,
    Start,
    Unwatch,
    Watch,
    Watching,
)
from palatine_protocol.offers import drawn

from .hearing import Update, read_choices
from .plan import Plan
from .tally import Tally
from .visitor import Visitor

BREATH = 0.1  # seconds until somebody who was refused tries again


class Table:
    """One table, its players and its spectators."""

    def __init__(self, plan: Plan, players: list[Visitor], spectators: list[Visitor], random: Random) -> None:
        self.plan, self.players, self.spectators, self.random = plan, players, spectators, random
        self.tally = Tally()
        self.is_on = False  # actions are wanted
        self.is_over = asyncio.Event()
        self.id = ""
        self._loop = asyncio.get_running_loop()
        self._next = 0  # the seat that is looked at first when somebody is to act
        self._under_way = 0
        self._answered: dict[Visitor, int] = {}  # the last offer that each player answers or thinks about
        self._sent: dict[str, float] = {}  # when, by request
        self._times: dict[int, float] = {}  # when the action of this version was sent
        self._arrived: dict[int, int] = {}  # how many viewers have this version

    # Before and after a game

    async def open(self) -> None:
        """A new table with everybody at it, and its game begun."""
        host, everybody = self.players[0], [*self.players, *self.spectators]
        create = Create(id=host.next_id(), game=self.plan.game, seats=self.plan.players, options=self.plan.options)
        self.id = (await host.ask(create, Created)).table
        for player in self.players:
            await player.ask(Sit(id=player.next_id(), table=self.id), Done)
        for visitor in everybody:
            visitor.table = None
            await visitor.ask(Watch(id=visitor.next_id(), table=self.id), Watching)
        self._begin(everybody)
        await host.ask(Start(id=host.next_id(), table=self.id), Done)

    def _begin(self, everybody: list[Visitor]) -> None:
        self.is_over.clear()
        self._under_way = 0
        for known in (self._answered, self._sent, self._times, self._arrived):
            known.clear()
        for visitor in everybody:
            visitor.table = self

    async def play_on(self) -> None:
        """One game after the other, until told to stop."""
        while True:
            await self.is_over.wait()
            for visitor in [*self.players, *self.spectators]:
                await visitor.ask(Unwatch(id=visitor.next_id(), table=self.id), Done)
            await self.open()

    def begin(self) -> None:
        self.is_on = True
        self._go_on()

    # Acting

    def _go_on(self) -> None:
        """Let act whoever may, as many at once as the plan says."""
        most = self.plan.at_once or len(self.players)
        for turn in range(self._next, self._next + len(self.players)):
            if self._under_way >= most or not self.is_on:
                return
            player = self.players[turn % len(self.players)]
            if self._may_act(player):
                self._next = (turn + 1) % len(self.players)
                self._let_act(player)

    def _may_act(self, player: Visitor) -> bool:
        return player.is_waited_for and player.offer is not None and self._answered.get(player) != player.offer.id

    def _let_act(self, player: Visitor) -> None:
        self._under_way += 1
        if self.plan.think is None:
            self._act(player)
        else:
            self._note_answer(player)
            self._loop.call_later(self.random.uniform(*self.plan.think), self._act, player)

    def _act(self, player: Visitor) -> None:
        """Answer the offer, if there is still one."""
        if player.offer is None or not player.is_waited_for or player.bye:
            self._under_way -= 1
            return
        self._note_answer(player)
        action = drawn(read_choices(player.offer.choices), self.random.randrange)
        request = Act(id=player.next_id(), table=self.id, offer=player.offer.id, action=action)
        self._sent[request.id] = perf_counter()
        player.say(request)

    def _note_answer(self, player: Visitor) -> None:
        assert player.offer is not None
        self._answered[player] = player.offer.id

    # What comes back. A server replies before it tells: when all have seen an action, its author has his reply.

    def replied(self, visitor: Visitor, reply: AnyReply) -> None:
        sent = self._sent.pop(reply.re, None)
        if isinstance(reply, Done) and sent is not None:
            self._times[reply.version] = sent
        elif isinstance(reply, Refused):
            self.tally.note_error(reply.code)
            self._answered.pop(visitor, None)
            self._under_way -= 1
            self._loop.call_later(BREATH, self._go_on)

    def heard(self, visitor: Visitor, update: Update, size: int) -> None:
        tally, arrived = self.tally, self._arrived.get(update.version, 0) + 1
        tally.updates += 1
        tally.bytes += size
        self._arrived[update.version] = arrived
        if arrived == self.plan.viewers:
            self._complete(update.version)

    def _complete(self, version: int) -> None:
        """Everybody has seen this version."""
        del self._arrived[version]
        sent = self._times.pop(version, None)
        if sent is not None:
            self.tally.note_delay(perf_counter() - sent)
            self._under_way -= 1
        if any(player.is_waited_for for player in self.players):
            self._go_on()
        else:
            self.is_over.set()

    def lost(self, visitor: Visitor, code: str) -> None:
        self.tally.note_error(code)
