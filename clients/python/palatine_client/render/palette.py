"""Colours that mean the same in every game."""

from __future__ import annotations

GOLD = "bold #ffd75f"
NUMBER = GOLD  # a number that the player may type
