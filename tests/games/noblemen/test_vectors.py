"""The cases of vectors.json, read completely. Whole commands are fed piece by piece (NM-STEP-7)."""

from collections import ChainMap, Counter
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from games.noblemen.commands import steps_of
from games.noblemen.situations import (
    GAME,
    IN_WHOSE_MOMENT,
    act,
    begun,
    broken_rule,
    carried_on,
    counted,
    hand_of,
    points,
    table,
    verbs,
)
from games.vectors import as_params, read_vectors, run_case
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.build import price, sites
from palatine_server.games.noblemen.catalog import FOLLIES, META, TRACK
from palatine_server.games.noblemen.decade import building_points, refill_buildings
from palatine_server.games.noblemen.end_game import ranking
from palatine_server.games.noblemen.estate import Building, Estate, Knight, Tile
from palatine_server.games.noblemen.masquerade import (
    award_titles,
    base_prestige,
    possible_titles,
    score_titles,
    settled,
)
from palatine_server.games.noblemen.news import BallBegan, BuildingsScored, TilesDrawn, TurnBegan

CASES = read_vectors(Path(__file__).with_name("vectors.json"))
ABOUT = {"id", "op", "title", "origin", "picture_reconstructed", "rules", "note"}  # of a case; not its content
LETTER = {"field": "F", "fountain": "W", "grove": "G", "meadow": "M"}

# Reading a case


def estate_of(given, *, overlap=False):
    tiles = [Tile(t["kind"], t["x"], t["y"], None if overlap else t["corner"]) for t in given["tiles"]]
    named = iter(["mixed", "gardens", "manors", "forests"])
    buildings = [
        Building(b["kind"], b["x"], b["y"], next(named) if b["kind"] == "folly" else "")
        for b in given.get("buildings", [])
    ]
    return Estate(tiles=tiles, buildings=buildings)


def occupied_estate_of(given):
    """An estate with knights of an opponent on some of its symbols."""
    estate = estate_of(given)
    estate.knights = [Knight(1, vertex["x"], vertex["y"]) for vertex in given["occupied"]]
    return estate


def letters(counts):
    return " ".join(LETTER[kind] for kind, count in counts.items() for _ in range(count))


def square(kind, x=1):
    """Four tiles whose quarters meet at (x + 1, 1)."""
    corners = {(0, 0): "NE", (1, 0): "NW", (0, 1): "SE", (1, 1): "SW"}
    return [Tile(kind, x + dx, dy, corner) for (dx, dy), corner in corners.items()]


KIND_OF = {"manor": "field", "forest": "grove", "garden": "fountain"}


def estate_with_areas(*areas):
    tiles = [Tile("meadow", 0, 0)]
    for place, area in enumerate(areas):
        tiles += square(KIND_OF[area], 1 + 2 * place)
    return Estate(tiles=tiles, buildings=[Building("castle", 0, 0)])


def with_own_knights(given):
    """An opponent's estate with the areas on which the player's knights stand, and where they stand."""
    areas = [area for area, count in given["own_knights_on"].items() for _ in range(count)]
    return estate_with_areas(*areas), {0: [(2, (2 + 2 * place, 1)) for place in range(len(areas))]}


# One estate


def run_areas(case):
    for model in ("corner", "overlap"):
        estate = estate_of(case["given"], overlap=model == "overlap")
        assert Counter(estate.survey.areas.values()) == case["expect"][model]


def run_sites(case):
    found = sites(estate_of(case["given"]), case["do"]["building"])
    assert sorted(map(list, found)) == case["expect"]["cells"]


def run_building_scoring(case):
    assert building_points(estate_of(case["given"])) == case["expect"]["vp"]


def run_expand(case):
    given, expect = case["given"], case["expect"]
    game = table(
        estates={0: estate_of(given)},
        tiles={0: letters(given["hand"])},
        money={0: given["money"]},
        queen=0 if given["has_queen"] else 3,
        round=TRACK.index("lock") if given.get("locked") else 0,
        bag=letters(given["bag"]) if "bag" in given else None,
    )
    steps = steps_of("expand", case["do"])
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert game.hands[0].money - given["money"] == expect["money_gained"]
    assert sum(told.news.count for told in game.told if isinstance(told.news, TilesDrawn)) == expect["tiles_drawn"]
    assert (game.board.queen == 0 and not given["has_queen"]) == expect["queen_taken"]
    areas = Counter(game.board.noblemen[0].estate.survey.areas.values())
    assert {**dict.fromkeys(expect["areas"], 0), **areas} == expect["areas"]
    assert sum(game.hands[0].tiles.values()) == expect["hand_size_after"]


