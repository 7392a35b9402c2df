"""What things and players are called in one language."""

from __future__ import annotations

from typing import Any

Plain = dict[str, Any]

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "round": "Round {}",
        "final round": "Final round",
        "to move": "To move: {}",
        "over": "The game is over",
        "seat": "Player {}",
        # What is left of an action
        "to place": "{} servants to place",
        "to place one": "1 servant to place",
        "gate": "{} more to the gate",
        "any gate": "any number to the gate",
        "promised": "{} more moves in action 2",
        "promised one": "1 more move in action 2",
        "moves": "{} moves left",
        "moves one": "1 move left",
        "gold": "{} gold in the mint",
        "seals": "{} more servants: {}",
        "seals one": "{} more servant: {}",
        "recruit": "{} recruitments",
        "recruit one": "1 recruitment",
        "wild": "{} seals of any colour",
        "wild one": "1 seal of any colour",
        "draw": "{} cards to draw",
        "draw one": "1 card to draw",
        "pending": "choosing from {} drawn cards",
        "all majorities": "all majorities",
        # The five actions in short
        "a1": "Gate",
        "a2": "Moves",
        "a3": "Gold",
        "a4": "Nobles",
        "a5": "Cards",
        # The board
        "row points": "Border rows: {} points for the strongest in each, {} for the second",
        # Players
        "player": "Player",
        "gold column": "Gold",
        "supply": "Supply",
        "reserve": "Reserve",
        "seals column": "Seals",
        "points column": "Points",
        "nobles column": "Nobles",
        "cards column": "Hand",
        "others": "{} others",
        "other": "1 other",
        "only": "{} nobles",
        "only one": "1 noble",
        # Cards
        "deck": "Privilege cards",
        "in deck": "{} in the deck",
        "discarded": "discarded: {}",
        "none discarded": "none discarded",
        "active": "In force: {}",
        "bank": "Bank: {} gold",
        # Signs
        "price": "price in gold",
        "reduced": "lowered by free spaces around",
        "free": "free space",
        "double": "servant counts twice",
        "ornament": "cuts two spaces apart",
        "majority": "majority of who is to move",
        "points": "points",
        # The end
        "score sheet": "Score sheet",
        "nobles": "Nobles",
        "played": "Points cards",
        "unplayed": "Cards left in hand",
        "rows": "Border rows",
        "total": "Total",
        "ranking": "Final ranking",
        "score": "Points",
        "cardinal": "At the Cardinal",
    },
    "de": {
        "round": "Runde {}",
        "final round": "Schlussrunde",
        "to move": "Am Zug: {}",
        "over": "Das Spiel ist aus",
        "seat": "Spieler {}",
        "to place": "noch {} Diener einzusetzen",
        "to place one": "noch 1 Diener einzusetzen",
        "gate": "noch {} ans Tor",
        "any gate": "beliebig viele ans Tor",
        "promised": "{} Bewegungen mehr in Aktion 2",
        "promised one": "1 Bewegung mehr in Aktion 2",
        "moves": "noch {} Bewegungen",
        "moves one": "noch 1 Bewegung",
        "gold": "{} Gold in der Münzerei",
        "seals": "noch {} Diener: {}",
        "seals one": "noch {} Diener: {}",
        "recruit": "{} Anwerbungen",
        "recruit one": "1 Anwerbung",
        "wild": "{} Siegel beliebiger Farbe",
        "wild one": "1 Siegel beliebiger Farbe",
        "draw": "{} Karten zu ziehen",
        "draw one": "1 Karte zu ziehen",
        "pending": "wählt aus {} gezogenen Karten",
        "all majorities": "alle Mehrheiten",
        "a1": "Tor",
        "a2": "Bewegungen",
        "a3": "Gold",
        "a4": "Adlige",
        "a5": "Karten",
        "row points": "Randreihen: je {} Punkte für den Stärksten, {} für den Zweiten",
        "player": "Spieler",
        "gold column": "Gold",
        "supply": "Vorrat",
        "reserve": "Reserve",
        "seals column": "Siegel",
        "points column": "Punkte",
        "nobles column": "Adlige",
        "cards column": "Hand",
        "others": "{} weitere",
        "other": "1 weitere",
        "only": "{} Adlige",
        "only one": "1 Adlige",
        "deck": "Privileg-Karten",
        "in deck": "{} im Stapel",
        "discarded": "abgelegt: {}",
        "none discarded": "keine abgelegt",
        "active": "Es wirkt: {}",
        "bank": "Bank: {} Gold",
        "price": "Preis in Gold",
        "reduced": "gesenkt durch freie Felder ringsum",
        "free": "freies Feld",
        "double": "Diener zählt doppelt",
        "ornament": "trennt zwei Felder",
        "majority": "Mehrheit dessen, der am Zug ist",
        "points": "Punkte",
        "score sheet": "Wertungsblock",
        "nobles": "Adlige",
        "played": "Punktekarten",
        "unplayed": "Karten auf der Hand",
        "rows": "Randreihen",
        "total": "Summe",
        "ranking": "Endstand",
        "score": "Punkte",
        "cardinal": "Beim Kardinal",
    },
}
PIECES = ("colours", "seals", "stocks", "phases", "rooms", "privileges", "nobles")


class Names:
    """The words of one language for the pieces of the catalog and the people at the table."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        self.lang = lang if lang in LABELS else "en"
        self.park, self.benefits, self.setup = catalog["park"], catalog["benefits"], catalog["setup"]
        self.pieces: dict[str, Plain] = {piece["id"]: piece for kind in PIECES for piece in catalog[kind]}
        self.rooms = [room["id"] for room in catalog["rooms"]]
        self.ornaments: dict[str, Plain] = {piece["id"]: piece for piece in self.park["ornaments"]}
        self.seats = seats or [self.label("seat", number) for number in range(1, players + 1)]

    def label(self, key: str, *values: object) -> str:
        return LABELS[self.lang][key].format(*values)

    def counted(self, key: str, number: int, *values: object) -> str:
        """A phrase with a number, in the singular for one."""
        one = f"{key} one"
        return self.label(one if number == 1 and one in LABELS["en"] else key, number, *values)

    def of(self, entry: Plain) -> str:
        """The name of an entry of the catalog; English where there is no other."""
        return str(entry.get(f"name_{self.lang}") or entry["name_en"])

    def piece(self, name: str) -> str:
        return self.of(self.pieces[name])

    def text(self, name: str) -> str:
        """What a room or a card does."""
        piece = self.pieces[name]
        return str(piece.get(f"text_{self.lang}") or piece["text_en"])

    def seat(self, seat: int) -> str:
        return self.seats[seat]
