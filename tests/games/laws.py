"""The laws every registered game must keep, whatever its rules; DESIGN.md numbers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from random import Random
from typing import Any

import msgspec
import pytest

from palatine_protocol import digest, patch
from palatine_protocol.offers import Offer, count, listed
from palatine_server.games.kit import (
    Action,
    Entry,
    Game,
    Recorder,
    Refused,
    Seat,
    apply_entries,
    explain_topic,
    plain,
    questions,
    view_entry,
    why_refused,
)

MOST_ACTIONS = 20_000
LIVELY = ("random", "greedy")  # bots who also do what bots at random hardly ever come to


def seed_of(number: int) -> str:
    return f"{number:064x}"


def begun(game: Game, players: int, seed: int) -> Recorder:
    return Recorder(game.begin(players, seed_of(seed)))


def random_moves(
    recorder: Recorder, rng: Random, policies: Sequence[str] = ("random",)
) -> Iterator[tuple[Seat, Action]]:
    """Random legal moves until the game is over; law 4: it ends, and somebody who is waited for can always act."""
    for _ in range(MOST_ACTIONS):
        if recorder.play.is_over:
            return
        waiting = recorder.play.waiting_for()
        assert waiting, f"nobody is waited for: {recorder.play.document.agenda}"
        seat = rng.choice(waiting)
        policy = policies[0] if len(policies) == 1 else rng.choice(policies)
        yield seat, recorder.game.policies[policy](recorder.play, seat, rng.randrange)
    raise AssertionError("random play did not end")


def played(game: Game, players: int, seed: int, each: Callable[[Recorder, Entry], None] | None = None) -> list[Entry]:
    """A whole random game, looked at after each action."""
    recorder, log = begun(game, players, seed), []
    for seat, action in random_moves(recorder, Random(seed)):
        log.append(recorder.act(seat, action))
        if each:
            each(recorder, log[-1])
    return log


# 1. Told = seen


def told_is_seen(game: Game, players: int, seed: int) -> None:
    """Folding the frames a viewer was sent gives exactly the document that viewer may see, digest included."""
    first = begun(game, players, seed).zones
    viewers: list[Seat | None] = [*range(players), None]
    views = {viewer: _copy([first.board, None if viewer is None else first.hands[viewer]]) for viewer in viewers}

    def fold(recorder: Recorder, entry: Entry) -> None:
        for viewer, view in views.items():
            sent = view_entry(entry, viewer)
            view[0] = patch.apply(view[0], _copy(sent.board))
            view[1] = None if viewer is None else patch.apply(view[1], _copy(sent.hand))
            assert view == [plain(recorder.play.document.board), _hand(recorder, viewer)]
            assert digest.of_viewer(digest.of_board(view[0]), view[1]) == sent.digest

    assert played(game, players, seed, fold)


def _hand(recorder: Recorder, viewer: Seat | None) -> Any:
    return None if viewer is None else plain(recorder.play.document.hands[viewer])


def _copy(value: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


# 2. Rebuilt = same


def rebuilt_is_same(game: Game, players: int, seed: int) -> None:
    """A table rebuilt from its log equals the table, and playing the actions again gives the same log."""
    recorder = begun(game, players, seed)
    first, log = recorder.zones, []
    for seat, action in random_moves(recorder, Random(seed)):
        log.append(recorder.act(seat, action))
        copy = game.copy(recorder.play)
        assert [copy.offer(each) for each in range(players)] == [recorder.play.offer(each) for each in range(players)]
    assert apply_entries(first, log) == recorder.zones
    again = begun(game, players, seed)
    assert [again.act(entry.seat, game.read_action(entry.action)) for entry in log] == log


# 3. Secrets can be swapped


def secrets_can_be_swapped(game: Game, players: int, seed: int) -> int:
    """Two worlds that differ only in what a viewer may not know look the same to him until something is revealed.

    Returns how many frames were compared.
    """
    secrets = import_module(f"games.{game.name}.secrets")
    rng = Random(seed)
    viewer = rng.randrange(players)
    here = begun(game, players, seed)
    moves = random_moves(here, rng)
    for _, (seat, action) in zip(range(rng.randrange(400)), moves, strict=False):
        here.act(seat, action)
    there = Recorder(game.resume(secrets.swapped(_copy(here.zones.document()), viewer, rng)))
    here = Recorder(game.resume(_copy(here.zones.document())))
    for looking in (viewer, None):
        assert _explanations(here, looking) == _explanations(there, looking)
    return _compared(here, there, viewer, rng, secrets.REVEALING)


def _compared(here: Recorder, there: Recorder, viewer: Seat, rng: Random, revealing: set[str]) -> int:
    compared = 0
    for seat, action in random_moves(here, rng):
        _look_the_same(here, there, viewer)
        _pointed_look_the_same(here, there, viewer)
        twin = action if seat == viewer else _twin(here, there, seat, action)
        if twin is None:
            return compared
        sent, other = (view_entry(world.act(seat, done), viewer) for world, done in ((here, action), (there, twin)))
        assert here.may_undo(viewer) == there.may_undo(viewer)
        revealed = any(plain(news)["news"] in revealing for news in [*sent.news, *other.news])
        if revealed and not here.may_undo(seat):
            return compared + 1
        assert msgspec.msgpack.encode(sent) == msgspec.msgpack.encode(other)
        compared += 1
    return compared


def _look_the_same(here: Recorder, there: Recorder, viewer: Seat) -> None:
    assert here.play.offer(viewer) == there.play.offer(viewer)
    assert here.play.waiting_for() == there.play.waiting_for()
    for nonsense in _nonsense(here, viewer):
        assert _refusal(here, viewer, nonsense) == _refusal(there, viewer, nonsense)
        reasons = (why_refused(world.play, viewer, nonsense) for world in (here, there))
        assert len({msgspec.msgpack.encode(reason) for reason in reasons}) == 1


def _pointed_look_the_same(here: Recorder, there: Recorder, viewer: Seat) -> None:
    """Whatever another seat points at, the viewer is shown the same in both worlds, or nothing in both."""
    for seat in range(len(here.zones.hands)):
        if seat != viewer and _outline(here, seat) == _outline(there, seat):
            assert _pointed(here, seat, viewer) == _pointed(there, seat, viewer)


def _pointed(recorder: Recorder, seat: Seat, viewer: Seat) -> list[Any]:
    """What the viewer is shown when the seat points at this and that; None where they are shown nothing."""
    actions, audience = _some(recorder.play.offer(seat)), recorder.game.pointing_audience
    return [
        action if viewer in audience(recorder.play, seat, recorder.game.read_action(action)) else None
        for action in actions
    ]


def _outline(recorder: Recorder, seat: Seat) -> list[tuple[str, int]]:
    """How many actions of which kind a seat is offered."""
    return [(choice.do, choice.count()) for choice in recorder.play.offer(seat)]


def _explanations(recorder: Recorder, viewer: Seat | None) -> bytes:
    """Everything that can be explained to a viewer now."""
    asked = questions(recorder.play, viewer)
    return msgspec.msgpack.encode(
        [asked, [explain_topic(recorder.play, viewer, question) for question in listed(asked)]]
    )


def _twin(here: Recorder, there: Recorder, seat: Seat, action: Action) -> Action | None:
    """The action with the same number in the other world's offer, if the offers are alike."""
    mine, other = here.play.offer(seat), there.play.offer(seat)
    if _outline(here, seat) != _outline(there, seat):
        return None
    number = list(map(plain, listed(mine))).index(plain(action))
    return here.game.read_action(plain(list(listed(other))[number]))