def run_tax(case):
    levy(case, "tax", "taxed", lambda game: game.hands[0].money - case["given"]["money"])


def run_land(case):
    levy(case, "land", "landed", lambda game: sum(game.hands[0].tiles.values()))


def levy(case, verb, flag, gained):
    given, expect = case["given"], case["expect"]
    other, knights = with_own_knights(given)
    estates = {0: occupied_estate_of(given), 2: other}
    game = table(estates=estates, knights=knights, money={0: given["money"]}, bribes={0: given["bribes"]})
    setattr(game.board.noblemen[0], flag, given["used"])
    steps = steps_of(verb, case["do"])
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert (gained(game), game.hands[0].bribes) == (expect["gained"], expect["bribes_after"])
    assert getattr(game.board.noblemen[0], flag) == expect["used_after"]


def run_donate(case):
    given, expect = case["given"], case["expect"]
    game = table(tiles={0: letters(given["hand"])}, church=letters(given["church"]))
    steps = steps_of("donate", case["do"])
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert points(game)[0] == expect["vp_gained"]
    assert game.board.church == expect["church_after"]
    assert hand_of(game, 0) == expect["hand_after"]


# Setup


def run_setup(case):
    players, expect = case["given"]["players"], case["expect"]
    game = carried_on(begun(players), lambda game: game.board.phase == "turn")
    board = game.board
    boxed = META.counts.titles - sum(board.titles.values()) - players
    assert {**board.buildings, "folly": len(board.follies)} == expect["board"]
    assert board.reserve == expect["reserve"]
    assert [hand.money for hand in game.hands] == expect["money"]
    assert (board.queen, board.titles, boxed) == (expect["queen_seat"], expect["title_stock"], expect["titles_boxed"])
    assert [sum(hand.tiles.values()) for hand in game.hands] == expect["hand_sizes"]
    assert [len(hand.cards) for hand in game.hands] == expect["cards_held"]
    assert (len(game.box.deck), sum(game.box.bag.values())) == (expect["deck"], expect["bag"])
    assert (board.round, board.decade, board.bribes) == (expect["round"], expect["decade"], expect["bribes_on_board"])
    assert [nobleman.knights for nobleman in board.noblemen] == expect["knights_stock"]


def run_setup_choice(case):
    game, chosen = begun(3), case["given"]["choice"]
    steps = steps_of("choose_tiles", {"tiles": chosen})
    if "error" in case["expect"]:
        assert broken_rule(game, 0, steps) == case["expect"]["error"]
        return
    act(game, 0, steps)
    carried_on(game, lambda game: game.board.phase != "setup_tiles")
    filled = next(told.news for told in game.told if type(told.news).__name__ == "HandsFilled")
    assert filled.drawn[0] == case["expect"]["random_draws"]
    assert all(game.hands[0].tiles[kind] >= count for kind, count in chosen.items())


# Prices, follies, knights, bribes


def run_price(case):
    given, kind = case["given"], case["do"]["building"]
    buildings = {kind: given["on_board"]}
    game = table(given["players"], buildings=buildings, titles={0: given["title"]}, money={0: 50})
    if "error" in case["expect"]:
        assert broken_rule(game, 0, do.Build(kind)) == case["expect"]["error"]
    else:
        assert price(game, 0, kind) == case["expect"]["price"]


def run_folly(case):
    given, expect = case["given"], case["expect"]
    game = table(estates={0: occupied_estate_of(given)}, money={0: given["money"]}, titles={0: given["title"]})
    game.board.follies = list(given["left"])
    assert given["built_so_far"] == len(FOLLIES) - len(given["left"])
    steps = steps_of("build", ChainMap({"kind": "folly"}, case["do"]))
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert (points(game)[0], game.hands[0].money) == (expect["vp_gained"], expect["money_after"])
    assert game.board.follies == expect["left"]


