"""Phrases that belong to no game, in every language."""

from __future__ import annotations

import locale
import os
from typing import Literal

from .lobby_phrases import IN_LOBBY
from .table_phrases import AT_TABLE, AT_TABLE_REFUSALS

Lang = Literal["en", "de"]

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "You": "You",
        "you": "you",
        "and": "and",
        "empty": "a free seat",
        # Choosing
        "your turn": "Your turn",
        "you may": "Nobody waits for you, but you may",
        "choose": "Your choice",
        "choose some": "{count} numbers, e.g. {example}",
        "choose from to": "{least} to {most} numbers, - for none",
        "choose number": "{low} to {high}",
        "back": "back",
        "waiting": "Waiting for {who}",
        "waiting for all": "Waiting",
        "until": "You have until {time}.",
        # Mistakes
        "one number": "Type a number from {low} to {high}.",
        "only number": "Only {low} can be chosen.",
        "not a number": "“{typed}” is no number and no command. ? shows what you can type.",
        "different numbers": "Type different numbers from 1 to {high}.",
        "so many numbers": "Type exactly {least} numbers.",
        "from to": "Type {least} to {most} numbers.",
        "nothing to choose": "There is nothing to choose now.",
        "changed": "The offer has changed while you were choosing; look again.",
        "kept": "What you had chosen is still possible.",
        "cannot undo": "Nothing can be taken back now.",
        "refused": "That was not possible: {sentence}",
        # Commands
        "help title": "What you can type",
        "help 1 2 …": "choose what stands behind the number; several where several are asked for",
        "help 0": "back one step, while you are choosing",
        "help u": "take your last action back; while you are choosing, one step back",
        "help b": "all boards",
        "help h": "your hand",
        "help s": "what happened so far",
        "help ?": "this help",
        "help q": "quit; if you have a seat, it is kept (also Ctrl-D and Ctrl-C)",
        "help leave": "leave the table; first you are told what follows",
        "log": "What happened so far",
        "no log": "Nothing has happened yet.",
        "no hand": "You hold nothing.",
        # Coming and going
        "name": "Your name",
        "table": "Table {table}",
        "come back": "Your seat is kept. Come back with:",
        "left": "You have left; a house bot plays on. Take your seat back with:",
        "left before": "You have left the table.",
        "lost": "The connection is lost; trying again ...",
        "found": "Connected again; nothing was lost.",
        "starting server": "A server of your own is starting ...",
        "demonstration": "There is no keyboard here: this is a demonstration, played at random.",
        # The lobby
        "which table": "Where would you like to play?",
        "go on": "Go on: {game}, {people}",
        "join": "Sit down: {game}, {people}",
        "new table": "Open a new table",
        "which game": "Which game?",
        "players": "{low} to {high} players",
        "how many seats": "How many players, with you",
        "how many bots": "How many of them bots",
        "invite": "Others join with:",
        "seats": "At the table: {people}.",
        "start now": "Start the game",
        "fill and start": "Let bots take the free seats and start",
        "wait for host": "{host} starts the game.",
        "wait for players": "Waiting for players",
        # Tables
        "no tables": "There are no tables. Open one with: {command}",
        "column table": "Table",
        "column game": "Game",
        "column status": "Status",
        "column people": "Players",
        "column age": "Age",
        "status open": "open",
        "status playing": "playing",
        "status over": "over",
        "yours": "yours",
        "private": "private",
        # The end
        "over": "The game is over.",
        "you win": "You win!",
        "wins": "{who} wins.",
        "share": "{who} share the victory.",
        "place": "You are number {rank} of {count}.",
        # Troubles
        "no server": "There is no server at {server}. Start one with: palatine serve. Or try: palatine play --local",
        "not palatine": "What answers at {server} is no Palatine server. Check the address given with --server.",
        "no such game": "There is no game “{game}” at this server. {advice}",
        "did you mean": "Did you mean {name}?",
        "try one of": "Try {names}.",
        "which game needed": "Say which game: {names}.",
        "bad option": "“{option}” is no option. Write --option KEY=VALUE, e.g. --option takeback=false.",
        "no such option": "There is no option “{option}”. Options are: {names}.",
        "bots and seats": "At {seats} seats there is room for at most this many bots: {most}.",
        "seats range": "{game} is for {low} to {high} players: use --seats {low} to {high}.",
        "server ended": "The server of this game did not start. {said}",
        "server gone": "The server of this game has ended. Nothing is lost; start again to go on.",
        "server missing": "The server is not installed: pip install 'palatine[server]'",
        "client missing": "The client is not installed ({module}): pip install 'palatine[client]'",
        "not started yet": "The game at this table has begun without you. Look on with: {command}",
        "not json": "This line is no JSON object.",
        "not a command": 'Write e.g. {{"do": ...}}, {{"undo": true}}, {{"say": "..."}}, {{"start": true}} or '
        '{{"quit": true}}.',
    },
    "de": {
        "You": "Du",
        "you": "du",
        "and": "und",
        "empty": "ein freier Platz",
        "your turn": "Du bist dran",
        "you may": "Niemand wartet auf dich, aber du darfst",
        "choose": "Deine Wahl",
        "choose some": "{count} Zahlen, z. B. {example}",
        "choose from to": "{least} bis {most} Zahlen, - für keine",
        "choose number": "{low} bis {high}",
        "back": "zurück",
        "waiting": "Gewartet wird auf: {who}",
        "waiting for all": "Bitte warten",
        "until": "Du hast Zeit bis {time}.",
        "one number": "Tippe eine Zahl von {low} bis {high}.",
        "only number": "Wählen lässt sich nur {low}.",
        "not a number": "„{typed}“ ist weder Zahl noch Befehl. ? zeigt, was du tippen kannst.",
        "different numbers": "Tippe verschiedene Zahlen von 1 bis {high}.",
        "so many numbers": "Tippe genau {least} Zahlen.",
        "from to": "Tippe {least} bis {most} Zahlen.",
        "nothing to choose": "Im Augenblick gibt es nichts zu wählen.",
        "changed": "Während du gewählt hast, hat sich das Angebot geändert; sieh es dir neu an.",
        "kept": "Was du schon gewählt hast, ist noch möglich.",
        "cannot undo": "Jetzt lässt sich nichts zurücknehmen.",
        "refused": "Das ging nicht: {sentence}",
        "help title": "Was du tippen kannst",
        "help 1 2 …": "wählt, was hinter der Zahl steht; mehrere, wo mehrere gefragt sind",
        "help 0": "einen Schritt zurück, während du wählst",
        "help u": "nimmt deine letzte Handlung zurück; während du wählst, einen Schritt zurück",
        "help b": "alle Schlösser und Pläne",
        "help h": "deine Hand",
        "help s": "was bisher geschah",
        "help ?": "diese Hilfe",
        "help q": "Schluss für jetzt; hast du einen Platz, bleibt er dir (auch Strg-D und Strg-C)",
        "help leave": "verlässt den Tisch; vorher erfährst du, was daraus folgt",
        "log": "Was bisher geschah",
        "no log": "Noch ist nichts geschehen.",
        "no hand": "Du hast nichts auf der Hand.",
        "name": "Dein Name",
        "table": "Tisch {table}",
        "come back": "Dein Platz bleibt dir. Zurück kommst du mit:",
        "left": "Du bist gegangen; ein Bot des Hauses spielt weiter. Deinen Platz bekommst du zurück mit:",
        "left before": "Du hast den Tisch verlassen.",
        "lost": "Die Verbindung ist abgerissen; neuer Versuch ...",
        "found": "Wieder verbunden; nichts ging verloren.",
        "starting server": "Ein eigener Server startet ...",
        "demonstration": "Hier gibt es keine Tastatur: dies ist eine Vorführung, zufällig gespielt.",
        "which table": "Wo möchtest du spielen?",
        "go on": "Weiterspielen: {game}, {people}",
        "join": "Dazusetzen: {game}, {people}",
        "new table": "Einen neuen Tisch eröffnen",
        "which game": "Welches Spiel?",
        "players": "{low} bis {high} Personen",
        "how many seats": "Wie viele Mitspieler, mit dir",
        "how many bots": "Wie viele davon Bots",
        "invite": "Andere kommen dazu mit:",
        "seats": "Am Tisch: {people}.",
        "start now": "Das Spiel beginnen",
        "fill and start": "Freie Plätze mit Bots besetzen und beginnen",
        "wait for host": "{host} beginnt das Spiel.",
        "wait for players": "Es fehlen noch Mitspieler",
        "no tables": "Es gibt keine Tische. Einen neuen eröffnet: {command}",
        "column table": "Tisch",
        "column game": "Spiel",
        "column status": "Stand",
        "column people": "Spieler",
        "column age": "Alter",
        "status open": "offen",
        "status playing": "läuft",
        "status over": "beendet",
        "yours": "deiner",
        "private": "privat",
        "over": "Das Spiel ist aus.",
        "you win": "Du hast gewonnen!",
        "wins": "{who} gewinnt.",
        "share": "{who} teilen sich den Sieg.",
        "place": "Du bist Nummer {rank} von {count}.",
        "no server": "Unter {server} gibt es keinen Server. Starte einen: palatine serve. Oder: palatine play --local",
        "not palatine": "Was unter {server} antwortet, ist kein Palatine-Server. Prüfe die Adresse hinter --server.",
        "no such game": "Das Spiel „{game}“ gibt es bei diesem Server nicht. {advice}",
        "did you mean": "Meintest du {name}?",
        "try one of": "Versuche {names}.",
        "which game needed": "Sag, welches Spiel: {names}.",
        "bad option": "„{option}“ ist keine Option. Schreibe --option NAME=WERT, z. B. --option takeback=false.",
        "no such option": "Die Option „{option}“ gibt es nicht. Es gibt: {names}.",
        "bots and seats": "An {seats} Plätzen haben höchstens so viele Bots Platz: {most}.",
        "seats range": "{game} ist für {low} bis {high} Personen: nimm --seats {low} bis {high}.",
        "server ended": "Der Server für dieses Spiel ist nicht gestartet. {said}",
        "server gone": "Der Server für dieses Spiel ist beendet. Nichts ging verloren; starte neu, um weiterzuspielen.",
        "server missing": "Der Server ist nicht installiert: pip install 'palatine[server]'",
        "client missing": "Der Client ist nicht installiert ({module}): pip install 'palatine[client]'",
        "not started yet": "An diesem Tisch hat das Spiel ohne dich begonnen. Zusehen kannst du mit: {command}",
        "not json": "Diese Zeile ist kein JSON-Objekt.",
        "not a command": 'Schreibe z. B. {{"do": ...}}, {{"undo": true}}, {{"say": "..."}}, {{"start": true}} oder '
        '{{"quit": true}}.',
    },
}

