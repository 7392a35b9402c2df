"""The cases of vectors.json. Composite commands are fed piece by piece, as PR-CMD-1 splits them."""

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from games.palais_royal.diagrams import FULL_PARK
from games.palais_royal.situations import GAME, begun, every_card, first_turn, turn
from games.vectors import as_params, read_vectors, run_case

from palatine_server.games.kit import Refused, explain_topic
from palatine_server.games.palais_royal.actions import (
    AddSealServant,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    Place,
    PlaceRest,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)
from palatine_server.games.palais_royal.catalog import (
    BORDER,
    COUNTS,
    NOBLES,
    ROOMS,
    ROWS,
    SPACES,
)
from palatine_server.games.palais_royal.majority import majority_in
from palatine_server.games.palais_royal.nobles import nobles_of
from palatine_server.games.palais_royal.park import price
from palatine_server.games.palais_royal.rooms import gate_allowance
from palatine_server.games.palais_royal.scoring import row_points, score_sheet, standings, strengths_in

VECTORS = read_vectors(Path(__file__).with_name("vectors.json"))
ABOUT = {"id", "title", "rules", "kind", "page", "picture", "note", "depends_on"}  # what a case says of itself
GIVEN = ("gold", "hands", "front", "nobles", "reserve", "deck", "discard")


# Building the state


def built(given):
    if given.get("phase") == "setup":
        assert given["active"] == 0
        return begun(given["players"], **dict(given.get("options", {}).items()))
    named = {chr(ord("A") + number): noble for number, noble in enumerate(given.get("park", {}).values())}
    game = turn(
        palace_given(given),
        park_given(given),
        named=named,
        players=given.get("players", 2),
        seat=given.get("active", 0),
        phase=given.get("phase", "pre"),
        **{key: given[key] for key in GIVEN if key in given},
        **dict(given.get("options", {}).items()),
    )
    assert given.get("cards_elsewhere", False) or len(every_card(game)) == COUNTS.privilege_cards
    return game


def palace_given(given):
    rooms = dict(given.get("rooms", {}).items())
    rooms |= {"cardinal": given["cardinal"]} if "cardinal" in given else {}
    assert rooms.keys() <= ROOMS.keys()
    assert all(len(servants) == given.get("players", 2) for servants in rooms.values())
    return rooms


def park_given(given):
    """The picture of the park: named nobles by capital letters, vacated spaces, border servants."""
    letters = dict(zip(SPACES, FULL_PARK.split(), strict=True))
    for number, space in enumerate(given.get("park", {})):
        letters[space] = chr(ord("A") + number)
    letters |= dict.fromkeys(given.get("vacant", []), ".")
    letters |= {space: "rbgy"[seat] for space, seat in given.get("border", {}).items()}
    assert all(letters[space] != "." for space in BORDER)
    assert letters.keys() == set(SPACES)
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
    "place_rest": lambda command: PlaceRest(),
}


def sources(servants, rooms):
    """`from` lists one room per servant that the supply cannot provide; named without need, it is asked for anyway."""
    return ["supply"] * (servants - len(rooms)) + list(rooms)


def seat_of(game, command):
    """Whose command it is: of the seat it names, else of the seat whose turn it is."""
    return command.get("seat", game.board.turn.seat)


def refused(game, command):
    """The code with which a command is refused, tried on a copy."""
    copy, seat = GAME.copy(game), seat_of(game, command)
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
        before = GAME.pack(game)
        assert refused(game, command) == command["error"]
        assert GAME.pack(game) == before
    else:
        seat = seat_of(game, command)
        for action in pieces(command):
            game.act(seat, action)


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
    "hands": by_seat(lambda game, seat, _: game.hands[seat].cards),
    "discard": lambda game, expected, _: compared(game.board.discard, expected),
    "in_force": lambda game, expected, _: compared(game.board.turn.active, expected),
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


ENTERED = {"1": ("gate_allowance", lambda turn: turn.gate_left), "2": ("moves", lambda turn: turn.moves_left)}


def allowance(case):
    game, then, seat = built(case["given"]), case["then"], case["given"]["active"]
    name, entered = ENTERED[case["when"]["action"]]
    assert gate_allowance(game, seat) == then.get("gate_allowance", gate_allowance(game, seat))
    for room, expected in then.get("majority", {}).items():
        assert majority_in(game, seat, room) == expected
    game.act(seat, Advance(f"a{case['when']['action']}"))
    assert entered(game.board.turn) == then[name]


def noble(case):
    tile = NOBLES[case["given"]["id"]]
    nothing_is_done(case)
    assert {key: getattr(tile, key) for key in case["then"]} == case["then"]


def nothing_is_done(case):
    assert case["when"] is None


def price_of(case):
    given = case["given"]
    space, tile = given["space"], given["noble"]
    nothing_is_done(case)
    park = {"park": {space: tile}, "vacant": given["vacant"], "border": given.get("border", {})}
    game = built({"players": 2, **park})
    assert price(game, space, NOBLES[tile]) == case["then"]["price"]


def row(case):
    game, line = built(case["given"]), ROWS[case["given"]["row"]]
    nothing_is_done(case)
    strengths = strengths_in(game, line)
    assert strengths == case["then"]["strength"]
    assert row_points(line, strengths) == case["then"]["points"]


