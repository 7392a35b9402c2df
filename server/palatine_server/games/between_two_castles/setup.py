"""Components and setup."""

from __future__ import annotations

from ..kit import Chance, Document, Seat, refuse_option, step
from . import rounds
from .board import Board, Box, Castle, Hand, Options
from .catalog import ATTENDANTS, CARDS, ROOMS, SPECIALS, THRONES, TOKENS


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    """Give each castle a throne and a token, and put the piles face down; then plan two rounds and the scoring."""
    circle = seating(players, options, chance)
    seniority = seniority_of(players, options)
    box = Box(supply=shuffled(list(ROOMS), chance, "rooms"), deck=shuffled(list(CARDS), chance, "bonus cards"))
    board = Board(
        options=options,
        circle=circle,
        seniority=seniority,
        castles=castles_between(circle, seniority, chance),
        supply=len(box.supply),
        deck=len(box.deck),
        stock=stock(options),
    )
    hands = [Hand() for _ in range(players)]
    agenda = [step(rounds.begin_round, round=1), step(rounds.begin_round, round=2), step(rounds.score)]
    return Document(board, hands, box, chance, agenda)


def shuffled(pile: list[str], chance: Chance, label: str) -> list[str]:
    chance.shuffle(pile, label)
    return pile


# Seating is arbitrary; it may be drawn anew (B2C-SETUP-6). Two players seat Ludwig as the third (B2C-SETUP-7).
def seating(players: int, options: Options, chance: Chance) -> list[Seat]:
    circle = list(range(max(players, 3)))
    if options.reseat == "random":
        chance.shuffle(circle, "seats")
    return circle


# Seniority is a strict order: as named, or by age, equal and missing ages in the order of joining.
def seniority_of(players: int, options: Options) -> list[Seat]:
    if options.seniority:
        return checked(options.seniority, players)
    if len(options.ages) > players:
        raise refuse_option("ages", "There are more ages than seats.", "B2C-TERM-13")
    ages = [age or 0 for age in options.ages] + [0] * (players - len(options.ages))
    return sorted(range(players), key=lambda seat: -ages[seat])


def checked(seniority: list[Seat], players: int) -> list[Seat]:
    if sorted(seniority) != list(range(players)):
        raise refuse_option("seniority", "The seniority must name every seat once.", "B2C-TERM-13")
    return seniority


# A random throne and a token for each castle; the others leave the game (B2C-SETUP-1, B2C-SETUP-2).
def castles_between(circle: list[Seat], seniority: list[Seat], chance: Chance) -> list[Castle]:
    thrones = shuffled(list(THRONES), chance, "thrones")
    tokens = shuffled(list(TOKENS), chance, "castle tokens")
    pairs = [[seat, circle[(place + 1) % len(circle)]] for place, seat in enumerate(circle)]
    return [
        Castle(throne=throne, token=token, partners=pair, marker=oldest(pair, seniority))
        for throne, token, pair in zip(thrones, tokens, pairs, strict=False)
    ]


# The tie-break marker starts with the older partner (B2C-JOINT-7); Ludwig never needs seniority (B2C-LUDWIG-10).
def oldest(partners: list[Seat], seniority: list[Seat]) -> Seat:
    return min((seat for seat in partners if seat in seniority), key=seniority.index)


# Special rooms and attendants lie open in the middle (B2C-SETUP-5), as many as printed or without limit (B2C-SUPPLY-6).
def stock(options: Options) -> dict[str, int] | None:
    specials = SPECIALS.values() if options.finite_supply else ()
    attendants = ATTENDANTS.values() if options.finite_attendants else ()
    return {piece.id: piece.count for piece in (*specials, *attendants)} or None
