"""The kit: everything a game is written with. Rules import from here and from nowhere else of ours."""

from palatine_protocol.offers import Choice, Offer, Pick, Range

from .asking import AGAIN, FREE, SETTLED, Action, Asking, AtLeisure, News, WaitFor, choice, plain, verb_of
from .chance import Chance
from .document import Document, Seat, Step
from .game import Game, Policy, Standing, at_random
from .play import HIDDEN, Play, Told, step
from .refusal import Refused
from .scribe import Entry, Frame, Scribe, Zones, folded, frame

__all__ = [
    "AGAIN",
    "FREE",
    "HIDDEN",
    "SETTLED",
    "Action",
    "Asking",
    "AtLeisure",
    "Chance",
    "Choice",
    "Document",
    "Entry",
    "Frame",
    "Game",
    "News",
    "Offer",
    "Pick",
    "Play",
    "Policy",
    "Range",
    "Refused",
    "Scribe",
    "Seat",
    "Standing",
    "Step",
    "Told",
    "WaitFor",
    "Zones",
    "at_random",
    "choice",
    "folded",
    "frame",
    "plain",
    "step",
    "verb_of",
]
