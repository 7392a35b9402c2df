"""Opening tables: once more with the same people."""

from tables.books import T0, opened, started

from palatine_server.tables.opening import again


def test_who_was_played_for_by_a_house_bot_plays_the_rematch_himself() -> None:
    book = started()
    book.leave("berta", T0)
    seats = again(book, T0).info.seats
    assert [(sitting.name, sitting.bot, sitting.substitute) for sitting in seats if sitting] == [
        ("Name 2", False, False),
        ("Name 0", False, False),
        ("Name 1", False, False),
    ]


def test_a_house_bot_plays_the_rematch_too() -> None:
    book = opened()
    for seat, user in enumerate(("anna", "berta")):
        book.sit(user, f"Name {seat}", None, T0)
    book.add_bot("anna", "greedy", None, T0)
    book.start("anna", T0)
    bot = again(book, T0).info.seats[0]
    assert bot is not None
    assert (bot.bot, bot.policy, bot.substitute) == (True, "greedy", False)