# What a player can do about a refusal of the server. Other English ones are in the server's own words.
REFUSALS: dict[str, dict[str, str]] = {
    "en": {
        "no_such_table": "There is no such table, or it is not open to you. Tables are listed by: palatine tables",
        "no_seat_free": "The table is full. Look on with: palatine watch TABLE, or see others with: palatine tables",
        "seat_taken": "This seat is taken.",
        "already_started": "The game has begun already. Look on with: palatine watch TABLE",
        "not_the_host": "Only the host of the table may do this; wait for him.",
        "too_many_tables": "You sit at too many tables. Type “leave” at one of them; see palatine tables.",
        "no_such_policy": "House bots of this game do not know this policy. Try --policy random, greedy or strong.",
        "bad_option": "An option cannot have this value.",
        "wrong_number_of_players": "The game is not for this number of players. Try another --seats.",
        "stale_offer": "The offer had been answered already, by you elsewhere or by the clock.",
        "too_fast": "The server asks for patience. Try again in a moment.",
        "log_full": "Too much has happened at this table; the game can only be played to its end.",
        "unknown_request": "This server does not know how to do that.",
        "bad_token": "The server does not know you. It gives you a new identity with: palatine play",
        "token_expired": "The server does not know you any more. It gives you a new identity with: palatine play",
        "token_revoked": "Whoever runs the server has shut you out.",
        "too_many_connections": "You have too many connections to this server; close one of them.",
        "try_again": "The server cannot do that at the moment. Try again soon.",
        "shutting_down": "The server is about to restart. Try again soon.",
    },
    "de": {
        "no_such_table": "Diesen Tisch gibt es nicht, oder er ist dir nicht offen. Alle Tische zeigt: palatine tables",
        "no_seat_free": "Der Tisch ist voll. Zusehen: palatine watch TISCH. Andere Tische: palatine tables",
        "seat_taken": "Dieser Platz ist besetzt.",
        "already_started": "Das Spiel hat schon begonnen. Zusehen kannst du mit: palatine watch TISCH",
        "not_the_host": "Das darf nur der Gastgeber des Tisches; warte auf ihn.",
        "too_many_tables": "Du sitzt an zu vielen Tischen. Tippe an einem „verlassen“; siehe palatine tables.",
        "no_such_policy": "So spielen die Bots des Hauses hier nicht. Versuche --policy random, greedy oder strong.",
        "bad_option": "Eine Option kann diesen Wert nicht haben.",
        "wrong_number_of_players": "Das Spiel ist nicht für so viele Personen. Nimm ein anderes --seats.",
        "stale_offer": "Das Angebot war schon beantwortet, von dir anderswo oder von der Uhr.",
        "not_offered": "Diese Handlung ist nicht unter denen, die dir offen stehen.",
        "not_your_turn": "Du hast gerade nichts zu entscheiden.",
        "cannot_undo": "Seit deiner letzten Handlung wurde etwas aufgedeckt, oder jemand anders hat gehandelt.",
        "game_over": "Das Spiel ist aus.",
        "not_seated": "Du sitzt nicht an diesem Tisch.",
        "too_fast": "Der Server bittet um Geduld. Versuche es gleich noch einmal.",
        "log_full": "An diesem Tisch ist zu viel geschehen; die Partie kann nur noch zu Ende gespielt werden.",
        "malformed": "Damit kann der Server nichts anfangen: etwas fehlt, ist zu lang oder hat die falsche Form.",
        "unknown_request": "Das kann dieser Server nicht.",
        "request_id_reused": "Unter dieser Nummer kam schon etwas anderes an. Versuche es noch einmal.",
        "bad_token": "Der Server kennt dich nicht. Eine neue Kennung gibt er dir mit: palatine play",
        "token_expired": "Der Server kennt dich nicht mehr. Eine neue Kennung gibt er dir mit: palatine play",
        "token_revoked": "Wer den Server betreibt, hat dich ausgeschlossen.",
        "too_many_connections": "Du hast zu viele Verbindungen zu diesem Server; schließe eine davon.",
        "table_unreadable": "Der Server kann diesen Tisch nicht lesen; wer ihn betreibt, weiß es. "
        "Lass ihn liegen oder eröffne einen anderen.",
        "no_such_game": "Ein Spiel dieses Namens gibt es bei diesem Server nicht.",
        "bad_webhook": "Dorthin kann der Server nichts melden. Nimm die Adresse (URL) eines öffentlichen Rechners, in "
        "der Regel mit https:// und Port 443 oder 8443.",
        "no_webhook": "Es gibt keinen Webhook.",
        "try_again": "Das kann der Server im Augenblick nicht. Versuche es gleich noch einmal.",
        "shutting_down": "Der Server startet gleich neu. Versuche es danach noch einmal.",
    },
}

