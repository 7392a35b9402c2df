"""The engine: asks the seats, carries out their answers, and runs the rules that need no decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from palatine_protocol.errors import Code
from palatine_protocol.membership import permits
from palatine_protocol.offers import Offer

from .chance import Chance
from .choices import as_mapping
from .decisions import (
    AGAIN,
    FREE,
    SETTLED,
    Action,
    After,
    Asking,
    AtLeisure,
    Lapsing,
    News,
    WaitFor,
    give_answer,
    verb_of,
)
from .document import Board, Box, Document, Hand, Seat, Step
from .entries import AddressedNews
from .game_error import GameError
from .refusal import Refused, refuse

if TYPE_CHECKING:
    from .game import Game

HIDDEN: Final = -1  # stands among the seats for the zone that no player sees
H = TypeVar("H")


class PendingRule:
    """A rule that waits for its answer, its step, its offer, and the zones that it read."""

    __slots__ = ("about", "is_waited_for", "offer", "rule", "step")

    def __init__(self, step: Step, rule: Asking, offer: Offer, about: frozenset[Seat]) -> None:
        self.step, self.rule, self.offer, self.about = step, rule, offer, about
        self.is_waited_for = False  # the seat must decide, and has something to decide


PendingRules = dict[Seat, list[PendingRule]]  # by the seat that is asked


class Hands(Generic[H]):
    """The hands of all seats; it records which of them are read."""

    __slots__ = ("_hands", "_looked_at")

    def __init__(self, hands: list[H], looked_at: set[Seat]) -> None:
        self._hands, self._looked_at = hands, looked_at

    def __getitem__(self, seat: Seat) -> H:
        self._looked_at.add(seat)
        return self._hands[seat]

    def __iter__(self) -> Iterator[H]:
        return (self[seat] for seat in range(len(self)))

    def __len__(self) -> int:
        return len(self._hands)


class Play(Generic[Board, Hand, Box]):
    """A game in progress. Rules change its document, which is its whole state between two actions.

    Zones are reached only through `board`, `hands[seat]`, `box` and `chance`, and the play records which of them an
    action read: a zone that was not read cannot have changed, and its content cannot have been revealed.
    """

    __slots__ = (
        "_asked",
        "_asking",
        "_has_lapsing",
        "_offers",
        "_open",
        "_rules",
        "_unaffected",
        "_waiting",
        "after",
        "answered",
        "asked_about",
        "document",
        "game",
        "hands",
        "is_final",
        "looked_at",
        "seats",
        "told",
    )

    def __init__(self, game: Game, document: Document[Board, Hand, Box]) -> None:
        self.game, self.document, self._rules = game, document, game.rules_by_name
        self.seats = range(len(document.hands))
        self.told: list[AddressedNews] = []
        self._asked: PendingRules = {}  # by seat, until the next action or the next change of the agenda
        self._offers: dict[Seat, Offer] = {}  # the offers by seat, until then
        self._unaffected: PendingRules = {}  # rules that were asked before the last action, and need not be asked again
        self._open: list[Step] | None = None  # the steps that can be carried out, if they are known, until then
        self._asking: dict[Seat, list[Step]] | None = None  # those of them that ask a seat, by seat, until then
        self._waiting: list[Seat] | None = None  # the seats that the table waits for, until then
        self._has_lapsing = False  # whether any of those offers lapses
        self.answered: Step | None = None  # the step that the last action answered
        self.after: After | WaitFor | None = None  # the return value of its rule: which seats are still asked
        self.asked_about = _NO_ZONES  # zones that the answered rule read before it asked
        self.looked_at: set[Seat] = set()  # zones that rules read after the answer
        self.is_final = False  # whether a rule forbade to undo the last action
        self.hands: Hands[Hand] = Hands(document.hands, self.looked_at)

    @property
    def board(self) -> Board:
        return self.document.board

    @property
    def box(self) -> Box:
        self.looked_at.add(HIDDEN)
        return self.document.box

    @property
    def chance(self) -> Chance:
        self.looked_at.add(HIDDEN)
        return self.document.chance

    # Called by rules

    def plan(self, *steps: Step) -> None:
        """Put steps before all steps that were planned earlier."""
        self.document.agenda[:0] = steps
        self._forget_offers()

    def tell(self, news: News, to: Iterable[Seat] | None = None) -> None:
        """Publish news to all viewers, or to these seats only."""
        if isinstance(to, int):
            raise GameError(f"tell(..., to={to}) names a seat; write to=[{to}]")
        self.told.append(AddressedNews(news, None if to is None else sorted(to)))

    def make_final(self) -> None:
        """Forbid to undo this action and all before it."""
        self.is_final = True

    # Called by tables

    @property
    def is_over(self) -> bool:
        return not self.document.agenda

    def offer(self, seat: Seat) -> Offer:
        """Return all actions that a seat may take now; the list is computed once per change and shared by callers."""
        offer = self._offers.get(seat)
        if offer is None:
            asked = self._ask(seat)
            if len(asked) == 1:
                offer = asked[0].offer
            else:
                offer = [choice for each in asked for choice in each.offer] if asked else _NO_OFFER
            self._offers[seat] = offer
        return offer

    def waiting_for(self) -> list[Seat]:
        """Return the seats that the table waits for; the list is computed once per change and shared by all callers."""
        if self._waiting is None:
            self._waiting = [seat for seat in self.seats if self._is_waited_for(seat)]
        return self._waiting

    def _is_waited_for(self, seat: Seat) -> bool:
        for asked in self._ask(seat):  # noqa: SIM110 (compiled, a loop takes half as long as a generator)
            if asked.is_waited_for:
                return True
        return False

    def steps_waiting_for(self, seat: Seat) -> list[Step]:
        """Return the steps in which the table waits for this seat."""
        return [asked.step for asked in self._ask(seat) if asked.is_waited_for]

    def lapsing(self) -> dict[Seat, float]:
        """Return the seats whose offers lapse, with the seconds after which the rules choose for them."""
        seats = self.waiting_for()
        if not self._has_lapsing:
            return {}
        found = {seat: self._lapses_after(seat) for seat in seats}
        return {seat: seconds for seat, seconds in found.items() if seconds is not None}

    def _lapses_after(self, seat: Seat) -> float | None:
        offers = [asked.offer for asked in self._ask(seat) if asked.is_waited_for]
        seconds = [offer.seconds for offer in offers if isinstance(offer, Lapsing)]
        return max(seconds) if seconds and len(seconds) == len(offers) else None

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out an action and the steps that follow from it, or refuse it and change nothing."""
        asked = self._find_pending(seat, action)
        self.asked_about = asked.about
        self._forget_offers()
        self.looked_at.clear()
        self.is_final = self._has_lapsing = False
        self._update_step(asked.step, seat, give_answer(asked.rule, action))
        self.run()

    def refusal(self, seat: Seat, action: Action) -> Refused | None:
        """Return why this action would be refused; None if it would not."""
        try:
            self._find_pending(seat, action)
        except Refused as refused:
            return refused
        return None

    def release(self) -> None:
        """Drop all cached offers, and what the structs of the board have cached; all is computed again on demand.

        A pending rule refers to the play, and the play to the rule. Call this before you drop a play: it breaks the
        cycle, so that its memory is freed at once, without a garbage collection.
        """
        self._forget_offers()
        _drop_cached_properties(self.document.board)

    def _forget_offers(self) -> None:
        """Drop all cached offers, because the document changes; what the structs of the board have cached stays."""
        self._open = self._asking = self._waiting = None
        self._offers.clear()
        self._asked.clear()
        self._unaffected.clear()

    def list_pending(self) -> PendingRules:
        """Return the rules that have been asked since the last action, by seat."""
        return self._asked.copy()

    def reuse(self, unaffected: PendingRules) -> None:
        """Let the offers of these rules stand: nothing that the rules read before they asked has changed since."""
        self._unaffected = unaffected

    def run(self) -> None:
        """Run all steps that need no decision."""
        while step := self._next_automatic():
            self.document.agenda.remove(step)
            self._forget_offers()
            rule = self._rules[step.rule]
            try:
                returned = rule(self, **step.given)
            except TypeError as error:
                raise _explain_call(step, error) from error
            if hasattr(returned, "send"):
                raise GameError(f"the rule {step.rule!r} asks, but its step has no seat; write step({step.rule}, seat)")

    def _next_automatic(self) -> Step | None:
        self._let_lapse()
        self._open, self._asking = open_steps(self.document.agenda), None
        for step in self._open:
            if _asks_nobody(step):
                return step
        return None

    def _let_lapse(self) -> None:
        """Drop optional decisions at the head of the agenda as soon as no seat must decide there."""
        agenda, in_lanes = self.document.agenda, 0
        for step in agenda:
            if not step.lane:
                break
            if not _holds_nobody_up(step):
                return
            in_lanes += 1
        if in_lanes:
            del agenda[:in_lanes]

    def _find_asking(self) -> dict[Seat, list[Step]]:
        """Return the steps that can be carried out now and ask a seat, by seat; computed once per change."""
        asking = self._asking
        if asking is None:
            asking = self._asking = {}
            for step in open_steps(self.document.agenda) if self._open is None else self._open:
                for seat in {*step.seats, *step.free}:
                    asking.setdefault(seat, []).append(step)
        return asking

    def _ask(self, seat: Seat) -> list[PendingRule]:
        """Start the rules that ask a seat, and take their offers; once per change."""
        asked = self._asked.get(seat)
        if asked is None:
            steps = self._find_asking().get(seat)
            if steps is None:
                return _NO_RULES
            asked = self._asked[seat] = [self._start(step, seat) for step in steps]
        return asked

    def _start(self, step: Step, seat: Seat) -> PendingRule:
        for pending in self._unaffected.get(seat, ()):
            if pending.step is step:
                return self._continue(pending, seat)
        self.looked_at.clear()
        rule, given = self._rules[step.rule], step.given
        try:
            asking: Asking = rule(self, seat, **given) if given else rule(self, seat)
        except TypeError as error:
            raise _explain_call(step, error) from error
        try:
            offer = next(asking)
        except (StopIteration, TypeError) as error:
            raise _explain_silence(step, asking, error) from error
        if not isinstance(offer, list):
            raise GameError(f"the rule {step.rule!r} yields {type(offer).__name__}; yield a list, as in [choice(...)]")
        return self._continue(PendingRule(step, asking, offer, _zones(self.looked_at)), seat)

    def _continue(self, pending: PendingRule, seat: Seat) -> PendingRule:
        """Note whether the table waits for the seat, and whether the offer lapses."""
        offer = pending.offer
        if type(offer) is Lapsing:
            self._has_lapsing = True
        pending.is_waited_for = bool(offer) and type(offer) is not AtLeisure and seat in pending.step.seats
        return pending

    def _find_pending(self, seat: Seat, action: Action) -> PendingRule:
        """Return the pending rule whose offer contains the action; raise Refused if there is none."""
        wanted = as_mapping(action)
        for asked in self._ask(seat):
            if permits(asked.offer, wanted):
                return asked
        raise self._why_not(seat, action, {choice.do for choice in self.offer(seat)})

    def _why_not(self, seat: Seat, action: Action, verbs: set[str]) -> Refused:
        if self.is_over:
            return refuse(Code.GAME_OVER, self.game.moments.get("game_over", ""))
        if not verbs:
            return refuse(Code.NOT_YOUR_TURN, self.game.moments.get("not_your_turn", ""))
        reason = self.game.why_not(self, seat, action)
        return reason or refuse(Code.NOT_OFFERED if verb_of(action) in verbs else Code.NOT_NOW)

    def _update_step(self, step: Step, seat: Seat, after: After | WaitFor | None) -> None:
        """Record in the step which seats are still asked; remove a step that asks no seat any more."""
        self.answered, self.after = step, after
        if (after is FREE and not step.lane) or (after is not None and type(after) is not After):
            _check_return(step, after)
        if after is AGAIN and seat in step.seats and not step.free:
            return
        if isinstance(after, WaitFor):
            step.seats, step.free = sorted({*after.seats}), _others(step, after.seats)
        elif after is SETTLED:
            step.seats, step.free = [], []
        else:
            must, may = _without(step.seats, seat), _without(step.free, seat)
            step.seats = sorted([*must, seat]) if after is AGAIN else must
            step.free = sorted([*may, seat]) if after is FREE else may
        if _asks_nobody(step):
            self.document.agenda = [other for other in self.document.agenda if other is not step]


