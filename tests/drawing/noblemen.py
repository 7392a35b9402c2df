"""The facts of Noblemen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from drawing.facts import Fact, Labels, Moment, at_end, at_start, fact, name_entry, name_word, play_until, read_toml
from drawing.facts import watch_from as watch

from palatine_server.games.kit import Recorder, Seat, plain
from palatine_server.games.noblemen import NOBLEMEN as GAME
from palatine_server.games.noblemen.board import Hand, Noblemen
from palatine_server.games.noblemen.catalog import BUILDINGS, REWARD
from palatine_server.games.noblemen.decade import chapels_beside
from palatine_server.games.noblemen.estate import Building, Estate
from palatine_server.games.noblemen.levies import yield_of
from palatine_server.games.noblemen.masquerade import base_prestige

CATALOG = read_toml(GAME, "catalog.toml")
CARDS = {card["id"]: card for card in CATALOG["card"]}
TILES = {tile["id"]: tile for tile in CATALOG["tile"]}
FOLLY = CATALOG["folly"]
NEEDS = {piece["id"]: piece["needs"] for piece in FOLLY["piece"]}
DECADES = ("I", "II", "III")


# Moments


def list_moments() -> Iterator[Moment]:
    """Yield the moments of the vectors: 3, 4 and 5 players, from the first tiles to the end."""
    yield from watch("first tiles", play_until(GAME, 3, at_start), 0)
    yield from watch("3 players, second decade", play_until(GAME, 3, is_in_second_decade), 2)
    yield from watch("4 players, ball", play_until(GAME, 4, is_at_ball), 0, 3)
    yield from watch("5 players, third decade", play_until(GAME, 5, is_in_third_decade, open_totals=True), 4)
    yield from watch("cards on offer", play_until(GAME, 4, has_offer), *range(4))
    yield from watch("draft of tiles", play_until(GAME, 3, has_laid), *range(3))
    yield from watch("draft of a building", play_until(GAME, 4, has_site), *range(4))
    yield from watch("draft with a knight", play_until(GAME, 3, has_knight), *range(3))
    yield from watch("overlapping areas", play_until(GAME, 3, is_in_second_decade, area_model="overlap"))
    for players in GAME.players:
        yield from watch(f"{players} players, end", play_until(GAME, players, at_end))


def is_in_second_decade(recorder: Recorder) -> bool:
    board = recorder.play.board
    return board.decade == 2 and board.round > 4 and board.phase == "turn"


def is_in_third_decade(recorder: Recorder) -> bool:
    board = recorder.play.board
    return board.decade == 3 and board.round == 10


def is_at_ball(recorder: Recorder) -> bool:
    board = recorder.play.board
    return board.phase == "ball" and any(each.prestige for each in board.noblemen)


def has_offer(recorder: Recorder) -> bool:
    return recorder.play.board.decade == 2 and any(hand.card_offer for hand in recorder.play.hands)


def has_laid(recorder: Recorder) -> bool:
    drafts = [plain(hand.draft) for hand in recorder.play.hands if hand.draft]
    return any(draft["draft"] == "expansion" and len(draft["tiles"]) == 2 for draft in drafts)


def has_site(recorder: Recorder) -> bool:
    return any((plain(hand.draft) or {}).get("cell") for hand in recorder.play.hands)


def has_knight(recorder: Recorder) -> bool:
    return any((plain(hand.draft) or {}).get("target") for hand in recorder.play.hands)


# Facts


def list_facts(moment: Moment) -> Iterator[Fact]:
    """Yield what a picture must show."""
    game: Noblemen = moment.recorder.play
    yield moment_fact(game, moment)
    yield from list_track(game)
    yield from list_common_board(game)
    for seat in range(len(game.board.noblemen)):
        yield from list_player(seat, game, moment)
        yield from list_estate(seat, game.board.noblemen[seat].estate)
    yield from list_results(game, moment)
    if moment.viewer is not None:
        yield from list_hand(game.hands[moment.viewer])
        yield from list_cells(game, moment.viewer)


def moment_fact(game: Noblemen, moment: Moment) -> Fact:
    board = game.board
    decade = DECADES[board.decade - 1]
    if board.phase in {"turn", "card_offer"}:
        return fact("moment", None, decade, moment.names[board.active])
    return fact("moment", name_word(GAME, "phase", board.phase), *(() if board.phase == "over" else (decade,)))


def list_track(game: Noblemen) -> Iterator[Fact]:
    for number, decade in enumerate(DECADES, 1):
        yield fact(f"decades/{number}", None, decade)
    for number, field in enumerate(CATALOG["round_track"]["fields"]):
        yield fact(f"track/{number}", None, *([number] if field["type"] == "plain" else []))
    yield fact(f"round/{game.board.round}")


def list_common_board(game: Noblemen) -> Iterator[Fact]:
    board = game.board
    for building in CATALOG["building"]:
        kind = building["id"]
        left = building["prices"][len(building["prices"]) - board.buildings[kind] :]
        yield fact(f"buildings/{kind}", name_entry(building), *left, board.reserve[kind], piece=kind)
    built = len(FOLLY["piece"]) - len(board.follies)
    yield fact("follies", name_entry(FOLLY), *([FOLLY["price"], FOLLY["vp"][built]] if board.follies else []))
    yield from (fact(f"follies/{piece}", piece=piece, shapes=NEEDS[piece]) for piece in board.follies)
    for kind, given in board.church.items():
        yield fact(f"church/{kind}", None, given, REWARD.church.max_per_kind, piece=kind)
    yield fact("bribes", None, board.bribes, CATALOG["bribe"]["price"])
    for title in CATALOG["title"]:
        figures = [first_form(title["name_en"]), title["prestige"], title["vp"], board.titles.get(title["id"], 0)]
        yield fact(f"titles/{title['id']}", None, *figures, piece=title["id"])


def list_player(seat: Seat, game: Noblemen, moment: Moment) -> Iterator[Fact]:
    board, nobleman, place = game.board, game.board.noblemen[seat], f"players/{seat}"
    is_ball = board.phase in {"ball", "title"}
    yields = [f"£{yield_of(game, seat, REWARD.tax)}", yield_of(game, seat, REWARD.land)]
    prestige = nobleman.prestige if is_ball else base_prestige(game, seat)
    totals = plain(board.totals[seat]).values() if board.totals else ()
    yield fact(place, None, moment.names[seat], nobleman.vp, *yields, prestige, *totals)
    if nobleman.title:
        name = next(first_form(title["name_en"]) for title in CATALOG["title"] if title["id"] == nobleman.title)
        yield fact(f"{place}/title", None, name, piece=nobleman.title)
    if board.queen == seat:
        yield fact(f"{place}/queen")
    if not game.is_over and seat in game.waiting_for():
        yield fact(f"{place}/waiting")


def list_estate(seat: Seat, estate: Estate) -> Iterator[Fact]:
    place = f"estates/{seat}"
    for tile in estate.tiles:
        yield fact(f"{place}/tiles/{tile.x},{tile.y}", piece=tile.kind)
    for building in estate.buildings:
        points = count_points(estate, building)
        spot, needs = f"{place}/buildings/{building.x},{building.y}", NEEDS.get(building.folly)
        yield fact(spot, None, *([points] if points else []), piece=building.kind, shapes=needs)
    for (x, y), area in estate.survey.areas.items():
        yield fact(f"{place}/areas/{x},{y}", piece=area)
    for knight in estate.knights:
        yield fact(f"{place}/knights/{knight.x},{knight.y}")


def count_points(estate: Estate, building: Building) -> int:
    """Return the points of an enclosed castle or palace; all other buildings have none."""
    terms = BUILDINGS.get(building.kind)
    if not terms or not terms.enclosed or not estate.is_enclosed(building.cell):
        return 0
    return terms.enclosed + terms.per_chapel * chapels_beside(estate, [building.cell])


def list_results(game: Noblemen, moment: Moment) -> Iterator[Fact]:
    board = game.board
    given = sorted({rule for each in board.noblemen for rule in each.lines}) if board.final else []
    yield from (fact(f"sheets/{rule}", name_word(GAME, "line", rule)) for rule in given)
    for row in board.final:
        points = board.noblemen[row.seat].lines.values()
        yield fact(f"final/{row.seat}", None, moment.names[row.seat], row.rank, *points, row.score, f"£{row.money}")


# The viewer's own


def list_hand(hand: Hand) -> Iterator[Fact]:
    yield fact("hand/money", None, hand.money)
    yield fact("hand/bribes", None, hand.bribes)
    for kind, count in hand.tiles.items():
        yield fact(f"hand/tiles/{kind}", name_entry(TILES[kind]), count, piece=kind)
    for place, cards in (("cards", hand.cards), ("card_offer", hand.card_offer)):
        for number, card in enumerate(cards):
            yield fact(f"hand/{place}/{number}", name_entry(CARDS[card]), piece=card)
    if hand.draft:
        yield from list_draft(plain(hand.draft))


def list_draft(draft: Any) -> Iterator[Fact]:
    """Yield what the viewer has chosen so far; tiles, sites and knights are shown where they go."""
    kinds = draft.get("kinds", [kind for kind, *_ in draft.get("tiles", ())])
    building = name_building(draft["kind"]) if draft["draft"] == "construction" else None
    figures = [*Counter(kinds).values(), *([draft["bribes"]] if "bribes" in draft else [])]
    yield fact("hand/draft", building, *figures)
    yield from (fact(f"hand/draft/tiles/{x},{y}", piece=kind) for kind, x, y, *_ in draft.get("tiles", ()))
    if draft.get("cell"):
        yield fact("hand/draft/site", piece=draft["kind"])
    yield from (fact(f"hand/draft/{step}") for step in ("source", "target") if draft.get(step))


def list_cells(game: Noblemen, viewer: Seat) -> Iterator[Fact]:
    """Yield the cells where the viewer may lay a tile or build."""
    offer = [] if game.is_over else game.offer(viewer)
    cells = {tuple(cell) for choice in offer if "cell" in choice.fields for cell in choice.fields["cell"]}
    yield from (fact(f"estates/{viewer}/cells/{x},{y}") for x, y in sorted(cells))


# Names


def name_building(kind: str) -> Labels:
    return name_entry(FOLLY if kind == "folly" else next(each for each in CATALOG["building"] if each["id"] == kind))


def first_form(name: str) -> str:
    """Return the first form of a title, which has one for men and one for women."""
    return name.split("/")[0]
