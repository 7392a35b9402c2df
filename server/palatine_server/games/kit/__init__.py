"""The kit: everything a game is written with. Rules import from here and from nowhere else of ours."""

from palatine_protocol.offers import Choice, Offer, Pick, Range

from .chance import Chance, Drawing
from .choices import choice
from .decisions import AGAIN, FREE, SETTLED, Action, Asking, AtLeisure, Lapsing, News, WaitFor, plain, verb_of
from .document import Document, Seat, Step
from .draw_recorder import witnessed
from .engine import HIDDEN, Play, step
from .entries import Entry, Frame, Told, Zones, folded, frame
from .explanation_text import Phrase, Words, WordsError, read_words
from .explanations import Figure, Reason, Topic, explained, places, questions, sum_of, total, why_refused
from .game import Game, Policy, Standing, at_random
from .recorder import Scribe
from .refusal import Refused, refuse

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
