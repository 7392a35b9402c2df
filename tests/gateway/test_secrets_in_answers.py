"""T7, law 3 for whatever can be asked or done at a table: previews, explanations, words, refusals, undo, rollback.

Two servers serve the same table with other secrets. The viewer, a spectator and a friend who looks over the viewer's
shoulder, live or late, ask everything they can think of, also what they may not. They connect again and resume, and
fetch whatever HTTP shows them. Every byte they get is compared.
Texts are remembered by the server, so the other players ask for theirs first.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from gateway.twin_servers import HIDING, NOW, SECRET, TABLE, Ears, Setting, World
from server_fixture import Table

from palatine_protocol.messages import (
    UNSET,
    Act,
    Agree,
    Describe,
    Explain,
    Explained,
    Point,
    Preview,
    Resumed,
    Rollback,
    Snapshot,
    Undo,
    Update,
    Watch,
    Watching,
)
from palatine_protocol.offers import Choice, listed, permits
from palatine_server.games.kit import Game, Recorder, plain
from palatine_server.games.registry import GAMES
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.queries.descriptions import DescribedView

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
Question = tuple[int, Any, dict[str, Any]]  # who asks, what kind of request, and the rest of it
STEPS = 4
UNCERTAIN = re.compile("seconds|_bytes|^process_")


@pytest.fixture(autouse=True)
def the_same_in_both_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    monkeypatch.setattr(StoreClock, "__call__", lambda clock: NOW)


@pytest.fixture
def ears() -> Iterator[Ears]:
    ears = Ears()
    logging.getLogger().addHandler(ears)
    yield ears
    logging.getLogger().removeHandler(ears)


@every_game
@pytest.mark.parametrize("delay", [0, 3])
@pytest.mark.parametrize("seed", range(2))
async def test_swapped_secrets_are_answered_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ears: Ears, game: Game, delay: int, seed: int
) -> None:
    setting = Setting(game, 10 * seed + delay, delay)
    async with AsyncExitStack() as stack:
        here, there = [
            await World.entered(stack, tmp_path / str(number), setting, document)
            for number, document in enumerate(setting.documents)
        ]
        twins = Twins(here, there)
        await twins.live()
        assert {"explained", "described", "refused", "snapshot", "update"} <= twins.kinds()
        assert "previewed" in twins.kinds() or not can_preview(setting)
        monkeypatch.setattr(Recorder, "act", broken)
        assert await twins.break_down() == ["try_again", "try_again"]
    assert ears.lines["0"] == ears.lines["1"]
    assert "table broke" in {line["event"] for line in ears.lines["0"]}


@every_game
async def test_swapped_secrets_show_if_a_text_is_remembered_for_more_than_its_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    """A planted bug: texts are remembered by table, version and language, whoever asks."""

    def careless(view: DescribedView) -> bytes:
        seen = msgspec.json.decode(view.snapshot)
        return f"{seen['table']} {seen['version']} {view.lang}".encode()

    monkeypatch.setattr(DescribedView, "key", careless)
    setting = next(each for seed in range(100) if are_hands_swapped(each := Setting(game, seed)))
    async with AsyncExitStack() as stack:
        worlds = [
            await World.entered(stack, tmp_path / str(number), setting, document)
            for number, document in enumerate(setting.documents)
        ]
        twins = Twins(*worlds)
        await twins.ask(twins.by_others())
        await twins.ask((twins.viewer, Describe, {"lang": lang}) for lang in ("en", "de"))
        assert twins.here.seen() != twins.there.seen()


def are_hands_swapped(setting: Setting) -> bool:
    """Return whether all other players hold something else in the other world, so that the texts for them differ."""
    here, there = (document["hands"] for document in setting.documents)
    return all(here[seat] != there[seat] for seat in range(setting.players) if seat != setting.viewer)


def broken(recorder: Recorder, *given: Any) -> None:
    raise RuntimeError(f"something is wrong with {recorder.zones.document()}")


def can_preview(setting: Setting) -> bool:
    """Return whether the viewer can try an action at the beginning without revealing anything."""
    recorder = Recorder(setting.game.resume(plain(setting.documents[0])))
    for action in listed(recorder.play.offer(setting.viewer)):
        trial = Recorder(setting.game.copy(recorder.play))
        trial.act(setting.viewer, setting.game.read_action(plain(action)))
        if not trial.play.looked_at - {setting.viewer}:
            return True
    return False


class Twins:
    """Both worlds, in which everybody does the corresponding things."""

    def __init__(self, here: World, there: World) -> None:
        self.here, self.there, self.worlds, self.setting = here, there, (here, there), here.setting
        self.rng, self.viewer = self.setting.rng, self.setting.viewer
        self.visitor, self.friend = self.setting.players, self.setting.players + 1

    async def live(self) -> None:
        """Until something is revealed to the viewer."""
        going_back = self.rng.randrange(4)
        for number in range(STEPS):
            await self.ask(self.by_others())  # first, so that the server remembers what it told them
            await self.ask(self.by_viewer())
            await self.ask(self.by_onlookers())
            assert self.here.seen() == self.there.seen()
            await self.come_back()
            if number == going_back:
                await self.take_back()
            if not await self.go_on() or self.is_revealed():
                break
        assert counted(self.here) == counted(self.there)
        await self.go_different_ways()

    async def come_back(self) -> None:
        """The viewer and the spectator connect again, with everything, a little or nothing missed, and fetch things."""
        for who in (self.viewer, self.visitor):
            for missed in (self.here.version, 2, 0):
                here, there = [await resumed(world, who, missed) for world in self.worlds]
                assert here == there
            assert await fetched(self.here, who) == await fetched(self.there, who)

    async def go_different_ways(self) -> None:
        """Who looks on late learns nothing of what has just been revealed, nor of whatever was done since."""
        for number, world in enumerate(self.worlds):
            for _ in range(self.setting.delay - 1):
                await self.act_somehow(world, Random(number))
        if self.setting.delay:
            await self.ask(self.by_onlookers())
            assert self.here.seen()[1:] == self.there.seen()[1:]

    async def act_somehow(self, world: World, rng: Random) -> None:
        waited_for = [table for table in world.tables if table.is_waited_for]
        table = rng.choice(waited_for)
        assert table.offer is not None
        await world.change(
            world.tables.index(table), Act, offer=table.offer.id, action=rng.choice(list(listed(table.offer.choices)))
        )
        await world.settled()

    async def break_down(self) -> list[str]:
        """A mistake of ours that comes upon everything hidden."""
        given: Any = {"table": TABLE, "action": self.guesses()[0]}
        offers = [world.tables[self.viewer].offer for world in self.worlds]
        return [
            (await world.peers[self.viewer].do(Act, offer=offer.id if offer else 0, **given)).code
            for world, offer in zip(self.worlds, offers, strict=True)
        ]

    def kinds(self) -> set[Any]:
        heard = [message for who in (self.viewer, -2, -1) for message in self.here.peers[who].heard]
        return {message.__struct_config__.tag for message in heard}

    # Asking

    async def ask(self, questions: Iterable[Question]) -> None:
        for who, kind, given in questions:
            for world in self.worlds:
                world.tables[who].catch_up()
                reply = await world.peers[who].do(kind, table=TABLE, **given)
                if isinstance(reply, Watching) and "pace" in given:
                    await until_replayed(world.tables[who], reply.version)
                elif isinstance(reply, Watching) and not given:
                    await world.peers[who].until(Snapshot)
        for world in self.worlds:
            await world.settled()

    def by_viewer(self) -> Iterator[Question]:
        """What would this do; and what others could do, whose pieces he does not know."""
        offer = self.here.tables[self.viewer].offer
        choices = offer.choices if offer else []
        for action in self.some(choices):
            yield self.viewer, Preview, {"action": action}
        for action in self.guesses():
            if not permits(choices, action):
                for kind in (Preview, Explain, Point):
                    yield self.viewer, kind, {"action": action}
                yield self.viewer, Act, {"offer": offer.id if offer else 0, "action": action}
        if not can_undo(self.here, self.viewer):
            yield self.viewer, Undo, {}
        yield from self.by_anybody(self.viewer)
        yield self.viewer, Watch, {}

    def by_others(self) -> Iterator[Question]:
        """What the others see in words, which the viewer must not hear."""
        for seat in set(range(self.setting.players)) - {self.viewer}:
            for lang in ("en", "de"):
                yield seat, Describe, {"lang": lang}

    def by_onlookers(self) -> Iterator[Question]:
        for who in (self.visitor, self.friend):
            for action in self.guesses()[:1]:
                for kind in (Preview, Explain, Point):
                    yield who, kind, {"action": action}
                yield who, Act, {"offer": 0, "action": action}
            yield who, Rollback, {"to": self.setting.start}
            yield from self.by_anybody(who)
            yield who, Watch, {"seat": self.viewer} if who == self.friend else {}

    def by_anybody(self, who: int) -> Iterator[Question]:
        yield who, Explain, {}
        questions = [message.questions for message in self.here.peers[who].heard if isinstance(message, Explained)]
        for question in self.some(questions[-1]) if questions else ():
            yield who, Explain, {"question": question, "lang": self.rng.choice(["en", "de"])}
        for lang in ("en", "de"):
            yield who, Describe, {"lang": lang}
        stranger = (self.viewer + 1) % self.setting.players
        for given in ({"seat": stranger}, {"open": True}, {"since": 0, "pace": 0}, {"seat": stranger, "pace": 0}):
            yield who, Watch, given
        yield who, Watch, {}
        yield who, Watch, {"since": max(0, self.here.tables[who].version - 2)}

    def some(self, choices: list[Choice]) -> list[Any]:
        actions = list(listed(choices))
        return self.rng.sample(actions, min(3, len(actions)))

    def guesses(self) -> list[Any]:
        """Something that each of the others could do."""
        offers = [table.offer for table in self.here.tables[: self.setting.players] if table.offer]
        return [action for offer in offers for action in self.some(offer.choices)[:1]]

    # Doing

    async def take_back(self) -> None:
        """All agree to go back to where it began."""
        for world in self.worlds:
            await world.change(self.viewer, Rollback, to=self.setting.start)
            for seat in set(range(self.setting.players)) - {self.viewer}:
                await world.change(seat, Agree)
            await world.settled()
        assert self.here.seen() == self.there.seen()

    async def go_on(self) -> bool:
        """Somebody undoes something, or acts: the viewer in the same way in both worlds, another as he can in each."""
        seats = range(self.setting.players)
        undoing = [seat for seat in seats if all(can_undo(world, seat) for world in self.worlds)]
        acting = [seat for seat in seats if self.here.tables[seat].is_waited_for and self.is_alike(seat)]
        if undoing and self.rng.random() < 0.4:
            await self.undone(self.rng.choice(undoing))
        elif acting:
            await self.acted(self.rng.choice(acting))
        return bool(acting)

    async def undone(self, seat: int) -> None:
        for world in self.worlds:
            await world.change(seat, Undo)
            await world.settled()

    async def acted(self, seat: int) -> None:
        place = self.rng.randrange(len(self.choices(self.here, seat)))
        number = self.rng.randrange(self.choices(self.here, seat)[place].count())
        for world in self.worlds:
            offer = world.tables[seat].offer
            assert offer is not None
            await world.change(seat, Act, offer=offer.id, action=offer.choices[place].nth(number))
            await world.settled()

    def is_alike(self, seat: int) -> bool:
        """Whether a seat has corresponding things to do in both worlds."""
        mine, other = (self.choices(world, seat) for world in self.worlds)
        assert seat != self.viewer or mine == other
        return [(choice.do, choice.count()) for choice in mine] == [(choice.do, choice.count()) for choice in other]

    def choices(self, world: World, seat: int) -> list[Choice]:
        offer = world.tables[seat].offer
        return offer.choices if offer else []

    def is_revealed(self) -> bool:
        updates = (message for message in self.here.peers[self.viewer].heard if isinstance(message, Update))
        news = (item for update in updates if update.version == self.here.version for item in update.news or [])
        return any(item["news"] in self.setting.revealing for item in news)


async def until_replayed(table: Table, version: int) -> None:
    """Wait until a replay of the running game has reached its end; the table itself has not changed."""
    heard = table.peer.heard
    while not (isinstance(heard[-1], Snapshot | Update) and heard[-1].version == version):
        await table.peer.receive()
    table.seen = len(heard)


def can_undo(world: World, who: int) -> bool:
    told = [message for message in world.peers[who].heard if isinstance(message, Snapshot | Update)]
    return next(bool(message.can_undo) for message in reversed(told) if message.can_undo is not UNSET)


async def resumed(world: World, who: int, missed: int) -> list[bytes]:
    """Everything that `hello.resume` brings after the welcome, which names the time."""
    resume = {TABLE: max(0, world.tables[who].version - missed)}
    async with world.house.peer(token=world.peers[who].token, resume=resume) as peer:
        told = await peer.until(Resumed)
        assert told.info_digest is not UNSET
        return [HIDING.sub(b"", frame) for frame in peer.frames[1:]]  # type: ignore[arg-type]


async def fetched(world: World, who: int) -> list[Any]:
    """What somebody can fetch: no record as long as the game runs, the tables, themselves, and pages."""
    game = world.setting.game.name
    pages = [f"/v1/games/{game}", f"/docs/games/{game}", "/v1/tables", "/v1/me", "/v1/me/games"]
    headers = {"authorization": f"Bearer {world.peers[who].token}"}
    async with httpx.AsyncClient(base_url=world.house.url, headers=headers, timeout=30) as client:
        at_table = [f"/v1/tables/{TABLE}/record", f"/t/{TABLE}", f"/replay/{TABLE}"]
        record, *shown = [await client.get(path) for path in at_table]
        answers = [await client.get(path) for path in pages]
    assert record.status_code == 409
    assert {answer.status_code for answer in answers} == {200}
    return [answer.content.replace(world.house.url.encode(), b"") for answer in (record, *shown, *answers)]


def counted(world: World) -> list[str]:
    """All figures but for times and sizes: those of frames that hold secrets are among them."""
    text: bytes = world.house.server._app.state.shared.directory.metrics.text()
    return [line for line in text.decode().splitlines() if not UNCERTAIN.search(line)]
