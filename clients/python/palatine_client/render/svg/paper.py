"""Paper and ink: the colours that mean the same in the pictures of all games, on light and on dark paper."""

from __future__ import annotations

from dataclasses import dataclass

from ..look import Scheme


@dataclass(frozen=True)
class Paper:
    """The plain colours of a picture. Ink and the other text colours are readable on `page` and on `card`."""

    page: str  # behind everything
    card: str  # of tiles, cards and panels
    ink: str  # figures and names
    muted: str  # small words
    line: str  # edges and rules; not for text
    accent: str  # what is possible now; readable on both
    badge: str  # pills and badges
    badge_ink: str


PAPERS: dict[Scheme, Paper] = {
    "light": Paper(
        page="#F6F1E3",
        card="#FBF6EA",
        ink="#3B2F2A",
        muted="#6B5B4D",
        line="#CFC3AC",
        accent="#0B6E99",
        badge="#3B2F2A",
        badge_ink="#FFF7DC",
    ),
    "dark": Paper(
        page="#1E1B1A",
        card="#2B2725",
        ink="#F3EBDD",
        muted="#BEB0A0",
        line="#51483F",
        accent="#6CC4EE",
        badge="#F3E3B5",
        badge_ink="#2B2118",
    ),
}


def find_paper(scheme: Scheme) -> Paper:
    """Return the paper of a scheme."""
    return PAPERS[scheme]
