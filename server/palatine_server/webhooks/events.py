"""Events: the bodies of webhooks. They hold only public facts about the table, and the user's own seat."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ..games.kit import Seat
from ..tables.state import TableState

encode_event = msgspec.json.Encoder().encode


class Recipient(NamedTuple):
    """The name of a registration, and the user whose connection makes the webhook unnecessary."""

    registration: str
    user: str | None  # None if the webhook is sent in any case


class WebhookEvent(Struct, frozen=True, kw_only=True, tag_field="event"):
    """An event at a table; repeated deliveries carry the same id."""

    id: str
    table: str
    game: str


class YourTurnEvent(WebhookEvent, frozen=True, kw_only=True, tag="your_turn"):
    """The table waits for the user."""

    seat: Seat
    offer: int  # the number of the offer, which the client quotes in its answer
    until: int | None  # when their time is up, in milliseconds since 1970


class GameOverEvent(WebhookEvent, frozen=True, kw_only=True, tag="game_over"):
    """A game in which the user has a seat is over."""

    seat: Seat
    standings: list[dict[str, int]]


class TurnEvent(WebhookEvent, frozen=True, kw_only=True, tag="turn"):
    """The table waits for a player who is not connected; sent to the table's webhook."""

    seat: Seat
    name: str
    until: int | None


class TableOverEvent(WebhookEvent, frozen=True, kw_only=True, tag="game_over"):
    """The game is over; sent to the table's webhook."""

    names: list[str]  # by seat
    standings: list[dict[str, int]]


def table_webhook_name(table: str) -> str:
    """Return the name of a table's registration; no user has such an id."""
    return f"table:{table}"


def find_recipients(table: str, state: TableState) -> dict[Recipient, str]:
    """Return the recipients of a table's current event, each with the id that makes it unique."""
    at_table, users = table_webhook_name(table), state.secrets.users
    if state.info.status == "over":
        over = {Recipient(user, user): f"{table}:{seat}:over" for seat, user in enumerate(users) if user}
        return {**over, Recipient(at_table, None): f"{table}:over"}
    waiting = [] if state.info.paused else state.waiting()
    turns = {users[seat]: _turn_id(table, state, seat) for seat in waiting if not state.is_bot(seat)}
    return {Recipient(name, user): turn for user, turn in turns.items() if user for name in (user, at_table)}


def build_event(table: str, state: TableState, recipient: Recipient, id: str) -> WebhookEvent | None:  # noqa: A002
    """Return the event with this id; None if it is no longer true."""
    if find_recipients(table, state).get(recipient) != id:
        return None
    if recipient.user is None:
        return _build_table_over(table, state, id)
    seat = state.own_seat(recipient.user)
    if recipient.registration != recipient.user:
        return _build_turn(table, state, seat)
    return (
        _build_game_over(table, state, seat, id)
        if state.info.status == "over"
        else _build_your_turn(table, state, seat)
    )


def _turn_id(table: str, state: TableState, seat: Seat) -> str:
    return f"{table}:{seat}:{state.secrets.answers[seat]}"


def _build_your_turn(table: str, state: TableState, seat: Seat) -> YourTurnEvent:
    offer, turn = state.secrets.answers[seat], _turn_id(table, state, seat)
    return YourTurnEvent(id=turn, table=table, game=state.info.game, seat=seat, offer=offer, until=state.until(seat))


def _build_game_over(table: str, state: TableState, seat: Seat, id: str) -> GameOverEvent:  # noqa: A002
    return GameOverEvent(id=id, table=table, game=state.info.game, seat=seat, standings=state.info.standings)


def _build_turn(table: str, state: TableState, seat: Seat) -> TurnEvent:
    """Build the event under a hashed id, which does not reveal how often the seat has answered."""
    seal = hashlib.sha256(f"{state.secrets.seed} {_turn_id(table, state, seat)}".encode()).hexdigest()[:16]
    name, until = state.require_seated(seat).name, state.until(seat)
    return TurnEvent(id=f"{table}:{seat}:{seal}", table=table, game=state.info.game, seat=seat, name=name, until=until)


def _build_table_over(table: str, state: TableState, id: str) -> TableOverEvent:  # noqa: A002
    names = [seated.name if seated else "" for seated in state.info.seats]
    return TableOverEvent(id=id, table=table, game=state.info.game, names=names, standings=state.info.standings)
