"""The words of `palatine arena` in English and German."""

from __future__ import annotations

from collections.abc import Sequence

from palatine_client.render.translations import Lang

TEXTS: dict[str, tuple[str, str]] = {
    "contender": ("Contender", "Teilnehmer"),
    "share": ("Wins in\nfair shares", "Siege in ge-\nrechten Anteilen"),
    "rating": ("Rating", "Wertung"),
    "score": ("Mean\nscore", "Mittlere\nPunkte"),
    "games": ("Games", "Partien"),
    "forfeits": ("Forfeits", "Verwirkt"),
    "time": ("ms per\nmove", "ms je\nZug"),
    "slowest": ("at\nmost", "höch-\nstens"),
    "late": ("late", "zu spät"),
    "crashed": ("crashed", "abgestürzt"),
    "nonsense": ("nonsense", "unbrauchbar"),
    "ahead": (
        "How often the contender of the row finishes before the one of the column",
        "Wie oft der Teilnehmer der Zeile vor dem der Spalte abschließt",
    ),
    "played": (
        "Games: {games}; deals: {deals}, each in all {players} seatings; seed: {seed}; time: {seconds} s a move.",
        "Partien: {games}; Verteilungen: {deals}, jede in allen {players} Sitzordnungen; Seed: {seed}; "
        "Zeit: {seconds} s je Zug.",
    ),
    "took": (
        "It took {took} with {jobs}. Digest {digest}: the same run gives the same digest.",
        "Das dauerte {took} mit {jobs}. Prüfsumme {digest}: Derselbe Lauf ergibt dieselbe Prüfsumme.",
    ),
    "forfeit why": (
        "{name}: a house bot played {count} moves ({kinds}). The first time: {why}",
        "{name}: Ein Bot der Arena spielte {count} Züge ({kinds}). Beim ersten Mal: {why}",
    ),
    "H1": (
        "Stopped: {name} wins {high} fair shares rather than {low} (LLR {ratio} ≥ {upper}).",
        "Beendet: {name} gewinnt eher {high} als {low} gerechte Anteile (LLR {ratio} ≥ {upper}).",
    ),
    "H0": (
        "Stopped: {name} wins {low} fair shares rather than {high} (LLR {ratio} ≤ {lower}).",
        "Beendet: {name} gewinnt eher {low} als {high} gerechte Anteile (LLR {ratio} ≤ {lower}).",
    ),
    "open": (
        "The stop rule has not decided between {low} and {high} fair shares of {name} (LLR {ratio}).",
        "Die Stoppregel hat zwischen {low} und {high} gerechten Anteilen von {name} nicht entschieden (LLR {ratio}).",
    ),
    "interrupted": (
        "Interrupted: this is about the deals that were finished.",
        "Abgebrochen: Dies gilt für die fertigen Verteilungen.",
    ),
    "records": (
        "The records are in {folder}; check one with: palatine verify {file}",
        "Die Aufzeichnungen liegen in {folder}; prüfen mit: palatine verify {file}",
    ),
    "seats": (
        "{count} contenders take the {players} seats{several}.",
        "{count} Teilnehmer auf {players} Plätzen{several}.",
    ),
    "several": (" ({names} several of them)", " ({names} auf mehreren)"),
    "seats of groups": (
        "{count} contenders share tables of {players} seats: every group of {players} plays equally often.",
        "{count} Teilnehmer an Tischen mit {players} Plätzen: Jede Gruppe von {players} spielt gleich oft.",
    ),
    "seats of few": (
        "{count} contenders fill {players} seats: each takes {often}{rest}.",
        "{count} Teilnehmer füllen {players} Plätze: Jeder nimmt {often}{rest}.",
    ),
    "seats left": (", and {left} more go to them in turn", ", und {left} weitere gehen reihum an sie"),
    "plot title": ("Wins in fair shares", "Siege in gerechten Anteilen"),
    "rating title": ("Rating (openskill)", "Wertung (openskill)"),
    "plot note": (
        "Bars are 95 % intervals. Deals: {deals}.",
        "Balken sind 95-%-Intervalle. Verteilungen: {deals}.",
    ),
    "fair": ("fair share", "gerechter Anteil"),
    "playing": ("playing", "es wird gespielt"),
    "rating work": ("ratings", "Wertungen"),
}


def say(key: str, lang: Lang, **values: object) -> str:
    """Return a text in a language."""
    return TEXTS[key][lang == "de"].format(**values)


def describe_seats(names: Sequence[str], arguments: Sequence[int], players: int, lang: Lang) -> str:
    """Return a sentence that says how the seats are filled."""
    count = len(arguments)
    if count > players:
        return say("seats of groups", lang, count=count, players=players)
    if count < players:
        often, left = divmod(players, count)
        rest = say("seats left", lang, left=left) if left else ""
        return say("seats of few", lang, count=count, players=players, often=often, rest=rest)
    several = [name for at, name in enumerate(names) if arguments.count(at) > 1]
    more = say("several", lang, names=", ".join(several)) if several else ""
    return say("seats", lang, count=count, players=players, several=more)


def format_processes(number: int, lang: Lang) -> str:
    """Return a number of processes in words."""
    one, many = ("Prozess", "Prozessen") if lang == "de" else ("process", "processes")
    return f"{number} {one if number == 1 else many}"
