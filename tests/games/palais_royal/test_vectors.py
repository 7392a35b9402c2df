"""The cases of vectors.json. Composite commands are fed piece by piece, as PR-CMD-1 splits them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from games.palais_royal.drawing import FULL_PARK
from games.palais_royal.situations import GAME, begun, first_turn, turn
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.palais_royal import course
from palatine_server.games.palais_royal.actions import (
    AddSealServant,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    Place,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)
from palatine_server.games.palais_royal.catalog import BORDER, NOBLES, ROWS, SPACES
from palatine_server.games.palais_royal.majority import majority_in
from palatine_server.games.palais_royal.nobles import nobles_of
from palatine_server.games.palais_royal.park import price
from palatine_server.games.palais_royal.rooms import gate_allowance
from palatine_server.games.palais_royal.scoring import row_points, score_sheet, standings, strengths_in

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))["vectors"]


# Building the state


def built(given):
    if given.get("phase") == "setup":
        return begun(given["players"])
    named = {chr(ord("A") + number): noble for number, noble in enumerate(given.get("park", {}).values())}
    return turn(
        palace_given(given),
        park_given(given),
        named=named,
        players=given.get("players", 2),
        seat=given.get("active", 0),
        phase=given.get("phase", "pre"),
        **{
            key: given[key]
            for key in ("gold", "hands", "front", "nobles", "reserve", "deck", "discard")
            if key in given
        },
    )


def palace_given(given):
    return {**given.get("rooms", {}), **({"cardinal": given["cardinal"]} if "cardinal" in given else {})}


def park_given(given):
    """The picture of the park: named nobles by capital letters, vacated spaces, border servants."""
    letters = dict(zip(SPACES, FULL_PARK.split(), strict=True))
    for number, space in enumerate(given.get("park", {})):
        letters[space] = chr(ord("A") + number)
    letters |= dict.fromkeys(given.get("vacant", []), ".")
    letters |= {space: "rbgy"[seat] for space, seat in given.get("border", {}).items()}
    assert all(letters[space] != "." for space in BORDER)
    return " ".join(letters.values())


# Feeding commands


def pieces(command) -> Iterator:
    """The small actions of a command."""
    match command["cmd"]:
        case "place_initial":
            yield from (Place(room) for room, servants in command["rooms"].items() for _ in range(servants))
        case "reinforce":
            yield from (Reinforce(source) for source in sources(command["count"], command.get("from", [])))
        case "add_seal_servants":
            rooms = ["king"] * command["king"] + ["madame"] * command["madame"]
            yield from map(AddSealServant, rooms, sources(len(rooms), command.get("from", [])))
        case "recruit":
            wild = command.get("wild", {"turquoise": 0, "violet": 0})
            yield Recruit(command["space"], (wild["turquoise"], wild["violet"]), command.get("border_from", "supply"))
        case _:
            yield SINGLE[command["cmd"]](command)


SINGLE = {
    "advance": lambda command: Advance(command["to"]),
    "move": lambda command: Move(command["from"], command["to"]),
    "take_gold": lambda command: TakeGold(),
    "draw": lambda command: Draw(command["count"]),
    "keep": lambda command: Keep(command["indices"]),
    "play_privilege": lambda command: PlayPrivilege(command["kind"]),
    "end_turn": lambda command: EndTurn(),
}


def sources(servants, rooms):
    """`from` lists one room per servant that the supply cannot provide; named without need, it is asked for anyway."""
    return ["supply"] * (servants - len(rooms)) + list(rooms)


def refused(game, command):
    """The code with which a command is refused, tried on a copy."""
    copy, seat = GAME.copy(game), game.board.turn.seat
    codes = [code_of(copy, seat, action) for action in [*pieces(command), *ending(command)]]
    first = next(code for code in codes if code)
    # A servant too many is told that 3b is done: the allowance of the whole command was exceeded.
    return "allowance_exceeded" if first == "already_done" and first != codes[0] else first


def code_of(game, seat, action):
    try:
        game.act(seat, action)
    except Refused as refusal:
        return refusal.code
    return None


def ending(command):
    """Four servants are not refused one by one, but then the setup cannot be ended."""
    return [EndTurn()] if command["cmd"] == "place_initial" else []


def carry_out(game, command, supplies):
    if command["cmd"] == "check":
        compare(game, {key: value for key, value in command.items() if key != "cmd"}, supplies)
    elif "error" in command:
        before = GAME.packed(game)
        assert refused(game, command) == command["error"]
        assert GAME.packed(game) == before
    else:
        for action in pieces(command):
            game.act(game.board.turn.seat, action)


# Comparing


def compare(game, then, supplies):
    for key, expected in then.items():
        COMPARE[key](game, expected, supplies)


def by_seat(value):
    return lambda game, expected, supplies: compared(
        {seat: value(game, int(seat), supplies) for seat in expected}, expected
    )


def compared(found, expected):
    assert found == expected


def rooms(game, expected, supplies):
    for room, servants in expected.items():
        compared({seat: game.board.rooms[room][int(seat)] for seat in servants}, servants)


def noble_ids(game, seat):
    return sorted(noble.id for noble in nobles_of(game.board.players[seat]))


COMPARE = {
    "rooms": rooms,
    "gold": by_seat(lambda game, seat, _: game.board.players[seat].gold),
    "supply": by_seat(lambda game, seat, _: game.board.players[seat].supply),
    "supply_delta": by_seat(lambda game, seat, supplies: game.board.players[seat].supply - supplies[seat]),
    "reserve": by_seat(lambda game, seat, _: game.board.players[seat].reserve),
    "front": by_seat(lambda game, seat, _: game.board.players[seat].front),
    "nobles": by_seat(lambda game, seat, _: noble_ids(game, seat)),
    "noble_points": by_seat(lambda game, seat, _: score_sheet(game, seat).totals["nobles"]),
    "hand_size": by_seat(lambda game, seat, _: game.board.players[seat].cards),
    "deck_size": lambda game, expected, _: compared(game.board.deck, expected),
    "discard_size": lambda game, expected, _: compared(len(game.board.discard), expected),
    "border": lambda game, expected, _: compared(game.board.border, expected),
    "active": lambda game, expected, _: compared(game.board.turn.seat, expected),
    "moves": lambda game, expected, _: compared(game.board.turn.moves_left, expected),
}


# The kinds of cases


def scenario(case):
    game = built(case["given"])
    supplies = [player.supply for player in game.board.players]
    for command in case["when"]:
        carry_out(game, command, supplies)
    compare(game, case["then"], supplies)


def allowance(case):
    game, then, seat = built(case["given"]), case["then"], case["given"]["active"]
    assert case["when"]["action"] in ("1", "2")
    assert gate_allowance(game, seat) == then.get("gate_allowance", gate_allowance(game, seat))
    for room, expected in then.get("majority", {}).items():
        assert majority_in(game, seat, room) == expected
    game.act(seat, Advance(f"a{case['when']['action']}"))
    entered = {"1": game.board.turn.gate_left, "2": game.board.turn.moves_left}[case["when"]["action"]]
    assert entered == then[{"1": "gate_allowance", "2": "moves"}[case["when"]["action"]]]


def noble(case):
    tile = NOBLES[case["given"]["id"]]
    assert {key: getattr(tile, key) for key in case["then"]} == case["then"]


def price_of(case):
    given = case["given"]
    game = built({**given, "park": {given["space"]: given["noble"]}, "vacant": given["vacant"]})
    assert price(game, given["space"], NOBLES[given["noble"]]) == case["then"]["price"]


def row(case):
    game, line = built(case["given"]), ROWS[case["given"]["row"]]
    strengths = strengths_in(game, line)
    assert strengths == case["then"]["strength"]
    assert row_points(line, strengths) == case["then"]["points"]


def score(case):
    expected = dict(case["then"])
    sheet = score_sheet(built(case["given"]), expected.pop("seat"))
    assert sheet.totals == expected


def winner(case):
    assert [row.seat for row in standings(built(case["given"])) if row.rank == 1] == case["then"]["winners"]


def end(case):
    given, then = case["given"], case["then"]
    game = first_turn(given["players"])
    assert given["turn_of"] == 0
    for _ in range(given["players"] - 1):
        game.act(game.board.turn.seat, EndTurn())
    game.board.park = dict(list(game.board.park.items())[: given["park_left"]])
    game.act(game.board.turn.seat, EndTurn())
    assert bool(game.board.final_round) == then["final_round"]
    turns = 0
    while not game.is_over:
        game.act(game.board.turn.seat, EndTurn())
        turns += 1
    assert turns == then["turns_left"]


RUN = {
    "scenario": scenario,
    "allowance": allowance,
    "noble": noble,
    "price": price_of,
    "row": row,
    "score": score,
    "winner": winner,
    "end": end,
}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"], marks=rule(*case["rules"])) for case in VECTORS])
def test_vector(case):
    RUN[case["type"]](case)


def test_vectors_every_kind_is_run_by_somebody():
    assert {case["type"] for case in VECTORS} == RUN.keys()
    commands = {command["cmd"] for case in VECTORS if case["type"] == "scenario" for command in case["when"]}
    assert commands <= {*SINGLE, "place_initial", "reinforce", "add_seal_servants", "recruit", "check"}
    assert {key for case in VECTORS if case["type"] == "scenario" for key in case["then"]} <= COMPARE.keys()
    assert course.begin_round in GAME.rules
