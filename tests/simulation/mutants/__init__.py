"""Mutants: planted bugs, each of which the simulations must find."""

from . import broadcast, commits, disk, offers, rollbacks, versions  # noqa: F401 (each module registers its mutants)
from .injection import MUTANTS, Mutant

__all__ = ["MUTANTS", "Mutant"]
