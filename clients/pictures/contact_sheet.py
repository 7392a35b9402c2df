"""Draw every game at three moments, for everybody and for a seat, in every look; `make pictures` runs this.

The pictures are in `build/pictures`: one SVG for each, a sheet with all of a game, and a sheet that shows how
colour-blind people see them. Look at the sheets after every change of a drawing.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from palatine_client.render.pictures import draw_generic_picture, draw_picture
from palatine_client.render.raster.pixels import rasterise
from palatine_client.render.svg.view import PictureView
from palatine_server.games.kit import Game, Recorder, plain
from palatine_server.games.registry import GAMES

FOLDER = Path("build/pictures")
NAMES = ["Anna", "Bertram von Hohenstein", "Clara", "Dörte", "Emil", "Friederike", "Gustav"]
MOMENTS = {"start": 0.05, "middle": 0.5, "end": 1.0}
WAYS = list(product(("public", "seat"), ("light", "dark"), ("wide", "tall")))
THUMBNAIL = 640, 860  # pixels
SEED = "5e" * 32
# How people without one kind of cones see colours: Machado, Oliveira and Fernandes 2009, for linear light.
BLINDNESS = {
    "protanopia": (0.152286, 1.052583, -0.204868, 0, 0.114503, 0.786281, 0.099216, 0, -0.003882, -0.04812, 1.051998, 0),
    "deuteranopia": (0.367322, 0.860646, -0.227968, 0, 0.280085, 0.672501, 0.047413, 0, -0.01182, 0.04294, 0.968881, 0),
    "tritanopia": (1.255528, -0.076749, -0.178779, 0, -0.078411, 0.930809, 0.147602, 0, 0.004733, 0.691367, 0.3039, 0),
}  # fmt: skip


@dataclass(frozen=True)
class Situation:
    """A moment of a game."""

    name: str
    board: Any
    hands: list[Any]
    waiting: list[int]
    offers: list[Any]


def play_game(game: Game, players: int) -> Iterator[Situation]:
    """Yield three moments of a game that bots play."""
    length = sum(1 for _ in list_recorders(game, players))
    wanted = {int(share * (length - 1)): name for name, share in MOMENTS.items()}
    for number, recorder in enumerate(list_recorders(game, players)):
        if number in wanted:
            yield take_situation(wanted[number], recorder)


def list_recorders(game: Game, players: int) -> Iterator[Recorder]:
    """Yield the game after every action."""
    recorder, rng = Recorder(game.begin(players=players, seed=SEED)), Random(7)  # noqa: S311 (reproducible)
    policy = game.policies.get("greedy", game.policies["random"])
    while waiting := recorder.play.waiting_for():
        seat = rng.choice(waiting)
        recorder.act(seat, policy(recorder.play, seat, rng.randrange))
        yield recorder


def take_situation(name: str, recorder: Recorder) -> Situation:
    play, zones = recorder.play, recorder.zones
    offers = [[] if play.is_over else msgspec.to_builtins(play.offer(seat)) for seat in play.seats]
    waiting = [] if play.is_over else list(play.waiting_for())
    return Situation(name, plain(zones.board), plain(zones.hands), waiting, offers)


def build_view(game: Game, situation: Situation, way: tuple[str, str, str], lang: str) -> PictureView:
    viewer, scheme, layout = way
    seat = 0 if viewer == "seat" else None
    return PictureView(
        game=game.name,
        title=game.title[lang],
        board=situation.board,
        hand=None if seat is None else situation.hands[seat],
        seat=seat,
        names=NAMES[: len(situation.hands)],
        waiting=situation.waiting,
        offer=[] if seat is None else situation.offers[seat],
        catalog=game.catalog,
        description=game.description,
        lang=lang,
        scheme=scheme,  # type: ignore[arg-type]
        layout=layout,  # type: ignore[arg-type]
    )


def draw_all(game: Game, *, is_generic: bool) -> dict[str, str]:
    """Return all pictures of a game by their names; German and English take turns."""
    draw = draw_generic_picture if is_generic else draw_picture
    players = game.players[len(game.players) // 2]
    return {
        f"{situation.name}-{'-'.join(way)}": draw(build_view(game, situation, way, ("en", "de")[at % 2]))
        for situation in play_game(game, players)
        for at, way in enumerate(WAYS)
    }


# Sheets


def build_sheet(images: dict[str, Image.Image], columns: int) -> Image.Image:
    """Return small versions of images in rows, with their names."""
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (columns * (THUMBNAIL[0] + 10), rows * (THUMBNAIL[1] + 30)), "#888888")
    pen = ImageDraw.Draw(sheet)
    for number, (name, image) in enumerate(images.items()):
        left, top = number % columns * (THUMBNAIL[0] + 10) + 5, number // columns * (THUMBNAIL[1] + 30) + 5
        pen.text((left, top), name, "#ffffff", font_size=16)
        small = image.copy()
        small.thumbnail(THUMBNAIL, Image.Resampling.LANCZOS)
        sheet.paste(small, (left, top + 20))
    return sheet


def open_picture(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(rasterise(svg))).convert("RGB")


def simulate_blindness(image: Image.Image, kind: str) -> Image.Image:
    """Return an image as people with this blindness see it."""
    linear = image.point([round(255 * (at / 255) ** 2.2) for at in range(256)] * 3)
    seen = linear.convert("RGB", BLINDNESS[kind])
    return seen.point([round(255 * (at / 255) ** (1 / 2.2)) for at in range(256)] * 3)


def write_sheets(name: str, pictures: dict[str, str]) -> None:
    """Write the pictures of a game and its two sheets."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for way, svg in pictures.items():
        (folder / f"{way}.svg").write_text(svg, encoding="utf-8")
    images = {way: open_picture(svg) for way, svg in pictures.items()}
    build_sheet(images, 4).save(FOLDER / f"{name}.png")
    some = {way: image for way, image in images.items() if way.startswith("middle-seat") and way.endswith("wide")}
    blind = {f"{way}: {kind}": simulate_blindness(image, kind) for way, image in some.items() for kind in BLINDNESS}
    build_sheet(some | blind, 4).save(FOLDER / f"{name}-colour-blind.png")


def main() -> None:
    """Draw all games, each also generically."""
    for game in GAMES.values():
        write_sheets(game.name, draw_all(game, is_generic=False))
        write_sheets(f"{game.name}-generic", draw_all(game, is_generic=True))


if __name__ == "__main__":
    main()
    print(f"The sheets are in {FOLDER}.")  # noqa: T201
