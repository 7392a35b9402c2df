"""All scenarios, in the order in which they run."""

from __future__ import annotations

from typing import Final

from ..scripted_server import ScriptedServer
from .closing import SCENARIOS as CLOSING
from .greeting import SCENARIOS as GREETING
from .healing import SCENARIOS as HEALING
from .reconnecting import SCENARIOS as RECONNECTING
from .refusals import SCENARIOS as REFUSALS
from .unknowns import SCENARIOS as UNKNOWNS

SCENARIOS: Final[tuple[type[ScriptedServer], ...]] = (
    *GREETING,
    *UNKNOWNS,
    *HEALING,
    *REFUSALS,
    *RECONNECTING,
    *CLOSING,
)
