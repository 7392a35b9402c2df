"""Messages of the core as Discord's JSON. All text of people and games is escaped, and mentions nobody by itself."""

from __future__ import annotations

import re
from typing import Any

from ..messages.chat_messages import Button, ButtonStyle, Form, RoomMessage, Row, Selection, TextPart
from ..messages.text_limits import cut_text

EPHEMERAL = 64  # flag: only the person who clicked sees the message
BUTTON_STYLES: dict[ButtonStyle, int] = {"primary": 1, "secondary": 2, "success": 3, "danger": 4}
ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT, LABEL = 1, 2, 3, 4, 18
LONGEST_DESCRIPTION = 4096  # characters of the text of an embed
LONGEST_TITLE = 256
COLOUR = 0x8A6500  # the gold of the throne room
PICTURE_NAME = "table.png"
NETWORK = "discord:"  # begins the id of each person
LONGEST_EMBEDS = 5900  # characters of all embeds of a message; Discord allows 6,000
CUT = "…"
_MARKUP = re.compile(r"([\\*_~`|>#\[\]()<@])")
_BULLET = re.compile(r"^(\s*)([-+])", re.MULTILINE)
_NUMBER = re.compile(r"^(\s*\d+)\.", re.MULTILINE)  # Discord would number a list anew: 1, 1, 3 as 1, 2, 3

Plain = dict[str, Any]


def escape_markup(text: str) -> str:
    """Return a text in which Discord finds no markup, no list, no mention and no link."""
    escaped = _BULLET.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", text))
    return _NUMBER.sub(r"\1\\.", escaped).replace("://", ":\u200b//")


def format_parts(parts: list[TextPart], longest: int = LONGEST_DESCRIPTION) -> str:
    """Return the text of a message; lines that do not fit any more are left out, with a sign."""
    text = "\n\n".join(filter(None, map(format_part, parts)))
    return text if len(text) <= longest else split_lines(text, longest - 2)[0] + "\n" + CUT


def split_lines(text: str, longest: int) -> tuple[str, str]:
    """Return as many lines as fit, and the others."""
    if len(text) <= longest:
        return text, ""
    end = max(text.rfind("\n", 0, longest), 0)
    return text[:end], text[end + 1 :]


def format_part(part: TextPart) -> str:
    heading = [f"**{escape_markup(part.heading)}**"] if part.heading else []
    return "\n".join([*heading, *(escape_markup(line) for line in part.lines)])


def build_message(message: RoomMessage, *, has_picture: bool = False) -> Plain:
    """Return the body of a message; with a picture, the body names the attachment that is sent with it."""
    people = [person.removeprefix(NETWORK) for person in message.mentions]
    content = " ".join(f"<@{person}>" for person in people)
    body: Plain = {
        "content": "",
        "embeds": [],
        "components": [build_row(row) for row in message.rows if not isinstance(row, list) or row],
        "allowed_mentions": {"parse": [], "users": people},
    }
    if people:
        body["content"] = f"{content} {format_parts(message.parts, 1500)}"
        return body
    if has_picture:
        body["attachments"] = name_picture(message)
    body["embeds"] = build_embeds(message)
    return body


def build_embeds(message: RoomMessage) -> list[Plain]:
    """Return the text of a message; a long one goes on in a second embed."""
    title = {"title": cut_text(escape_markup(message.title), LONGEST_TITLE)} if message.title else {}
    text = format_parts(message.parts, LONGEST_EMBEDS - LONGEST_TITLE)
    first, rest = split_lines(text, LONGEST_DESCRIPTION)
    embed: Plain = {"description": first, "color": COLOUR, **title}
    return [embed, {"description": rest, "color": COLOUR}] if rest.strip() else [embed]


def name_picture(message: RoomMessage) -> list[Plain]:
    """Return the attachment of a picture that is sent with a message. Discord shows it large, above the text."""
    return [{"id": 0, "filename": PICTURE_NAME, "description": describe_picture(message)}]


def describe_picture(message: RoomMessage) -> str:
    """Return the alternative text of the picture: the first lines of the message."""
    lines = [line for part in message.parts for line in part.lines]
    return cut_text(" ".join([message.title, *lines]), 500) or PICTURE_NAME


def build_row(row: Row) -> Plain:
    components = [build_selection(row)] if isinstance(row, Selection) else [build_button(button) for button in row]
    return {"type": ACTION_ROW, "components": components}


def build_button(button: Button) -> Plain:
    return {
        "type": BUTTON,
        "custom_id": button.id,
        "label": cut_text(button.label, 80),
        "style": BUTTON_STYLES[button.style],
        "disabled": button.is_disabled,
    }


def build_selection(selection: Selection) -> Plain:
    options = [
        {
            "label": option.label,
            "value": option.value,
            **({"description": option.detail} if option.detail else {}),
            **({"default": True} if option.is_chosen else {}),
        }
        for option in selection.options
    ]
    return {
        "type": STRING_SELECT,
        "custom_id": selection.id,
        "placeholder": cut_text(selection.prompt, 150),
        "min_values": selection.least,
        "max_values": selection.most,
        "options": options,
    }


def build_form(form: Form) -> Plain:
    """Return the body of a modal."""
    rows = [
        {
            "type": LABEL,
            "label": cut_text(field.label, 45),
            "component": {
                "type": TEXT_INPUT,
                "custom_id": field.id,
                "style": 1,
                "min_length": 1,
                "max_length": field.longest,
                "required": True,
                **({"placeholder": cut_text(field.prompt, 100)} if field.prompt else {}),
            },
        }
        for field in form.fields
    ]
    return {"custom_id": form.id, "title": cut_text(form.title, 45), "components": rows}
