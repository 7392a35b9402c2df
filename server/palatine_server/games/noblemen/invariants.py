"""19. Invariants, which hold at every moment: no piece is lost, doubled or where it cannot be."""

from __future__ import annotations

from .board import Hand, Nobleman, Noblemen
from .catalog import BRIBE, BUILDINGS, CARDS, FOLLIES, KINDS, KNIGHT, TILES, TITLES
from .estate import Estate, Tile, Vertex
from .survey import CORNERS, edge_neighbours, surrounding_cells


def check(game: Noblemen) -> None:
    """Raise AssertionError with a sentence if the pieces do not add up."""
    hands = list(game.hands)
    tiles_add_up(game, hands)
    markers_and_cards_add_up(game, hands)
    buildings_add_up(game)
    titles_add_up(game)
    knights_stand_where_they_may(game)
    for nobleman in game.board.noblemen:
        estate_is_possible(nobleman.estate)
        points_add_up(nobleman)
    counters_differ(game)


# 1. Bag, hands, estates and church hold all tiles of each kind.
def tiles_add_up(game: Noblemen, hands: list[Hand]) -> None:
    for kind in KINDS:
        estates = sum(nobleman.estate.count(kind) for nobleman in game.board.noblemen)
        behind_screens = sum(hand.tiles[kind] for hand in hands)
        total = game.box.bag[kind] + behind_screens + estates + game.board.church[kind]
        expect(total == TILES[kind].count, f"a {kind} is lost or doubled")
    counts = [*game.box.bag.values(), *game.board.church.values(), *(n for hand in hands for n in hand.tiles.values())]
    expect(min(counts) >= 0, "there are fewer than no tiles somewhere")


# 2., 3. Board and screens hold all bribe markers; deck, screens and offers hold all cards. 10. No debts.
def markers_and_cards_add_up(game: Noblemen, hands: list[Hand]) -> None:
    bribes = [game.board.bribes, *(hand.bribes for hand in hands)]
    expect(sum(bribes) == BRIBE.count and min(bribes) >= 0, "a bribe marker is lost or doubled")
    cards = [*game.box.deck, *(card for hand in hands for card in (*hand.cards, *hand.card_offer))]
    expect(sorted(cards) == ALL_CARDS, "a card is lost or doubled")
    expect(min(hand.money for hand in hands) >= 0, "somebody has less than no money")


ALL_CARDS = sorted(card.id for card in CARDS.values() for _ in range(card.count))


# 4. Board, reserve and estates hold all buildings; each folly stands in one place.
def buildings_add_up(game: Noblemen) -> None:
    board = game.board
    built = [building for nobleman in board.noblemen for building in nobleman.estate.buildings]
    for kind, building in BUILDINGS.items():
        standing = sum(other.kind == kind for other in built)
        total = board.buildings[kind] + board.reserve[kind] + standing
        expect(total == building.count, f"a {kind} is lost or doubled")
        expect(board.buildings[kind] >= 0 and board.reserve[kind] >= 0, f"a {kind} is missing")
    follies = [*board.follies, *(building.folly for building in built if building.kind == "folly")]
    expect(sorted(follies) == sorted(FOLLIES), "a folly is lost or doubled")


# 5. Stock and noblemen hold all titles of this table size. 6. One queen.
def titles_add_up(game: Noblemen) -> None:
    held = [nobleman.title for nobleman in game.board.noblemen]
    for title in TITLES.values():
        total = game.board.titles[title.id] + held.count(title.id)
        expect(total == title.count[str(len(held))], f"a {title.id} is lost or doubled")
    expect(game.board.queen in game.seats, "nobody holds the queen")


# 7. Two knights each; at most one per symbol, and never on their owner's estate.
def knights_stand_where_they_may(game: Noblemen) -> None:
    owners = [(seat, nobleman.estate) for seat, nobleman in enumerate(game.board.noblemen)]
    for seat, estate in owners:
        symbols = [knight.vertex for knight in estate.knights]
        expect(len(set(symbols)) == len(symbols), "two knights stand on one symbol")
        expect(estate.survey.areas.keys() >= set(symbols), "a knight stands beside the areas")
        expect(all(knight.owner != seat for knight in estate.knights), "a knight stands on its own estate")
        standing = sum(knight.owner == seat for _, other in owners for knight in other.knights)
        in_stock = game.board.noblemen[seat].knights
        expect(in_stock + standing == KNIGHT.per_player and in_stock >= 0, "a knight is lost or doubled")


def estate_is_possible(estate: Estate) -> None:
    estate_hangs_together(estate)
    buildings_keep_their_distance(estate)
    areas_share_no_tile(estate)


# 8. Connected along edges; buildings on meadows, one on each.
def estate_hangs_together(estate: Estate) -> None:
    cells = set(estate.survey.cells)
    path = [cells.pop()]
    for cell in path:
        found = cells.intersection(edge_neighbours(cell))
        cells -= found
        path.extend(found)
    expect(not cells and len(path) == len(estate.tiles), "an estate is torn apart")
    meadows = {tile.cell for tile in estate.tiles if tile.kind == "meadow"}
    sites = [building.cell for building in estate.buildings]
    expect(meadows >= set(sites) and len(set(sites)) == len(sites), "a building stands on no meadow of its own")


# 8. No castle or palace beside another, no chapel beside a chapel.
def buildings_keep_their_distance(estate: Estate) -> None:
    for kinds in (("castle", "palace"), ("chapel",)):
        sites = estate.sites_of(*kinds)
        expect(all(surrounding_cells(site).isdisjoint(sites) for site in sites), f"two of {kinds} are adjacent")


# 9. No tile in two areas, where tiles have one quarter.
def areas_share_no_tile(estate: Estate) -> None:
    members = [tile for vertex in estate.survey.areas for tile in tiles_around(estate, vertex) if tile.corner]
    expect(len({tile.cell for tile in members}) == len(members), "a tile belongs to two areas")


def tiles_around(estate: Estate, vertex: Vertex) -> list[Tile]:
    x, y = vertex
    return [estate.survey.cells[x - dx, y - dy] for dx, dy in CORNERS.values()]


# 10. The points by rule add up to the points.
def points_add_up(nobleman: Nobleman) -> None:
    expect(sum(nobleman.lines.values()) == nobleman.vp, "points came from nowhere")
    expect(all(points > 0 for points in nobleman.lines.values()), "points were taken away")


# 13. Counters above 0 stand on different fields.
def counters_differ(game: Noblemen) -> None:
    fields = [nobleman.prestige for nobleman in game.board.noblemen if nobleman.prestige]
    expect(len(set(fields)) == len(fields), "two counters stand on one field")


def expect(holds: bool, complaint: str) -> None:
    if not holds:
        raise AssertionError(complaint)
