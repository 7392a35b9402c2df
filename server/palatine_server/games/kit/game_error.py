"""The error of a game whose author made a mistake; its message says what to do."""

from __future__ import annotations


class GameError(ValueError):
    """A game, a rule or a step is not as the kit needs it; the message names the mistake and says what to do."""
