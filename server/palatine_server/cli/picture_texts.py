"""The texts of `palatine picture` in English and German; what is wrong inside a record is said in English."""

from __future__ import annotations

from palatine_client.render.translations import Lang

TEXTS: dict[str, tuple[str, str]] = {
    "or": ("or", "oder"),
    "drawing": ("Drawing", "Zeichnen"),
    "writing": ("Writing", "Schreiben"),
    "no record": ("there is no record {source!r} here", "hier gibt es keine Aufzeichnung {source!r}"),
    "ending": ("a picture ends in {endings}, not in {out!r}", "ein Bild endet auf {endings}, nicht auf {out!r}"),
    "animated ending": (
        "a moving picture ends in {endings}: -o game.webp",
        "ein bewegtes Bild endet auf {endings}: -o game.webp",
    ),
    "animate at": ("it draws the whole game; leave --at out", "es zeichnet die ganze Partie; lass --at weg"),
    "size of svg": (
        "an SVG has any size; leave --size out, or write a .png",
        "ein SVG hat jede Größe; lass --size weg, oder schreibe ein .png",
    ),
    "seats": ("there are seats 1 to {seats}", "es gibt die Plätze 1 bis {seats}"),
    "entries": ("there are entries 1 to {entries}", "es gibt die Einträge 1 bis {entries}"),
    "does not follow": (
        "After entry {version}, the record does not follow; palatine verify says more.",
        "Nach Eintrag {version} geht die Aufzeichnung nicht auf; palatine verify sagt mehr.",
    ),
    "too early": (
        "At entry {version}, the game has not begun; choose a later one with --at.",
        "Bei Eintrag {version} hat die Partie noch nicht begonnen; wähle mit --at einen späteren.",
    ),
    "not begun": (
        "The game has not begun, so there is nothing to draw yet.",
        "Die Partie hat noch nicht begonnen; es gibt noch nichts zu zeichnen.",
    ),
}


def translate(lang: Lang, key: str, **values: object) -> str:
    """Return a text in a language, with these values in its places."""
    return TEXTS[key][lang == "de"].format(**values)
