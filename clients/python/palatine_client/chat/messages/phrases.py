"""The phrases of the chat in every language; a test checks that none lacks a language."""

from __future__ import annotations

from ...render.translations import Lang

PHRASES: dict[str, dict[Lang, str]] = {
    # Buttons
    "join": {"en": "Join", "de": "Mitspielen"},
    "bots": {"en": "Fill with bots", "de": "Mit Bots auffüllen"},
    "start": {"en": "Start", "de": "Starten"},
    "leave": {"en": "Leave", "de": "Verlassen"},
    "hand": {"en": "My hand and turn", "de": "Meine Hand und mein Zug"},
    "undo": {"en": "Undo", "de": "Rückgängig"},
    "rules": {"en": "Rules", "de": "Regeln"},
    "watch": {"en": "Watch", "de": "Zuschauen"},
    "words": {"en": "In words", "de": "In Worten"},
    "rematch": {"en": "Rematch", "de": "Revanche"},
    "back": {"en": "Back", "de": "Zurück"},
    "first": {"en": "Start over", "de": "Von vorn"},
    "refresh": {"en": "Refresh", "de": "Aktualisieren"},
    "earlier": {"en": "Page {page}", "de": "Seite {page}"},
    "none": {"en": "None", "de": "Keine"},
    "confirm": {"en": "Confirm ({count})", "de": "Bestätigen ({count})"},
    "enter": {"en": "Enter a number", "de": "Zahl eingeben"},
    # Messages of a table
    "announced": {
        "en": "{host} opened a table for {seats} players.",
        "de": "{host} hat einen Tisch für {seats} eröffnet.",
    },
    "playing": {"en": "The game is played in the thread.", "de": "Das Spiel läuft im Thread."},
    "seats": {"en": "Seats", "de": "Plätze"},
    "free": {"en": "free", "de": "frei"},
    "bot": {"en": "{name} (bot)", "de": "{name} (Bot)"},
    "substitute": {"en": "{name} (a bot plays on)", "de": "{name} (ein Bot spielt weiter)"},
    "host": {"en": "{name} (host)", "de": "{name} (Gastgeber)"},
    "waiting": {"en": "Waiting for {people}.", "de": "Gewartet wird auf {people}."},
    "paused": {"en": "The game is paused.", "de": "Das Spiel ist angehalten."},
    "full": {
        "en": "All seats are taken. The host can start.",
        "de": "Alle Plätze sind besetzt. Der Gastgeber kann starten.",
    },
    "gathering": {
        "en": "Join, or let the host fill free seats with bots.",
        "de": "Spiel mit, oder der Gastgeber füllt freie Plätze mit Bots auf.",
    },
    "over": {"en": "The game is over.", "de": "Das Spiel ist vorbei."},
    "standing": {"en": "{rank}. {name}: {score}", "de": "{rank}. {name}: {score}"},
    "next": {"en": "The rematch has its own thread.", "de": "Die Revanche hat ihren eigenen Thread."},
    "news": {"en": "Last events", "de": "Zuletzt"},
    "ping": {"en": "It is your turn.", "de": "Du bist dran."},
    "picture": {"en": "The table as a picture", "de": "Der Tisch als Bild"},
    # Private messages
    "your hand": {"en": "Your hand", "de": "Deine Hand"},
    "your turn": {"en": "Your turn", "de": "Du bist am Zug"},
    "may act": {"en": "You may act", "de": "Du kannst etwas tun"},
    "nothing to do": {"en": "There is nothing for you to decide now.", "de": "Du hast gerade nichts zu entscheiden."},
    "chosen": {"en": "Chosen so far", "de": "Bisher gewählt"},
    "done": {"en": "Done: {action}", "de": "Erledigt: {action}"},
    "undone": {"en": "Your last action is undone.", "de": "Deine letzte Aktion ist zurückgenommen."},
    "choose one": {"en": "Choose one", "de": "Wähle aus"},
    "choose some": {"en": "Choose {least} to {most}", "de": "Wähle {least} bis {most}"},
    "choose exactly": {"en": "Choose {least}", "de": "Wähle {least}"},
    "choose number": {"en": "A number from {low} to {high}", "de": "Eine Zahl von {low} bis {high}"},
    "page": {"en": "{prompt}, page {page} of {pages}", "de": "{prompt}, Seite {page} von {pages}"},
    "more": {"en": "…", "de": "…"},
    # Sentences
    "opened": {
        "en": "The table is open; its thread follows in this channel.",
        "de": "Der Tisch ist eröffnet; sein Thread folgt in diesem Kanal.",
    },
    "joined": {"en": "You have seat {seat}.", "de": "Du hast Platz {seat}."},
    "left": {"en": "You have left the table.", "de": "Du hast den Tisch verlassen."},
    "left running": {
        "en": "A bot plays on for you. Join again whenever you like.",
        "de": "Ein Bot spielt für dich weiter. Du kannst jederzeit zurückkommen.",
    },
    "filled": {"en": "Seats that bots have taken: {count}.", "de": "Mit Bots besetzte Plätze: {count}."},
    "started": {
        "en": "The game begins. Click on “{hand}” in the message of the table.",
        "de": "Das Spiel beginnt. Klick in der Nachricht des Tisches auf „{hand}“.",
    },
    "rematch opened": {
        "en": "The rematch is open; its thread follows in the channel.",
        "de": "Die Revanche ist eröffnet; ihr Thread folgt im Kanal.",
    },
    "reminded": {
        "en": "You are reminded every {minutes} minutes while a table waits for you.",
        "de": "Du wirst alle {minutes} Minuten erinnert, solange ein Tisch auf dich wartet.",
    },
    "not reminded": {"en": "You get no reminders.", "de": "Du bekommst keine Erinnerungen."},
    "stale": {
        "en": "That was an earlier question, which is answered already. This is how it stands now.",
        "de": "Das war eine frühere Frage, die schon beantwortet ist. So steht es jetzt.",
    },
    "changed": {
        "en": "What you can do has changed meanwhile. Please choose again.",
        "de": "Deine Möglichkeiten haben sich inzwischen geändert. Bitte wähle noch einmal.",
    },
    "not seated": {
        "en": "You do not play at this table. Before the game you can join it; /palatine watch shows it at any time.",
        "de": "Du spielst an diesem Tisch nicht mit. Vor dem Spiel kannst du dich dazusetzen; "
        "/palatine zuschauen zeigt ihn jederzeit.",
    },
    "not begun": {"en": "The game has not begun yet.", "de": "Das Spiel hat noch nicht begonnen."},
    "unknown": {
        "en": "This button is from another version of the app. Use the newest message of the table.",
        "de": "Dieser Knopf stammt von einer anderen Version der App. Nimm die neueste Nachricht des Tisches.",
    },
    "no table": {
        "en": "There is no table here. Open one with /palatine new.",
        "de": "Hier ist kein Tisch. Eröffne einen mit /palatine neu.",
    },
    "table gone": {"en": "This table does not exist any more.", "de": "Diesen Tisch gibt es nicht mehr."},
    "which table": {"en": "Which table?", "de": "Welcher Tisch?"},
    "wrong seats": {
        "en": "{title} is for {low} to {high} players.",
        "de": "{title} ist für {low} bis {high} Personen.",
    },
    "no number": {
        "en": "Please enter a whole number from {low} to {high}.",
        "de": "Bitte gib eine ganze Zahl von {low} bis {high} ein.",
    },
    "no undo": {"en": "There is nothing that you can undo now.", "de": "Du kannst gerade nichts zurücknehmen."},
    "server away": {
        "en": "The game server does not answer just now. Please try again in a moment; nothing is lost.",
        "de": "Der Spielserver antwortet gerade nicht. Bitte versuch es gleich noch einmal; nichts ist verloren.",
    },
    "busy": {
        "en": "Very many people play at this moment. Please try again in a moment.",
        "de": "Gerade spielen sehr viele. Bitte versuch es gleich noch einmal.",
    },
    "actions": {"en": "What you can do in this game", "de": "Was man in diesem Spiel tun kann"},
    "text channel": {
        "en": "A table needs a text channel, where it gets a thread. Please use this command there.",
        "de": "Ein Tisch braucht einen Textkanal, in dem er einen Thread bekommt. Bitte nutze diesen Befehl dort.",
    },
    "permissions": {
        "en": "The app lacks permissions in this channel: {names}. Please ask somebody who manages the channel.",
        "de": "Der App fehlen Rechte in diesem Kanal: {names}. Bitte wende dich an jemanden, der den Kanal verwaltet.",
    },
    "guild only": {
        "en": "Please use this in a channel of a server.",
        "de": "Bitte nutze das in einem Kanal eines Servers.",
    },
    "watching": {"en": "The table is in {thread}.", "de": "Der Tisch ist in {thread}."},
}


def phrase(lang: Lang, key: str, **values: object) -> str:
    """Return a phrase in a language."""
    return PHRASES[key][lang].format(**values)
