"""The kit: the types and functions with which rules are written. Rules import nothing else of this package."""

from palatine_protocol.offers import Choice, Offer, Pick, Range

from .chance import Chance, Drawing
from .choices import choice
from .decisions import AGAIN, FREE, SETTLED, Action, Asking, AtLeisure, Lapsing, News, WaitFor, verb_of
from .description import describe_game
from .document import Document, Seat, Step
from .drawings import record_draws
from .engine import HIDDEN, Play, step
from .entries import AddressedNews, Entry, EntryView, Zones, apply_entries, view_entry
from .explanation_text import ExplanationText, ExplanationTextError, Phrase, read_explanation_text
from .game import BoardPaths, Game, Policy, Standing, at_random, reads_no_board
from .game_error import GameError
from .label_checks import find_missing_labels
from .labels import Labels, LabelsError
from .meanings import BY_SEAT, CELL, SEAT, VERTEX, amount, coordinate, either, items_for, member, piece, word
from .reasons import Figure, Reason, Topic, explain_topic, places, questions, sum_of, total, why_refused
from .recorder import Recorder
from .refusal import Refused, read_part, refuse, refuse_option
from .renewal import plain
from .resample import Redeal, Redraw, Resampler, resample
from .seat_view import encode_view, read_view
from .secret_swap import RandomSource, SecretSwap

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
