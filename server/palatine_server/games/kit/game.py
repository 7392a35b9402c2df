"""The description of a game: its types, its rules, and everything else that the platform knows of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code
from palatine_protocol.offers import drawn

from .chance import Chance
from .decisions import Action, News
from .description.examples import read_examples
from .description.game_description import describe_or_warn
from .description.label_checks import read_labels
from .description.labels import Labels
from .document import Document, Seat
from .engine import Play
from .explanations.explanation_text import NO_TEXT, ExplanationText
from .explanations.reasons import Reason, Topic
from .fingerprint import edition_of
from .game_error import GameError
from .hidden_zones.resample import Redraw
from .hidden_zones.secret_swap import SecretSwap
from .refusal import Refused, read_part, refuse
from .renewal import plain
from .strings import share_strings
from .validation import validate_game

BoardPaths = Iterable[tuple[str | int, ...]]  # parts of the board, each by the keys and places that lead to it
Policy = Callable[[Any, Seat, Callable[[int], int]], Action]


class Standing(Struct, frozen=True):
    """The final place of a seat; tied seats have the same rank."""

    seat: Seat
    score: int
    rank: int


def at_random(play: Play[Any, Any, Any], seat: Seat, below: Callable[[int], int]) -> Action:
    """Choose any legal action, each equally likely; every game has this policy."""
    return play.game.read_action(plain(drawn(play.offer(seat), below)))


class RuleTable(dict[str, Callable[..., Any]]):
    """The rules of a game by name; a name that is missing becomes a sentence for the author."""

    def __missing__(self, name: str) -> Callable[..., Any]:
        known = ", ".join(self)
        raise GameError(f"a step names the rule {name!r}, which is not in rules; add it there. There are: {known}")


@dataclass(frozen=True, kw_only=True)
class Game:
    """The description of a game; a mistake in it raises a GameError that says what to do."""

    name: str
    title: Mapping[str, str]
    players: range
    options: type[Struct]
    document: type[Document[Any, Any, Any]]
    actions: tuple[type[Action], ...]
    news: tuple[type[News], ...]
    rules: tuple[Callable[..., Any], ...]
    folder: Path  # the folder of its RULES.md, and of its catalog.toml if it has one

    setup: Callable[[int, Any, Chance], Document[Any, Any, Any]]
    why_not: Callable[[Any, Seat, Any], Refused | None]  # words a refusal that the offer has decided
    overdue: Callable[[Any, Collection[Seat]], tuple[Seat, Action]]  # the rules' action for these seats
    standings: Callable[[Any], list[Standing]]
    check: Callable[[Any], None]  # raises AssertionError if pieces were lost or doubled
    policies: Mapping[str, Policy] = field(default_factory=lambda: {"random": at_random})
    # By the name of a rule: the parts of the board that it reads before it asks. While they are the same, and the hands
    # that it reads, the kit does not ask again. A rule that is not named here may read all of the board.
    offers_read: Mapping[str, Callable[..., BoardPaths]] = field(default_factory=dict)
    sealed: Mapping[str, str] = field(default_factory=dict)  # secret choices, and the news that reveals them
    is_silent: Callable[[Any], str] = lambda game: ""  # the id of the rule that forbids chat now, or ""
    # The seats that see an action when a seat points at it; each of them must already know what the action reveals.
    pointing_audience: Callable[[Any, Seat, Any], Collection[Seat]] = lambda game, seat, action: ()
    moments: Mapping[str, str] = field(default_factory=dict)  # the rules behind `not_your_turn` and `game_over`
    topics: Mapping[str, Topic] = field(default_factory=dict)  # the questions that players can ask
    grounds: Mapping[str, Callable[[Any, Seat, Any], Iterable[Reason]]] = field(default_factory=dict)  # behind refusals
    words: ExplanationText = NO_TEXT  # the texts of questions, reasons and refusals
    secrets: SecretSwap | None = None  # for `palatine check`: how to exchange what a viewer may not know
    # Deals everything that a seat does not see anew, so that a bot can think about hidden information; see `resample`.
    redraw: Redraw | None = None
    edition: str = field(init=False)  # the fingerprint of the rules

    def __post_init__(self) -> None:
        """Validate the game, and compute the edition now: the files on disk may change after they were imported."""
        validate_game(self)
        object.__setattr__(self, "edition", edition_of(self.folder))

    def begin(self, players: int, seed: str, options: Mapping[str, Any] | None = None) -> Play[Any, Any, Any]:
        """Set up a game and run it to its first decision. The seed is hexadecimal."""
        if players not in self.players:
            raise Refused("wrong_number_of_players", f"{self.title['en']} is for {_span(self.players)} players.")
        play = Play(self, self._set_up(players, self.read_options({} if options is None else options), Chance(seed)))
        play.run()
        return play

    def _set_up(self, players: int, options: Any, chance: Chance) -> Document[Any, Any, Any]:
        document = self.setup(players, options, chance)
        if not isinstance(document, Document):
            remedy = "return Document(board, hands, box, chance, agenda)"
            raise GameError(f"setup of {self.name!r} returns {type(document).__name__}; {remedy}")
        if len(document.hands) < players:
            count = len(document.hands)
            raise GameError(f"setup of {self.name!r} deals {count} hands to {players} players; deal one to each seat")
        return document

    def read_options(self, options: Mapping[str, Any]) -> Any:
        """Return the options as a struct; raise a refusal that names the mistake."""
        if not isinstance(options, Mapping):
            return read_part(options, self.options, "$.options")
        return read_part(self.select_options(options), self.options, "$.options")

    def select_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that this game knows; others are ignored, as all unknown keys of a message."""
        known = self.options.__struct_encode_fields__
        return {name: value for name, value in options.items() if name in known}

    def read_action(self, action: Any) -> Action:
        """Return an action from plain data; raise a refusal that names the mistake."""
        try:
            return self._read_action(_encode(action))
        except (msgspec.ValidationError, OverflowError):  # the encoder rejects very large integers
            return self._convert_action(action)  # slower: it inspects all action types on every call

    def _convert_action(self, action: Any) -> Action:
        """Return an action without the keys that it does not know; refuse one with a mistake."""
        verb = action.get("do") if isinstance(action, dict) else None
        kind = self._actions_by_verb.get(verb) if isinstance(verb, str) else None
        if kind is not None:
            action = {key: value for key, value in action.items() if key in ("do", *kind.__struct_encode_fields__)}
        elif isinstance(verb, str):
            raise refuse(Code.NO_SUCH_ACTION, path="$.action.do")
        return read_part(action, self._any_action, "$.action")  # type: ignore[no-any-return]

    def copy(self, play: Play[Any, Any, Any]) -> Play[Any, Any, Any]:
        """Return a copy of a game, to try actions on."""
        return self.unpack(self.pack(play))

    def pack(self, play: Play[Any, Any, Any]) -> bytes:
        """Encode the document of a game."""
        return _encode(play.document)

    def unpack(self, document: bytes) -> Play[Any, Any, Any]:
        """Return a game from its encoded document."""
        return Play(self, self._decoder.decode(document))

    def resume(self, document: Any) -> Play[Any, Any, Any]:
        """Return a game from its document as plain data."""
        return Play(self, msgspec.convert(share_strings(document), self.document))

    @cached_property
    def catalog(self) -> dict[str, Any]:
        """Return the components, as clients receive them."""
        file = self.folder / "catalog.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @cached_property
    def labels(self) -> Labels:
        """Return the labels of actions, news and the like; raise LabelsError if an entry of the file is wrong."""
        return read_labels(self)

    @cached_property
    def description(self) -> dict[str, Any]:
        """Return the game's description of itself, as clients receive it."""
        return describe_or_warn(self)

    @cached_property
    def examples(self) -> dict[str, Any]:
        """Return examples of actions, news, refusals and questions that bots played, as clients receive them."""
        return read_examples(self.folder)

    @cached_property
    def rules_text(self) -> str:
        """Return RULES.md; "" if the game has none."""
        file = self.folder / "RULES.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def usual_policy(self) -> str:
        """The policy of bots for which nobody chose one, among them those that play for a player who left."""
        return "greedy" if "greedy" in self.policies else "random"

    @cached_property
    def rules_by_name(self) -> dict[str, Callable[..., Any]]:
        return RuleTable({rule.__name__: rule for rule in self.rules})

    @cached_property
    def _actions_by_verb(self) -> dict[Any, type[Action]]:
        return {kind.__struct_config__.tag: kind for kind in self.actions}

    @cached_property
    def _any_action(self) -> Any:
        return Union[self.actions]  # noqa: UP007 (made from a tuple)

    @cached_property
    def _read_action(self) -> Callable[[bytes], Action]:
        return msgspec.msgpack.Decoder(self._any_action).decode

    @cached_property
    def _decoder(self) -> msgspec.msgpack.Decoder[Document[Any, Any, Any]]:
        return msgspec.msgpack.Decoder(self.document)


_encode = msgspec.msgpack.Encoder().encode


def reads_no_board(play: Play[Any, Any, Any], seat: Seat, **given: Any) -> BoardPaths:
    """Return no part of the board: the rule reads nothing of it before it asks."""
    return ()


def _span(players: range) -> str:
    return f"{players[0]} to {players[-1]}" if len(players) > 1 else f"{players[0]}"
