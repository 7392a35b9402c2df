"""The pieces, places and amounts that documents, actions and news name; the annotations say what they are."""

from __future__ import annotations

from typing import Annotated, Any

from ..kit import CELL, amount, coordinate, either, member, piece, word

TileId = Annotated[str, piece("room")]  # a drafted tile
RoomId = Annotated[str, piece("room", "special")]
ThroneId = Annotated[str, piece("throne")]
AttendantId = Annotated[str, piece("attendant")]
CardId = Annotated[str, piece("bonus_card")]
TokenId = Annotated[str, piece("castle_token")]
TypeId = Annotated[str, piece("type")]
StockId = Annotated[str, piece("attendant", "special")]

OPTIONS = piece("room", "special", "attendant", "bonus_card", "type")
OptionId = Annotated[str, OPTIONS]  # of a joint decision
Option = Annotated[Any, either(OPTIONS, CELL)]

CastleNumber = Annotated[int, member("castles")]
X = Annotated[int, coordinate("x")]
Y = Annotated[int, coordinate("y")]
Question = Annotated[str, word("question")]  # the subject of a joint decision
Shortage = Annotated[str, either(word("question"), piece("special"))]
Phase = Annotated[str, word("phase")]
Direction = Annotated[str, word("direction")]
Pile = Annotated[str, word("pile")]
SheetLine = Annotated[str, word("sheet")]

Tiles = Annotated[int, amount("tile")]
Cards = Annotated[int, amount("card")]
Pieces = Annotated[int, amount("piece")]
Points = Annotated[int, amount("point")]
Rooms = Annotated[int, amount("special")]
