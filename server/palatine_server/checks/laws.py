"""The laws that every game keeps, whatever its rules.

(1) told = seen, (2) rebuilt = same, (3) secrets can be swapped (`secret_worlds`), (4) random play ends and no seat that
must act is without an offer (`random_games`), (5) pieces are conserved, (6) refused = unchanged, (7) undo returns to
the same document. Each function plays a game from a seed and raises LawBroken, or returns how much it compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from palatine_protocol import digest, patch
from palatine_protocol.offers import Offer, count
from palatine_server.games.kit import (
    HIDDEN,
    Action,
    Entry,
    Game,
    Play,
    Reason,
    Recorder,
    Refused,
    Seat,
    apply_entries,
    encode_view,
    plain,
    read_view,
    view_entry,
    why_refused,
)

from .random_games import MOST_ACTIONS, LawBroken, begun, create_rng, played, random_moves, require
from .rule_ids import list_rule_ids

# 1. Told = seen


def told_is_seen(game: Game, players: int, seed: int) -> int:
    """Applying the patches that a viewer gets gives exactly the document that this viewer may see, and its digest."""
    first = begun(game, players, seed).zones
    viewers: list[Seat | None] = [*range(players), None]
    views = {viewer: copy_plain([first.board, None if viewer is None else first.hands[viewer]]) for viewer in viewers}

    def apply(recorder: Recorder, entry: Entry) -> None:
        for viewer, view in views.items():
            sent = view_entry(entry, viewer)
            view[0] = patch.apply(view[0], copy_plain(sent.board))
            view[1] = None if viewer is None else patch.apply(view[1], copy_plain(sent.hand))
            what = f"{name_viewer(viewer)} after {entry.action}"
            seen = [plain(recorder.play.document.board), _hand(recorder, viewer)]
            require(view == seen, f"law 1: the patches do not give what is seen by {what}")
            require(
                digest.of_viewer(digest.of_board(view[0]), view[1]) == sent.digest,
                f"law 1: the digest is wrong for {what}",
            )

    return len(played(game, players, seed, apply))


def _hand(recorder: Recorder, viewer: Seat | None) -> Any:
    return None if viewer is None else plain(recorder.play.document.hands[viewer])


def name_viewer(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def copy_plain(value: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


# 2. Rebuilt = same


def rebuilt_is_same(game: Game, players: int, seed: int) -> int:
    """A table rebuilt from its log equals the table, and playing the actions again gives the same log."""
    recorder = begun(game, players, seed)
    first, log = recorder.zones, list[Entry]()
    for seat, action in random_moves(recorder, create_rng(seed)):
        log.append(recorder.act(seat, action))
        copy = game.copy(recorder.play)
        same = [copy.offer(each) for each in range(players)] == [recorder.play.offer(each) for each in range(players)]
        require(
            same,
            f"law 2: after {log[-1].action}, a copy of the game makes other offers; keep all state in the document",
        )
    require(apply_entries(first, log) == recorder.zones, "law 2: the log does not give the document of the table")
    _play_again(game, players, seed, log)
    return len(log)


def _play_again(game: Game, players: int, seed: int, log: list[Entry]) -> None:
    again = begun(game, players, seed)
    for number, entry in enumerate(log, 1):
        same = again.act(entry.seat, game.read_action(entry.action)) == entry
        remedy = "draw all chance from the document, and depend on no order of sets"
        require(same, f"law 2: the same actions lead elsewhere at action {number}, {entry.action}; {remedy}")


# 5. Pieces are conserved


def pieces_are_conserved(game: Game, players: int, seed: int) -> int:
    """The totals that `check` of the game verifies are right after every action."""

    def check(recorder: Recorder, entry: Entry) -> None:
        try:
            game.check(recorder.play)
        except AssertionError as error:
            raise LawBroken(f"law 5: check fails after {entry.action}: {str(error) or 'no message'}") from error

    return len(played(game, players, seed, check))


# 6. Refused = unchanged


def refused_is_unchanged(game: Game, players: int, seed: int) -> int:
    """An action that is not offered is refused with a code, a sentence and a rule, and changes nothing."""
    tried, rules = 0, list_rule_ids(game)

    def try_others(recorder: Recorder, entry: Entry) -> None:
        nonlocal tried
        if len(entry.news) % 3:  # now and then is enough
            return
        before = game.pack(recorder.play)
        for seat in range(players):
            for action in list_wrong_actions(recorder, seat):
                _judge_refusal(recorder, seat, action, rules)
                tried += 1
        require(
            game.pack(recorder.play) == before,
            "law 6: a refused action changed the document; change nothing in why_not",
        )

    played(game, players, seed, try_others)
    return tried


def _judge_refusal(recorder: Recorder, seat: Seat, action: Action, rules: set[str]) -> None:
    code, sentence, rule = find_refusal(recorder, seat, action)
    what = f"law 6: the refusal of {plain(action)} ({code})"
    reason = explain_refusal(recorder.play, seat, action)
    explained = (reason.figures["code"], reason.figures["sentence"], reason.rule) if reason else None
    require(
        explained == (code, sentence, rule),
        f"{what} depends on what the seat cannot see; it is explained by {explained}",
    )
    require(code == code.lower() and code.isidentifier(), f"{what} needs a code of lower-case letters and underscores")
    require(sentence.endswith("."), f"{what} says {sentence!r}; end the sentence with a full stop")
    require(rule == "" or rule in rules, f"{what} names the rule {rule!r}, which RULES.md does not have")


def list_wrong_actions(recorder: Recorder, seat: Seat) -> list[Action]:
    """Return actions close to what is offered to any seat, but not offered to this one."""
    all_offers = (pick_some(recorder.play.offer(other)) for other in range(len(recorder.zones.hands)))
    candidates = [plain(action) for actions in all_offers for action in actions]
    candidates += [_bend_action(action) for action in candidates]
    typed = [action for each in candidates if (action := _read(recorder.game, each))]
    return [action for action in typed if not is_offered(recorder.play.offer(seat), action)]


def _read(game: Game, action: Any) -> Action | None:
    """Return an action; None if its type does not allow the value."""
    try:
        return game.read_action(action)
    except Refused:
        return None


def pick_some(offer: Offer) -> list[dict[str, Any]]:
    """Return the first action and one in the middle of each choice."""
    return [choice.nth(number) for choice in offer for number in {0, choice.count() // 2} if choice.count()]


def is_offered(offer: Offer, action: Action) -> bool:
    fields = {name: getattr(action, name) for name in action.__struct_fields__}
    return any(choice.permits({"do": plain(action)["do"], **fields}) for choice in offer)


def _bend_action(action: dict[str, Any]) -> dict[str, Any]:
    return {name: value if name == "do" else _bend(value) for name, value in action.items()}


def _bend(value: Any) -> Any:
    if isinstance(value, list):
        return [_bend(item) for item in value]
    return f"{value}x" if isinstance(value, str) else value + 17 if type(value) is int else value


def explain_refusal(play: Play[Any, Any, Any], seat: Seat, action: Action) -> Reason | None:
    """Return the reason for a refusal, as the server finds it from the view of a seat; None if it is none."""
    try:
        return why_refused(play, seat, action)
    except (AttributeError, TypeError) as error:  # other hands and the box are None in this view
        remedy = "before a rule asks, and in why_not, read only the board and the hand of the seat"
        what = f"law 3: {plain(action)} cannot be judged from the view of seat {seat}"
        raise LawBroken(f"{what} ({error}); {remedy}") from error


def find_refusal(recorder: Recorder, seat: Seat, action: Action) -> tuple[str, str, str]:
    """Return the code, the sentence and the rule with which an action is refused."""
    try:
        recorder.act(seat, action)
    except Refused as refused:
        return refused.code, refused.sentence, refused.rule
    raise LawBroken(f"law 6: {plain(action)} of seat {seat} is not offered, but carried out")


# 7. Undo


def undo_returns_exactly(game: Game, players: int, seed: int) -> int:
    """Undo gives back the earlier document; returns how often it was possible."""
    recorder, undone, rng = begun(game, players, seed), 0, create_rng(seed)
    for seat, action in random_moves(recorder, create_rng(seed)):
        before, offers = recorder.zones, [recorder.play.offer(each) for each in range(players)]
        entry = recorder.act(seat, action)
        if recorder.may_undo(seat) and rng.random() < 0.5:
            after, back, what = recorder.zones, recorder.undo(seat), f"law 7: undo of {plain(action)}"
            require(recorder.zones == before, f"{what} does not return to the earlier document")
            require(apply_entries(before, [entry, back]) == before, f"{what} has a wrong patch")
            same = [recorder.play.offer(each) for each in range(players)] == offers
            require(same, f"{what} leads to other offers than before")
            recorder.act(seat, action)
            require(recorder.zones == after, f"{what}: doing it again leads elsewhere")
            undone += 1
    return undone


# When time is up


def overdue_is_legal(game: Game, players: int, seed: int) -> int:
    """For every seat that the table waits for, the rules choose an action that is on offer when its time is up."""
    asked = 0

    def try_all(recorder: Recorder, _: Entry) -> None:
        nonlocal asked
        for late in recorder.play.waiting_for():
            seat, action = game.overdue(recorder.play, {late})
            require(seat == late, f"overdue answers for seat {seat}, but seat {late} is late")
            legal = is_offered(recorder.play.offer(seat), action)
            what = f"overdue chooses {plain(action)}, which is not offered to seat {seat}"
            require(legal, f"{what}. {name_offered(recorder.play, seat)}")
            asked += 1

    played(game, players, seed, try_all)
    return asked


def name_offered(play: Play[Any, Any, Any], seat: Seat) -> str:
    """Return a sentence with the kinds of actions that a seat is offered, for the author of a choice that is not."""
    verbs = dict.fromkeys(choice.do for choice in play.offer(seat))
    return f"Offered is: {', '.join(verbs) or 'nothing'}."


def the_clock_alone_ends_the_game(game: Game, players: int, seed: int) -> int:
    """If no player ever decides, the rules' own choices bring the game to its end."""
    recorder = begun(game, players, seed)
    for moves in range(MOST_ACTIONS):
        if recorder.play.is_over:
            return moves
        late = set(recorder.play.waiting_for())
        require(bool(late), "law 4: the game is not over, but waits for no seat")
        seat, action = game.overdue(recorder.play, late)
        if refused := recorder.play.refusal(seat, action):
            offered = name_offered(recorder.play, seat)
            raise LawBroken(f"overdue chooses {plain(action)} for seat {seat}, which is refused: {refused} {offered}")
        recorder.act(seat, action)
    raise LawBroken(f"if all players are late, the game is not over after {MOST_ACTIONS:,} actions; change overdue")


