"""The encoder of a game: views and actions as vectors of numbers, for learners.

It reads nothing but what a seat may know: the board, the seat's own hand, and which seats the table waits for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import msgpack
from numpy.typing import NDArray

from ..games.kit import Game, Seat, plain
from .episode import SeatView
from .feature_layout import FeatureLayout
from .feature_nodes import Features, RecordNode, SeatNode, WordNode
from .offer_window import OfferWindow, PlainAction

Vector = NDArray[np.float32]
SAMPLE_SEED = "00" * 32  # of the table whose lists say how long lists are
MOST_FEATURES = 200_000  # numbers in one observation
MOST_CACHED = 20_000  # encoded actions
_encode = msgpack.Encoder().encode


class TooManyFeatures(ValueError):  # noqa: N818 (a property of a game)
    """A game describes documents that would need too many numbers."""


class GameEncoder:
    """Encodes the views and the actions of one game with one number of players."""

    def __init__(self, game: Game, players: int, options: Mapping[str, Any] | None = None) -> None:
        play = game.begin(players, SAMPLE_SEED, options)
        schemas, self.seats = game.description["schemas"], len(play.seats)
        layout = FeatureLayout(game, self.seats)
        self._board = layout.build(schemas.get("board", {}), [plain(play.board)])
        self._hand = layout.build(schemas.get("hand", {}), [plain(hand) for hand in play.document.hands])
        self._action = build_action_node(layout, schemas.get("actions", {}))
        self._seat = SeatNode(self.seats)
        self.observation_size = 2 * self.seats + self._board.size + self._hand.size
        self.action_size = 1 + self._action.size
        self._cached: dict[tuple[Seat, bytes], Features] = {}
        if max(self.observation_size, self.action_size) > MOST_FEATURES:
            raise TooManyFeatures(f"{game.name} would need {self.observation_size:,} numbers for an observation.")

    def encode_view(self, view: SeatView) -> Vector:
        """Return what a seat sees: its number, the seats that the table waits for, the board, its hand."""
        out = Features(view.seat, self.seats)
        out.write(view.seat, 1.0)
        for seat in view.waiting:
            self._seat.write(seat, self.seats, out)
        self._board.write(view.board, 2 * self.seats, out)
        self._hand.write(view.hand, 2 * self.seats + self._board.size, out)
        return np.bincount(out.places, out.values, self.observation_size).astype(np.float32)

    def encode_window(self, window: OfferWindow, seat: Seat) -> Vector:
        """Return a row for each entry. A group has the features of its first action, and the number of its actions."""
        places: list[int] = []
        values: list[float] = []
        for number, action in enumerate(window.actions):
            begin = number * self.action_size
            features = self._encode_action(action, seat)
            places += [begin, *[begin + place for place in features.places]]
            values += [window.count_actions(number), *features.values]
        table = np.zeros((window.width, self.action_size), np.float32)
        used = len(window.actions) * self.action_size
        table.reshape(-1)[:used] = np.bincount(places, values, used)
        return table

    def _encode_action(self, action: PlainAction, seat: Seat) -> Features:
        key = seat, _encode(action)
        features = self._cached.get(key)
        if features is None:
            features = Features(seat, self.seats)
            self._action.write(action, 1, features)
            if len(self._cached) >= MOST_CACHED:
                self._cached.clear()
            self._cached[key] = features
        return features


def build_action_node(layout: FeatureLayout, schemas: Mapping[str, Any]) -> RecordNode:
    """Return the node of all actions. Fields with the same name and meaning share their places among the verbs."""
    nodes = {}
    names: dict[str, dict[str, str]] = {}  # by verb: the node of each field
    for verb, schema in schemas.items():
        definition = schema["$defs"][schema["$ref"].rpartition("/")[2]]
        fields = {name: part for name, part in definition["properties"].items() if name != "do"}
        names[verb] = {name: f"{name} {json.dumps(part, sort_keys=True)}" for name, part in fields.items()}
        for name, part in fields.items():
            nodes[names[verb][name]] = layout.build({**part, "$defs": schema["$defs"]})
    return ActionNode({"do": WordNode([*schemas]), **nodes}, names)


class ActionNode(RecordNode):
    """An action: its verb and its fields."""

    def __init__(self, fields: Mapping[str, Any], names: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(fields, {}, is_list=False)
        self._names = names

    def write(self, value: Any, at: int, out: Features) -> None:
        """Write an action under the names that its verb gives to its fields."""
        names = self._names.get(value["do"], {})
        super().write({names.get(name, name): part for name, part in value.items()}, at, out)
