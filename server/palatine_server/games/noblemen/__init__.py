"""Noblemen: one module per chapter of the rulebook; this page is its table of contents."""

from pathlib import Path

from ..kit import Document, Game, at_random
from . import (
    bribes,
    build,
    card_offer,
    cards,
    church,
    decade,
    end_game,
    expand,
    knights,
    levies,
    masquerade,
    trade,
    turn,
)
from . import setup as chapter_two
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
from .secret_swap import SECRETS
from .timeout_choices import overdue

NOBLEMEN = Game(
    name="noblemen",
    title={"en": "Noblemen", "de": "Noblemen"},
    players=range(META.min_players, META.max_players + 1),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=ACTIONS,
    news=NEWS,
    folder=Path(__file__).parent,
    setup=chapter_two.setup,
    rules=(
        # 2. Setup
        chapter_two.choose_tiles,
        chapter_two.fill_hands,
        chapter_two.deal_first_cards,
        chapter_two.keep_first_card,
        chapter_two.return_first_cards,
        # 4. The turn, 5. trading tiles
        turn.begin_turn,
        turn.take_turn,
        trade.trade,
        # 7. to 12. Actions A to F; G is done in one step
        expand.expand,
        build.build,
        knights.give_tiles,
        bribes.buy_bribes,
        levies.levy,
        church.donate,
        # 14. Masked ball
        masquerade.masked_ball,
        masquerade.return_titles,
        masquerade.spend_prestige,
        masquerade.award_titles,
        masquerade.award_title,
        masquerade.choose_title,
        masquerade.score_titles,
        masquerade.return_counters,
        masquerade.end_ball,
        # 15. Building scoring and new decade
        decade.score_buildings,
        decade.refill_buildings,
        decade.empty_church,
        decade.return_markers,
        decade.begin_decade,
        # 16. Scandal cards
        card_offer.deal_offer,
        card_offer.keep_card,
        cards.ask_favour,
        # 17. End of the game
        end_game.end_game,
    ),
    why_not=why_not,
    overdue=overdue,
    standings=end_game.standings,
    check=check,
    moments={"not_your_turn": "NM-TURN-2", "game_over": "NM-FINAL-1"},
    policies={"random": at_random, "greedy": greedy, "strong": strong, "expert": expert},
    topics=TOPICS,
    grounds=GROUNDS,
    words=WORDS,
    secrets=SECRETS,
    redraw=redraw,
)
