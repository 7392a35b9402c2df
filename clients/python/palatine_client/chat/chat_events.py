"""The events of any chat network that the core handles."""

from __future__ import annotations

from msgspec import Struct

from ..render.translations import Lang


class Person(Struct, frozen=True):
    """A person in a chat network; the id is stable and names the network."""

    id: str
    name: str
    lang: Lang = "en"


class ChatRoom(Struct, frozen=True):
    """A channel or thread of a community."""

    community: str
    channel: str
    parent: str = ""  # the channel to which a thread belongs


class CommandGiven(Struct, frozen=True):
    """A person gave a command. The event id is unique for ever, so that its requests happen once."""

    id: str
    person: Person
    room: ChatRoom
    command: str
    options: dict[str, str | int] = {}


class Clicked(Struct, frozen=True):
    """A person clicked on a button, or chose options of a selection."""

    id: str
    person: Person
    room: ChatRoom
    target: str  # the id of the button or selection
    values: list[str] = []
    is_private: bool = True  # whether the message is one that only this person sees


class FormSent(Struct, frozen=True):
    """A person filled in a form."""

    id: str
    person: Person
    room: ChatRoom
    target: str
    fields: dict[str, str]


ChatEvent = CommandGiven | Clicked | FormSent
