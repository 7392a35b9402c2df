"""Palais Royal auf Deutsch."""

from __future__ import annotations

INTO = {
    "gate": "ans Tor",
    "parade_ground": "auf den Ehrenhof",
    "stairway": "ins Treppenhaus",
    "mint": "in die Münzerei",
    "king": "ins Kabinett des Königs",
    "madame": "zu Madame de Pompadour",
    "office": "in die Schreibstube",
    "back_entrance": "an den Hintereingang",
    "cardinal": "zum Kardinal",
}
FROM = {
    "supply": "aus dem Vorrat",
    "gate": "vom Tor",
    "parade_ground": "vom Ehrenhof",
    "stairway": "aus dem Treppenhaus",
    "mint": "aus der Münzerei",
    "king": "aus dem Kabinett des Königs",
    "madame": "von Madame de Pompadour",
    "office": "aus der Schreibstube",
    "back_entrance": "vom Hintereingang",
    "cardinal": "vom Kardinal",
}

# Wann ein Privileg gespielt werden darf
TIMING = {
    "before_1": "vor Aktion 1",
    "1": "in Aktion 1",
    "1_and_2": "in Aktion 1",
    "2": "in Aktion 2",
    "4": "in Aktion 4",
    "any": "jederzeit",
}

# Wozu Adlige gut sind
BENEFITS = {
    "gate": "in jedem Zug {amount} Diener mehr ans Tor",
    "moves": "in jedem Zug {amount} Bewegungen mehr",
    "diagonal": "Diener dürfen diagonal ziehen",
    "gold": "in jedem Zug {amount} Gold mehr",
    "seal_turquoise": "in jedem Zug {amount} Diener mehr ins Kabinett des Königs",
    "seal_violet": "in jedem Zug {amount} Diener mehr zu Madame de Pompadour",
    "cards": "in jedem Zug {amount} Karten mehr zu ziehen",
    "servants": "einmalig {amount} aus der Reserve",
}

