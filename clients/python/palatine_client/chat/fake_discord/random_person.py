"""A random person: looks at a message as Discord shows it, and clicks on something that can be clicked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

from .component_limits import BUTTON, SELECT, TEXT_INPUT, walk_components
from .payload_checks import Plain


class Click(Struct, frozen=True):
    """A click on a button, or options chosen of a selection."""

    custom_id: str
    values: list[str] = []
    component_type: int = BUTTON


def list_controls(message: Plain) -> list[Plain]:
    """Return the buttons and selections of a message that can be used."""
    everything = walk_components(message.get("components") or [])
    return [each for each in everything if each.get("type") in (BUTTON, SELECT) and not each.get("disabled")]


def find_button(message: Plain, label: str) -> Click:
    """Return a click on the button with this label."""
    for control in list_controls(message):
        if control.get("label") == label:
            return Click(control["custom_id"])
    raise LookupError(f"there is no button {label!r} that can be clicked")


def click_control(control: Plain, rng: Random) -> Click:
    """Use a control at random."""
    if control["type"] == BUTTON:
        return Click(control["custom_id"])
    options = [option["value"] for option in control["options"]]
    low, high = control.get("min_values", 1), control.get("max_values", 1)
    return Click(control["custom_id"], rng.sample(options, rng.randint(low, high)), SELECT)


def fill_in(modal: Plain, text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a form with this text in each."""
    for field in walk_components(modal["components"]):
        if field.get("type") == TEXT_INPUT:
            yield field["custom_id"], text


def read_embeds(message: Plain) -> str:
    """Return all text that a message shows."""
    embeds: list[Any] = message.get("embeds") or []
    texts = [message.get("content") or "", *(embed.get("title", "") for embed in embeds)]
    return "\n".join([*texts, *(embed.get("description", "") for embed in embeds)])