# Offers


def measure_widest_offer(game: Game, players: int, seed: int) -> int:
    """Return the size of the largest offer of a random game in bytes of msgpack."""
    widest = 0

    def measure(recorder: Recorder, _: Entry) -> None:
        nonlocal widest
        widest = max(widest, *(len(msgspec.msgpack.encode(recorder.play.offer(seat))) for seat in range(players)))
        for seat in recorder.play.waiting_for():
            require(
                bool(count(recorder.play.offer(seat))), f"the game waits for seat {seat}, which has nothing to choose"
            )

    played(game, players, seed, measure)
    return widest


def offers_are_readable(game: Game, players: int, seed: int) -> int:
    """Every action that an offer contains can be read as an action of the game, and is accepted."""
    read = 0

    def read_some(recorder: Recorder, _: Entry) -> None:
        nonlocal read
        for seat in recorder.play.waiting_for():
            for action in pick_some(recorder.play.offer(seat)):
                refused = recorder.play.refusal(seat, game.read_action(plain(action)))
                require(refused is None, f"{plain(action)} is offered to seat {seat}, but refused: {refused}")
                read += 1

    played(game, players, seed, read_some)
    return read


def offers_read_no_secrets(game: Game, players: int, seed: int) -> int:
    """Before it asks, a rule reads the board and the hand of the seat that it asks, and nothing else.

    Otherwise the offer could tell a secret, and the server, which explains refusals from the seat's view, could not.
    """
    recorder, asked = begun(game, players, seed), 0
    for seat, action in random_moves(recorder, create_rng(seed)):
        asked += _look_at_pending(recorder.play)
        recorder.act(seat, action)
    return asked


