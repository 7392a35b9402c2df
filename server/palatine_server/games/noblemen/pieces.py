"""The pieces, places and amounts that documents, actions and news name; the annotations say what they are."""

from __future__ import annotations

from typing import Annotated

from ..kit import CELL, VERTEX, amount, coordinate, either, member, piece, word

TileKind = Annotated[str, piece("tile")]
AreaId = Annotated[str, piece("area")]
BuildingKind = Annotated[str, either(piece("building"), word("building"))]  # the catalog has follies in their own table
FollyId = Annotated[str, piece("folly.piece")]
CardId = Annotated[str, piece("card")]
TitleId = Annotated[str, piece("title")]
TrackField = Annotated[str, piece("round_track.name")]

Cell = Annotated[tuple[int, int], CELL]
Vertex = Annotated[tuple[int, int], VERTEX]
X = Annotated[int, coordinate("x")]
Y = Annotated[int, coordinate("y")]
VertexX = Annotated[int, coordinate("x", of="vertex")]
VertexY = Annotated[int, coordinate("y", of="vertex")]
Corner = Annotated[str, word("corner")]
Phase = Annotated[str, word("phase")]
Task = Annotated[str, word("task")]  # the action or the card that a draft belongs to
ScoreLine = Annotated[str, word("line")]  # the rule that gives points
OfferPlace = Annotated[int, member("card_offer")]

Tiles = Annotated[int, amount("tile")]
Pounds = Annotated[int, amount("pound")]
Bribes = Annotated[int, amount("bribe")]
Cards = Annotated[int, amount("card")]
Points = Annotated[int, amount("point")]
Prestige = Annotated[int, amount("prestige")]
Knights = Annotated[int, amount("knight")]
Buildings = Annotated[int, amount("building")]
Titles = Annotated[int, amount("title")]

Kinds = dict[TileKind, Tiles]  # how many tiles of each kind
