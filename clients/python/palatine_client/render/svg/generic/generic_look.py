"""The look of every game whose package brings none."""

from __future__ import annotations

from ...look import load_look

GENERIC_LOOK = load_look(__package__)