def _look_at_pending(play: Play[Any, Any, Any]) -> int:
    """Require that all rules that ask now read no secrets; return how many there are."""
    asked = 0
    for seat in play.seats:
        play.offer(seat)
    for seat, rules in play.list_pending().items():
        for rule in rules:
            others = sorted(rule.about - {seat})
            zones = ", ".join("the box or chance" if zone == HIDDEN else f"the hand of seat {zone}" for zone in others)
            what = f"law 3: the rule {rule.step.rule!r} reads {zones} before it asks seat {seat}"
            require(not others, f"{what}; put what it needs on the board or into the hand of the seat")
            asked += 1
    return asked


def asking_changes_nothing(game: Game, players: int, seed: int) -> int:
    """Before it asks, a rule changes nothing: the kit starts it again whenever it needs the offer, or not at all."""
    asked = 0

    def ask_all(recorder: Recorder, entry: Entry) -> None:
        nonlocal asked
        play, before = game.copy(recorder.play), game.pack(recorder.play)
        for seat in range(players):
            play.offer(seat)
            rules = ", ".join(repr(rule.step.rule) for rule in play.list_pending().get(seat, ()))
            remedy = "change the document after the yield, or in an automatic step before"
            same = game.pack(play) == before
            require(same, f"after {entry.action}, {rules} changes the document before it asks seat {seat}; {remedy}")
            asked += 1

    played(game, players, seed, ask_all)
    return asked