def run_knight(case):
    given, expect, wanted = case["given"], case["expect"], case["do"]
    assert given["on_board"] == []  # own knights that are not in stock stand on manors of seat 2
    standing = [(2, (2 + 2 * place, 1)) for place in range(2 - given["stock"])]
    room = Estate(tiles=[Tile("meadow", x, 0) for x in range(3)], buildings=[Building("castle", 0, 0)])
    game = table(
        5,
        estates={0: room, 1: estate_with_areas(given["area"]), 2: estate_with_areas("manor", "manor")},
        knights={0: standing, 3: [(1, (2, 1))] if given["occupied"] else []},
        tiles={1: " ".join(LETTER[kind] for kind in given["target_tiles"])},
        money={0: 20, 1: given["target_money"]},
        queen={"target": 1, "other": 4}[given["queen"]],
        round=TRACK.index("lock") if given["locked"] else 0,
    )
    source = {None: {}, "first": {"source": {"player": 2, "x": 2, "y": 1}}}[wanted.get("source")]
    steps = steps_of("build", {"kind": "castle", "x": 2, "y": 0, "knight": {"player": 1, "x": 2, "y": 1, **source}})
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    paid = price(game, 0, "castle")
    act(game, 0, steps)
    if "decision_by" in expect:
        assert (game.waiting_for() == [1]) == (expect["decision_by"] == "target")
    if "gift" in wanted:
        act(game, 1, steps_of("give_tiles", {"kinds": wanted["gift"]}))
    assert game.hands[0].money == 20 - paid + expect["money"]
    assert sum(game.hands[0].tiles.values()) == expect["tiles"]
    assert (game.board.queen == 0) == expect["queen"]
    assert game.board.noblemen[0].knights == expect["stock_after"]
    if "received" in expect:
        assert hand_of(game, 0) == Counter(expect["received"])


def run_bribe(case):
    given, expect = case["given"], case["expect"]
    game = table(money={0: given["money"]}, bribes={1: 20 - given["on_board"]})
    steps = steps_of("bribe", case["do"])
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert (game.hands[0].money, game.hands[0].bribes) == (expect["money_after"], expect["bribes"])
    assert (points(game)[0], game.board.bribes) == (expect["vp_gained"], expect["on_board_after"])


# The ball


def run_prestige(case):
    given, expect = case["given"], case["expect"]
    other, knights = with_own_knights(given)
    game = table(
        estates={0: occupied_estate_of(given), 2: other},
        knights=knights,
        bribes={0: given["bribes"]},
        cards={0: " ".join(given["cards"])},
        queen=0,
        round=TRACK.index("ball") - 1,
    )
    act(game, 0, steps_of("idle", {}) + steps_of("end_turn", {}))
    for nobleman, field in zip(game.board.noblemen[1:], given["placed"], strict=False):
        nobleman.prestige = field
    assert base_prestige(game, 0) == expect["base"]
    act(game, 0, steps_of("spend_prestige", case["do"]))
    counted_ = next(told.news for told in game.told if type(told.news).__name__ == "PrestigeCounted")
    assert (counted_.base, counted_.total, counted_.field) == (expect["base"], expect["total"], expect["position"])
    assert game.board.noblemen[0].prestige == expect["position"]


def run_settle(case):
    assert settled(case["do"]["total"], case["given"]["placed"]) == case["expect"]["position"]


def run_titles(case):
    given, expect = case["given"], case["expect"]
    game, seats = table(given["players"]), {name: seat for seat, name in enumerate(given["order"])}
    board = game.board
    for name, seat in seats.items():
        board.titles[board.noblemen[seat].title] += 1
        board.noblemen[seat].title, board.noblemen[seat].prestige = "", given["positions"][name]
    game.document.agenda = []
    award_titles(game)
    game.run()
    score_titles(game)
    assert {name: board.noblemen[seat].title for name, seat in seats.items()} == expect["titles"]
    assert {name: board.noblemen[seat].vp for name, seat in seats.items()} == expect["vp"]
    assert {title: count for title, count in board.titles.items() if count} == expect["left"]
    assert possible_titles(game, 0)


# Rounds and decades


def run_end_turn(case):
    given, expect = case["given"], case["expect"]
    game = table(
        given["players"],
        active=given["active"],
        queen=given["queen"],
        round=given["round"],
        decade=given["decade"],
    )
    act(game, given["active"], [do.Idle()])
    before = points(game)[given["active"]]
    act(game, given["active"], [do.EndTurn()])
    told = {type(told.news) for told in game.told}
    carried_on(game, lambda game: game.board.phase == "turn")
    assert points(game)[given["active"]] - before == expect["vp_gained"]
    assert (BallBegan in told, BuildingsScored in told) == (expect["ball"], expect["scoring"])
    assert (game.board.round, game.board.active) == (expect["round"], expect["next"])
    assert game.board.decade == expect.get("decade", given["decade"])


