"""Spice Market, a game of its own package: this page describes it to Palatine."""

from palatine_server.games.kit import Document, Game, at_random

from . import rules
from .actions import ACTIONS, NEWS
from .board import Board, Box, Hand, Options
from .bots import greedy
from .components import FOLDER
from .explanations import TOPICS, WORDS
from .secret_swap import SECRETS

SPICE_MARKET = Game(
    name="spice_market",
    title={"en": "Spice Market", "de": "Gewürzmarkt"},
    players=range(2, 6),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=ACTIONS,
    news=NEWS,
    rules=(rules.begin_round, rules.bid, rules.reveal, rules.build, rules.end_game),
    folder=FOLDER,
    setup=rules.setup,
    why_not=rules.why_not,
    overdue=rules.overdue,
    standings=rules.standings,
    check=rules.check,
    policies={"random": at_random, "greedy": greedy},
    sealed={"bid": "bids_revealed"},
    moments={"not_your_turn": "SM-BID-1", "game_over": "SM-END-1"},
    topics=TOPICS,
    words=WORDS,
    secrets=SECRETS,
)