def _zones(looked_at: set[Seat]) -> frozenset[Seat]:
    """Return these zones as a set that all tables share: there are few combinations."""
    if not looked_at:
        return _NO_ZONES
    zones = frozenset(looked_at)
    return _shared_zones.setdefault(zones, zones)


_NO_ZONES: Final[frozenset[Seat]] = frozenset()
_NO_RULES: Final[list[PendingRule]] = []  # of the many seats that are not asked; nobody changes these two
_NO_OFFER: Final[Offer] = []
_shared_zones: Final[dict[frozenset[Seat], frozenset[Seat]]] = {}


def _without(seats: list[Seat], seat: Seat) -> list[Seat]:
    return [other for other in seats if other != seat]


def _others(step: Step, seats: list[Seat]) -> list[Seat]:
    """Return the other seats of a step."""
    return sorted([other for other in {*step.seats, *step.free} if other not in seats])


def open_steps(agenda: list[Step]) -> list[Step]:
    """Return the steps that can run now: the first of every lane, up to the first step that waits for all."""
    found: list[Step] = []
    busy: set[str] = set()
    for step in agenda:
        if not step.lane:
            return found if busy else [*found, step]
        if step.lane not in busy:
            found.append(step)
            if not _holds_nobody_up(step):
                busy.add(step.lane)
    return found


