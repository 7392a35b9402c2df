"""Planted bugs, each of which the rehearsals must find."""

from . import commits, deciding, disk, rollbacks, telling, versions  # noqa: F401 (they put themselves on the list)
from .planting import MUTANTS, Mutant

__all__ = ["MUTANTS", "Mutant"]
