"""Planted bugs, each of which the simulations must find."""

from . import broadcast, commits, disk, offers, rollbacks, versions  # noqa: F401 (they put themselves on the list)
from .injection import MUTANTS, Mutant

__all__ = ["MUTANTS", "Mutant"]