# 6. Refused = unchanged


def refused_is_unchanged(game: Game, players: int, seed: int) -> int:
    """An action that is not offered is refused with a code and a sentence, and the document stays the same bytes.

    Returns how many were tried.
    """
    tried = 0

    def try_nonsense(recorder: Recorder, entry: Entry) -> None:
        nonlocal tried
        if len(entry.news) % 3:  # now and then is enough
            return
        before = game.pack(recorder.play)
        for seat in range(players):
            for nonsense in _nonsense(recorder, seat):
                code, sentence, rule = _refusal(recorder, seat, nonsense)
                assert _why(recorder, seat, nonsense) == (code, sentence, rule)
                assert code == code.lower()
                assert sentence.endswith(".")
                assert rule == "" or rule.startswith(RULE_PREFIX[game.name])
                tried += 1
        assert game.pack(recorder.play) == before

    played(game, players, seed, try_nonsense)
    return tried


RULE_PREFIX = {"between_two_castles": "B2C-", "palais_royal": "PR-", "noblemen": "NM-"}


def _nonsense(recorder: Recorder, seat: Seat) -> list[Action]:
    """Actions close to what is offered to anybody, but not offered to this seat."""
    offered = [plain(action) for action in _some(recorder.play.offer(seat))]
    all_offers = (_some(recorder.play.offer(other)) for other in range(len(recorder.zones.hands)))
    candidates = [plain(action) for actions in all_offers for action in actions]
    candidates += [_bent(action) for action in candidates]
    fresh = [action for action in candidates if action not in offered]
    typed = [recorder.game.read_action(action) for action in fresh]
    return [action for action in typed if not _is_offered(recorder.play.offer(seat), action)]


