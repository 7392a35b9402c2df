"""Between Two Castles: one module per chapter of the rulebook; this page is its table of contents."""

from pathlib import Path

from ..kit import Action, Document, Game, Seat, Standing, at_random, reads_no_board
from . import bonuses, draft, joint_decisions, ludwig, place, rounds
from .actions import ACTIONS
from .board import Board, Box, Castles, Hand, Options
from .bots.expert import expert
from .bots.greedy import greedy
from .bots.strong import strong
from .explain import GROUNDS, TOPICS, WORDS
from .invariants import check
from .news import NEWS
from .redraw import redraw
from .refusals import why_not
from .seats import deciders
from .secret_swap import SECRETS
from .setup import setup
from .timeout_choices import overdue


def standings(game: Castles) -> list[Standing]:
    """Return the final ranking; with two players Ludwig has a place in it too (B2C-LUDWIG-9)."""
    return [Standing(row.seat, row.score, row.rank) for row in game.board.final]


def is_silent(game: Castles) -> str:
    """Return the rule that forbids chat while players choose tiles (B2C-DRAFT-1), or "" afterwards (B2C-PP-11)."""
    return "B2C-DRAFT-1" if game.board.phase in {"ludwig", "choose"} else ""


# All deciders of a castle know everything that an action for it names: tiles to be placed lie open, and a secret
# question lies in the hands of both (B2C-JOINT-1). The partner on the other side knows nothing of that question.
def pointing_audience(game: Castles, seat: Seat, action: Action) -> list[Seat]:
    """Return the other seats that decide for the castle of this action; only while rooms are placed (B2C-PP-2)."""
    castle = getattr(action, "castle", None)
    if castle is None or game.board.phase != "place":
        return []
    return [other for other in deciders(game, castle) if other != seat]


BETWEEN_TWO_CASTLES = Game(
    name="between_two_castles",
    title={"en": "Between Two Castles", "de": "Zwischen zwei Schlössern"},
    players=range(2, 8),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=ACTIONS,
    news=NEWS,
    folder=Path(__file__).parent,
    setup=setup,
    rules=(
        # Course of the game
        rounds.begin_round,
        rounds.begin_turn,
        rounds.begin_choosing,
        rounds.end_turn,
        rounds.end_round,
        rounds.score,
        # Two players: Ludwig
        ludwig.draw_for_ludwig,
        ludwig.assign,
        # Choose, reveal, place
        draft.choose,
        draft.reveal,
        place.place,
        # Bonuses
        *bonuses.BONUSES.values(),
        bonuses.food_chosen,
        bonuses.attendant_chosen,
        bonuses.card_chosen,
        bonuses.bonus_chosen,
        bonuses.special_chosen,
        bonuses.lay_gained,
        # Joint decisions
        joint_decisions.decide,
    ),
    why_not=why_not,
    overdue=overdue,
    standings=standings,
    check=check,
    policies={"random": at_random, "greedy": greedy, "strong": strong, "expert": expert},
    offers_read={
        "assign": reads_no_board,
        "choose": reads_no_board,
        "place": place.find_read_parts,
        "decide": joint_decisions.find_read_parts,
    },
    sealed={"choose": "tiles_revealed"},
    is_silent=is_silent,
    pointing_audience=pointing_audience,
    topics=TOPICS,
    grounds=GROUNDS,
    words=WORDS,
    secrets=SECRETS,
    redraw=redraw,
)
