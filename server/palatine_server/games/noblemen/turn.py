"""4. The turn, and 6. its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kit import AGAIN, Action, Asking, Choice, Seat, Step, choice, step
from .actions import Build, Buy, Donate, EndTurn, Give, Idle, Land, Lay, Play, Tax
from .bag import look_into_bag
from .board import Noblemen
from .bribes import begin_buying, purchases
from .build import begin_building, constructions
from .cards import play_card, playable_cards
from .catalog import BALL, META, QUEEN, REWARD, SCORING, TRACK
from .church import begin_donation, donations
from .decade import score_buildings
from .drafts import conclude
from .end_game import end_game
from .expand import begin_expansion, expansions
from .levies import begin_land, begin_taxes, levies
from .masquerade import masked_ball
from .news import Idled, TurnBegan, TurnEnded
from .seats import left_of, score
from .track import move_marker
from .trade import begin_trade, trades


# NM-TURN-1, NM-TURN-9 Seats take turns clockwise; a turn begins with its action and its card unused.
def begin_turn(game: Noblemen, of: Seat) -> None:
    board = game.board
    board.active, board.phase = of, "turn"
    board.action_done, board.card_played = False, False
    look_into_bag(game, of)
    game.tell(TurnBegan(of))
    game.plan(step(take_turn, of))


# NM-TURN-2, NM-TURN-10 Only the active player is asked; decisions that follow from an action come first.
def take_turn(game: Noblemen, seat: Seat) -> Asking:
    answer = yield [*actions(game, seat), *playable_cards(game, seat), *trades(game, seat), *ending(game)]
    BEGIN[type(answer)](game, seat, answer)
    return None if isinstance(answer, EndTurn) else AGAIN


# NM-TURN-3 Exactly one action A to G. NM-TURN-8 One is always possible: idleness.
def actions(game: Noblemen, seat: Seat) -> list[Choice]:
    if game.board.action_done:
        return []
    offered = [*expansions(game, seat), *constructions(game, seat), *purchases(game, seat)]
    return [*offered, *levies(game, seat), *donations(game, seat), choice(Idle)]


# NM-IDLE-1 G: do nothing, for a point.
def idle(game: Noblemen, seat: Seat, _: Action) -> None:
    game.tell(Idled(seat))
    score(game, seat, REWARD.idle.vp, "NM-IDLE-1")
    conclude(game, seat, "idle")


# NM-TURN-7 The turn ends when its player says so, after the action.
def ending(game: Noblemen) -> list[Choice]:
    return [choice(EndTurn)] if game.board.action_done else []


# NM-END-1, NM-END-5 Without the queen nothing happens; the seat to the left takes its turn.
def end_turn(game: Noblemen, seat: Seat, _: Action) -> None:
    game.hands[seat].bag_has = {}  # NM-TRADE-6
    game.tell(TurnEnded(seat))
    effects = queens_step(game, seat) if game.board.queen == seat else []
    game.plan(*effects, whats_next(game, seat))


# NM-END-2, NM-END-3, NM-END-4 With the queen: a point, the marker moves, and its field takes effect at once.
def queens_step(game: Noblemen, seat: Seat) -> list[Step]:
    score(game, seat, QUEEN.vp_per_turn_end, "NM-END-2")
    move_marker(game)
    effect = FIELD_EFFECTS.get(TRACK[game.board.round])
    return [step(effect)] if effect else []


# NM-TURN-11 After the effect of the field, the ordinary next seat follows; NM-FINAL-1 after the last scoring none does.
def whats_next(game: Noblemen, seat: Seat) -> Step:
    last = game.board.decade == META.decades and TRACK[game.board.round] == SCORING
    return step(end_game) if last else step(begin_turn, of=left_of(game, seat))


# NM-ROUND-3, NM-ROUND-5 Masks: a ball. The last field: building scoring. NM-ROUND-6 The others have no effect.
FIELD_EFFECTS: dict[str, Callable[..., None]] = {BALL: masked_ball, SCORING: score_buildings}

BEGIN: dict[type[Action], Callable[[Noblemen, Seat, Any], None]] = {
    Lay: begin_expansion,
    Build: begin_building,
    Buy: begin_buying,
    Tax: begin_taxes,
    Land: begin_land,
    Donate: begin_donation,
    Idle: idle,
    Play: play_card,
    Give: begin_trade,
    EndTurn: end_turn,
}