def offers_stand(game: Game, players: int, seed: int) -> int:
    """An offer that the kit does not ask for again is the one that the rule would make again (`offers_read`)."""
    recorder, compared = begun(game, players, seed), 0
    asked_again = game.copy(recorder.play)
    for seat, action in random_moves(recorder, create_rng(seed), list_policies(game)):
        recorder.act(seat, action)
        asked_again.act(seat, action)
        remedy = "name all parts of the board that a rule reads in offers_read"
        same = show_decisions(recorder.play) == show_decisions(asked_again)
        require(same, f"after {plain(action)}, an offer is out of date; {remedy}")
        compared += 1
    return compared


def show_decisions(play: Play[Any, Any, Any]) -> object:
    """Return everything that the table learns from the rules that ask."""
    return [plain(play.offer(seat)) for seat in play.seats], play.waiting_for(), play.lapsing()


def list_policies(game: Game) -> list[str]:
    """Return the quick policies of a game: bots at random hardly ever come to some situations."""
    return [name for name in ("random", "greedy") if name in game.policies]


# The end


def standings_are_complete(game: Game, players: int, seed: int) -> int:
    """At the end every seat has one place, and the ranks follow from 1 on."""
    recorder = begun(game, players, seed)
    for seat, action in random_moves(recorder, create_rng(seed)):
        recorder.act(seat, action)
    rows = game.standings(recorder.play)
    seats = sorted(row.seat for row in rows)
    require(
        seats == list(range(len(rows))) and len(rows) >= players,
        f"standings has the seats {seats} of {players} players",
    )
    ranks = sorted(row.rank for row in rows)
    require(ranks[:1] == [1], f"standings has the ranks {ranks}; the first place is 1")
    return len(rows)


SEARCHING = {"expert"}  # policies that may take a second for a decision
SELDOM = 24  # they are asked at one of so many moves of a quick game


def policies_play(game: Game, players: int, seed: int) -> int:
    """Every policy plays a whole game with actions that are on offer; a policy that searches is asked now and then."""
    decisions = 0
    for policy in game.policies:
        for play, seat, action in _decisions_of(game, players, seed, policy):
            _require_offered(play, seat, action, policy)
            decisions += 1
    return decisions


def _require_offered(play: Play[Any, Any, Any], seat: Seat, action: Any, policy: str) -> None:
    what = f"the policy {policy!r}"
    require(isinstance(action, play.game.actions), f"{what} returns {type(action).__name__}, no action")
    refused, offered = play.refusal(seat, action), name_offered(play, seat)
    require(not refused, f"{what} chooses {plain(action)} for seat {seat}, which is refused: {refused} {offered}")


def _decisions_of(
    game: Game, players: int, seed: int, policy: str
) -> Iterator[tuple[Play[Any, Any, Any], Seat, Action]]:
    recorder, rng = begun(game, players, seed), create_rng(seed)
    is_searching = policy in SEARCHING
    players_of_game = list_policies(game) if is_searching else [policy]
    for number, (seat, action) in enumerate(random_moves(recorder, rng, players_of_game)):
        if not is_searching or number % SELDOM == 0:
            yield recorder.play, seat, _decide_from_view(recorder.play, seat, policy, rng)
        recorder.act(seat, action)


def _decide_from_view(play: Play[Any, Any, Any], seat: Seat, policy: str, rng: Random) -> Action:
    """Return the decision of a policy that gets what its seat sees, as at a table of a server."""
    view = read_view(play.game, seat, len(play.seats), encode_view(play, seat))
    try:
        return play.game.policies[policy](view, seat, rng.randrange)
    except (AttributeError, TypeError) as error:  # other hands, the box and chance are None in this view
        remedy = (
            "a bot gets the board, the agenda and the hand of its seat; the other hands, the box and chance are None"
        )
        raise LawBroken(
            f"the policy {policy!r} cannot decide from the view of seat {seat} ({error}); {remedy}"
        ) from error