PHRASES = {
    "place": "Einen Diener {into} schicken",
    "place_rest": "Schnellstart: die übrigen kommen {rooms}",
    "advance": "Weiter zu einer anderen Aktion",
    "advance to": "Weiter zu {phase}",
    "reinforce": "Einen neuen Diener ans Tor stellen",
    "reinforce from": "Einen Diener {from} ans Tor stellen",
    "move": "Einen Diener bewegen",
    "move from": "Einen Diener {from} bewegen",
    "move to": "Einen Diener {from} {into} bewegen",
    "take_gold": "In der Münzerei {gold} Gold nehmen",
    "add_seal_servant": "Einen Diener für ein Siegel einsetzen",
    "add_seal_servant room": "Einen Diener {into} schicken",
    "add_seal_servant from": "Einen Diener {from} {into} schicken",
    "recruit": "Adlige anwerben",
    "recruit noble": "Anwerben: {noble}",
    "with wild": "mit {seals} vom Privileg",
    "without wild": "ohne Siegel vom Privileg",
    "border": "Diener für den Rand {from}",
    "draw": "Privileg-Karten ziehen",
    "draw count": "{count} ziehen",
    "keep": "Von den gezogenen Karten behalten",
    "play_privilege": "Ein Privileg spielen",
    "play_privilege kind": "Spielen: {card}",
    "end_turn": "Den Zug beenden",
    "closes": "schließt Aktion {first}",
    "closes many": "schließt Aktion {first}–{last}",
    "ask room": "In welchen Raum?",
    "ask source": "Aus welchem Raum soll er kommen?",
    "ask mover": "Wer soll sich bewegen? {moves}",
    "ask to": "Wohin geht der Diener {from}?",
    "ask action": "Weiter zu welcher Aktion? Die davor sind dann geschlossen.",
    "ask space": "Welche Adlige? Du hast {gold} Gold und die Siegel {seals}{wild}.",
    "and wild": ", dazu {count} beliebiger Farbe",
    "ask wild": "Wie viele Siegel vom Privileg?",
    "ask border_from": "Eine Adlige vom Rand: woher kommt der Diener, der den Platz einnimmt?",
    "ask count": "Wie viele Karten willst du ziehen?",
    "ask indices": "Welche Karten behältst du? Für jede verlässt ein Diener den Hintereingang.",
    "ask kind": "Welches Privileg?",
    "gold": "{count} Gold",
    "cards": "{count} Karten",
    "cards one": "1 Karte",
    "cards none": "keine Karte",
    "points": "{count} Punkte",
    "points one": "1 Punkt",
    "servants": "{count} Diener",
    "servants one": "1 Diener",
    "your servants": "du hast dort {count}",
    "in supply": "{count} sind da",
    "nothing": "nichts",
    "free": "umsonst",
    "hand": "Deine Privileg-Karten",
    "pending": "Gezogen, noch zu entscheiden",
    "servant_placed": "{who} {has} einen Diener {into} geschickt.",
    "round_began": "Runde {round} beginnt.",
    "final_round_began park": "Die Schlussrunde beginnt: im Park sind nur noch wenige Adlige.",
    "final_round_began stall": "Die Schlussrunde beginnt: lange hat niemand mehr angeworben.",
    "final_round_began max_rounds": "Die Schlussrunde beginnt: das Spiel hat lange genug gedauert.",
    "turn_began": "{who} ist am Zug.",
    "turn_began yours": "Du bist am Zug.",
    "action_began": "{who}: {phase}.",
    "gate_reinforced": "{who} {has} einen Diener {from} ans Tor gestellt.",
    "servant_moved": "{who} {has} einen Diener {from} {into} bewegt.",
    "gold_taken": "{who} {has} {gold} Gold genommen.",
    "seal_servant_added": "{who} {has} einen Diener {from} {into} geschickt.",
    "noble_recruited": "{who} {has} {noble} auf {space} für {gold} Gold angeworben: {points}{benefit}.",
    "border_servant_placed": "{who} {has} einen Diener {from} auf das Randfeld {space} gestellt.",
    "reserve_called": "{who} {has} {servants} aus der Reserve geholt.",
    "cards_drawn": "{who} {has} {cards} gezogen.",
    "cards_seen": "Du hast gezogen: {kinds}.",
    "deck_reshuffled": "Die abgelegten Privileg-Karten wurden zu einem neuen Stapel gemischt: {cards}.",
    "cards_kept": "{who} {has} {cards} behalten und abgelegt: {discarded}.",
    "privilege_played": "{who} {has} {card} gespielt („{effect}“).",
    "turn_ended": "{who} {has} den Zug beendet.",
    "game_scored": "Das Spiel wird gewertet: {totals}.",
}

HELP = (
    "Du schickst Diener durch den Palast des Königs, um Adlige zu gewinnen, die im Park warten. Wer die meisten Punkte "
    "hat, gewinnt.",
    "Ein Zug hat fünf Aktionen in dieser Folge; jede darf ausfallen, und es gibt kein Zurück: (1) neue Diener kommen "
    "ans Tor, (2) Diener gehen von Raum zu Raum, (3) die Münzerei gibt Gold, und die Siegel bekommen Diener, (4) du "
    "wirbst Adlige an, (5) du ziehst Privileg-Karten.",
    "Adlige kosten einen Diener in der Schreibstube, Gold und Siegel: Diener im Kabinett des Königs (◆) und bei Madame "
    "de Pompadour (♥). Sie alle kehren in deinen Vorrat zurück. Jedes freie Feld ringsum senkt den Preis um ein Gold, "
    "wenn keine Verzierung dazwischen steht. Am Rand lässt du einen Diener zurück, der am Ende in den Reihen zählt.",
    "Wer in einem Raum mit Bonus (den wärmeren) die meisten Diener hat, bekommt eins mehr von dem, was er gibt; bei "
    "Gleichstand entscheidet der Kardinal. Sind zu Beginn einer Runde höchstens 12 Adlige übrig, ist sie die letzte.",
)
