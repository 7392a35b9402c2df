"""Interactions of Discord as events of the core. They come from the network, so they are decoded into types first."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from ...render.translations import Lang
from ..chat_events import ChatEvent, ChatRoom, Clicked, CommandGiven, FormSent, Person
from .payloads import EPHEMERAL, NETWORK

THREADS = {10, 11, 12}  # types of channels that belong to another one
PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 1, 2, 3, 4, 5
Snowflake = Annotated[str, Meta(pattern=r"^[0-9]{1,20}$(?!\n)")]
LANGUAGES: dict[str, Lang] = {"de": "de"}


class DiscordUser(Struct):
    """A user of Discord."""

    id: Snowflake
    username: str = ""
    global_name: str | None = None


class GuildMember(Struct):
    """A user as a member of a community."""

    user: DiscordUser
    nick: str | None = None


class SourceMessage(Struct):
    """The message on which a person clicked."""

    id: Snowflake
    flags: int = 0


class CommandOption(Struct):
    """An option of a command; a subcommand has options of its own."""

    name: str
    type: int = 3
    value: Any = None
    options: list[CommandOption] = []


class InteractionData(Struct):
    """What a person did."""

    name: str = ""
    options: list[CommandOption] = []
    custom_id: str = ""
    values: list[str] = []
    components: list[Any] = []


class InteractionChannel(Struct):
    """The channel or thread in which a person did something."""

    type: int = 0
    parent_id: Snowflake | None = None


class Interaction(Struct):
    """One interaction."""

    id: Snowflake
    type: int
    application_id: Snowflake = "0"
    token: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.=-]{0,2000}$(?!\n)")] = ""
    guild_id: Snowflake | None = None
    channel_id: Snowflake | None = None
    channel: InteractionChannel | None = None
    app_permissions: Annotated[str, Meta(pattern=r"^[0-9]{1,40}$(?!\n)")] | None = None
    member: GuildMember | None = None
    user: DiscordUser | None = None
    locale: str = "en-US"
    data: InteractionData = field(default_factory=InteractionData)
    message: SourceMessage | None = None

    @property
    def is_private(self) -> bool:
        """Whether the person clicked on a message that only they see."""
        return bool(self.message and self.message.flags & EPHEMERAL)


_decoder = msgspec.json.Decoder(Interaction)


def decode_interaction(body: bytes) -> Interaction:
    """Read the body of a request; raise msgspec.DecodeError or msgspec.ValidationError."""
    return _decoder.decode(body)


def read_event(interaction: Interaction) -> ChatEvent | None:
    """Return the event of the core; None for an interaction that the app does not know."""
    person = read_person(interaction)
    if person is None:
        return None
    room, data = read_room(interaction), interaction.data
    if interaction.type == COMMAND:
        return read_command(interaction.id, person, room, data)
    if interaction.type == COMPONENT:
        return Clicked(interaction.id, person, room, data.custom_id, data.values, interaction.is_private)
    if interaction.type == MODAL:
        return FormSent(interaction.id, person, room, data.custom_id, dict(read_fields(data.components)))
    return None


def read_room(interaction: Interaction) -> ChatRoom:
    """Return where it happened; only a thread belongs to another channel."""
    channel = interaction.channel
    parent = channel.parent_id if channel and channel.type in THREADS else None
    return ChatRoom(interaction.guild_id or "", interaction.channel_id or "", parent or "")


def find_command(interaction: Interaction) -> str:
    """Return the subcommand that a person gave; empty if it was something else."""
    options = interaction.data.options if interaction.type == COMMAND else []
    return options[0].name if options else ""


def read_person(interaction: Interaction) -> Person | None:
    user = interaction.member.user if interaction.member else interaction.user
    if user is None:
        return None
    nick = interaction.member.nick if interaction.member else None
    name = nick or user.global_name or user.username or user.id
    return Person(NETWORK + user.id, name, LANGUAGES.get(interaction.locale[:2].lower(), "en"))


def read_command(event: str, person: Person, room: ChatRoom, data: InteractionData) -> CommandGiven:
    """Return the subcommand with its options."""
    chosen = data.options[0] if data.options else CommandOption("")
    options = {option.name: option.value for option in chosen.options if type(option.value) in (str, int)}
    return CommandGiven(event, person, room, chosen.name, options)


def read_fields(components: list[Any]) -> list[tuple[str, str]]:
    """Return the fields of a form that a person filled in."""
    found: list[tuple[str, str]] = []
    for component in components[:25]:
        if isinstance(component, dict):
            inside = component.get("components") or [component.get("component")]
            fields = [each for each in inside if isinstance(each, dict)]
            found += [(str(each.get("custom_id")), str(each.get("value"))) for each in fields if "value" in each]
    return found
