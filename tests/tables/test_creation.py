"""Opening tables: once more with the same people."""

from tables.state_fixtures import T0, TABLE, ask, opened, started

from palatine_protocol.messages import AddBot, Leave, Sit, Start
from palatine_server.tables.creation import create_rematch


def test_who_was_played_for_by_a_house_bot_plays_the_rematch_himself() -> None:
    state = started()
    ask(state, 1, Leave(**TABLE))
    seats = create_rematch(state, T0).info.seats
    assert [(sitting.name, sitting.bot, sitting.substitute) for sitting in seats if sitting] == [
        ("Carla", False, False),
        ("Anna", False, False),
        ("Berta", False, False),
    ]


def test_a_house_bot_plays_the_rematch_too() -> None:
    state = opened()
    for seat in range(2):
        ask(state, seat, Sit(**TABLE))
    ask(state, 0, AddBot(**TABLE, policy="greedy"))
    ask(state, 0, Start(**TABLE))
    bot = create_rematch(state, T0).info.seats[0]
    assert bot is not None
    assert (bot.bot, bot.policy, bot.substitute) == (True, "greedy", False)
