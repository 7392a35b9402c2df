"""The kit: everything a game is written with. Rules import from here and from nowhere else of ours."""

from palatine_protocol.offers import Choice, Offer, Pick, Range

from .asking import AGAIN, FREE, SETTLED, Action, Asking, AtLeisure, Lapsing, News, WaitFor, plain, verb_of
from .chance import Chance, Drawing
from .document import Document, Seat, Step
from .entries import Entry, Frame, Told, Zones, folded, frame
from .explaining import Figure, Reason, Topic, explained, places, questions, sum_of, total, why_refused
from .game import Game, Policy, Standing, at_random
from .play import HIDDEN, Play, step
from .refusal import Refused, refuse
from .scribe import Scribe
from .verbs import choice
from .witness import witnessed
from .words import Phrase, Words, WordsError, read_words

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
    "Drawing",
    "Entry",
    "Figure",
    "Frame",
    "Game",
    "Lapsing",
    "News",
    "Offer",
    "Phrase",
    "Pick",
    "Play",
    "Policy",
    "Range",
    "Reason",
    "Refused",
    "Scribe",
    "Seat",
    "Standing",
    "Step",
    "Told",
    "Topic",
    "WaitFor",
    "Words",
    "WordsError",
    "Zones",
    "at_random",
    "choice",
    "explained",
    "folded",
    "frame",
    "places",
    "plain",
    "questions",
    "read_words",
    "refuse",
    "step",
    "sum_of",
    "total",
    "verb_of",
    "why_refused",
    "witnessed",
]
