"""The actions of players, one small action per decision, in the order of the rulebook (PR-CMD-1)."""

from ..kit import Action

Seals = tuple[int, int]  # turquoise, violet

# Setup


class Place(Action):
    """Put one of the five free servants into a room."""

    room: str


class PlaceRest(Action):
    """Put the rest of the five servants where the rules put them for a late player."""


# The turn


class Advance(Action):
    """Go on to a later action and close the actions before it."""

    to: str


class Reinforce(Action):
    """Action 1: put a new servant on the gate."""

    source: str


class Move(Action):
    """Action 2: bring a servant into the next room."""

    source: str
    to: str


class TakeGold(Action):
    """Action 3a: take the gold of the mint."""


class AddSealServant(Action):
    """Action 3b: put a new servant into the King's Cabinet or before Madame de Pompadour."""

    room: str
    source: str


class Recruit(Action):
    """Action 4: recruit a noble; `wild` are the seals of a privilege used, `border_from` feeds the border space."""

    space: str
    wild: Seals = (0, 0)
    border_from: str = "supply"


class Draw(Action):
    """Action 5: draw privilege cards."""

    count: int


class Keep(Action):
    """Keep some of the drawn cards, named by their places, and discard the others."""

    indices: list[int]


class PlayPrivilege(Action):
    """Pay for a privilege card and play it."""

    kind: str


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
