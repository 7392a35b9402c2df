"""Palais Royal in English."""

from __future__ import annotations

INTO = {
    "gate": "to the Gate",
    "parade_ground": "to the Parade Ground",
    "stairway": "to the Stairway",
    "mint": "to the Mint",
    "king": "to the King’s Cabinet",
    "madame": "to Madame de Pompadour",
    "office": "to the Office",
    "back_entrance": "to the Back Entrance",
    "cardinal": "to the Cardinal",
}
FROM = {
    "supply": "from the supply",
    "gate": "from the Gate",
    "parade_ground": "from the Parade Ground",
    "stairway": "from the Stairway",
    "mint": "from the Mint",
    "king": "from the King’s Cabinet",
    "madame": "from Madame de Pompadour",
    "office": "from the Office",
    "back_entrance": "from the Back Entrance",
    "cardinal": "from the Cardinal",
}

# When a privilege may be played
TIMING = {
    "before_1": "before action 1",
    "1": "in action 1",
    "1_and_2": "in action 1",
    "2": "in action 2",
    "4": "in action 4",
    "any": "at any time",
}

# What a noble is good for
BENEFITS = {
    "gate": "{amount} more servants to the gate in every turn",
    "moves": "{amount} more moves in every turn",
    "diagonal": "servants may move diagonally",
    "gold": "{amount} more gold in every turn",
    "seal_turquoise": "{amount} more servant to the King’s Cabinet in every turn",
    "seal_violet": "{amount} more servant to Madame de Pompadour in every turn",
    "cards": "{amount} more cards to draw in every turn",
    "servants": "{amount} from the reserve, once",
}

PHRASES = {
    # Menus
    "place": "Send a servant {into}",
    "place_rest": "Quick start: the rest go {rooms}",
    "advance": "Go on to another action",
    "advance to": "Go on to {phase}",
    "reinforce": "Put a new servant on the gate",
    "reinforce from": "Put a servant {from} on the gate",
    "move": "Move a servant",
    "move from": "Move a servant {from}",
    "move to": "Move a servant {from} {into}",
    "take_gold": "Take {gold} gold from the mint",
    "add_seal_servant": "Add a servant for a seal",
    "add_seal_servant room": "Add a servant {into}",
    "add_seal_servant from": "Add a servant {into}, {from}",
    "recruit": "Recruit a noble",
    "recruit noble": "Recruit {noble}",
    "with wild": "with {seals} of the privilege",
    "without wild": "without seals of the privilege",
    "border": "border servant {from}",
    "draw": "Draw privilege cards",
    "draw count": "Draw {count}",
    "keep": "Keep some of the drawn cards",
    "play_privilege": "Play a privilege",
    "play_privilege kind": "Play {card}",
    "end_turn": "End the turn",
    "closes": "closes action {first}",
    "closes many": "closes actions {first}–{last}",
    # Questions
    "ask room": "To which room?",
    "ask source": "From which room shall he come?",
    "ask mover": "Who shall move? {moves}",
    "ask to": "Where shall the servant {from} go?",
    "ask action": "Go on to which action? Those before it are closed then.",
    "ask space": "Which noble? You have {gold} gold and the seals {seals}{wild}.",
    "and wild": ", and {count} of any colour",
    "ask wild": "How many seals of the privilege?",
    "ask border_from": "A noble of the border: where does the servant come from who takes the place?",
    "ask count": "How many cards will you draw?",
    "ask indices": "Which cards will you keep? For each one a servant leaves the Back Entrance.",
    "ask kind": "Which privilege?",
    # Pieces
    "gold": "{count} gold",
    "cards": "{count} cards",
    "cards one": "1 card",
    "cards none": "no card",
    "points": "{count} points",
    "points one": "1 point",
    "servants": "{count} servants",
    "servants one": "1 servant",
    "your servants": "you have {count} there",
    "in supply": "{count} there",
    "nothing": "nothing",
    "free": "free",
    "hand": "Your privilege cards",
    "pending": "Drawn, to be decided on",
    # News
    "servant_placed": "{who} sent a servant {into}.",
    "round_began": "Round {round} begins.",
    "final_round_began park": "The final round begins: few nobles are left in the park.",
    "final_round_began stall": "The final round begins: nobody has recruited for a long time.",
    "final_round_began max_rounds": "The final round begins: the game has lasted long enough.",
    "turn_began": "{who} is to move.",
    "turn_began yours": "You are to move.",
    "action_began": "{who}: {phase}.",
    "gate_reinforced": "{who} put a servant {from} on the gate.",
    "servant_moved": "{who} moved a servant {from} {into}.",
    "gold_taken": "{who} took {gold} gold.",
    "seal_servant_added": "{who} added a servant {from} {into}.",
    "noble_recruited": "{who} recruited {noble} at {space} for {gold} gold: {points}{benefit}.",
    "border_servant_placed": "{who} put a servant {from} on the border space {space}.",
    "reserve_called": "{who} called {servants} from the reserve.",
    "cards_drawn": "{who} drew {cards}.",
    "cards_seen": "You drew {kinds}.",
    "deck_reshuffled": "The discarded privileges were shuffled into a new deck of {cards}.",
    "cards_kept": "{who} kept {cards} and discarded {discarded}.",
    "privilege_played": "{who} played {card} (“{effect}”).",
    "turn_ended": "{who} ended the turn.",
    "game_scored": "The game is scored: {totals}.",
}

HELP = (
    "You send servants through the palace of the king to win the favour of nobles, who wait in the park. Most points "
    "win.",
    "A turn has five actions in this order; each may be left out, and there is no way back: (1) new servants come to "
    "the gate, (2) servants move from room to room, (3) the mint gives gold and the seals get servants, (4) you "
    "recruit nobles, (5) you draw privilege cards.",
    "A noble costs one servant in the Office, gold, and seals: servants of the King’s Cabinet (◆) and of Madame de "
    "Pompadour (♥). They all go back to your supply. Each free space around a noble lowers the gold by one, unless an "
    "ornament stands between. At the border you leave a servant, who counts in the rows at the end.",
    "Most servants in a room with a bonus (the warmer ones) give you one more of what it gives; at a tie the Cardinal "
    "decides. When 12 nobles or fewer are left at the beginning of a round, it is the last one.",
)
