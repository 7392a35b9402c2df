"""A finished game whose log holds names and chat messages of every kind."""

from functools import cache
from random import Random
from typing import Any

from records.game_fixtures import PlayedGame, at_random, moves

from palatine_protocol import messages
from palatine_protocol.messages import Create
from palatine_server.games.registry import GAMES
from palatine_server.records import Record, Signer, build_record, sign_record
from palatine_server.tables.creation import create_table
from palatine_server.tables.handlers import handle_request
from palatine_server.tables.state import Requester
from palatine_server.tables.storage.persistence import copy_snapshot

GAME = GAMES["palais_royal"]
NAMES = ["Xanthippe Übermut", "Yorick Quark", "Zebulon Wirsing"]
SPECTATOR = "Quisquilia Neugier"
LINES = ["Fromage et dessert!", "Potztausend, ein Siegel 🏰"]
SECRET_LINE = "nobody at the table hears this"
SIGNER = Signer("42" * 32, "https://play.example")
TABLE: Any = {"id": "r", "table": "t"}


@cache
def play_chatty_game() -> PlayedGame:
    """Play a game in which people sit, leave, are kicked, hand over, chat, are muted, and chat after the end."""
    state = create_table(GAME, "u0", NAMES[0], Create(id="c", game=GAME.name, seats=3), 1)
    people = [Requester(f"u{seat}", name) for seat, name in enumerate(NAMES)]
    now = 1_000_000

    def does(who: Requester, kind: Any, **given: Any) -> Any:
        nonlocal now
        now += 60_000
        return handle_request(state, who, kind(**TABLE, **given), now, None)

    entries = [does(who, messages.Sit) for who in people]
    entries += [does(people[2], messages.Leave), does(people[2], messages.Sit)]
    entries += [does(people[0], messages.Kick, seat=1), does(people[1], messages.Sit)]
    entries += [does(people[0], messages.HandOver, seat=1), does(people[1], messages.HandOver, seat=0)]
    entries += [does(people[0], messages.Kick, seat=2), does(people[0], messages.AddBot, policy="random")]
    entries += [does(people[0], messages.RemoveBot, seat=2), does(people[2], messages.Sit)]
    said = does(people[1], messages.Say, text=LINES[0])
    entries += [said, does(people[0], messages.Mute, line=said.version)]
    entries += [does(people[0], messages.Mute, line=said.version, muted=False)]
    entries += [does(Requester("u9", SPECTATOR), messages.Say, text=SECRET_LINE)]
    entries.append(does(people[0], messages.Start))
    entries += moves(state, Random(3), at_random)
    entries.append(does(people[0], messages.Say, text=LINES[1]))
    return state, tuple(entries)


def talkative_record() -> Record:
    """Return the signed record of that game."""
    state, entries = play_chatty_game()
    return sign_record(build_record("t", copy_snapshot(state.take_snapshot()), entries), SIGNER)