def run_refill(case):
    given, expect = case["given"], case["expect"]
    game = table(given["players"])
    game.board.buildings, game.board.reserve = dict(given["on_board"].items()), dict(given["reserve"].items())
    refill_buildings(game)
    assert (game.board.buildings, game.board.reserve) == (expect["on_board"], expect["reserve"])


# Cards, trades, the end


def run_card(case):
    given, expect, card = case["given"], case["expect"], case["given"]["card"]
    game = table(
        estates={0: estate_of(given)} if "tiles" in given else {},
        tiles={0: letters(given.get("hand", {}))},
        cards={0: card},
        money={0: given.get("money", 0)},
        bribes={1: 20 - given.get("on_board", 20)},
        queen={"own": 0, "other": 3}[given.get("queen", "other")],
        round=TRACK.index("lock") if given.get("locked") else 0,
        bag=letters(given["bag"]) if "bag" in given else None,
        church=letters(given.get("church", {})),
        buildings={"castle": given.get("castles_on_board", 4)},
    )
    steps = steps_of("play_card", ChainMap({"card": card}, case["do"]))
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    seen = {
        "money": game.hands[0].money,
        "bribes": game.hands[0].bribes,
        "vp_gained": points(game)[0],
        "on_board_after": game.board.bribes,
        "tiles_drawn": sum(game.hands[0].tiles.values()),
        "hand_after": hand_of(game, 0),
        "queen_taken": game.board.queen == 0,
        "castles_on_board": game.board.buildings["castle"],
        "knights_stock": game.board.noblemen[0].knights,
    }
    assert {key: seen[key] for key in expect} == expect
    assert game.box.deck[-1] == card


def run_card_offer(case):
    given, expect, wanted = case["given"], case["expect"], case["do"]
    estate = Estate(tiles=[Tile("meadow", x, 0) for x in range(2)], buildings=[Building("castle", 0, 0)])
    game = table(estates={0: estate}, cards={0: " ".join(given["held"])}, deck=" ".join(given["deck"]))
    act(game, 0, steps_of("build", {"kind": "chapel", "x": 1, "y": 0}))
    steps = steps_of("keep_card", {"intrigue": True} if wanted.get("intrigue") else {"index": wanted["keep"]})
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert (game.hands[0].cards, game.box.deck) == (expect["held"], expect["deck"])


def run_trade(case):
    given, expect = case["given"], case["expect"]
    game = table(tiles={0: letters(given["hand"])}, bag=letters(given["bag"]))
    steps = steps_of("trade", case["do"])
    if "error" in expect:
        assert broken_rule(game, 0, steps) == expect["error"]
        return
    act(game, 0, steps)
    assert hand_of(game, 0) == expect["hand_after"]
    assert game.box.bag == counted("") | dict(expect["bag_after"].items())


def run_winner(case):
    players = case["given"]["players"]
    game = table(
        len(players),
        queen=0,
        round=TRACK.index("scoring") - 1,
        decade=3,
        cards={seat: "liaison " * player["liaison"] for seat, player in enumerate(players)},
        money={seat: player["money"] for seat, player in enumerate(players)},
    )
    for nobleman, player in zip(game.board.noblemen, players, strict=True):
        nobleman.vp = player["vp"]
    game.board.noblemen[0].vp -= 2  # what idleness and the queen give him now
    act(game, 0, [do.Idle(), do.EndTurn()])
    assert [row.score for row in game.board.final] == case["expect"]["final"]
    assert [row.seat for row in game.board.final if row.rank == 1] == case["expect"]["winners"]
    assert ranking(points(game), [hand.money for hand in game.hands]) == game.board.final


def run_bounds(case):
    players, expect = case["given"]["players"], case["expect"]
    for number in range(3):
        game, rng = begun(players, number), Random(number)
        while not game.is_over:
            seat = rng.choice(game.waiting_for())
            game.act(seat, GAME.policies["random"](game, seat, rng.randrange))
        told = Counter(type(told.news) for told in game.told)
        queens = sum(nobleman.lines.get("NM-END-2", 0) for nobleman in game.board.noblemen)
        assert (queens, told[BallBegan]) == (expect["queen_vp_total"], expect["balls"])
        assert expect["min_turns"] <= told[TurnBegan] <= expect["max_turns"]


# Commands in sequence


def run_flow(case):
    given, expect = case["given"], case["expect"]
    game = table_of(given)
    for command in case["do"]["steps"]:
        steps = steps_of(command["cmd"], command.get("args", {}))
        if "error" in command:
            assert broken_rule(game, command["seat"], steps) == command["error"]
        else:
            assert command["ok"] is True
            act(game, command["seat"], steps)
    for what, wanted in expect.items():
        seen = SEEN[what](game)
        assert ({seat: seen[int(seat)] for seat in wanted} if what in BY_SEAT else seen) == wanted


