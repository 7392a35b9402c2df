"""The picture of a view: drawn by the presentation of its game, or by the generic one, and checked."""

from __future__ import annotations

from .presentation import FAILURES, find_presentation, report_failure
from .raster.markup_check import check_markup
from .svg.view import PictureView


def draw_picture(view: PictureView) -> str:
    """Return the picture of a view as SVG; raise UnsafePicture if it contains more than shapes and text."""
    presentation = find_presentation(view.game)
    if presentation is None or presentation.draw is None:
        return draw_generic_picture(view)
    svg = presentation.draw(view)
    check_markup(svg)
    return svg


def draw_picture_or_generic(view: PictureView) -> str:
    """Return the picture of a view; if the presentation of its game fails, log that and draw the generic one."""
    try:
        return draw_picture(view)
    except FAILURES as error:  # a presentation may come from any package
        report_failure(view.game, error)
        return draw_generic_picture(view)


def draw_generic_picture(view: PictureView) -> str:
    """Return the picture that every game has, drawn from its description."""
    from .svg.generic import draw

    svg = draw(view)
    check_markup(svg)
    return svg
