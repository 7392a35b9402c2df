"""The pieces, places and amounts that documents, actions and news name; the annotations say what they are."""

from __future__ import annotations

from typing import Annotated

from ..kit import CELL, amount, piece, word

RoomId = Annotated[str, piece("rooms")]
SourceId = Annotated[str, piece("stocks", "rooms")]  # where a servant comes from
NobleId = Annotated[str, piece("nobles")]
PrivilegeId = Annotated[str, piece("privileges")]
Phase = Annotated[str, piece("phases")]
Colour = Annotated[str, piece("colours")]
Space = Annotated[str, CELL]  # of the park
LastRound = Annotated[str, word("final_round")]  # why the final round comes
SheetLine = Annotated[str, word("sheet")]

Servants = Annotated[int, amount("servant")]
Gold = Annotated[int, amount("gold")]
Cards = Annotated[int, amount("card")]
Nobles = Annotated[int, amount("noble")]
Moves = Annotated[int, amount("move")]
WildSeals = Annotated[int, amount("seal")]
TurquoiseSeals = Annotated[int, amount("turquoise_seal")]
VioletSeals = Annotated[int, amount("violet_seal")]
Points = Annotated[int, amount("point")]
Rounds = Annotated[int, amount("round")]
