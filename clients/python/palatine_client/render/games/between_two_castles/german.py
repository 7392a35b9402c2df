"""Zwischen zwei Schlössern auf Deutsch."""

from __future__ import annotations

# Labels of boards and score sheets
LABELS = {
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
}

# Verb forms for the viewer and for anybody else, as placeholders of phrases
VERB_FORMS = {"has": ("hast", "hat")}

# The fields of actions
FIELD_NAMES = {
    "tiles": "Räume",
    "tile": "Raum",
    "castle": "Schloss",
    "cell": "Stelle",
    "choice": "Wahl",
    "revision": "Vorschlag",
}

ROOMS = {
    "food": "Speiseraum",
    "living": "Wohnraum",
    "utility": "Wirtschaftsraum",
    "outdoor": "Außenraum",
    "sleeping": "Schlafraum",
    "corridor": "Verbindungsraum",
    "downstairs": "Kellerraum",
    "special": "Sonderraum",
}
WITH = {"painting": "Gemälde", "torch": "Fackel", "swords": "gekreuzten Schwertern", "mirror": "Spiegel"}
POINTS = {1: "1 Punkt", 2: "2 Punkte", 4: "4 Punkte", 5: "5 Punkte"}
TIMES = {3: "dritter", 5: "fünfter"}

# Was ein Raum wert ist, nach seinem Muster
SCORES = {
    "above_below": "{points} für jeden {target} direkt darüber oder darunter",
    "left_right": "{points} für jeden {target} direkt links oder rechts",
    "two_below": "{points} für jeden {target} auf den zwei Feldern darunter",
    "row_below": "{points} für jeden {target} auf den drei Feldern darunter (links, Mitte, rechts)",
    "surround": "{points} für jeden {target} ringsum",
    "surround_not_below": "{points} für jeden {target} ringsum, außer direkt darunter",
    "surround_decoration": "{points} für jeden Raum mit {decoration} ringsum",
    "surround_any": "{points} für jeden Raum ringsum",
    "connected": "{points} für jeden {target}, der mit ihm verbunden ist",
    "anywhere": "{points} für jeden {target} im Schloss",
    "castle_has_all": "4 Punkte, wenn das Schloss alle sechs anderen Raumarten hat, sonst 1",
    "column_above": "{points} für jeden {target} darüber in seiner Spalte",
    "column_above_below": "{points} für jeden {target} darüber oder darunter in seiner Spalte",
    "column_below_any": "{points} für jeden Raum darunter in seiner Spalte",
    "always": "{points}",
    "attendant": "{points} für jeden Raum mit {decoration} im Schloss",
}

# Was der dritte Raum einer Art bringt
BONUSES = {
    "food": "fünf Räume werden gezogen, einer davon wird gebaut",
    "living": "ein Bediensteter",
    "utility": "eine Bonuskarte, eine von dreien",
    "outdoor": "ein Brunnen",
    "sleeping": "ein Turm",
    "corridor": "ein Foyer",
    "downstairs": "einer der anderen Boni nach Wahl",
}

# Wo ein Thronsaal gern Räume hat
WHERE = {
    "left": "links",
    "right": "rechts",
    "above_left": "über der linken Hälfte",
    "above_right": "über der rechten Hälfte",
    "below_left": "unter der linken Hälfte",
    "below_right": "unter der rechten Hälfte",
}

# Wo ein Raum zählt, in wenigen Worten für das Plättchen eines Bildes
PLACES = {
    "above_below": "darüber / darunter",
    "left_right": "links / rechts",
    "two_below": "zwei darunter",
    "row_below": "Reihe darunter",
    "surround": "ringsum",
    "surround_not_below": "ringsum, nicht unten",
    "surround_decoration": "ringsum",
    "surround_any": "ringsum",
    "connected": "verbunden",
    "anywhere": "im Schloss",
    "castle_has_all": "alle Arten, sonst {otherwise}",
    "column_above": "Spalte darüber",
    "column_above_below": "ganze Spalte",
    "column_below_any": "Spalte darunter",
    "always": "immer",
}

# Wörter von Bildern
PICTURE = {
    "title": "Zwischen zwei Schlössern",
    "most": "höchstens {points}",
    "supply": "Räume zum Ziehen",
    "deck": "Bonuskarten zum Ziehen",
    "others": "Die anderen Schlösser",
    "to place": "noch anzulegen",
    "better": "besseres Schloss {points}",
    "tiebreak": "Stichentscheid",
    "first": "Partner zuerst",
}

