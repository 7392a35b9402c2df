"""14. Masked ball."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit import AGAIN, Asking, Choice, Reason, Seat, choice, step, sum_of
from .actions import ChooseTitle, Done, Drop, Spend, SpendCard
from .board import Noblemen, Splendour
from .catalog import CARDS, REWARD, TITLES
from .drafts import begin, close, draft_of, finishing
from .levies import yields
from .news import BallBegan, BallEnded, PrestigeCounted, TitleTaken
from .screen import put_under_deck, spend_bribes
from .seats import clockwise_from, estate_of, score
from .track import move_marker

TERMS = REWARD.prestige
BLACKMAIL = "blackmail"


# NM-BALL-1 Six steps. NM-BALL-3, NM-BALL-4 Prestige one after the other, from the queen holder on, clockwise.
def masked_ball(game: Noblemen) -> None:
    game.board.phase = "ball"
    game.tell(BallBegan(game.board.queen))
    game.plan(
        step(return_titles),
        *(step(spend_prestige, seat) for seat in clockwise_from(game, game.board.queen)),
        step(award_titles),
        step(score_titles),
        step(return_counters),
        step(end_ball),
    )


# 1. NM-BALL-2, NM-BALL-18 Every title lasts until the next ball, where it returns to the stock.
def return_titles(game: Noblemen) -> None:
    for nobleman in game.board.noblemen:
        game.board.titles[nobleman.title] += 1
        nobleman.title = ""


# 2. NM-BALL-8 Each player is asked what they spend, even a player who has nothing to spend.
def spend_prestige(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Splendour)
    spent = bool(draft.bribes or draft.cards)
    answer = yield [*spendings(game, seat, draft), *finishing("spend_prestige", enough=True, begun=spent)]
    match answer:
        case Spend():
            begin(game, seat, Splendour(draft.bribes + 1, draft.cards))
        case SpendCard(card=card):
            begin(game, seat, Splendour(draft.bribes, [*draft.cards, card]))
        case Drop():
            close(game, seat)
        case Done():
            appear(game, seat, draft)
            return None
    return AGAIN


# NM-BALL-6, NM-BRIBE-6 Own markers. NM-BALL-7, NM-CARD-11 Any cards, NM-CARD-9 any number of blackmails among them.
def spendings(game: Noblemen, seat: Seat, draft: Splendour) -> Iterator[Choice]:
    hand = game.hands[seat]
    if draft.bribes < hand.bribes:
        yield choice(Spend)
    if left := [card for card in CARDS if hand.cards.count(card) > draft.cards.count(card)]:
        yield choice(SpendCard, card=left)


# NM-BALL-7 Spent cards go under the deck, in the order in which they were named, without their own effect.
def appear(game: Noblemen, seat: Seat, draft: Splendour) -> None:
    if draft.bribes or draft.cards:
        close(game, seat)
    spend_bribes(game, seat, draft.bribes)
    for card in draft.cards:
        put_under_deck(game, seat, card)
    place_counter(game, seat, draft)


# NM-BALL-8 Public: base, markers, blackmails, number of other cards, and the field.
def place_counter(game: Noblemen, seat: Seat, draft: Splendour) -> None:
    base, blackmails = base_prestige(game, seat), draft.cards.count(BLACKMAIL)
    total = base + draft.bribes * TERMS.bribe + sum(card_prestige(card) for card in draft.cards)
    field = settled(total, [nobleman.prestige for nobleman in game.board.noblemen])
    game.board.noblemen[seat].prestige = field
    others = len(draft.cards) - blackmails
    game.tell(PrestigeCounted(seat, base, draft.bribes, blackmails, others, total, field))


# NM-BALL-5 Fountains, free gardens, own knights on gardens, palaces.
def splendours(game: Noblemen, seat: Seat) -> list[Reason]:
    """Return the reasons for the prestige that a player has before they spend anything."""
    palaces = len(estate_of(game, seat).sites_of("palace"))
    return [*yields(game, seat, TERMS), Reason("palaces", "NM-BALL-5", TERMS.palace * palaces, {"count": palaces})]


def base_prestige(game: Noblemen, seat: Seat) -> int:
    return sum_of(splendours(game, seat))


# NM-BALL-7 A blackmail is worth 3, every other card 1.
def card_prestige(card: str) -> int:
    return CARDS[card].effect.prestige or TERMS.card


# NM-BALL-9 A taken field pushes the counter down to the next free one. NM-BALL-10 Field 0 is never taken.
# NM-BALL-11 The track has no upper end.
def settled(total: int, placed: list[int]) -> int:
    """Return the field on which a counter comes to stand."""
    return next(field for field in range(total, -1, -1) if field == 0 or field not in placed)


# 3. NM-BALL-12 Titles are taken from the highest counter down; those on 0 can only be barons, in any order.
def award_titles(game: Noblemen) -> None:
    counters = {seat: nobleman.prestige for seat, nobleman in enumerate(game.board.noblemen)}
    game.plan(*(step(award_title, to=seat) for seat in sorted(counters, key=lambda seat: -counters[seat])))


# NM-BALL-19 The highest title allowed; with option free a player with more than one possible title is asked.
def award_title(game: Noblemen, to: Seat) -> None:
    titles = possible_titles(game, to)
    if game.board.options.title_choice == "free" and len(titles) > 1:
        game.board.phase = "title"
        game.plan(step(choose_title, to))
    else:
        grant(game, to, titles[0])


# NM-BALL-13, NM-BALL-14 Enough prestige by the field of the counter, and in stock; highest first.
def possible_titles(game: Noblemen, seat: Seat) -> list[str]:
    prestige = game.board.noblemen[seat].prestige
    return [title.id for title in TITLES.values() if title.prestige <= prestige and game.board.titles[title.id] > 0]


def choose_title(game: Noblemen, seat: Seat) -> Asking:
    answer = yield [choice(ChooseTitle, title=possible_titles(game, seat))]
    grant(game, seat, answer.title)
    return None


# NM-BALL-13 Each player takes exactly one.
def grant(game: Noblemen, seat: Seat, title: str) -> None:
    game.board.titles[title] -= 1
    game.board.noblemen[seat].title = title
    game.tell(TitleTaken(seat, title))


# 4. NM-BALL-15 The titles give points.
def score_titles(game: Noblemen) -> None:
    for seat, nobleman in enumerate(game.board.noblemen):
        score(game, seat, TITLES[nobleman.title].vp, "NM-BALL-15")


# 5. NM-BALL-16 All counters go back to 0.
def return_counters(game: Noblemen) -> None:
    for nobleman in game.board.noblemen:
        nobleman.prestige = 0


# 6. NM-BALL-17, NM-AMB-30 The marker moves on, without a point and without effect.
def end_ball(game: Noblemen) -> None:
    game.tell(BallEnded())
    move_marker(game)