# What a player can do when the server has ended the connection for good, by the code with which it was closed.
BAD_TOKEN, REVOKED = 4002, 4010
ENDINGS: dict[str, dict[int, str]] = {
    "en": {
        BAD_TOKEN: "The server does not know you any more. Start again, and it gives you a new identity.",
        REVOKED: "Whoever runs the server has shut you out.",
    },
    "de": {
        BAD_TOKEN: "Der Server kennt dich nicht mehr. Starte neu, dann gibt er dir eine neue Kennung.",
        REVOKED: "Wer den Server betreibt, hat dich ausgeschlossen.",
    },
}

ALL = {lang: {**LABELS[lang], **AT_TABLE[lang], **IN_LOBBY[lang]} for lang in LABELS}
ON_COMMAND_LINE = {lang: {**AT_TABLE_REFUSALS[lang], **REFUSALS[lang]} for lang in REFUSALS}
AT_A_TABLE = {lang: {**REFUSALS[lang], **AT_TABLE_REFUSALS[lang]} for lang in REFUSALS}


def label(lang: str, key: str, **values: object) -> str:
    """A phrase in a language."""
    return ALL[lang][key].format(**values)


def refusal(lang: str, code: str, sentence: str, *, at_table: bool = False) -> str:
    """A refusal in the player's language, where we have words for it."""
    return (AT_A_TABLE if at_table else ON_COMMAND_LINE)[lang].get(code, sentence)


def ending(lang: str, code: int, sentence: str) -> str:
    """Why the server has ended the connection, in the player's language where we have words for it."""
    return ENDINGS[lang].get(code, sentence)


def has_words(lang: str, code: str) -> bool:
    return code in AT_A_TABLE[lang]


def own_language() -> Lang:
    """The language of this machine, as far as we speak it."""
    told = (os.environ.get(name) for name in ("PALATINE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next((name for name in told if name), None) or locale.getlocale()[0] or ""
    return "de" if spoken.lower().startswith("de") else "en"
