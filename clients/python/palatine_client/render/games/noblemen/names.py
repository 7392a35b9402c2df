"""What things and players of Noblemen are called, in English and German."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from . import theme

Plain = dict[str, Any]

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "seat": "Player {}",
        "decade": "Decade {}",
        "you": "you",
        # Phases
        "setup_tiles": "Everybody picks the first tiles",
        "setup_cards": "Everybody keeps a scandal card",
        "turn": "{}’s turn",
        "turn of you": "Your turn",
        "card_offer": "{} looks at scandal cards",
        "card_offer of you": "You look at scandal cards",
        "decade_cards": "A new decade: everybody keeps a scandal card",
        "gift": "Two tiles change hands",
        "ball": "Masked ball: prestige is counted",
        "title": "Masked ball: titles are taken",
        "over": "The game is over",
        "action_done": "action done",
        "card_played": "card played",
        # Round track
        "start": "Start",
        "ball field": "Ball",
        "lock": "Lock",
        "scoring": "Scoring",
        "locked": "nobody can take the queen",
        # Common board
        "reward knight": "brings a knight",
        "reward card": "brings a card",
        "reward queen": "brings the queen",
        "reserve": "{} in reserve",
        "next folly": "{} points for the next",
        "all follies": "all built",
        "church": "Church",
        "bribes": "Bribes",
        "bribes left": "{} left, £{} each",
        "titles": "Titles",
        "prestige": "Prestige",
        # Players
        "player": "Player",
        "title of": "Title",
        "points": "Points",
        "knights": "Knights",
        "money": "Pounds",
        "no title": "none",
        # Estates
        "taxes": "Taxes",
        "of land": "Land",
        "of prestige": "Prestige",
        "quarter": "quarter symbol: four make an area",
        "knight": "knight of 1",
        "enclosed": "enclosed: scores 3",
        # The end
        "score sheet": "Score sheet",
        "total": "Total",
        "ranking": "Final ranking",
        "left over": "Left behind the screen",
        "nothing": "nothing",
        "NM-BALL-15": "Titles",
        "NM-END-2": "The queen",
        "NM-SCORE-2": "Enclosed castles",
        "NM-SCORE-3": "Enclosed palaces",
        "NM-SCORE-4": "Chapels beside them",
        "NM-FOLLY-5": "Follies",
        "NM-BRIBE-1": "Bribe markers",
        "NM-CHURCH-3": "The church",
        "NM-CARD-12": "Secret weddings",
        "NM-CARD-17": "Vicar’s favours",
        "NM-IDLE-1": "Idleness",
        "NM-FINAL-2": "Liaisons",
    },
    "de": {
        "seat": "Spieler {}",
        "decade": "Dekade {}",
        "you": "du",
        "setup_tiles": "Alle suchen sich die ersten Plättchen aus",
        "setup_cards": "Alle behalten eine Skandalkarte",
        "turn": "{} ist am Zug",
        "turn of you": "Du bist am Zug",
        "card_offer": "{} sieht Skandalkarten an",
        "card_offer of you": "Du siehst Skandalkarten an",
        "decade_cards": "Eine neue Dekade: alle behalten eine Skandalkarte",
        "gift": "Zwei Plättchen wechseln den Besitzer",
        "ball": "Maskenball: das Prestige wird gezählt",
        "title": "Maskenball: die Titel werden vergeben",
        "over": "Das Spiel ist aus",
        "action_done": "Aktion ausgeführt",
        "card_played": "Karte gespielt",
        "start": "Start",
        "ball field": "Ball",
        "lock": "Schloss",
        "scoring": "Wertung",
        "locked": "niemand kann die Königin nehmen",
        "reward knight": "bringt einen Ritter",
        "reward card": "bringt eine Karte",
        "reward queen": "bringt die Königin",
        "reserve": "{} im Vorrat",
        "next folly": "{} Punkte für das nächste",
        "all follies": "alle gebaut",
        "church": "Kirche",
        "bribes": "Bestechung",
        "bribes left": "noch {}, je {} £",
        "titles": "Titel",
        "prestige": "Prestige",
        "player": "Spieler",
        "title of": "Titel",
        "points": "Punkte",
        "knights": "Ritter",
        "money": "Pfund",
        "no title": "keiner",
        "taxes": "Steuern",
        "of land": "Land",
        "of prestige": "Prestige",
        "quarter": "Viertelsymbol: vier bilden ein Gebiet",
        "knight": "Ritter von 1",
        "enclosed": "umschlossen: 3 Punkte",
        "score sheet": "Wertungsblock",
        "total": "Summe",
        "ranking": "Endstand",
        "left over": "Hinter dem Sichtschirm blieb",
        "nothing": "nichts",
        "NM-BALL-15": "Titel",
        "NM-END-2": "Die Königin",
        "NM-SCORE-2": "Umschlossene Burgen",
        "NM-SCORE-3": "Umschlossene Paläste",
        "NM-SCORE-4": "Kapellen daneben",
        "NM-FOLLY-5": "Follys",
        "NM-BRIBE-1": "Bestechungsmarker",
        "NM-CHURCH-3": "Die Kirche",
        "NM-CARD-12": "Geheime Vermählungen",
        "NM-CARD-17": "Gunst des Vikars",
        "NM-IDLE-1": "Müßiggang",
        "NM-FINAL-2": "Liaisons",
    },
}
RULES = [key for key in LABELS["en"] if key.startswith("NM-")]
PIECES = ("tile", "area", "building", "title", "card")


class Names:
    """What things and players are called in one language."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        self.lang = lang if lang in LABELS else "en"
        self.catalog, self.players = catalog, players
        self.pieces: dict[str, Plain] = {piece["id"]: piece for kind in PIECES for piece in catalog[kind]}
        self.follies: dict[str, Plain] = {piece["id"]: piece for piece in catalog["folly"]["piece"]}
        self.seats = seats or [self.label("seat", number) for number in range(1, players + 1)]

    def label(self, key: str, *values: object) -> str:
        return LABELS[self.lang][key].format(*values)

    def of(self, entry: Plain) -> str:
        """The name of an entry of the catalog; English where there is no other."""
        return str(entry.get(f"name_{self.lang}") or entry["name_en"])

    def piece(self, name: str) -> str:
        """The name of a tile, an area, a building, a title or a card."""
        return self.of(self.catalog["folly"] if name == "folly" else self.pieces[name])

    def title(self, name: str) -> str:
        return self.piece(name) if name else self.label("no title")

    def seat(self, seat: int) -> Text:
        """A player in his colour."""
        return Text(self.seats[seat], f"bold {theme.INKS[seat]}")

    def plate(self, seat: int) -> Text:
        """A player with the number that his knights bear."""
        return Text.assemble((f" {seat + 1} ", theme.seat_style(seat)), " ", self.seat(seat))

    def by_seat(self, key: str, seat: int) -> str:
        """A phrase about a player, who may be the viewer himself."""
        is_viewer = self.seats[seat] == self.label("you")
        return self.label(f"{key} of you") if is_viewer else self.label(key, self.seats[seat])


def kind_badge(kind: str, names: Names, *, whole: bool = False) -> Text:
    """A kind of tile, or with `whole` the area that it forms, with its sign in its colour."""
    look = theme.KINDS[kind]
    return Text(f" {look.sign} {names.piece(kind)} ", f"{look.ink} on {look.whole if whole else look.paper}")


def building_badge(kind: str, names: Names, folly: str = "") -> Text:
    """A building with its sign in its colour."""
    facade = theme.BUILDINGS[kind]
    name = names.of(names.follies[folly]) if folly else names.piece(kind)
    return Text(f" {facade.sign} {name} ", facade.style)


def area_badge(area: str, names: Names) -> Text:
    """An area with its sign in its colour."""
    look = theme.KINDS[theme.AREAS[area]]
    return Text(f" {look.area} {names.piece(area)} ", f"bold {look.ink} on {look.whole}")
