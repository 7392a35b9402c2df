"""17. End of the game."""

from __future__ import annotations

from ..kit import Standing
from .board import Final, Hand, Noblemen, Revealed, Screen
from .catalog import CARDS
from .news import GameEnded
from .seats import score

LIAISON = "liaison"


# NM-FINAL-1 Right after the last building scoring. NM-HIDE-7 Everything is revealed.
def end_game(game: Noblemen) -> None:
    score_liaisons(game)
    board = game.board
    board.phase = "over"
    board.revealed = Revealed([screen_of(hand) for hand in game.hands], game.box.bag, game.box.deck)
    board.final = ranking([nobleman.vp for nobleman in board.noblemen], [hand.money for hand in game.hands])
    winners = [row.seat for row in board.final if row.rank == 1]
    game.tell(GameEnded([row.score for row in board.final], winners))


# NM-FINAL-2, NM-CARD-10 Three points for each liaison held. NM-FINAL-5 Nothing else is worth anything.
def score_liaisons(game: Noblemen) -> None:
    for seat, hand in enumerate(game.hands):
        score(game, seat, CARDS[LIAISON].effect.vp * hand.cards.count(LIAISON), "NM-FINAL-2")


# NM-FINAL-3 Most points win, then most money. NM-FINAL-4 Players who are still tied share the place.
def ranking(points: list[int], money: list[int]) -> list[Final]:
    """Return the final result of each seat with its rank, in the order of the seats."""
    standing = list(zip(points, money, strict=True))
    ranks = [1 + sum(other > own for other in standing) for own in standing]
    return [Final(seat, *standing[seat], rank) for seat, rank in enumerate(ranks)]


def screen_of(hand: Hand) -> Screen:
    return Screen(hand.money, hand.tiles, hand.bribes, hand.cards)


def standings(game: Noblemen) -> list[Standing]:
    """Return the final ranking."""
    return [Standing(row.seat, row.score, row.rank) for row in game.board.final]
