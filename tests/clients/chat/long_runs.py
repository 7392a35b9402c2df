"""Long runs of the Discord app as a real process: whole games, kills, and the time to the first answer.

`make discord` runs `python -m clients.chat.long_runs games`, `kills` and `load`; the tests run short versions.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

import anyio
from msgspec import Struct

from palatine_client.chat.custom_ids import decode_number
from palatine_client.chat.fake_discord.random_person import click_control, find_button, read_embeds
from palatine_client.chat.fake_discord.server import InteractionFailed
from palatine_client.chat.messages.phrases import phrase
from palatine_server.games.registry import GAMES

from .discord_players import Player, begin_game, play_to_the_end, read_offer, wait_for_end
from .discord_processes import ProcessStage, staged_processes
from .random_games import list_tables

Message = dict[str, Any]


# Whole games


async def play_games(folder: Path, count: int) -> str:
    """Play games of all kinds at all seat counts, one after another, and return what was counted."""
    began, clicks = time.monotonic(), 0
    async with staged_processes(folder) as stage:
        for number, (game, seats) in enumerate(islice(cycle(list_tables(GAMES)), count), 1):
            post = await begin_game(stage, game, seats, count=number)
            clicks += await play_to_the_end(stage, post, seats, seed=number)
            await wait_for_end(stage, post)
            sys.stdout.write(f"{number}: {game} with {seats}, {clicks} clicks\n")
            sys.stdout.flush()
        slowest = max(stage.fake.latencies)
    seconds = time.monotonic() - began
    counted = f"{clicks} clicks, slowest answer {slowest:.2f} s, {len(stage.fake.violations)} limit violations"
    return f"{count} games to the end over HTTP in {seconds:.0f} s: {counted}"


# Kills


class KillCount(Struct):
    """What happened to the clicks of a person whose app is killed again and again."""

    between: int = 0  # kills between two clicks
    during: int = 0  # kills while a click was on its way
    decisions: int = 0
    lost: int = 0  # clicks that were answered and not carried out
    doubled: int = 0  # clicks that were carried out twice


class KilledPlayer:
    """A person who clicks while the app dies. The number of the offer counts the decisions that the server has."""

    def __init__(self, stage: ProcessStage, post: Message, seed: int) -> None:
        self.stage, self.rng, self.count = stage, Random(seed), KillCount()
        self.player = Player(stage, 0, post, seed)
        self.thread = post["channel_id"]

    async def run(self, kills: int) -> KillCount:
        shown = await self.see_turn()
        while shown is not None and self.count.between + self.count.during < kills:
            shown = await self.click(shown)
        return self.count

    async def see_turn(self) -> Message | None:
        """Wait until there is something to decide; None at the end of the game."""
        with anyio.fail_after(60):
            while True:
                shown = await self.stage.command(0, "hand", self.thread)
                if self.player.list_answers(shown):
                    return shown
                if phrase("en", "over") in read_embeds(shown):
                    return None
                await anyio.sleep(0.05)

    async def click(self, shown: Message) -> Message | None:
        """Click once, with a kill before or during it, and again if the person sees that it failed."""
        before = decode_number(read_offer(shown["components"]))
        click = click_control(self.rng.choice(self.player.list_answers(shown)), self.rng)
        values = click.values if click.component_type == 3 else None
        is_during = self.rng.random() < 0.6
        if not is_during:
            self.count.between += 1
            await self.restart()
        was_answered = False
        async with anyio.create_task_group() as tasks:
            if is_during:
                self.count.during += 1
                tasks.start_soon(self.kill_soon)
            with suppress(InteractionFailed):
                shown = await self.stage.click(0, shown, click.custom_id, values)
                was_answered = True
        if is_during:
            await self.stage.start_app()
        if not was_answered:
            shown = await self.stage.click(0, shown, click.custom_id, values)
        return await self.compare(before, shown)

    async def kill_soon(self) -> None:
        await anyio.sleep(self.rng.random() * 0.05)
        await self.stage.kill_app()

    async def restart(self) -> None:
        await self.stage.kill_app()
        await self.stage.start_app()

    async def compare(self, before: int, answer: Message) -> Message | None:
        """Compare what the server has with what the person was told."""
        told, turn = read_embeds(answer), await self.see_turn()
        if turn is None:
            return None
        done = decode_number(read_offer(turn["components"])) - before
        is_told = phrase("en", "done", action="") in told or phrase("en", "stale") in told
        self.count.decisions += done
        self.count.doubled += done > 1
        self.count.lost += is_told and done < 1
        return answer if self.player.list_answers(answer) else turn


async def kill_often(folder: Path, kills: int, seed: int = 1) -> KillCount:
    """Let a person play while the app is killed, and return what happened."""
    total = KillCount()
    async with staged_processes(folder) as stage:
        number = 0
        while total.between + total.during < kills:
            number += 1
            post = await begin_game(stage, "palais_royal", 2, bots=1, count=number)
            count = await KilledPlayer(stage, post, seed + number).run(kills - total.between - total.during)
            for field in KillCount.__struct_fields__:
                setattr(total, field, getattr(total, field) + getattr(count, field))
            threads = [each for each in stage.fake.state.channels.values() if each["type"] == 11]
            assert len(threads) == number
        assert stage.fake.violations == [], stage.fake.violations
    return total


# The time to the first answer


class AnswerTimes(Struct):
    """How long the first answers took, how many came too late, and what they cost the app's process."""

    seconds: list[float]
    late: int
    processor: float  # seconds, of everything that the app did meanwhile

    def __str__(self) -> str:
        cuts = quantiles(self.seconds, n=100)
        return (
            f"{len(self.seconds)} first answers: p50 {1000 * cuts[49]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms, "
            f"slowest {1000 * max(self.seconds):.0f} ms, {self.late} too late; "
            f"the app used {1000 * self.processor / len(self.seconds):.0f} ms of processor time for each"
        )


