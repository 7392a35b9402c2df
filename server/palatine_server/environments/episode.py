"""An episode: one game in which the seats decide one after the other, each from its own view.

The table may wait for several seats at once. Then each of them decides once, in the order of their numbers; this is a
round. As long as what the others did in this round does not change the offer of a seat, the seat sees the table as it
was when the round began, so simultaneous decisions do not see each other. Seats that share something, such as the two
partners of a castle, get another offer as soon as one of them has acted; then the seat sees the table as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import msgpack

from palatine_protocol.offers import Offer

from ..games.kit import Action, AddressedNews, Game, Play, Seat, Standing, plain, resample
from ..simulation import MOST_ACTIONS, DeadEnd

RewardKind = Literal["win", "rank", "score"]
MOST_NEWS = 100  # news of one seat since its last turn; at the limit, the oldest are dropped
_encode = msgpack.Encoder().encode


class SeatView(NamedTuple):
    """What a seat may know now, as plain data that nobody changes."""

    seat: Seat
    board: Any
    hand: Any
    waiting: Sequence[Seat]
    news: Sequence[AddressedNews]  # since the last turn of the seat


class Episode:
    """A running game."""

    def __init__(self, game: Game, players: int, seed: str, options: Mapping[str, Any] | None = None) -> None:
        self._begin(game.begin(players, seed, options), players)

    @classmethod
    def resume(cls, play: Play[Any, Any, Any], players: int) -> Episode:
        """Return an episode that goes on from a position."""
        episode = cls.__new__(cls)
        episode._begin(play, players)
        return episode

    def _begin(self, play: Play[Any, Any, Any], players: int) -> None:
        self.play, self.players, self.actions = play, players, 0
        self.seat: Seat | None = None  # whose turn it is; None: the episode is over
        self._round: list[Seat] = []  # who decides after this seat
        self._frozen: dict[Seat, tuple[bytes, SeatView]] = {}  # the offer and the view at the beginning of the round
        self._beginning = b""  # the position then, if several seats decide
        self._news: list[list[AddressedNews]] = [[] for _ in range(players)]
        play.told.clear()
        self._find_next_seat()

    @property
    def game(self) -> Game:
        return self.play.game

    @property
    def is_cut_off(self) -> bool:
        """Whether the episode ended because it was too long."""
        return self.actions >= MOST_ACTIONS and not self.play.is_over

    @property
    def offer(self) -> Offer:
        """All actions of the seat whose turn it is."""
        return [] if self.seat is None else self.play.offer(self.seat)

    def act(self, action: Action) -> None:
        """Carry out an action of the seat whose turn it is, or refuse it and change nothing."""
        if self.seat is None:
            raise DeadEnd("The game is over.")
        self.play.act(self.seat, action)
        self.actions += 1
        self._news[self.seat].clear()
        self._hear_news()
        self._find_next_seat()

    def _hear_news(self) -> None:
        for told in self.play.told:
            for seat, heard in enumerate(self._news):
                if told.is_for(seat):
                    heard.append(told)
        for heard in self._news:
            del heard[:-MOST_NEWS]
        self.play.told.clear()

    # Whose turn it is

    def _find_next_seat(self) -> None:
        self.seat = None
        if self.play.is_over or self.is_cut_off:
            self._round = []
            return
        waiting = self.play.waiting_for()
        self._round = [seat for seat in self._round if seat in waiting] or self._begin_round(waiting)
        self.seat = self._round.pop(0)

    def _begin_round(self, waiting: Sequence[Seat]) -> list[Seat]:
        if not waiting:
            raise DeadEnd("The game is not over, but nobody has anything to decide.")
        first, *later = sorted(waiting)
        self._freeze(later)
        return [first, *later]

    def _freeze(self, later: Sequence[Seat]) -> None:
        """Keep what these seats see now, until they decide."""
        self._frozen, self._beginning = {}, b""
        if later:
            board, self._beginning = plain(self.play.board), self.game.pack(self.play)
            self._frozen = {seat: (_encode(self.play.offer(seat)), self._build_view(seat, board)) for seat in later}

    # What a seat sees

    def view(self, seat: Seat) -> SeatView:
        """Return what a seat sees. A seat whose turn comes in this round does not see what the others did in it."""
        return self._find_frozen(seat) or self._build_view(seat, plain(self.play.board))

    def _find_frozen(self, seat: Seat) -> SeatView | None:
        """Return what a seat saw when the round began, if it has yet to decide and may do the same as then."""
        if seat not in self._frozen or not (seat == self.seat or seat in self._round):
            return None
        offer, view = self._frozen[seat]
        return view if offer == _encode(self.play.offer(seat)) else None

    def _build_view(self, seat: Seat, board: Any) -> SeatView:
        hand = plain(self.play.document.hands[seat])
        return SeatView(seat, board, hand, tuple(self.play.waiting_for()), tuple(self._news[seat]))

    # The result

    def standings(self) -> list[Standing]:
        """Return the final places of the players, without seats that the game itself plays."""
        return [row for row in self.game.standings(self.play) if row.seat < self.players]

    def rewards(self, kind: RewardKind) -> list[float]:
        """Return the reward of each seat: all zero until the game is over."""
        if not self.play.is_over:
            return [0.0] * self.players
        rows = sorted(self.standings(), key=lambda row: row.seat)
        return rate_standings(rows, kind)

    def copy(self) -> Episode:
        """Return an independent episode in the same position."""
        other = Episode.__new__(Episode)
        other.play, other.players, other.actions = self.game.copy(self.play), self.players, self.actions
        other.seat, other._round = self.seat, [*self._round]
        other._frozen, other._beginning = {**self._frozen}, self._beginning
        other._news = [[*heard] for heard in self._news]
        return other

    def resample(self, seat: Seat, below: Callable[[int], int]) -> Episode:
        """Return an episode in which a seat sees the same, and everything that it cannot know is drawn anew.

        If the seat does not see yet what others did in this round, they decide again, after those who have not decided.
        """
        frozen = self._find_frozen(seat)
        known = self.play if frozen is None else self.game.unpack(self._beginning)
        other = Episode.__new__(Episode)
        other.play, other.players, other.actions = resample(known, seat, below), self.players, self.actions
        other.seat, other._round = self.seat, [*self._round]
        if frozen is not None:
            other._round += [each for each in frozen.waiting if each not in (self.seat, *self._round)]
        other._news = [[] for _ in range(self.players)]
        other._news[seat] = [*(self._news[seat] if frozen is None else frozen.news)]
        other._freeze(other._round)
        return other


def rate_standings(rows: Sequence[Standing], kind: RewardKind) -> list[float]:
    """Return the rewards for standings.

    win: the share of the first place, less the share that chance gives; the sum is 0.
    rank: 1 for the first place, -1 for the last one, evenly between; tied seats share.
    score: the points.
    """
    if kind == "score":
        return [float(row.score) for row in rows]
    ahead = [sum(other.rank < row.rank for other in rows) for row in rows]
    behind = [sum(other.rank > row.rank for other in rows) for row in rows]
    if kind == "rank":
        most = max(1, len(rows) - 1)
        return [(beaten - lost) / most for beaten, lost in zip(behind, ahead, strict=True)]
    winners = ahead.count(0)
    return [(not lost) / winners - 1 / len(rows) for lost in ahead]
