"""The bot kit: one class that plays in process, as a process over standard input and output, and over the wire."""

from .bot import Bot, GameEnd, GameStart
from .bot_turn import BotTurn
from .loader import BadBot, load_bot
from .program import run

__all__ = ["BadBot", "Bot", "BotTurn", "GameEnd", "GameStart", "load_bot", "run"]
