"""A game from elsewhere that has no catalog and one language: `palatine serve --game web.minimal_game:BARE`."""

from dataclasses import replace
from pathlib import Path

from bench.counter import COUNTER

BARE = replace(COUNTER, name="bare", title={"en": "Counters"}, folder=Path(__file__).parent)