PHRASES = {
    "above": "über {room}",
    "below": "unter {room}",
    "left": "links von {room}",
    "right": "rechts von {room}",
    "choose": "Wähle zwei Räume; die anderen gehen weiter an {neighbour}",
    "choose last": "Wähle zwei Räume; der letzte scheidet aus",
    "place": "{room} anlegen: {castle}",
    "where": "Wohin in {castle} kommt {room}?",
    "take_back": "{room} zurücknehmen: {castle}",
    "ready": "Die Räume so lassen; sonst endet der Zug gleich von selbst",
    "hold": "{partner} den Vortritt lassen: {castle}",
    "release": "Nicht länger auf {partner} warten: {castle}",
    "propose_cell": "einen Platz suchen für {room}",
    "propose_other_cell": "einen anderen Platz suchen für {room}",
    "accept": "{partner} zustimmen: {choice}",
    "call_tiebreak": "den Stichentscheid verlangen",
    "assign_ludwig": "{castle}: {room}; {other_castle}: {other}",
    "proposed": "← {who}",
    "hand": "Deine Hand",
    "to place": "Deine Räume zum Anlegen",
    "ludwig places": "Ludwigs Räume, die du auch legst",
    "question": "{castle}: {about}",
    "your proposal": "dein Vorschlag: {choice}",
    "their proposal": "Vorschlag von {who}: {choice}",
    "their call": "{who} verlangt den Stichentscheid",
    "marker": "der Stichentscheid fällt zugunsten von: {who}",
    "round_began": "Runde {round} beginnt; alle ziehen neun Räume.",
    "hands_passed left": "Die Handplättchen gehen nach links weiter.",
    "hands_passed right": "Die Handplättchen gehen nach rechts weiter.",
    "ludwig_tiles_drawn": "{who} {has} zwei Räume für Ludwig gezogen.",
    "ludwig_tiles_assigned": "{who} {has} {rooms} zu Ludwigs Schlössern gelegt.",
    "choice_confirmed": "{who} {has} zwei Räume gewählt.",
    "choice_confirmed yours": "Du hast gewählt: {rooms}",
    "tiles_revealed": "Alle decken auf:",
    "room_placed": "{who} {has} {room} angelegt: {castle}, {where}.",
    "room_taken_back": "{who} {has} {room} zurückgenommen: {castle}.",
    "hold_set": "{who} {has} dem Partner den Vortritt gelassen: {castle}.",
    "hold_released": "{who} wartet nicht länger: {castle}.",
    "hold_released yours": "Du wartest nicht länger: {castle}.",
    "bonus_earned 3": "{castle}: der dritte {type}! Der Bonus: {bonus}.",
    "bonus_earned 5": "{castle}: der fünfte {type}! Der Bonus: ein Sonderraum nach Wahl.",
    "bonus_chosen": "{castle} nimmt den Bonus für {type}: {bonus}.",
    "tiles_drawn": "{castle}: {count} Räume wurden gezogen.",
    "cards_drawn": "{castle}: {count} Bonuskarten wurden gezogen.",
    "draw_delayed": "{castle} muss warten: es liegt zu wenig zum Ziehen da.",
    "attendant_taken": "{attendant} zieht ein: {castle}.",
    "card_kept": "{castle} behält die Bonuskarte {card}.",
    "room_gained": "{castle} bekommt {room} {where}.",
    "nothing_left": "Davon ist für {castle} nichts mehr da.",
    "proposal_made": "{who} {has} etwas vorgeschlagen: {castle}.",
    "proposal_made of": "{who} {has} vorgeschlagen: {castle}, {choice}.",
    "tiebreak_called": "{who} {has} den Stichentscheid verlangt: {castle}.",
    "marker_used": "{who} {has} das letzte Wort gehabt: {castle}.",
    "supply_reshuffled rooms": "Die abgelegten Räume wurden gemischt und unter den Vorrat gelegt.",
    "supply_reshuffled bonus cards": "Die Bonuskarten wurden neu gemischt.",
    "round_ended": "Runde {round} ist zu Ende.",
    "castles_scored": "Die Schlösser werden gewertet: {values}.",
    # In Worten erzählt
    "at": "{where} (Spalte {x}, Stockwerk {y})",
    "room with": "{type} mit {decoration}",
    "proposed in words": "Vorschlag von: {who}",
    "to be placed": "{who}, noch anzulegen: {rooms}.",
    "chosen already": "Schon gewählt: {people}.",
    "supplies": "Vorräte: {rooms} Räume und {cards} Bonuskarten.",
    "stock": "Sonderräume und Bedienstete übrig: {pieces}.",
    "castle of": "{castle}. Daran bauen: {people}.",
    "castle worth": "{castle}, {points} Punkte wert. Daran haben gebaut: {people}.",
    "throne": "Thronsaal: {points} Punkte für jeden {types} {where}, höchstens {most}.",
    "floor above": "Stockwerk {floor}: {rooms}.",
    "floor 0": "Erdgeschoss: {rooms}.",
    "floor below": "Kellergeschoss {floor}: {rooms}.",
    "column": "Spalte {column} {room}",
    "throne at": "Spalten 0 und 1 der Thronsaal",
    "attendants": "Bedienstete: {attendants}.",
    "bonus card": "Bonuskarte {card}",
    "rooms of": "Räume bisher: {counts}.",
    "ludwig beside": "Ludwigs Raum daneben: {room}.",
    "wants the partner first": "Lässt den Partner zuerst anlegen: {people}.",
    "deciding": "Zu entscheiden: {about}.",
    "on offer": "Möglich: {options}.",
    "sheet": "Wertung von {castle}: {lines}.",
    "rank": "{rank}. {who}: {score} Punkte, das bessere Schloss {better}, Sonderräume {specials}.",
    "ticked": "Vorgemerkt",
    "chosen": "Gewählt",
    "passed": "Weitergegeben",
    "ludwig drawn": "Für Ludwig gezogen",
    "tick": "{room} vormerken",
    "untick": "{room} nicht mehr vormerken",
}

HELP = (
    "Du baust zwei Schlösser, eines mit jedem Nachbarn. Das ärmere zählt: kümmere dich um beide.",
    "In jeder von zwei Runden bekommst du neun Räume, wählst zwei geheim und gibst den Rest weiter, viermal. Jedes Mal "
    "legst du in jedes deiner Schlösser einen der beiden. Ein Raum muss einen anderen berühren; über der Erde braucht "
    "er einen Raum unter sich; auf einem Raum mit freiem Himmel (gestrichelter blauer Rand) darf nichts stehen. "
    "Kellerräume gehören unter die Erde.",
    "Der dritte Raum einer Art bringt eurem Schloss einen Bonus, den du mit deinem Partner zusammen wählst; "
    "der fünfte Raum einer Art bringt einen Sonderraum nach Wahl.",
)
