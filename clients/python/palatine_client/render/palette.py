"""Colours that mean the same in every game."""

from __future__ import annotations

GOLD = "bold #ffd75f"
NUMBER = GOLD  # a number that the player may type

# The colours of pieces in games that have none of their own; their names tell them apart without them.
PIECES = ("#ffdc7d", "#a6dcff", "#86dba0", "#ffb3c7", "#dcb3ff", "#4fe3d3", "#ffb98a", "#c4e58a")

# The colours of seats in games that have none of their own; the column of a seat tells it apart without them.
SEATS = ("bold #6ba0ff", "bold #ffb454", "bold #86dba0", "bold #ff8fa3", "bold #d79bff", "bold #4fe3d3", "bold #e6e6a0")
