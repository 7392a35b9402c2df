"""All slash commands, in the order in which the help lists them."""

from __future__ import annotations

from .agreements import AGREEMENT_COMMANDS
from .chat import CHAT_COMMANDS
from .explain import EXPLAIN_COMMANDS
from .host import HOST_COMMANDS
from .registry import SlashCommand

SLASH_COMMANDS: tuple[SlashCommand, ...] = (*EXPLAIN_COMMANDS, *CHAT_COMMANDS, *AGREEMENT_COMMANDS, *HOST_COMMANDS)
