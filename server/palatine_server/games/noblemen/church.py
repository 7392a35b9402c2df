"""12. Action F: the church."""

from __future__ import annotations

from collections.abc import Sequence

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Donate, Done
from .board import Donation, Noblemen
from .catalog import REWARD
from .drafts import begin, close, conclude, draft_of, finishing
from .news import TilesDonated
from .screen import kinds_left, remove_tiles
from .seats import score

TERMS = REWARD.church


# NM-CHURCH-1 Tiles of the hand. NM-CHURCH-2 At most three of each kind per decade, all players together.
def donations(game: Noblemen, seat: Seat, drafted: Sequence[str] = ()) -> list[Choice]:
    held = kinds_left(game.hands[seat].tiles, list(drafted))
    kinds = [kind for kind in held if room_in_church(game, kind, drafted)]
    return [choice(Donate, kind=kinds)] if kinds else []


def room_in_church(game: Noblemen, kind: str, drafted: Sequence[str]) -> int:
    return max(0, TERMS.max_per_kind - game.board.church[kind] - drafted.count(kind))


def begin_donation(game: Noblemen, seat: Seat, first: Donate) -> None:
    begin(game, seat, Donation([first.kind]))
    game.plan(step(donate, seat))


def donate(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Donation)
    answer = yield [*donations(game, seat, draft.kinds), *finishing("donate", enough=True)]
    if isinstance(answer, Donate):
        draft.kinds.append(answer.kind)
        return AGAIN
    close(game, seat)
    if isinstance(answer, Done):
        hand_to_church(game, seat, draft.kinds)
    return None


# NM-CHURCH-3 A point for each tile. NM-CHURCH-4 The tiles lie open until the decade ends.
def hand_to_church(game: Noblemen, seat: Seat, kinds: list[str]) -> None:
    remove_tiles(game, seat, kinds)
    for kind in kinds:
        game.board.church[kind] += 1
    game.tell(TilesDonated(seat, kinds))
    score(game, seat, len(kinds) * TERMS.vp_per_tile, "NM-CHURCH-3")
    conclude(game, seat, "donate")
