"""The bot: choose, handlers of turns and news, and the same play in process and over lines."""

from __future__ import annotations

import asyncio
import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from palatine_client.bots import BadBot, Bot, BotTurn, GameEnd, GameStart, load_bot
from palatine_client.bots.program import play_lines
from palatine_protocol.offers import Choice

CHOICES = [Choice("draw"), Choice("play", {"card": ["ace", "king"]})]
NEWS = [{"news": "card_played", "seat": 1}, {"news": "round_ended"}]


def make_turn(seed: int = 1) -> BotTurn:
    return BotTurn(
        game="any", players=2, seat=0, version=1, board={}, hand={}, choices=CHOICES, news=NEWS, rng=Random(seed)
    )


class Chronicler(Bot):
    """Notes everything in order."""

    def __init__(self) -> None:
        self.noted: list[Any] = []

    def start(self, start: GameStart) -> None:
        self.noted.append(("start", start.seat))

    async def hear(self, news: dict[str, Any]) -> None:
        self.noted.append(news["news"])

    async def choose(self, turn: BotTurn) -> dict[str, Any]:
        self.noted.append("turn")
        return {"do": "draw"}

    def end(self, end: GameEnd) -> None:
        self.noted.append("end")


async def test_a_bot_hears_the_news_before_it_chooses() -> None:
    bot = Chronicler()
    await bot.begin_game(GameStart(game="any", seat=1, players=2))
    assert await bot.play_turn(make_turn()) == {"do": "draw"}
    await bot.end_game(GameEnd(standings=[], news=NEWS[1:]))
    assert bot.noted == [("start", 1), "card_played", "round_ended", "turn", "round_ended", "end"]


async def test_handlers_take_turns_and_the_news_they_want() -> None:
    bot, heard = Bot(), list[Any]()

    @bot.on_turn
    async def decide(turn: BotTurn) -> dict[str, Any]:
        return {"do": "play", "card": "ace"}

    @bot.on_news
    def note_all(news: dict[str, Any]) -> None:
        heard.append(("all", news["news"]))

    @bot.on_news("round_ended")
    async def note_round(news: dict[str, Any]) -> None:
        heard.append(("round", news["news"]))

    assert await bot.play_turn(make_turn()) == {"do": "play", "card": "ace"}
    assert heard == [("all", "card_played"), ("all", "round_ended"), ("round", "round_ended")]
    assert (await Bot().play_turn(make_turn())) in make_turn().offer, "another bot has none of these handlers"


def test_a_bot_without_ideas_chooses_at_random_and_repeatably() -> None:
    chosen = [asyncio.run(Bot().play_turn(make_turn(seed))) for seed in (1, 1, 2, 3, 4, 5)]
    assert chosen[0] == chosen[1]
    assert len({str(action) for action in chosen}) > 1


def test_lines_start_a_new_bot_for_each_game() -> None:
    made: list[Chronicler] = []

    def make() -> Bot:
        made.append(Chronicler())
        return made[-1]

    offer = {"id": 4, "choices": [{"do": "draw"}]}
    orders = [
        {"type": "hello", "protocol": 1, "game": "any", "unknown": 1},
        {"type": "start", "seat": 1, "players": 2, "seed": "7"},
        {"type": "turn", "version": 9, "board": {}, "hand": {}, "offer": offer, "news": NEWS},
        {"type": "over", "standings": []},
        {"type": "start", "seat": 0, "players": 2, "seed": "8"},
    ]
    source, out = io.BytesIO(b"".join(json.dumps(order).encode() + b"\n" for order in orders)), io.BytesIO()
    play_lines(make, source, out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [{"type": "ready"}, {"type": "act", "offer": 4, "action": {"do": "draw"}}]
    expected = [("start", 1), "card_played", "round_ended", "turn", "end"]
    assert [bot.noted for bot in made] == [expected, [("start", 0)]]


def test_the_exchange_on_the_page_about_bots_is_what_a_bot_says() -> None:
    page = (Path(__file__).parents[3] / "clients" / "BOTS.md").read_text("utf-8")
    orders, answers = ("".join(re.findall(rf"(?m)^{mark} (.*\n)", page)).encode() for mark in "><")
    bot, out = Bot(), io.BytesIO()
    bot.on_turn(lambda turn: next(iter(turn.offer)))
    play_lines(lambda: bot, io.BytesIO(orders), out)
    assert len(orders.splitlines()) == 4
    expected = [json.loads(line) for line in answers.splitlines()]
    assert [json.loads(line) for line in out.getvalue().splitlines()] == expected


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", "does not name a bot"),
        ("no_such_module_here:Bot", "cannot be imported"),
        ("json:dumps", "something of type function"),
        ("json:nothing", "names nothing"),
    ],
)
def test_a_name_without_a_bot_says_what_to_do(name: str, why: str) -> None:
    with pytest.raises(BadBot, match=why):
        load_bot(name)
