"""The texts of `palatine check` in English and German; findings themselves are in English, as error messages are."""

from __future__ import annotations

from palatine_client.render.translations import Lang

TITLES: dict[str, tuple[str, str]] = {
    "description": ("The description of the game can be built", "Die Beschreibung des Spiels lässt sich bilden"),
    "labels": ("Everything that players read has labels", "Alles, was Spieler lesen, hat Beschriftungen"),
    "error_labels": ("Error codes have labels", "Fehlercodes haben Beschriftungen"),
    "meanings": ("Texts say what they name", "Texte sagen, was sie benennen"),
    "hidden_types": ("No schema shows a hidden zone", "Kein Schema zeigt eine verborgene Zone"),
    "catalog": ("The catalog is sound", "Der Katalog ist in Ordnung"),
    "piece_names": ("Pieces have names in two languages", "Alle Teile haben Namen in zwei Sprachen"),
    "options": ("Mistyped options are refused", "Vertippte Optionen werden abgelehnt"),
    "rules": ("RULES.md has rule ids", "RULES.md hat Regelnummern"),
    "rule_ids": ("Rule ids that are named exist", "Genannte Regelnummern gibt es"),
    "tests": ("Every rule is named by a test", "Zu jeder Regel gehört ein Test"),
    "words": ("Explanations have their words", "Erklärungen haben ihre Worte"),
    "translations": ("Refusals are translated", "Ablehnungen sind übersetzt"),
    "topics": ("Players can ask for reasons", "Spieler können nach Gründen fragen"),
    "secrets": ("The game says how to exchange its secrets", "Das Spiel sagt, wie man seine Geheimnisse vertauscht"),
    "golden_games": ("There are golden games", "Es gibt aufgezeichnete Musterpartien"),
    "golden": ("Golden games are played as recorded", "Musterpartien laufen wie aufgezeichnet"),
    "example_file": ("There are examples for authors of clients", "Es gibt Beispiele für Autoren von Clients"),
    "examples": ("Bots play the examples as recorded", "Bots spielen die Beispiele wie aufgezeichnet"),
    "told_is_seen": ("Law 1: told = seen", "Gesetz 1: gesagt = gesehen"),
    "rebuilt_is_same": ("Law 2: rebuilt = same", "Gesetz 2: nachgebaut = gleich"),
    "secrets_can_be_swapped": ("Law 3: secrets can be swapped", "Gesetz 3: Geheimnisse lassen sich vertauschen"),
    "secret_choices": ("Law 3: secret choices stay secret", "Gesetz 3: geheime Entscheidungen bleiben geheim"),
    "resampled_games_agree": (
        "Law 3: resampled = what the seat sees",
        "Gesetz 3: neu verteilt = was der Platz sieht",
    ),
    "pieces_are_conserved": (
        "Laws 4 and 5: games end, and no piece is lost",
        "Gesetze 4 und 5: Partien enden, und kein Teil geht verloren",
    ),
    "refused_is_unchanged": ("Law 6: refused = unchanged", "Gesetz 6: abgelehnt = unverändert"),
    "undo_returns": ("Law 7: undo returns exactly", "Gesetz 7: Rücknahme führt genau zurück"),
    "overdue_is_legal": ("When time is up, the rules choose legally", "Nach Ablauf der Zeit wählen die Regeln richtig"),
    "clock_ends_the_game": ("The clock alone ends the game", "Die Uhr allein beendet die Partie"),
    "offers_are_readable": ("Offers hold actions of the game", "Angebote enthalten Aktionen des Spiels"),
    "offers_read_no_secrets": (
        "Law 3: offers are made from what the seat sees",
        "Gesetz 3: Angebote entstehen aus dem, was der Platz sieht",
    ),
    "asking_changes_nothing": ("Rules change nothing before they ask", "Regeln ändern nichts, bevor sie fragen"),
    "offers_stand": ("Offers that stand are up to date", "Stehende Angebote sind aktuell"),
    "offers_are_narrow": ("Offers are small", "Angebote sind klein"),
    "policies_play": ("Every bot plays to the end", "Jeder Bot spielt bis zum Ende"),
    "standings": ("The standings are complete", "Die Schlusswertung ist vollständig"),
    "as_described": ("Games are as the description says", "Partien sind wie beschrieben"),
    "reasons_hold": ("Explanations add up", "Erklärungen gehen auf"),
    "scores_are_explained": ("The explained score is the score", "Die erklärte Punktzahl stimmt"),
    "questions_hold": ("Questions can be asked in words", "Fragen lassen sich stellen"),
    "refusals_hold": ("Refusals rest on rules", "Ablehnungen beruhen auf Regeln"),
    "offered_is_not_refused": ("What is offered is not refused", "Was angeboten ist, wird nicht abgelehnt"),
}

TEXTS: dict[str, tuple[str, str]] = {
    "repeat": ("repeat it with:", "so lässt es sich wiederholen:"),
    "players and seed": ("{players} players, seed {seed}", "{players} Spieler, Seed {seed}"),
    "all right": (
        "{title}: {checks} checks found nothing wrong, {games} games were played.",
        "{title}: {checks} Prüfungen fanden nichts Falsches, {games} Partien wurden gespielt.",
    ),
    "found": (
        "{title}: {checks} checks, {games} games played. Findings: {wrong}. Warnings: {warnings}.",
        "{title}: {checks} Prüfungen, {games} Partien gespielt. Befunde: {wrong}. Hinweise: {warnings}.",
    ),
    "options": (
        "Most checks played {seeds} of {sets} sets of options; --seeds {sets} plays all.",
        "Die meisten Prüfungen spielten {seeds} von {sets} Sätzen von Optionen; --seeds {sets} spielt alle.",
    ),
    "left out": (
        "Games do not end, so {count} further games were not played.",
        "Partien enden nicht; deshalb wurden {count} weitere Partien nicht gespielt.",
    ),
    "strict": (
        "Warnings do not fail the check; with --strict they do.",
        "Hinweise lassen die Prüfung nicht scheitern; mit --strict schon.",
    ),
    "recorded examples": ("Examples are written to {file}", "Beispiele stehen jetzt in {file}"),
    "recorded": ("{count} golden games are written to {folder}", "{count} Musterpartien stehen jetzt in {folder}"),
    "no such check": (
        "There is no check {name!r}. Use one of: {names}.",
        "Die Prüfung {name!r} gibt es nicht. Möglich sind: {names}.",
    ),
    "players range": (
        "{title} is for {low} to {high} players.",
        "{title} ist für {low} bis {high} Spieler.",
    ),
}


def translate(lang: Lang, key: str, **values: object) -> str:
    """Return a text in a language, with these values in its places."""
    return TEXTS[key][lang == "de"].format(**values)


def name_check(lang: Lang, check: str) -> str:
    """Return the title of a check."""
    return TITLES[check][lang == "de"]
