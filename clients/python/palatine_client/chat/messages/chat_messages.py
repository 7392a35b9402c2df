"""Messages of any chat network: text in parts, rows of buttons and selections, a picture, a form."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...render.svg.view import PictureView

ButtonStyle = Literal["primary", "secondary", "success", "danger"]


class Button(Struct, frozen=True):
    """A button; its id says what a click on it means."""

    id: str
    label: str
    style: ButtonStyle = "secondary"
    is_disabled: bool = False


class SelectOption(Struct, frozen=True):
    """One option of a selection."""

    value: str
    label: str
    detail: str = ""
    is_chosen: bool = False


class Selection(Struct, frozen=True):
    """A list of options, of which a person chooses from `least` to `most`."""

    id: str
    prompt: str
    options: list[SelectOption]
    least: int = 1
    most: int = 1


Row = list[Button] | Selection


class TextPart(Struct, frozen=True):
    """Some lines of plain text under a heading. Nothing in them is markup."""

    heading: str = ""
    lines: list[str] = []


class RoomMessage(Struct, frozen=True):
    """A message. The picture is an order to draw; the network's app draws it outside of its event loop."""

    title: str = ""
    parts: list[TextPart] = []
    rows: list[Row] = []
    picture: PictureView | None = None
    mentions: list[str] = []  # the people who are notified


class FormField(Struct, frozen=True):
    """A line of text that a person fills in."""

    id: str
    label: str
    prompt: str = ""
    longest: int = 20


class Form(Struct, frozen=True):
    """A form that opens over the chat."""

    id: str
    title: str
    fields: list[FormField]


# Answers to an event


class PrivateAnswer(Struct, frozen=True):
    """A new message that only the person who clicked sees."""

    message: RoomMessage


class Replacement(Struct, frozen=True):
    """A message in place of the private one on which the person clicked."""

    message: RoomMessage


class FormAnswer(Struct, frozen=True):
    """A form for the person who clicked."""

    form: Form


ChatAnswer = PrivateAnswer | Replacement | FormAnswer
