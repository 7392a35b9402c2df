"""Blocks: pieces of a picture with a size, put beside and under each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .elements import Markup, group


@dataclass(frozen=True)
class Block:
    """A piece of a picture: its size, and what is drawn from its upper left corner on."""

    width: float
    height: float
    markup: Markup

    def place(self, x: float, y: float) -> Markup:
        """Return the block, moved."""
        return group([self.markup], x=x, y=y) if x or y else self.markup

    def mark(self, fact: str) -> Block:
        """Return the block as the place of a fact."""
        return Block(self.width, self.height, group([self.markup], fact=fact))


EMPTY = Block(0, 0, "")


def stack(blocks: Iterable[Block], gap: float = 0) -> Block:
    """Put blocks under each other; empty ones take no room."""
    markup, width, y = [], 0.0, 0.0
    for block in blocks:
        if block.height:
            markup.append(block.place(0, y))
            width, y = max(width, block.width), y + block.height + gap
    return Block(width, y - gap, "".join(markup)) if markup else EMPTY


def line_up(blocks: Iterable[Block], gap: float = 0) -> Block:
    """Put blocks beside each other, at the same top; empty ones take no room."""
    markup, x, height = [], 0.0, 0.0
    for block in blocks:
        if block.width:
            markup.append(block.place(x, 0))
            x, height = x + block.width + gap, max(height, block.height)
    return Block(x - gap, height, "".join(markup)) if markup else EMPTY


def flow(blocks: Iterable[Block], width: float, gap: float = 0, row_gap: float | None = None) -> Block:
    """Put blocks beside each other, in as many rows as the width needs."""
    rows: list[list[Block]] = [[]]
    used = 0.0
    for block in blocks:
        if rows[-1] and used + block.width > width:
            rows, used = [*rows, []], 0
        rows[-1].append(block)
        used += block.width + gap
    return stack((line_up(row, gap) for row in rows), gap if row_gap is None else row_gap)


def fill_columns(blocks: Sequence[Block], columns: int, gap: float) -> Block:
    """Put blocks of one width into a grid, row by row."""
    rows = [blocks[at : at + columns] for at in range(0, len(blocks), columns)]
    return stack((line_up(row, gap) for row in rows), gap)


def pad(block: Block, left: float, top: float, right: float | None = None, bottom: float | None = None) -> Block:
    """Return a block with a margin around it."""
    width = block.width + left + (left if right is None else right)
    height = block.height + top + (top if bottom is None else bottom)
    return Block(width, height, block.place(left, top))