def table_of(given):
    seats = {int(seat): items for seat, items in given["seats"].items()}
    return table(
        given["players"],
        active=given["active"],
        queen=given["queen"],
        round=given["round"],
        decade=given["decade"],
        estates={seat: estate_of(items) for seat, items in seats.items() if "tiles" in items},
        tiles={seat: letters(items.get("hand", {})) for seat, items in seats.items()},
        cards={seat: " ".join(items.get("cards", [])) for seat, items in seats.items()},
        money={seat: items["money"] for seat, items in seats.items() if "money" in items},
        bribes={seat: items.get("bribes", 0) for seat, items in seats.items()},
        titles=dict(enumerate(given.get("titles", []))),
        church=letters(given.get("church", {})),
        deck=" ".join(given["deck"]) if "deck" in given else None,
        **dict(given.get("options", {}).items()),
    )


BY_SEAT = {"money", "cards", "hand"}
SEEN = {
    "active": lambda game: game.board.active,
    "vp": points,
    "money": lambda game: [hand.money for hand in game.document.hands],
    "cards": lambda game: [hand.cards for hand in game.document.hands],
    "hand": lambda game: [hand_of(game, seat) for seat in game.seats],
    "deck": lambda game: game.box.deck,
    "round": lambda game: game.board.round,
    "decade": lambda game: game.board.decade,
    "titles": lambda game: [nobleman.title for nobleman in game.board.noblemen],
    "queen": lambda game: game.board.queen,
    "finished": lambda game: game.is_over,
    "church": lambda game: game.board.church,
    "bag": lambda game: game.box.bag,
    "reserve": lambda game: game.board.reserve,
    "board": lambda game: game.board.buildings,
    "knights_stock": lambda game: [nobleman.knights for nobleman in game.board.noblemen],
}


RUN = {
    name.removeprefix("run_"): run
    for name, run in dict(globals()).items()
    if name.startswith("run_") and run.__module__ == __name__
}


def run(case):
    """Run a case; what is done may be nothing, and whatever is said of it must be read by its runner."""
    assert isinstance(case["do"], dict)
    RUN[case["op"]](case)


@pytest.mark.parametrize("case", as_params(CASES))
def test_vector(case):
    run_case(case, run, ABOUT)


def test_vectors_every_kind_is_run_by_somebody_and_every_runner_is_needed():
    assert {case["op"] for case in CASES} == set(RUN)


def accepted(op):
    """A case of this kind in which nothing is refused."""
    return deepcopy(next(case for case in CASES if case["op"] == op and "error" not in case["expect"]))


@pytest.mark.parametrize("where", ["", "given", "do", "expect"])
@pytest.mark.parametrize("op", sorted(RUN))
def test_vectors_a_key_that_no_runner_reads_fails(op, where):
    case = accepted(op)
    (case[where] if where else case)["surprise"] = 1
    with pytest.raises((AssertionError, KeyError), match="surprise"):
        run_case(case, run, ABOUT)


@pytest.mark.parametrize("where", ["seat", "tile", "command", "argument"])
def test_vectors_a_key_deep_in_a_flow_that_no_runner_reads_fails(where):
    case = deepcopy(next(case for case in CASES if case["id"] == "FLOW-7"))
    seat, command = case["given"]["seats"]["0"], case["do"]["steps"][0]
    parts = {"seat": seat, "tile": seat["tiles"][0], "command": command, "argument": command["args"]}
    parts[where]["surprise"] = 1
    with pytest.raises(AssertionError, match="surprise"):
        run_case(case, run, ABOUT)


def test_vectors_an_unknown_kind_and_an_unknown_command_fail():
    with pytest.raises(KeyError, match="surprise"):
        run_case({**accepted("price"), "op": "surprise"}, run, ABOUT)
    flow = accepted("flow")
    flow["do"]["steps"][0]["cmd"] = "surprise"
    with pytest.raises(KeyError, match="surprise"):
        run_case(flow, run, ABOUT)


@rule("NM-TURN-2", "NM-FINAL-1")
def test_vectors_two_refusals_are_worded_by_the_kit_for_all_games():
    game = table()
    assert verbs(game, 1) == set()
    with pytest.raises(Refused) as refusal:
        game.act(1, do.Idle())
    assert refusal.value.code in IN_WHOSE_MOMENT
