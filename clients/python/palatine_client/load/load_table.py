"""A table under load: its players choose at random, and each action is timed until all viewers have received it."""

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

from .counters import Counters
from .load_client import LoadClient
from .partial_messages import PartialUpdate, decode_choices
from .plan import Plan

RETRY_DELAY = 0.1  # seconds before a player tries again after a refusal


class LoadTable:
    """One table, its players and its spectators."""

    def __init__(
        self, plan: Plan, players: list[LoadClient], spectators: list[LoadClient], random: Random, counters: Counters
    ) -> None:
        self.plan, self.players, self.spectators, self.random = plan, players, spectators, random
        self.counters = counters
        self.is_on = False  # whether players may act
        self.is_over = asyncio.Event()
        self.id = ""
        self._loop = asyncio.get_running_loop()
        self._next = 0  # the seat that may act first
        self._under_way = 0
        self._answered: dict[LoadClient, int] = {}  # the last offer that each player answers or thinks about
        self._sent: dict[str, float] = {}  # the time at which each request was sent, by its id
        self._times: dict[int, float] = {}  # the time at which the action was sent, by version
        self._arrived: dict[int, int] = {}  # the number of viewers that have received it, by version

    # Before and after a game

    async def open(self) -> None:
        """Create a table, seat the players, and start its game."""
        host, clients = self.players[0], [*self.players, *self.spectators]
        create = Create(id=host.next_id(), game=self.plan.game, seats=self.plan.players, options=self.plan.options)
        self.id = (await host.request(create, Created)).table
        for player in self.players:
            await player.request(Sit(id=player.next_id(), table=self.id), Done)
        for client in clients:
            client.listener = None
            await client.request(Watch(id=client.next_id(), table=self.id), Watching)
        self._reset(clients)
        await host.request(Start(id=host.next_id(), table=self.id), Done)

    def _reset(self, clients: list[LoadClient]) -> None:
        self.is_over.clear()
        self._under_way = 0
        for known in (self._answered, self._sent, self._times, self._arrived):
            known.clear()
        for client in clients:
            client.listener = self

    async def play_on(self) -> None:
        """Play one game after the other, until cancelled."""
        while True:
            await self.is_over.wait()
            for client in [*self.players, *self.spectators]:
                await client.request(Unwatch(id=client.next_id(), table=self.id), Done)
            await self.open()

    def begin(self) -> None:
        """Let players act from now on; the first delays may be shorter, so that tables do not act all at once."""
        self.is_on = True
        self._let_players_act(0.0)

    # Actions

    def _let_players_act(self, shortest: float | None = None) -> None:
        """Let as many players act at once as the plan allows."""
        most = self.plan.at_once or len(self.players)
        for turn in range(self._next, self._next + len(self.players)):
            if self._under_way >= most or not self.is_on:
                return
            player = self.players[turn % len(self.players)]
            if self._may_act(player):
                self._next = (turn + 1) % len(self.players)
                self._let_act(player, shortest)

    def _may_act(self, player: LoadClient) -> bool:
        return player.is_waited_for and player.offer is not None and self._answered.get(player) != player.offer.id

    def _let_act(self, player: LoadClient, shortest: float | None) -> None:
        self._under_way += 1
        if self.plan.think is None:
            self._act(player)
        else:
            self._note_answer(player)
            least, most = self.plan.think
            thought = self.random.uniform(least if shortest is None else shortest, most)
            self._loop.call_later(thought, self._act, player)

    def _act(self, player: LoadClient) -> None:
        """Answer the player's offer, unless it is gone by now."""
        if player.offer is None or not player.is_waited_for or player.end_code:
            self._under_way -= 1
            return
        self._note_answer(player)
        action = drawn(decode_choices(player.offer.choices), self.random.randrange)
        request = Act(id=player.next_id(), table=self.id, offer=player.offer.id, action=action)
        self._sent[request.id] = perf_counter()
        player.send(request)

    def _note_answer(self, player: LoadClient) -> None:
        assert player.offer is not None
        self._answered[player] = player.offer.id

    # Replies, updates. A server replies before it broadcasts: when all viewers have an action, its player has a reply.

    def on_reply(self, client: LoadClient, reply: AnyReply) -> None:
        sent = self._sent.pop(reply.re, None)
        if isinstance(reply, Done) and sent is not None:
            self._times[reply.version] = sent
        elif isinstance(reply, Refused):
            self.counters.note_error(reply.code)
            self._answered.pop(client, None)
            self._under_way -= 1
            self._loop.call_later(RETRY_DELAY, self._let_players_act)

    def on_update(self, client: LoadClient, update: PartialUpdate, size: int) -> None:
        counters, arrived = self.counters, self._arrived.get(update.version, 0) + 1
        counters.updates += 1
        counters.bytes += size
        self._arrived[update.version] = arrived
        if arrived == self.plan.viewers:
            self._complete(update.version)

    def _complete(self, version: int) -> None:
        """Count an action that all viewers have received, and let players act again."""
        del self._arrived[version]
        sent = self._times.pop(version, None)
        if sent is not None:
            self.counters.note_delay(perf_counter() - sent)
            self._under_way -= 1
        if any(player.is_waited_for for player in self.players):
            self._let_players_act()
        else:
            self.is_over.set()

    def on_lost(self, client: LoadClient, code: str) -> None:
        self.counters.note_error(code)