def _some(offer: Offer) -> list[dict[str, Any]]:
    return [choice.nth(number) for choice in offer for number in {0, choice.count() // 2} if choice.count()]


def _is_offered(offer: Offer, action: Action) -> bool:
    return any(choice.permits(_typed(action)) for choice in offer)


def _typed(action: Action) -> dict[str, Any]:
    verb = plain(action)["do"]
    return {"do": verb, **{name: getattr(action, name) for name in action.__struct_fields__}}


def _bent(action: dict[str, Any]) -> dict[str, Any]:
    return {name: value if name == "do" else _bend(value) for name, value in action.items()}


def _bend(value: Any) -> Any:
    if isinstance(value, list):
        return [_bend(item) for item in value]
    return f"{value}x" if isinstance(value, str) else value + 17 if type(value) is int else value


def _refusal(recorder: Recorder, seat: Seat, action: Action) -> tuple[str, str, str]:
    with pytest.raises(Refused) as refused:
        recorder.act(seat, action)
    return refused.value.code, refused.value.sentence, refused.value.rule


def _why(recorder: Recorder, seat: Seat, action: Action) -> tuple[Any, Any, str]:
    """The same, as it is explained."""
    reason = why_refused(recorder.play, seat, action)
    assert reason
    return reason.figures["code"], reason.figures["sentence"], reason.rule


# 7. Undo


def undo_returns_exactly(game: Game, players: int, seed: int) -> int:
    """Undo gives back the earlier document; returns how often it was possible."""
    recorder, undone, rng = begun(game, players, seed), 0, Random(seed)
    for seat, action in random_moves(recorder, Random(seed)):
        before, offers = recorder.zones, [recorder.play.offer(each) for each in range(players)]
        entry = recorder.act(seat, action)
        if recorder.may_undo(seat) and rng.random() < 0.5:
            after = recorder.zones
            back = recorder.undo(seat)
            assert recorder.zones == before
            assert apply_entries(before, [entry, back]) == before
            assert [recorder.play.offer(each) for each in range(players)] == offers
            recorder.act(seat, action)
            assert recorder.zones == after
            undone += 1
    return undone


# 5. Pieces are conserved


def pieces_are_conserved(game: Game, players: int, seed: int) -> int:
    """The sums RULES.md lists hold after every action."""
    log = played(game, players, seed, lambda recorder, _: game.check(recorder.play))
    return len(log)


def widest_offer(game: Game, players: int, seed: int) -> int:
    """The largest offer of a random game in msgpack bytes."""
    widest = 0

    def measure(recorder: Recorder, _: Entry) -> None:
        nonlocal widest
        widest = max(widest, *(len(msgspec.msgpack.encode(recorder.play.offer(seat))) for seat in range(players)))
        assert all(count(recorder.play.offer(seat)) for seat in recorder.play.waiting_for())

    played(game, players, seed, measure)
    return widest


def overdue_is_legal(game: Game, players: int, seed: int) -> int:
    """For everybody who is waited for, the rules know what happens when his time is up, and it is on offer."""
    asked = 0

    def try_all(recorder: Recorder, _: Entry) -> None:
        nonlocal asked
        for late in recorder.play.waiting_for():
            seat, action = game.overdue(recorder.play, {late})
            assert seat == late
            assert _is_offered(recorder.play.offer(seat), action)
            asked += 1

    played(game, players, seed, try_all)
    return asked


def the_clock_alone_ends_the_game(game: Game, players: int, seed: int) -> int:
    """If nobody ever decides anything, the rules' own choices bring the game to its end."""
    recorder = begun(game, players, seed)
    for moves in range(MOST_ACTIONS):
        if recorder.play.is_over:
            return moves
        recorder.act(*game.overdue(recorder.play, set(recorder.play.waiting_for())))
    raise AssertionError("the clock alone did not end the game")
