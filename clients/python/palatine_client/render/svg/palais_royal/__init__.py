"""Palais Royal as a picture: park and palace, players, cards, and at the end the score sheet."""

from __future__ import annotations

from ..blocks import Block, align, pad, stack
from ..elements import document, rectangle
from ..view import PictureView
from .cards import draw_hand, draw_piles
from .final_scores import draw_final_scores
from .palace import draw_palace
from .park import draw_park
from .players import draw_players
from .scene import PalaisRoyalScene, build_scene
from .turn import draw_actions, draw_heading, name_game

MARGIN, GAP = 20, 12


def draw(view: PictureView) -> str:
    """Return the picture of a view as SVG."""
    scene = build_scene(view)
    whole = pad(arrange_tall(scene) if scene.is_tall else arrange_wide(scene), 10 if scene.is_tall else MARGIN)
    paper = rectangle(0, 0, whole.width, whole.height, fill=scene.style.paper.page)
    return document(whole.width, whole.height, [paper, whole.markup], title=name_game(scene), lang=view.lang)


def arrange_wide(scene: PalaisRoyalScene) -> Block:
    """Arrange the park at the left, palace and players at the right, cards below."""
    park, palace = draw_park(scene), draw_palace(scene)
    width, across = palace.width, 1 if len(scene.seats) == 2 else 2
    people = [draw_players(scene, width, across), draw_piles(scene, width)]
    left = stack([draw_heading(scene, park.width), park], GAP)
    right = stack([draw_final_scores(scene, width), draw_actions(scene, width), palace, *people], GAP)
    return stack([align([left, right], GAP * 2), draw_hand(scene, park.width + GAP * 2 + width)], GAP)


def arrange_tall(scene: PalaisRoyalScene) -> Block:
    """Arrange all parts one below the other, for a phone held upright."""
    park = draw_park(scene)
    width = park.width
    return stack(
        [
            draw_heading(scene, width),
            draw_final_scores(scene, width),
            draw_actions(scene, width),
            park,
            draw_palace(scene),
            draw_players(scene, width, 1),
            draw_piles(scene, width),
            draw_hand(scene, width),
        ],
        GAP,
    )
