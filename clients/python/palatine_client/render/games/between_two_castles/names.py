"""What things and players of Between Two Castles are called, in English and German."""

from __future__ import annotations

from typing import Any

Plain = dict[str, Any]

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "round": "Round {} of {}",
        "turn": "Turn {} of {}",
        "setup": "Setup",
        "ludwig": "Drawing for Ludwig",
        "choose": "Everybody chooses two rooms",
        "place": "Everybody places",
        "over": "The game is over",
        "seat": "Player {}",
        "to place": "{} has to place",
        "points": "{} points",
        "throne": "Throne room",
        "likes": "{points} points each for {types} at {where}, {most} at most",
        "or": " or ",
        "attendants": "Attendants",
        "attendant": "Attendants",
        "cards": "Bonus cards",
        "bonus_card": "Bonus cards",
        "progress": "Rooms so far",
        "ludwig tile": "Ludwig’s room",
        "deciding": "To be decided",
        "deciding food": "which of five rooms to take",
        "deciding card": "which of three bonus cards to keep",
        "deciding attendant": "which attendant to take",
        "deciding special": "which special room to take",
        "deciding bonus": "which bonus to take",
        "deciding cell": "where to put the new room",
        "deciding tiles": "nothing yet: waiting for rooms to draw",
        "deciding cards": "nothing yet: waiting for bonus cards to draw",
        "open sky": "Open sky",
        "score sheet": "Score sheet",
        "total": "Total",
        "ranking": "Final ranking",
        "player": "Player",
        "score": "Score: poorer castle",
        "better": "Better castle",
        "specials": "Special rooms",
    },
    "de": {
        "round": "Runde {} von {}",
        "turn": "Zug {} von {}",
        "setup": "Aufbau",
        "ludwig": "Für Ludwig wird gezogen",
        "choose": "Alle wählen zwei Räume",
        "place": "Alle legen an",
        "over": "Das Spiel ist aus",
        "seat": "Spieler {}",
        "to place": "{} hat noch anzulegen",
        "points": "{} Punkte",
        "throne": "Thronsaal",
        "likes": "je {points} Punkte für {types} auf {where}, höchstens {most}",
        "or": " oder ",
        "attendants": "Bedienstete",
        "attendant": "Bedienstete",
        "cards": "Bonuskarten",
        "bonus_card": "Bonuskarten",
        "progress": "Räume bisher",
        "ludwig tile": "Ludwigs Raum",
        "deciding": "Zu entscheiden",
        "deciding food": "welcher von fünf Räumen genommen wird",
        "deciding card": "welche von drei Bonuskarten behalten wird",
        "deciding attendant": "wer in den Thronsaal kommt",
        "deciding special": "welcher Sonderraum genommen wird",
        "deciding bonus": "welcher Bonus genommen wird",
        "deciding cell": "wohin der neue Raum kommt",
        "deciding tiles": "noch nichts: es fehlen Räume zum Ziehen",
        "deciding cards": "noch nichts: es fehlen Bonuskarten zum Ziehen",
        "open sky": "Freier Himmel",
        "score sheet": "Wertungsblock",
        "total": "Summe",
        "ranking": "Endstand",
        "player": "Spieler",
        "score": "Punkte: ärmeres Schloss",
        "better": "Besseres Schloss",
        "specials": "Sonderräume",
    },
}
PIECES = ("room", "throne", "special", "attendant", "bonus_card", "castle_token")


class Names:
    """What things and players are called in one language."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        self.lang = lang if lang in LABELS else "en"
        self.meta, self.types, self.decorations = catalog["meta"], catalog["type"], catalog["decoration"]
        self.pieces: dict[str, Plain] = {piece["id"]: piece for kind in PIECES for piece in catalog[kind]}
        self.seats = seats or [self.label("seat", number) for number in range(1, players + 1)]

    def label(self, key: str, *values: object, **named: object) -> str:
        return LABELS[self.lang][key].format(*values, **named)

    def of(self, entry: Plain) -> str:
        """The name of an entry of the catalog; English where there is no other."""
        return str(entry.get(f"name_{self.lang}") or entry["name_en"])

    def piece(self, name: str) -> str:
        return self.of(self.pieces[name])

    def line(self, line: str) -> str:
        """A line of the score sheet."""
        if line in self.types:
            return self.of(self.types[line])
        return self.label(line) if line in LABELS["en"] else self.piece(line)

    def seat(self, seat: int) -> str:
        """Who sits there; behind the last player sits Ludwig."""
        return self.seats[seat] if seat < len(self.seats) else "Ludwig"


def castle_name(castle: Plain) -> str:
    """The castle's own name, which is the same in all languages."""
    return str(castle["token"]).capitalize()
