"""All scenarios, in the order in which they run."""

from __future__ import annotations

from typing import Final

from ..scripted_server import ScriptedServer
from .broken_lines import SCENARIOS as BROKEN_LINES
from .good_manners import SCENARIOS as GOOD_MANNERS
from .goodbyes import SCENARIOS as GOODBYES
from .lost_updates import SCENARIOS as LOST_UPDATES
from .refusals import SCENARIOS as REFUSALS
from .unknowns import SCENARIOS as UNKNOWNS

SCENARIOS: Final[tuple[type[ScriptedServer], ...]] = (
    *GOOD_MANNERS,
    *UNKNOWNS,
    *LOST_UPDATES,
    *REFUSALS,
    *BROKEN_LINES,
    *GOODBYES,
)
