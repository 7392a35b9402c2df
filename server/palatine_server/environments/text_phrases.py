"""The words of the text environment in English and German."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "player": ("Player {number}", "Spieler {number}"),
    "title": ("{title}. You are {name}, one of {players} players.", "{title}. Du bist {name}, einer von {players}."),
    "actions": (
        "Your actions. Answer with a number or with the sentence:",
        "Deine Aktionen. Antworte mit einer Nummer oder mit dem Satz:",
    ),
    "group": ("{count} actions, from “{first}” to “{last}”", "{count} Aktionen, von „{first}“ bis „{last}“"),
    "empty": ("Your answer was empty.", "Deine Antwort war leer."),
    "too long": ("Your answer was longer than {most} characters.", "Deine Antwort war länger als {most} Zeichen."),
    "unknown": ("“{answer}” is none of your actions.", "„{answer}“ ist keine deiner Aktionen."),
    "out of range": ("There is no action {number}.", "Es gibt keine Aktion {number}."),
    "contradiction": (
        "Action {number} is another one than “{answer}” says.",
        "Aktion {number} ist eine andere, als „{answer}“ sagt.",
    ),
    "ambiguous": (
        "Several actions read “{answer}”. Answer with the number.",
        "Mehrere Aktionen heißen „{answer}“. Antworte mit der Nummer.",
    ),
    "again": (
        "Answer with a number from 1 to {most}, or with the sentence of an action, and nothing else.",
        "Antworte mit einer Nummer von 1 bis {most} oder mit dem Satz einer Aktion, und mit nichts sonst.",
    ),
    "crashed": ("The agent raised {error}.", "Der Agent brach ab: {error}."),
}


def say(key: str, lang: str, **values: object) -> str:
    """Return a phrase in a language."""
    return PHRASES[key][lang == "de"].format(**values)