async def measure_answers(folder: Path, tables: int, seconds: float) -> AnswerTimes:
    """Let one person click at each of many tables, and return the times of the first answers."""
    async with staged_processes(folder, answer_within=30) as stage:
        posts = [await open_table(stage, number) for number in range(tables)]
        stage.fake.latencies.clear()
        before = read_processor_time(stage)
        async with anyio.create_task_group() as tasks:
            for number, post in enumerate(posts):
                tasks.start_soon(click_for, stage, number, post, time.monotonic() + seconds)
        assert stage.fake.violations == [], stage.fake.violations
        times = stage.fake.latencies
        return AnswerTimes(times, sum(each > 3 for each in times), read_processor_time(stage) - before)


def read_processor_time(stage: ProcessStage) -> float:
    """Return the seconds of processor time that the app has used, without its picture workers."""
    assert stage.app
    fields = Path(f"/proc/{stage.app.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def open_table(stage: ProcessStage, number: int) -> Message:
    game = [*GAMES][number % len(GAMES)]
    await stage.command(number, "new", game=game, seats=GAMES[game].players[0])
    post = await stage.find_post(number + 1)
    await stage.command(number, "bots", post["channel_id"])
    await stage.command(number, "start", post["channel_id"])
    return post


async def click_for(stage: ProcessStage, number: int, post: Message, until: float) -> None:
    """Click like a person who thinks for one to five seconds."""
    player = Player(stage, number, post, number)
    await anyio.sleep(player.rng.uniform(0, 5))
    shown = await stage.command(number, "hand", post["channel_id"])
    while time.monotonic() < until:
        await anyio.sleep(player.rng.uniform(1, 5))
        controls = player.list_answers(shown)
        click = click_control(player.rng.choice(controls), player.rng) if controls else None
        if click is None:
            shown = await stage.click(number, shown, find_button(shown, phrase("en", "refresh")).custom_id)
        else:
            values = click.values if click.component_type == 3 else None
            shown = await stage.click(number, shown, click.custom_id, values)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("run", choices=["games", "kills", "load"])
    options.add_argument("--count", type=int, default=20, help="games, kills or tables")
    options.add_argument("--seconds", type=float, default=60)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.run == "games":
            said = asyncio.run(play_games(Path(folder), given.count))
        elif given.run == "kills":
            said = str(asyncio.run(kill_often(Path(folder), given.count)))
        else:
            said = str(asyncio.run(measure_answers(Path(folder), given.count, given.seconds)))
    sys.stdout.write(said + "\n")


if __name__ == "__main__":
    main()
