"""What a viewer of Noblemen may not know, and how to exchange it for something else."""

from typing import Any

from ..kit import RandomSource, SecretSwap

REVEALING = {
    "hands_filled",
    "cards_offered",
    "estate_expanded",
    "tiles_drawn",
    "tiles_donated",
    "tiles_seen",
    "card_played",
    "intrigue_used",
    "prestige_counted",
    "game_ended",
}


def swapped(document: Any, viewer: int, rng: RandomSource) -> Any:
    """The same document with tiles and cards shuffled among bag, deck and the screens the viewer cannot look behind.

    How many lie where stays as it is, for that is no secret (NM-HIDE-3). Hands with an open draft stay too, so that the
    draft can be carried out, except for the picks of the first hand, which are exchanged for others.
    """
    hands = [hand for seat, hand in enumerate(document["hands"]) if seat != viewer]
    for hand in hands:
        if hand["draft"] and hand["draft"]["draft"] == "selection":
            hand["draft"]["kinds"] = other_picks(len(hand["draft"]["kinds"]), rng)
    undrafted = [hand for hand in hands if not hand["draft"]]
    swap_tiles(document, undrafted, viewer, rng)
    swap_cards(document, undrafted, rng)
    document["chance"]["seed"] = f"{rng.getrandbits(256):064x}"
    return document


def other_picks(count: int, rng: RandomSource) -> list[str]:
    return rng.sample([kind for kind in ("field", "fountain", "grove", "meadow") for _ in range(3)], count)


def swap_tiles(document: Any, hands: list[Any], viewer: int, rng: RandomSource) -> None:
    piles = [hand["tiles"] for hand in hands] + [document["box"]["bag"]]
    pool = [kind for pile in piles for kind, count in pile.items() for _ in range(count)]
    known = document["hands"][viewer]["bag_has"]
    while True:
        rng.shuffle(pool)
        dealt = deal(pool, [sum(pile.values()) for pile in piles])
        has = {kind: kind in dealt[-1] for kind in piles[-1]}
        if known in ({}, has):
            break
    for pile, kinds in zip(piles, dealt, strict=True):
        pile.update({kind: kinds.count(kind) for kind in pile})
    for hand in document["hands"]:
        if hand["bag_has"]:
            hand["bag_has"] = has


def swap_cards(document: Any, hands: list[Any], rng: RandomSource) -> None:
    piles = [pile for hand in hands for pile in (hand["cards"], hand["card_offer"])] + [document["box"]["deck"]]
    for alike in ALIKE:
        pool = [card for pile in piles for card in pile if card in alike]
        rng.shuffle(pool)
        for pile in piles:
            pile[:] = [pool.pop() if card in alike else card for card in pile]


# A card is exchanged only for one that is used in the same way: at once, step by step, or not by playing it. To play
# another sort of card would be another action, and no secret.
ALIKE = (
    {"secret_wedding", "dowry", "tribute", "whitehall"},
    {"inheritance", "brilliant_move", "vicars_favour"},
    {"intrigue", "blackmail", "liaison"},
)


def deal(pool: list[str], sizes: list[int]) -> list[list[str]]:
    left = iter(pool)
    return [[next(left) for _ in range(size)] for size in sizes]


SECRETS = SecretSwap(swapped, REVEALING)
