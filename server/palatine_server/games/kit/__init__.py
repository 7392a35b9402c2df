"""The kit: the types and functions with which rules are written. Rules import nothing else of this package."""

from palatine_protocol.offers import Choice, Offer, Pick, Range

from .chance import Chance, Drawing
from .choices import choice
from .decisions import AGAIN, FREE, SETTLED, Action, Asking, AtLeisure, Lapsing, News, WaitFor, verb_of
from .description.game_description import describe_game
from .description.label_checks import find_missing_labels
from .description.labels import Labels, LabelsError
from .description.meanings import (
    BY_SEAT,
    CELL,
    SEAT,
    VERTEX,
    amount,
    coordinate,
    either,
    items_for,
    member,
    piece,
    word,
)
from .document import Document, Seat, Step
from .drawings import record_draws
from .engine import HIDDEN, Play, step
from .entries import AddressedNews, Entry, EntryView, Zones, apply_entries, view_entry
from .explanations.explanation_text import ExplanationText, ExplanationTextError, Phrase, read_explanation_text
from .explanations.reasons import Figure, Reason, Topic, explain_topic, places, questions, sum_of, total, why_refused
from .game import BoardPaths, Game, Policy, Standing, at_random, reads_no_board
from .game_error import GameError
from .hidden_zones.resample import Redeal, Redraw, Resampler, resample
from .hidden_zones.seat_view import encode_view, read_view
from .hidden_zones.secret_swap import RandomSource, SecretSwap
from .recorder import Recorder
from .refusal import Refused, read_part, refuse, refuse_option
from .renewal import plain

__all__ = [
    "AGAIN",
    "BY_SEAT",
    "CELL",
    "FREE",
    "HIDDEN",
    "SEAT",
    "SETTLED",
    "VERTEX",
    "Action",
    "AddressedNews",
    "Asking",
    "AtLeisure",
    "BoardPaths",
    "Chance",
    "Choice",
    "Document",
    "Drawing",
    "Entry",
    "EntryView",
    "ExplanationText",
    "ExplanationTextError",
    "Figure",
    "Game",
    "GameError",
    "Labels",
    "LabelsError",
    "Lapsing",
    "News",
    "Offer",
    "Phrase",
    "Pick",
    "Play",
    "Policy",
    "RandomSource",
    "Range",
    "Reason",
    "Recorder",
    "Redeal",
    "Redraw",
    "Refused",
    "Resampler",
    "Seat",
    "SecretSwap",
    "Standing",
    "Step",
    "Topic",
    "WaitFor",
    "Zones",
    "amount",
    "apply_entries",
    "at_random",
    "choice",
    "coordinate",
    "describe_game",
    "either",
    "encode_view",
    "explain_topic",
    "find_missing_labels",
    "items_for",
    "member",
    "piece",
    "places",
    "plain",
    "questions",
    "read_explanation_text",
    "read_part",
    "read_view",
    "reads_no_board",
    "record_draws",
    "refuse",
    "refuse_option",
    "resample",
    "step",
    "sum_of",
    "total",
    "verb_of",
    "view_entry",
    "why_refused",
    "word",
]
