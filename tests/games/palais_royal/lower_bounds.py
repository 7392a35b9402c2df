"""What the shared tests must compare in this game: more than so many."""

LEAST = {
    "pieces named by the generic rendering": 200,
    "webhook bodies": 40,
    "entries after another shuffle": 5,
    "messages after a shuffle": 100,
    "hidden pieces after a shuffle": 100,
    "messages in swapped worlds": 20,  # in twenty games
    "refused actions": 0,  # in each game
    "refusals with reasons": 100,
    "values as described": 100,
    "reasons": 0,
    "offers that stand": 0,
    "actions taken back": 0,
    "rules that are cited": 15,
    "private messages in a chat": 149,
    "different pictures of a record": 4,  # at two moments, dark, tall, German
    "texts with contrast": 100,  # in four pictures
    "marks of players": 4,
    "sentences of refusals": 15,  # in the source
    "codes with grounds": 1,
    "rules that the code names": 5,
}
