"""Playback of a record: the table after any of its entries, from the stored patches alone."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from palatine_protocol import patch

from .record import Record, RecordEntry


class RecordPlayback:
    """A record and a position in it."""

    def __init__(self, record: Record) -> None:
        self.record, self.length = record, len(record.entries)
        self.go_to(0)

    def go_to(self, version: int) -> None:
        """Go to the position after this entry, always from the beginning, because patches only lead forwards."""
        self.version, self.info, self.board = 0, deepcopy(self.record.header.opening), None
        self.hands: list[Any] = [None] * len(self.info["seats"])
        for _ in range(min(version, self.length)):
            self.step()

    def step(self) -> RecordEntry:
        """Apply the next entry and return it."""
        entry = self.record.entries[self.version]
        self.info, self.board = patch.apply(self.info, entry.info), patch.apply(self.board, entry.board)
        self.hands = [patch.apply(hand, ops) for hand, ops in zip(self.hands, entry.hands, strict=True)]
        self.version = entry.version
        return entry

    @property
    def is_over(self) -> bool:
        return self.version >= self.length
