"""The actions of players, one small action per decision, in the order of the rulebook (PR-CMD-1)."""

from typing import Annotated

from ..kit import Action, member
from .pieces import Cards, Phase, PrivilegeId, RoomId, SourceId, Space, TurquoiseSeals, VioletSeals

Seals = tuple[TurquoiseSeals, VioletSeals]

# Setup


class Place(Action):
    """Put one of the five free servants into a room."""

    room: RoomId


class PlaceRest(Action):
    """Put the rest of the five servants where the rules put them for a late player."""


# The turn


class Advance(Action):
    """Go on to a later action and close the actions before it."""

    to: Phase


class Reinforce(Action):
    """Action 1: put a new servant on the gate."""

    source: SourceId


class Move(Action):
    """Action 2: bring a servant into the next room."""

    source: RoomId
    to: RoomId


class TakeGold(Action):
    """Action 3a: take the gold of the mint."""


class AddSealServant(Action):
    """Action 3b: put a new servant into the King's Cabinet or before Madame de Pompadour."""

    room: RoomId
    source: SourceId


class Recruit(Action):
    """Action 4: recruit a noble; `wild` are the seals of a privilege used, `border_from` feeds the border space."""

    space: Space
    wild: Seals = (0, 0)
    border_from: SourceId = "supply"


class Draw(Action):
    """Action 5: draw privilege cards."""

    count: Cards


class Keep(Action):
    """Keep some of the drawn cards, named by their places, and discard the others."""

    indices: list[Annotated[int, member("pending")]]


class PlayPrivilege(Action):
    """Pay for a privilege card and play it."""

    kind: PrivilegeId


class EndTurn(Action):
    """Skip the rest of the turn."""


ACTIONS = (
    Place,
    PlaceRest,
    Advance,
    Reinforce,
    Move,
    TakeGold,
    AddSealServant,
    Recruit,
    Draw,
    Keep,
    PlayPrivilege,
    EndTurn,
)
