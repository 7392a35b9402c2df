"""Opening tables: once more with the same people."""

from tables.state_fixtures import T0, TABLE, ask, opened, started

from palatine_protocol.messages import AddBot, Leave, Sit, Start
from palatine_server.tables.creation import again


def test_who_was_played_for_by_a_house_bot_plays_the_rematch_himself() -> None:
    book = started()
    ask(book, 1, Leave(**TABLE))
    seats = again(book, T0).info.seats
    assert [(sitting.name, sitting.bot, sitting.substitute) for sitting in seats if sitting] == [
        ("Carla", False, False),
        ("Anna", False, False),
        ("Berta", False, False),
    ]


def test_a_house_bot_plays_the_rematch_too() -> None:
    book = opened()
    for seat in range(2):
        ask(book, seat, Sit(**TABLE))
    ask(book, 0, AddBot(**TABLE, policy="greedy"))
    ask(book, 0, Start(**TABLE))
    bot = again(book, T0).info.seats[0]
    assert bot is not None
    assert (bot.bot, bot.policy, bot.substitute) == (True, "greedy", False)
