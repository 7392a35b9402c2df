"""`palatine play --json`: events out and actions in, a JSON object per line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from clients.pty_driver import PALATINE, PATIENCE, environment, piped
from server_fixture import House

from palatine_client import Table, connect
from palatine_protocol.messages import Clock
from palatine_protocol.offers import Choice, count, drawn

GAME, PALAIS = "between_two_castles", "palais_royal"
Event = dict[str, Any]


class Script:
    """A program that plays through standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.heard: list[Event] = []

    async def hears(self, *kinds: str) -> Event:
        """The next event of one of these kinds."""
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            while True:
                event = json.loads(await self.process.stdout.readline())
                self.heard.append(event)
                if event["event"] in kinds:
                    return event  # type: ignore[no-any-return]

    def table(self) -> Event:
        """The table as it was told last."""
        return next(event for event in reversed(self.heard) if event["event"] in {"snapshot", "update"})

    async def says(self, command: Any) -> Event:
        """Write a line and hear what became of it."""
        assert self.process.stdin
        text = command if isinstance(command, str) else json.dumps(command)
        self.process.stdin.write(text.encode() + b"\n")
        return await self.hears("done", "refused", "previewed", "explained", "described", "invitation")

    async def plays(self, rng: Random) -> Event:
        """Answer at random whenever something is offered, until the game is over."""
        seen = 0  # the version after our last answer
        while self.heard[-1]["event"] != "over":
            table = self.table()
            if table["version"] >= seen and is_awaited(table):
                answer = await self.says(drawn(offer_of(table), rng.randrange))
                seen = answer.get("version", table["version"] + 1)
            else:
                await self.hears("snapshot", "update", "over")
        return self.heard[-1]

    async def ends(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()


def offer_of(event: Event) -> list[Choice]:
    choices = [choice for choice in event["offer"]["choices"] if choice["do"] not in {"tick", "untick", "hold"}]
    return msgspec.convert(choices, list[Choice])


def is_awaited(event: Event) -> bool:
    """Whether the table waits for seat 0, which is ours."""
    return any(waiting["seat"] == 0 for waiting in event["waiting"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@asynccontextmanager
async def script(*words: str, home: Path) -> AsyncIterator[Script]:
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, "play", *words, "--json"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**20,
        env=environment(home),
    )
    try:
        yield Script(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def test_a_program_plays_a_whole_game(house: House, home: Path) -> None:
    async with script(GAME, "--server", house.url, "--seats", "3", "--name", "Robo", home=home) as robo:
        first = await robo.hears("table")
        assert (first["game"], first["seat"]) == (GAME, 0)
        begin = await robo.hears("snapshot")
        assert {"version", "info", "board", "hand", "offer", "waiting", "can_undo", "news"} <= begin.keys()
        over = await robo.plays(Random(4))
        assert sorted(row["seat"] for row in over["standings"]) == [0, 1, 2]
        assert await robo.ends() == 0
        news = {each["news"] for event in robo.heard for each in event.get("news", [])}
        assert {"tiles_revealed", "room_placed", "castles_scored"} <= news
        assert [event["event"] for event in robo.heard].index("over") == len(robo.heard) - 1


async def test_every_line_gets_one_answer_and_mistakes_change_nothing(house: House, home: Path) -> None:
    async with script(GAME, "--server", house.url, "--seats", "3", home=home) as robo:
        begin = await robo.hears("snapshot")
        for wrong, code in (
            ("nonsense", "malformed"),
            ("[1, 2]", "malformed"),
            ({"dance": True}, "malformed"),
            ({"undo": True}, "cannot_undo"),
            ({"start": True}, "already_started"),
            ({"do": "choose", "tiles": ["nothing", "of_this_kind"]}, "not_in_hand"),
        ):
            assert (await robo.says(wrong))["code"] == code
        hand = begin["hand"]["tiles"]
        assert (await robo.says({"do": "choose", "tiles": hand[:2]}))["event"] == "done"


async def test_undo_takes_back(house: House, home: Path) -> None:
    async with script(GAME, "--server", house.url, "--seats", "3", home=home) as robo:
        table = await robo.hears("snapshot")
        while len(table["waiting"]) > 1:  # the bots choose too, and then nobody disturbs us
            table = await robo.hears("update")
        assert (await robo.says({"do": "tick", "tile": table["hand"]["tiles"][0]}))["event"] == "done"
        undone = await robo.says({"undo": True})
        assert undone["event"] == "done"
        while robo.table()["version"] < undone["version"]:
            await robo.hears("update")
        assert not robo.table()["hand"].get("ticked")


async def test_quit_and_the_end_of_input_keep_the_seat(house: House, home: Path) -> None:
    said = '{"quit": true}\n{"do": "never read"}\n'
    code, out, err = await piped("play", GAME, "--server", house.url, "--json", home=home, said=said)
    assert (code, err) == (0, "")
    table = json.loads(out.splitlines()[0])["table"]
    words = ["play", f"--table={table}", "--server", house.url, "--json"]
    code, out, err = await piped(*words, home=home, said="")
    assert (code, err) == (0, "")
    events = [json.loads(line) for line in out.splitlines()]
    assert events[0]["seat"] == 0
    assert events[0]["table"] == table


async def test_a_table_that_is_not_full_begins_when_told(house: House, home: Path) -> None:
    async with script(GAME, "--server", house.url, "--seats", "3", "--bots", "0", home=home) as robo:
        begin = await robo.hears("snapshot")
        assert begin["info"]["status"] == "open"
        assert (await robo.says({"start": True}))["event"] == "done"
        update = await robo.hears("update")
        while update["info"]["status"] == "open":
            update = await robo.hears("update")
        assert update["board"]["round"] == 1


# At the table


async def test_programs_talk_ask_and_agree(house: House, home: Path) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create(PALAIS, 2, seed="5e" * 32, clock=Clock(move=600), ready_check=True)
        await table.sit(0)
        async with script(f"--table={table.id}", "--server", house.url, "--name", "Robo", home=home) as robo:
            await robo.hears("snapshot")
            assert (await robo.says({"ready": True}))["event"] == "done"
            await robo_talks(robo, table)
            await table.start()
            assert (await robo.hears("clock"))["left"]["0"] > 590
            await robo_asks(robo)
            await robo_agrees(robo, table)


async def robo_talks(robo: Script, table: Table) -> None:
    assert (await robo.says({"say": "beep"}))["event"] == "done"
    await table.say("Hello, Robo")
    lines = [await robo.hears("talk") for _ in range(2 - sum(event["event"] == "talk" for event in robo.heard))]
    assert (lines[-1]["name"], lines[-1]["text"], lines[-1]["to"]) == ("Otto", "Hello, Robo", "table")
    assert (await robo.says({"report": lines[-1]["line"], "why": "too friendly"}))["event"] == "done"
    assert (await robo.says({"mute": lines[-1]["line"]}))["code"] == "not_the_host"


async def robo_asks(robo: Script) -> None:
    asked = await robo.says({"explain": True})
    assert len(asked["text"]) == sum(count(msgspec.convert([each], list[Choice])) for each in asked["questions"])
    answer = await robo.says({"explain": {"do": "score", "seat": 1}, "lang": "de"})
    assert answer["reason"]["figures"] == {"seat": 1}
    assert answer["text"][0].startswith("0  Punkte von Robo")
    refused = await robo.says({"why_not": {"do": "end_turn"}})
    assert refused["reason"]["what"] == "refused"
    assert "Otto" in (await robo.says({"describe": True}))["text"]
    assert (await robo.says({"preview": {"do": "end_turn"}}))["event"] == "refused"


async def robo_agrees(robo: Script, table: Table) -> None:
    version, offer = table.version, table.view.offer
    assert version
    assert offer
    await table.act(offer.id, next(iter(offer.choices[0])))
    await table.rollback(version)
    while not robo.table()["info"].get("rollback"):
        await robo.hears("update")
    assert (await robo.says({"agree": True}))["event"] == "done"
    assert (await robo.says({"agree": False}))["code"] == "nothing_proposed"
    assert (await robo.says({"rollback": 10_000}))["code"] == "no_such_version"
    assert (await robo.says({"show": True}))["event"] == "done"
    assert (await robo.says({"point": None}))["event"] == "done"


async def test_a_program_hears_what_partners_point_at(house: House, home: Path) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create(GAME, 3, seed="5e" * 32)
        await table.sit(0)
        async with script(f"--table={table.id}", "--server", house.url, home=home) as robo:
            hand = (await robo.hears("snapshot"))["hand"]
            assert hand is None
            await table.until(lambda: table.info.seats[1])
            await table.fill("random")
            await table.start()
            while not robo.table()["hand"]:
                await robo.hears("update")
            await robo.says({"do": "choose", "tiles": robo.table()["hand"]["tiles"][:2]})
            async for turn in table:
                if any(choice.do == "place" for choice in turn.offer.choices):
                    break
                await turn.act(next(action for action in turn.offer if action["do"] == "choose"))
            action = next(action for action in turn.offer if action["do"] == "place")
            await table.point(action)
            assert (await robo.hears("pointed"))["action"]["do"] == "place"


async def test_a_program_that_wants_more_goes_on_at_the_next_table(house: House, home: Path) -> None:
    async with script(GAME, "--server", house.url, "--seats", "3", home=home) as robo:
        first = await robo.hears("table")
        await robo.hears("snapshot")
        assert (await robo.says({"rematch": True}))["event"] == "done"
        await robo.plays(Random(4))
        second = await robo.hears("table")
        assert second["table"] != first["table"]
        assert (await robo.hears("snapshot"))["info"]["status"] == "open"
        assert second["seat"] == 1
        assert (await robo.says({"start": True}))["event"] == "done"
