"""Blocks: drawn parts of a picture with their sizes, stacked and put side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .elements import Markup, Number, group


@dataclass(frozen=True)
class Block:
    """A part of a picture whose upper left corner is at 0, 0."""

    markup: Markup
    width: Number
    height: Number

    def place(self, x: Number, y: Number) -> Markup:
        """Return what is drawn, with the corner at a point."""
        return group([self.markup], x=x, y=y) if x or y else self.markup

    def mark(self, fact: str) -> Block:
        """Return the block as the place of a fact."""
        return Block(group([self.markup], fact=fact), self.width, self.height)


NOTHING = Block("", 0, 0)


def stack(blocks: Iterable[Block], gap: Number = 0) -> Block:
    """Return blocks one below the other; empty ones take no room."""
    parts: list[Markup] = []
    width, down = 0.0, 0.0
    for block in blocks:
        if block.height:
            down += gap if parts else 0
            parts.append(block.place(0, down))
            width, down = max(width, block.width), down + block.height
    return Block("".join(parts), width, down)


def align(blocks: Iterable[Block], gap: Number = 0) -> Block:
    """Return blocks side by side, aligned at the top; empty ones take no room."""
    parts: list[Markup] = []
    right, height = 0.0, 0.0
    for block in blocks:
        if block.width:
            right += gap if parts else 0
            parts.append(block.place(right, 0))
            right, height = right + block.width, max(height, block.height)
    return Block("".join(parts), right, height)


def arrange(blocks: Sequence[Block], across: int, gap: Number = 0) -> Block:
    """Return blocks in rows of so many."""
    rows = [align(blocks[at : at + across], gap) for at in range(0, len(blocks), across)]
    return stack(rows, gap)


def flow(blocks: Iterable[Block], width: Number, gap: Number = 0, row_gap: Number | None = None) -> Block:
    """Return blocks in rows, as many in each as fit the width; the gap between rows may be another one."""
    rows: list[list[Block]] = []
    taken = 0.0
    for block in blocks:
        if not rows or taken + gap + block.width > width:
            rows.append([])
            taken = -gap
        rows[-1].append(block)
        taken += gap + block.width
    return stack([align(row, gap) for row in rows], gap if row_gap is None else row_gap)


def pad(block: Block, margin: Number) -> Block:
    """Return a block with a margin around it."""
    moved = group([block.markup], x=margin, y=margin)
    return Block(moved, block.width + 2 * margin, block.height + 2 * margin)
