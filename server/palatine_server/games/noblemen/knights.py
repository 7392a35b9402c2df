"""10. Knights and gifts."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Done, Drop, Give, LiftKnight, PlaceKnight
from .bag import look_into_bag
from .board import Construction, Gift, Noblemen, Symbol
from .catalog import KNIGHT
from .drafts import begin, close, draft_of, finishing
from .estate import Knight, Vertex
from .news import KnightLifted, KnightPlaced, MoneyHandedOver, TilesHandedOver, TilesSeen
from .queen import hand_over_queen
from .screen import add_tiles, how_many_tiles, kinds_left, remove_tiles, show_totals
from .seats import estate_of, opponents_of

GIFT = max(reward.tiles for reward in KNIGHT.reward.values())


# NM-KNIGHT-1, NM-KNIGHT-3 With a castle built by action B the player may place one knight, but need not.
# NM-KNIGHT-4 A knight in stock goes first; only without one may a standing knight be moved.
def knight_steps(game: Noblemen, seat: Seat, draft: Construction) -> Iterator[Choice]:
    if draft.of != "build" or draft.kind != "castle" or draft.cell is None or draft.target:
        return
    targets = free_symbols(game, seat)
    if game.board.noblemen[seat].knights or draft.source:
        yield from (choice(PlaceKnight, player=[player], vertex=at) for player, at in targets.items())
    elif targets:
        own = knights_of(game, seat)
        yield from (choice(LiftKnight, player=[player], vertex=at) for player, at in own.items())


# NM-KNIGHT-2 The symbol of an opponent's area on which no knight stands.
def free_symbols(game: Noblemen, seat: Seat) -> dict[Seat, list[Vertex]]:
    found = {player: unoccupied(game, player) for player in opponents_of(game, seat)}
    return {player: vertices for player, vertices in found.items() if vertices}


def unoccupied(game: Noblemen, player: Seat) -> list[Vertex]:
    estate = estate_of(game, player)
    return [vertex for vertex in estate.survey.areas if estate.is_free(vertex)]


def knights_of(game: Noblemen, seat: Seat) -> dict[Seat, list[Vertex]]:
    """Return the symbols where the knights of a player stand, by the owner of the estate."""
    estates = {player: estate_of(game, player).knights for player in opponents_of(game, seat)}
    found = {player: [k.vertex for k in knights if k.owner == seat] for player, knights in estates.items()}
    return {player: vertices for player, vertices in found.items() if vertices}


def knights_on(game: Noblemen, seat: Seat, area: str) -> int:
    """Return how many knights of a player stand on opponents' areas of this kind."""
    standing = knights_of(game, seat).items()
    return sum(estate_of(game, player).survey.areas[at] == area for player, vertices in standing for at in vertices)


# NM-KNIGHT-9 A knight stays until its player moves it.
def place_knight(game: Noblemen, seat: Seat, source: Symbol | None, target: Symbol) -> None:
    pick_up_knight(game, seat, source)
    estate = estate_of(game, target.player)
    estate.knights.append(Knight(seat, *target.vertex))
    area = estate.survey.areas[target.vertex]
    game.tell(KnightPlaced(seat, target.player, area, target.vertex))
    collect_from(game, seat, target.player, area)


# NM-KNIGHT-5 A moved knight frees its old symbol.
def pick_up_knight(game: Noblemen, seat: Seat, source: Symbol | None) -> None:
    if source is None:
        game.board.noblemen[seat].knights -= 1
    else:
        estate_of(game, source.player).knights.remove(Knight(seat, *source.vertex))
        game.tell(KnightLifted(seat, source.player, source.vertex))


# NM-KNIGHT-6 A manor: money. NM-KNIGHT-7 A forest: tiles. NM-KNIGHT-8 A garden: the queen, if its owner holds her.
def collect_from(game: Noblemen, seat: Seat, owner: Seat, area: str) -> None:
    reward = KNIGHT.reward[area]
    if reward.money:
        hand_over_money(game, owner, seat, reward.money)
    if reward.tiles:
        ask_for_gift(game, owner, seat)
    if reward.queen:
        hand_over_queen(game, owner, seat)


# NM-KNIGHT-6 Two pounds, or all that the owner has.
def hand_over_money(game: Noblemen, giver: Seat, receiver: Seat, due: int) -> None:
    pounds = min(due, game.hands[giver].money)
    game.hands[giver].money -= pounds
    game.hands[receiver].money += pounds
    game.tell(MoneyHandedOver(giver, receiver, pounds))
    show_totals(game, giver)
    show_totals(game, receiver)


# Gifts


# NM-GIFT-1, NM-GIFT-3 A player with more than two tiles chooses which to give; any other gives all of them at once.
def ask_for_gift(game: Noblemen, owner: Seat, receiver: Seat) -> None:
    if how_many_tiles(game, owner) > GIFT:
        game.board.phase = "gift"
        game.plan(step(give_tiles, owner, to=receiver))
    else:
        tiles = game.hands[owner].tiles
        hand_over_tiles(game, owner, receiver, [kind for kind in tiles for _ in range(tiles[kind])])


# NM-GIFT-2 Exactly two tiles of the hand; the turn waits.
def give_tiles(game: Noblemen, seat: Seat, to: Seat) -> Asking:
    draft = draft_of(game, seat, Gift)
    chosen, held = draft.kinds, game.hands[seat].tiles
    gives = [choice(Give, kind=kinds_left(held, chosen))] if len(chosen) < GIFT else []
    answer = yield [*gives, *finishing("give_tiles", enough=len(chosen) == GIFT, begun=bool(chosen))]
    match answer:
        case Give(kind=kind):
            begin(game, seat, Gift([*chosen, kind]))
        case Drop():
            close(game, seat)
        case Done():
            close(game, seat)
            game.board.phase = "turn"
            hand_over_tiles(game, seat, to, chosen)
            return None
    return AGAIN


# NM-GIFT-4 Giver and receiver see the kinds, all players the number.
def hand_over_tiles(game: Noblemen, giver: Seat, receiver: Seat, kinds: list[str]) -> None:
    remove_tiles(game, giver, kinds)
    add_tiles(game, receiver, kinds)
    look_into_bag(game, receiver)
    game.tell(TilesHandedOver(giver, receiver, len(kinds)))
    game.tell(TilesSeen(giver, receiver, kinds), to=[giver, receiver])
