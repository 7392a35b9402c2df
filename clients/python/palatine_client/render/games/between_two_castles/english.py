"""Between Two Castles in English."""

from __future__ import annotations

# Labels of boards and score sheets
LABELS = {
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
}

# Verb forms for the viewer and for anybody else, as placeholders of phrases; English needs none
VERB_FORMS: dict[str, tuple[str, str]] = {}

# The fields of actions
FIELD_NAMES = {
    "tiles": "rooms",
    "tile": "room",
    "castle": "castle",
    "cell": "place",
    "choice": "choice",
    "revision": "proposal",
}

ROOMS = {
    "food": "food room",
    "living": "living room",
    "utility": "utility room",
    "outdoor": "outdoor room",
    "sleeping": "sleeping room",
    "corridor": "corridor",
    "downstairs": "downstairs room",
    "special": "special room",
}
WITH = {"painting": "a painting", "torch": "a torch", "swords": "crossed swords", "mirror": "a mirror"}
POINTS = {1: "1 point", 2: "2 points", 4: "4 points", 5: "5 points"}
TIMES = {3: "third", 5: "fifth"}

# What a room scores, by its pattern
SCORES = {
    "above_below": "{points} for each {target} directly above or below",
    "left_right": "{points} for each {target} directly left or right",
    "two_below": "{points} for each {target} on the two spaces below",
    "row_below": "{points} for each {target} on the three spaces below (left, middle, right)",
    "surround": "{points} for each {target} around it",
    "surround_not_below": "{points} for each {target} around it, except directly below",
    "surround_decoration": "{points} for each room with {decoration} around it",
    "surround_any": "{points} for each room around it",
    "connected": "{points} for each {target} connected to it",
    "anywhere": "{points} for each {target} in the castle",
    "castle_has_all": "4 points if the castle has all six other types of rooms, else 1",
    "column_above": "{points} for each {target} above it in its column",
    "column_above_below": "{points} for each {target} above or below in its column",
    "column_below_any": "{points} for each room below it in its column",
    "always": "{points}",
    "attendant": "{points} for each room with {decoration} in the castle",
}

# What the third room of a type brings
BONUSES = {
    "food": "five rooms are drawn and one of them is built",
    "living": "an attendant",
    "utility": "a bonus card, one of three",
    "outdoor": "a fountain",
    "sleeping": "a tower",
    "corridor": "a foyer",
    "downstairs": "any one of the other bonuses",
}

# Where a throne room likes to have rooms
WHERE = {
    "left": "to the left",
    "right": "to the right",
    "above_left": "above its left half",
    "above_right": "above its right half",
    "below_left": "below its left half",
    "below_right": "below its right half",
}

# Where a room counts, in few words for the tile of a picture
PLACES = {
    "above_below": "above / below",
    "left_right": "left / right",
    "two_below": "two below",
    "row_below": "row below",
    "surround": "around",
    "surround_not_below": "around, not below",
    "surround_decoration": "around",
    "surround_any": "around",
    "connected": "connected",
    "anywhere": "in castle",
    "castle_has_all": "all types, else {otherwise}",
    "column_above": "column above",
    "column_above_below": "whole column",
    "column_below_any": "column below",
    "always": "always",
}

# Words of pictures
PICTURE = {
    "title": "Between Two Castles",
    "most": "at most {points}",
    "supply": "Rooms to draw",
    "deck": "Bonus cards to draw",
    "others": "The other castles",
    "to place": "to place",
    "better": "better castle {points}",
    "tiebreak": "tie-break",
    "first": "partner first",
}

