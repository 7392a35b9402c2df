"""Everything that can be typed at a table beside the numbers, in the order in which help lists it."""

from __future__ import annotations

from .agreements import AGREEMENT_COMMANDS
from .chat import CHAT_COMMANDS
from .explain import EXPLAIN_COMMANDS
from .host import HOST_COMMANDS
from .registry import SlashCommand

SLASH_COMMANDS: tuple[SlashCommand, ...] = (*EXPLAIN_COMMANDS, *CHAT_COMMANDS, *AGREEMENT_COMMANDS, *HOST_COMMANDS)