def score(case):
    nothing_is_done(case)
    expected = dict(case["then"].items())
    sheet = score_sheet(built(case["given"]), expected.pop("seat"))
    assert sheet.totals == expected


def points_seen(case):
    game, asked = built(case["given"]), case["when"]
    reason = explain_topic(game, asked["viewer"], {"do": "score", "seat": asked["seat"]})
    lines = [line for part in reason.because for line in part.because if line.what == "hidden_nobles"]
    hidden = sum(line.figures["count"] for line in lines)
    assert {"points": reason.amount, "hidden": hidden} == case["then"]


def winner(case):
    nothing_is_done(case)
    assert [row.seat for row in standings(built(case["given"])) if row.rank == 1] == case["then"]["winners"]


def end(case):
    """The last turn before the start player's, then that player's, and all others until the end."""
    given, then = case["given"], case["then"]
    nothing_is_done(case)
    assert given["turn_of"] == 0
    game = first_turn(given["players"], **dict(given.get("options", {}).items()))
    for _ in range(given["players"] - 1):
        game.act(game.board.turn.seat, EndTurn())
    game.board.park = dict(list(game.board.park.items())[: given["park_left"]])
    game.board.round = given.get("round", 2) - 1
    game.board.idle_rounds = given.get("idle_rounds", 1) - 1
    game.act(game.board.turn.seat, EndTurn())
    assert bool(game.board.final_round) == then["final_round"]
    assert game.board.final_round == then.get("reason", game.board.final_round)
    if then["final_round"]:
        assert turns_until_the_end(game) == then["turns_left"]


def turns_until_the_end(game):
    turns = 0
    while not game.is_over:
        game.act(game.board.turn.seat, EndTurn())
        turns += 1
    return turns


RUN = {
    "scenario": scenario,
    "allowance": allowance,
    "noble": noble,
    "price": price_of,
    "row": row,
    "score": score,
    "points_seen": points_seen,
    "winner": winner,
    "end": end,
}
KINDS = {"rulebook", "short_rules", "derived"}
PICTURES = {"not_needed", "lost_reconstructed"}


def run(case):
    assert case["kind"] in KINDS
    assert case["picture"] in PICTURES
    RUN[case["type"]](case)


@pytest.mark.parametrize("case", as_params(VECTORS))
def test_vector(case):
    run_case(case, run, ABOUT)


def test_vectors_every_kind_of_case_and_of_command_is_there():
    assert {case["type"] for case in VECTORS} == RUN.keys()
    commands = {command["cmd"] for case in VECTORS if case["type"] == "scenario" for command in case["when"]}
    assert commands == {*SINGLE, "place_initial", "reinforce", "add_seal_servants", "recruit", "check"}
    assert len({case["id"] for case in VECTORS}) == len(VECTORS)


def test_vectors_that_the_rules_name_are_all_there():
    named = re.findall(r"PRV-\w+", (GAME.folder / "RULES.md").read_text(encoding="utf-8"))
    assert named
    assert {*named} <= {case["id"] for case in VECTORS}


# What a runner does not read makes it fail


def changed(name, change):
    case = deepcopy(next(case for case in VECTORS if case["id"] == name))
    change(case)
    return case


def in_command(**more):
    return lambda case: case["when"][0].update(more)


def in_part(part, **more):
    return lambda case: case[part].update(more)


@pytest.mark.parametrize(
    ("name", "change", "unread"),
    [
        ("PRV-R04", lambda case: case.update(weather="fair"), "weather"),
        ("PRV-R04", in_part("given", weather="fair"), "given.weather"),
        ("PRV-R04", in_part("when", weather="fair"), "when.weather"),
        ("PRV-R04", in_part("then", weather="fair"), "then.weather"),
        ("PRV-R06b", in_command(weather="fair"), "when.weather"),
        ("PRV-R06b", in_command(count=3), "when.count"),
        ("PRV-R12", in_part("given", gold=[1, 2]), "given.gold"),
        ("PRV-D57", in_part("given", rooms={"mint": [1, 1]}), "given.rooms"),
    ],
)
def test_an_unknown_key_fails(name, change, unread):
    with pytest.raises(AssertionError, match=re.escape(f"['{unread}']")):
        run_case(changed(name, change), run, ABOUT)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("PRV-R04", lambda case: case.update(type="weather")),
        ("PRV-R04", lambda case: case.update(kind="weather")),
        ("PRV-R04", in_part("when", action="6")),
        ("PRV-R04", in_part("given", rooms={"cellar": [1, 1]})),
        ("PRV-R04", in_part("given", rooms={"mint": [1]})),
        ("PRV-R06b", in_command(cmd="weather")),
        ("PRV-R06b", in_command(error="already_done")),
        ("PRV-R06b", in_part("then", weather="fair")),
        ("PRV-R12", lambda case: case.update(when={"cmd": "end_turn"})),
    ],
)
def test_an_unknown_kind_fails(name, change):
    with pytest.raises((AssertionError, KeyError, StopIteration)):
        run_case(changed(name, change), run, ABOUT)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_command_is_given_by_the_seat_it_names(seat):
    with pytest.raises(Refused, match="not_your_turn"):
        run_case(changed("PRV-R06b", in_command(seat=seat)), run, ABOUT)
    run_case(changed("PRV-R06b", in_command(seat=3)), run, ABOUT)
