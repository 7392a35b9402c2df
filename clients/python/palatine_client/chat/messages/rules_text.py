"""The rules of a game in short: what its presentation says of it, and otherwise the actions in its description."""

from __future__ import annotations

from ...render.description.untrusted import get_table
from .chat_messages import RoomMessage, TextPart
from .scenes import Scene
from .text_limits import cut_lines, render_prose

LONGEST_RULES = 3400  # characters


def build_rules(scene: Scene) -> RoomMessage:
    """Return the rules in short."""
    notice = [scene.facts.notice] if scene.facts.notice else []
    return RoomMessage(
        title=scene.facts.title,
        parts=[TextPart(lines=cut_lines(list_help(scene), LONGEST_RULES)), list_actions(scene), TextPart(lines=notice)],
    )


def list_help(scene: Scene) -> list[str]:
    """Return what the presentation says of the game; also before the game, when people want to know the rules."""
    help_text = scene.words.render_help(scene.context)
    return render_prose(help_text) if help_text is not None else []


def list_actions(scene: Scene) -> TextPart:
    """Return the actions of the game by their labels."""
    verbs = get_table(scene.facts.description, "labels", "verbs")
    names = [scene.context.values.labels.name_verb(verb) for verb in verbs]
    return TextPart(scene.say("actions"), cut_lines((f"• {name}" for name in names), 500)) if names else TextPart()