# Sentences of menus, questions, news and narration
PHRASES = {
    # Places
    "above": "above {room}",
    "below": "below {room}",
    "left": "left of {room}",
    "right": "right of {room}",
    # Menus
    "choose": "Choose two rooms; the others go on to {neighbour}",
    "choose last": "Choose two rooms; the last one leaves the game",
    "place": "Place {room} in {castle}",
    "where": "Where in {castle} shall {room} stand?",
    "take_back": "Take {room} back from {castle}",
    "ready": "Leave the rooms where they are; otherwise the turn ends in a moment",
    "hold": "Let {partner} place first in {castle}",
    "release": "Place in {castle} without waiting for {partner}",
    "propose_cell": "find a place for {room}",
    "propose_other_cell": "find another place for {room}",
    "accept": "agree with {partner}: {choice}",
    "call_tiebreak": "call for the tie-break",
    "assign_ludwig": "{castle}: {room}; {other_castle}: {other}",
    "proposed": "← {who}",
    # What lies before a player
    "hand": "Your hand",
    "to place": "Your rooms to place",
    "ludwig places": "Ludwig’s rooms, which you place too",
    "question": "{castle}: {about}",
    "your proposal": "you propose {choice}",
    "their proposal": "{who} proposes {choice}",
    "their call": "{who} calls for the tie-break",
    "marker": "the tie-break is in favour of {who}",
    # News
    "round_began": "Round {round} begins; everybody draws nine rooms.",
    "hands_passed left": "The hands go on to the left.",
    "hands_passed right": "The hands go on to the right.",
    "ludwig_tiles_drawn": "{who} drew two rooms for Ludwig.",
    "ludwig_tiles_assigned": "{who} laid {rooms} beside Ludwig’s castles.",
    "choice_confirmed": "{who} chose two rooms.",
    "choice_confirmed yours": "You chose {rooms}",
    "tiles_revealed": "Everybody reveals:",
    "room_placed": "{who} placed {room} in {castle}, {where}.",
    "room_taken_back": "{who} took {room} back from {castle}.",
    "hold_set": "{who} asked the partner to place first in {castle}.",
    "hold_released": "{who} waits no longer in {castle}.",
    "hold_released yours": "You wait no longer in {castle}.",
    "bonus_earned 3": "{castle} has its third {type}: {bonus}!",
    "bonus_earned 5": "{castle} has its fifth {type}: a special room of choice!",
    "bonus_chosen": "{castle} takes the bonus for {type}: {bonus}.",
    "tiles_drawn": "{count} rooms were drawn for {castle}.",
    "cards_drawn": "{count} bonus cards were drawn for {castle}.",
    "draw_delayed": "{castle} must wait: there is too little left to draw from.",
    "attendant_taken": "{attendant} moved into {castle}.",
    "card_kept": "{castle} kept the bonus card {card}.",
    "room_gained": "{castle} gained {room} {where}.",
    "nothing_left": "Nothing of this kind is left for {castle}.",
    "proposal_made": "{who} made a proposal for {castle}.",
    "proposal_made of": "{who} proposed for {castle}: {choice}.",
    "tiebreak_called": "{who} called for the tie-break in {castle}.",
    "marker_used": "{who} had the last word in {castle}.",
    "supply_reshuffled rooms": "The discarded rooms were shuffled and put under the supply.",
    "supply_reshuffled bonus cards": "The bonus cards were shuffled anew.",
    "round_ended": "Round {round} is over.",
    "castles_scored": "The castles are scored: {values}.",
    # Told in words
    "at": "{where} (column {x}, floor {y})",
    "room with": "{type} with {decoration}",
    "proposed in words": "proposed by {who}",
    "to be placed": "{who}, still to place: {rooms}.",
    "chosen already": "Chosen already: {people}.",
    "supplies": "Supplies: {rooms} rooms and {cards} bonus cards.",
    "stock": "Special rooms and attendants left: {pieces}.",
    "castle of": "{castle}, built by {people}.",
    "castle worth": "{castle}, built by {people}, is worth {points} points.",
    "throne": "Throne room: {points} points for each {types} {where}, {most} at most.",
    "floor above": "Floor {floor}: {rooms}.",
    "floor 0": "Ground floor: {rooms}.",
    "floor below": "Floor {floor} under the ground: {rooms}.",
    "column": "column {column} {room}",
    "throne at": "columns 0 and 1 the throne room",
    "attendants": "Attendants: {attendants}.",
    "bonus card": "Bonus card {card}",
    "rooms of": "Rooms so far: {counts}.",
    "ludwig beside": "Ludwig’s room beside it: {room}.",
    "wants the partner first": "Wants the partner to place first: {people}.",
    "deciding": "To be decided: {about}.",
    "on offer": "Possible: {options}.",
    "sheet": "Score sheet of {castle}: {lines}.",
    "rank": "{rank}. {who}: {score} points, the better castle {better}, special rooms {specials}.",
    "ticked": "Ticked",
    "chosen": "Chosen",
    "passed": "Passed on",
    "ludwig drawn": "Drawn for Ludwig",
    "tick": "Tick {room}",
    "untick": "Tick {room} no longer",
}

HELP = (
    "You build two castles, one with each neighbour. The poorer of them counts: take care of both.",
    "In each of two rounds you get nine rooms, choose two in secret and pass the rest on, four times. Each time you "
    "place one of the two in each of your castles. A room must touch another one; above the ground it needs one below "
    "it; nothing may stand on a room with open sky (a dashed blue edge). Downstairs rooms belong under the ground.",
    "The third room of a type brings your castle a bonus, which you and your partner choose together; "
    "the fifth room of a type brings a special room of your choice.",
)
