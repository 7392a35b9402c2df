"""Palais Royal: one module per chapter of the rulebook; this page is its table of contents."""

from pathlib import Path

from ..kit import Document, Game, at_random
from . import back_entrance, rounds, turn
from .actions import ACTIONS
from .board import Board, Box, Hand, Options
from .bots.expert import expert
from .bots.greedy import greedy
from .bots.strong import strong
from .catalog import META
from .explain import GROUNDS, TOPICS, WORDS
from .invariants import check
from .news import NEWS
from .redraw import redraw
from .refusals import why_not
from .scoring import standings
from .secret_swap import SECRETS
from .setup import begin_placing, place_servants, setup
from .timeout_choices import overdue

PALAIS_ROYAL = Game(
    name="palais_royal",
    title={"en": META.title_en, "de": META.title_de},
    players=range(META.players_min, META.players_max + 1),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=ACTIONS,
    news=NEWS,
    folder=Path(__file__).parent,
    setup=setup,
    rules=(
        # Setup
        begin_placing,
        place_servants,
        # Turn order
        rounds.begin_round,
        rounds.begin_turn,
        turn.take_turn,
        back_entrance.keep,
        rounds.pass_on,
        rounds.end_round,
        # End of the game
        rounds.score,
    ),
    why_not=why_not,
    overdue=overdue,
    standings=standings,
    check=check,
    moments={"not_your_turn": "PR-TURN-1", "game_over": "PR-END-2"},
    policies={"random": at_random, "greedy": greedy, "strong": strong, "expert": expert},
    topics=TOPICS,
    grounds=GROUNDS,
    words=WORDS,
    secrets=SECRETS,
    redraw=redraw,
)
