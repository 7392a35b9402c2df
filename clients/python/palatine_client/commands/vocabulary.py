"""Everything that can be typed at a table beside the numbers, in the order in which help lists it."""

from __future__ import annotations

from .agreeing import AGREEING
from .asides import Aside
from .asking import ASKING
from .hosting import HOSTING
from .talking import TALKING

ASIDES: tuple[Aside, ...] = (*ASKING, *TALKING, *AGREEING, *HOSTING)