def _asks_nobody(step: Step) -> bool:
    """Return whether the rule runs by itself."""
    return not step.seats and not step.free


def _holds_nobody_up(step: Step) -> bool:
    """Return whether only optional decisions are left."""
    return not step.seats and bool(step.free)


def _explain_silence(step: Step, asking: Any, error: Exception) -> Exception:
    """Return what the author of a rule that made no offer can do; any other error of the rule stays as it is."""
    if isinstance(error, StopIteration):
        return GameError(f"the rule {step.rule!r} ended without asking; yield an offer, which may be the empty list []")
    if hasattr(asking, "send"):
        return error
    remedy = "let it yield an offer, as in answer = yield [choice(...)], or leave the seats out of its step"
    return GameError(f"the rule {step.rule!r} has seats to ask, but never asks; {remedy}")


def _explain_call(step: Step, error: Exception) -> Exception:
    """Return what to do about a step that gives a rule other arguments than it takes; other errors stay as they are."""
    if _was_raised_inside(error):
        return error
    given = ", ".join(["game", *(["seat"] if step.seats or step.free else []), *step.given])
    remedy = f"write def {step.rule}({given}), or step({step.rule}, ...) with what it needs"
    return GameError(f"the rule {step.rule!r} cannot be called by its step: {error}; {remedy}")


