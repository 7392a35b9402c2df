"""Everything that can be typed at a table beside the numbers, in the order in which help lists it."""

from __future__ import annotations

from .agreements import AGREEING
from .chat import TALKING
from .explain import ASKING
from .host import HOSTING
from .registry import SlashCommand

ASIDES: tuple[SlashCommand, ...] = (*ASKING, *TALKING, *AGREEING, *HOSTING)
