"""Records: games that are over, as files that anybody can keep, watch and check."""

from .record import Played, Record, Spoilt, read, recorded, written

__all__ = ["Played", "Record", "Spoilt", "read", "recorded", "written"]
