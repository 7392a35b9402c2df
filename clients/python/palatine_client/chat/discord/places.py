"""Where a table can be opened: a text channel in which the app has the permissions that it needs."""

from __future__ import annotations

from ...render.translations import Lang
from ..messages.phrases import phrase
from .interactions import THREADS, Interaction, find_command

TEXT, NEWS = 0, 5
ADMINISTRATOR = 1 << 3
# The bit of each permission, and its name in Discord's settings.
NEEDED: dict[int, dict[Lang, str]] = {
    10: {"en": "View Channels", "de": "Kanäle ansehen"},
    11: {"en": "Send Messages", "de": "Nachrichten senden"},
    14: {"en": "Embed Links", "de": "Links einbetten"},
    15: {"en": "Attach Files", "de": "Dateien anhängen"},
    16: {"en": "Read Message History", "de": "Nachrichtenverlauf anzeigen"},
    35: {"en": "Create Public Threads", "de": "Öffentliche Threads erstellen"},
    38: {"en": "Send Messages in Threads", "de": "Nachrichten in Threads senden"},
}
PERMISSIONS = sum(1 << bit for bit in NEEDED)


def explain_obstacle(interaction: Interaction, lang: Lang) -> str:
    """Return why no table can be opened here; empty if it can, or if nobody wants to open one."""
    if find_command(interaction) != "new" or interaction.guild_id is None:
        return ""
    if interaction.channel and interaction.channel.type not in {TEXT, NEWS, *THREADS}:
        return phrase(lang, "text channel")
    missing = list_missing(interaction.app_permissions, lang)
    return phrase(lang, "permissions", names=", ".join(missing)) if missing else ""


def list_missing(permissions: str | None, lang: Lang) -> list[str]:
    """Return the names of the permissions that the app lacks; none if Discord does not tell."""
    if not permissions or (granted := int(permissions)) & ADMINISTRATOR:
        return []
    return [names[lang] for bit, names in NEEDED.items() if not granted >> bit & 1]