def _was_raised_inside(error: BaseException) -> bool:
    """Return whether an error comes from inside a rule, and not from the call of it."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is not None


def _check_return(step: Step, after: Any) -> None:
    """Raise a GameError if a rule returned something that the kit does not know, or FREE where the game would stop."""
    if after is FREE:
        remedy = f'write step({step.rule}, ..., lane="free"), or return AGAIN'
        raise GameError(f"the rule {step.rule!r} returned FREE, but its step has no lane; {remedy}")
    if not isinstance(after, WaitFor):
        known = "nothing, AGAIN, FREE, SETTLED or WaitFor([...])"
        raise GameError(f"the rule {step.rule!r} returned {type(after).__name__}; return {known}")


def step(rule: Callable[..., Any] | str, *seats: Seat, lane: str = "", **given: Any) -> Step:
    """Return a step for the agenda: this rule, asking these seats, in this lane, with these arguments."""
    if seats and type(seats[0]) is not int:
        wrong = f"step({_name_rule(rule)}, {type(seats[0]).__name__})"
        raise GameError(f"{wrong}: a seat is a number; write *seats for several")
    return Step(_name_rule(rule), sorted(seats), [], lane, given)


def _name_rule(rule: Callable[..., Any] | str) -> str:
    return rule if isinstance(rule, str) else rule.__name__


def _drop_cached_properties(board: Any) -> None:
    """Drop the cached properties of the structs that the board lists."""
    for part in astuple(board):
        if type(part) is list and part and isinstance(part[0], Struct) and type(part[0]).__struct_config__.dict:
            for struct in part:
                struct.__dict__.clear()
