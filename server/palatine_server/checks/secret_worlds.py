"""Law 3, secrets can be swapped: two worlds that differ only in what a viewer may not know look the same to the viewer.

A game says how to exchange its secrets (`Game.secrets`). Then both worlds play on with the same moves until news reveal
something, and the viewer is sent the same bytes. For a game that says nothing, the check exchanges the order of piles
that nobody sees, equal kinds of pieces between hands and piles, and the seed. What would lawfully be revealed later is
not known then, so only the present is compared: offers, refusals, explanations, and which seats the table waits for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any, get_args

import msgspec
from msgspec import inspect

from palatine_protocol.offers import listed
from palatine_server.games.kit import (
    Action,
    EntryView,
    Game,
    Recorder,
    Seat,
    SecretSwap,
    Zones,
    explain_topic,
    plain,
    questions,
    view_entry,
)

from .laws import copy_plain, explain_refusal, find_refusal, list_wrong_actions, pick_some
from .random_games import LawBroken, begun, create_rng, find_moment, list_values, random_moves, require

MOST_BEFORE = 400  # actions before the secrets are swapped
TRIALS = 5  # how often another deal is tried, if the game finds that pieces are missing


def secrets_can_be_swapped(game: Game, players: int, seed: int) -> int:
    """Swap the secrets at some moment of a random game; return how many views and messages were compared."""
    rng = create_rng(seed)
    viewer = rng.randrange(players)
    document = copy_plain(find_moment(begun(game, players, seed), rng, MOST_BEFORE).document())
    if game.secrets is None:
        return compare_presents(game, document, viewer, rng)
    other = swap_secrets(game, game.secrets, document, viewer, rng)
    here, there = Recorder(game.resume(document)), Recorder(game.resume(other))
    require_same_explanations(here, there, viewer)
    return compare_worlds(here, there, viewer, rng, game.secrets.list_revealing(document))


def swap_secrets(game: Game, secrets: SecretSwap, document: Any, viewer: Seat, rng: Random) -> Any:
    """Return another possible document that looks the same to the viewer; require that the game's swap gives one."""
    other = secrets.swap(copy_plain(document), viewer, rng)
    require(isinstance(other, dict), f"secrets.swap returns {type(other).__name__}; return the document")
    other = copy_plain(other)
    for zone, mine, its in _list_sight(document, other, viewer):
        require(mine == its, f"secrets.swap changes {zone}, which seat {viewer} sees; exchange only what it cannot see")
    try:
        game.check(game.resume(copy_plain(other)))
    except AssertionError as error:
        trouble = str(error) or "its check fails"
        raise LawBroken(f"secrets.swap makes an impossible document: {trouble}; keep all pieces") from None
    return other


def _list_sight(document: Any, other: Any, viewer: Seat) -> Iterator[tuple[str, Any, Any]]:
    """Yield the zones that a viewer sees, in both documents, each with its name."""
    yield "the board", document["board"], other["board"]
    yield f"the hand of seat {viewer}", document["hands"][viewer], other["hands"][viewer]


def is_anything_swapped(game: Game) -> bool:
    """Return whether `secrets.swap` exchanges anything at some of the first moments of random games."""
    return any(other != document for _, document, other in _swap_at_moments(game))


def list_unswapped_piles(game: Game) -> list[str]:
    """Return the lists of pieces in other hands and in the box that `secrets.swap` never exchanges, by their names."""
    pieces, found, swapped = {*_list_ids(game.catalog)}, dict[str, set[str]](), set[str]()
    for viewer, document, other in _swap_at_moments(game):
        for (name, mine), (_, its) in zip(_list_fields(document, viewer), _list_fields(other, viewer), strict=True):
            if isinstance(mine, list) and not pieces.isdisjoint(_list_texts(mine)):
                found.setdefault(name, set()).add(repr(mine))
            if mine != its:
                swapped.add(name)
    return [name for name, values in found.items() if name not in swapped and len(values) > 1]  # one value is no secret


def _swap_at_moments(game: Game, moments: int = 12) -> Iterator[tuple[Seat, Any, Any]]:
    """Yield a viewer, a document and the same with other secrets, at some of the first moments of random games."""
    assert game.secrets is not None
    for seed in range(moments):
        rng, players = create_rng(seed), game.players[seed % len(game.players)]
        document = copy_plain(find_moment(begun(game, players, seed), rng, MOST_BEFORE).document())
        viewer = rng.randrange(players)
        yield viewer, document, swap_secrets(game, game.secrets, document, viewer, rng)


def _list_fields(document: Any, viewer: Seat) -> Iterator[tuple[str, Any]]:
    """Yield the fields of the hands of others and of the box, with their names."""
    others = [("hands", hand) for seat, hand in enumerate(document["hands"]) if seat != viewer]
    for zone, fields in [*others, ("box", document["box"])]:
        yield from ((f"{zone}.{name}", value) for name, value in fields.items())


def compare_worlds(here: Recorder, there: Recorder, viewer: Seat, rng: Random, revealing: Collection[str]) -> int:
    """Play on in both worlds until something is revealed; return how many messages were compared."""
    compared = 0
    for seat, action in random_moves(here, rng):
        require_same_view(here, there, viewer)
        _require_same_pointers(here, there, viewer)
        twin = action if seat == viewer else _find_twin(here, there, seat, action)
        if twin is None:
            return compared
        before = here.zones
        sent, other = (view_entry(world.act(seat, done), viewer) for world, done in ((here, action), (there, twin)))
        what = f"law 3: after {plain(action)} of seat {seat}, seat {viewer}"
        require(
            here.may_undo(viewer) == there.may_undo(viewer), f"{what} learns a secret from whether undo is possible"
        )
        revealing_news = {name for name in _name_news(sent, other) if name in revealing}
        is_told = sent.news != other.news or sent.hand != other.hand  # what was revealed differs
        if revealing_news and (is_told or here.play.is_over) and not here.may_undo(seat):
            if not here.play.is_over:
                _require_told_pieces(_list_hidden_pieces(here.game, before, viewer), sent, other, what)
            return compared + 1
        same = msgspec.msgpack.encode(sent) == msgspec.msgpack.encode(other)
        difference = _describe_difference(sent, other, revealing_news)
        require(same, f"{what} is sent something that depends on what it may not know: {difference}")
        compared += 1
    return compared


def _describe_difference(sent: EntryView, other: EntryView, revealing_news: set[str]) -> str:
    """Name the parts of two messages that differ, without their values, and say what to do."""
    parts = [name for name in sent.__struct_fields__ if getattr(sent, name) != getattr(other, name)]
    news = sorted(_name_news(sent, other)) if "news" in parts else []
    advice = "name the news in secrets.revealing"
    if revealing_news:
        advice = f"tell it in the news: {' and '.join(sorted(revealing_news))} says the same in both worlds"
    return f"{', '.join([*parts, *news])}; if the rules reveal it, {advice}"


def _require_told_pieces(hidden: set[str], sent: EntryView, other: EntryView, what: str) -> None:
    """Require that hidden pieces which appear on the board are in the news, or in what the viewer's hand is sent."""
    told = set(_list_texts([sent.news, sent.hand]))
    for place, *values in plain([change for change in sent.board if change not in other.board]):
        secrets = sorted(hidden.intersection(_list_texts(values)) - told)
        where = ".".join(map(str, ["board", *place]))
        require(not secrets, f"{what} sees {', '.join(secrets)} in {where}, which no news tell; tell it, or hide it")


def _list_hidden_pieces(game: Game, zones: Zones, viewer: Seat) -> set[str]:
    """Return the pieces of the catalog that are in the box or in the hands of others."""
    others = [hand for seat, hand in enumerate(zones.hands) if seat != viewer]
    return {*_list_ids(game.catalog)}.intersection(_list_texts([zones.hidden["box"], others]))


def _list_ids(catalog: Any) -> Iterator[str]:
    """Yield the ids of a catalog: the keys of its tables, and what its entries have as `id`."""
    for table in list_values(catalog):
        if isinstance(table, dict):
            yield from (table["id"],) if isinstance(table.get("id"), str) else table


def _list_texts(value: Any) -> Iterator[str]:
    return (text for text in list_values(plain(value)) if isinstance(text, str) and text)


def _name_news(*views: EntryView) -> set[str]:
    return {plain(news)["news"] for view in views for news in view.news}


def require_same_view(here: Recorder, there: Recorder, viewer: Seat) -> None:
    """Compare everything that a seat can find out now without an action."""
    what = f"law 3: seat {viewer} learns a secret from"
    require(here.play.offer(viewer) == there.play.offer(viewer), f"{what} its offer")
    require(here.play.waiting_for() == there.play.waiting_for(), f"{what} the seats that the table waits for")
    silence = {world.game.is_silent(world.play) for world in (here, there)}
    require(len(silence) == 1, f"{what} whether players may talk")
    for action in list_wrong_actions(here, viewer):
        same = find_refusal(here, viewer, action) == find_refusal(there, viewer, action)
        require(same, f"{what} the refusal of {plain(action)}")
        reasons = (explain_refusal(world.play, viewer, action) for world in (here, there))
        same = len({msgspec.msgpack.encode(reason) for reason in reasons}) == 1
        require(same, f"{what} the reasons for the refusal of {plain(action)}")


def require_same_explanations(here: Recorder, there: Recorder, viewer: Seat) -> None:
    """Compare everything that can be explained to a viewer now."""
    for each in (viewer, None):
        same = _explain_all(here, each) == _explain_all(there, each)
        require(same, f"law 3: an explanation tells {'a spectator' if each is None else f'seat {each}'} a secret")


def _explain_all(recorder: Recorder, viewer: Seat | None) -> bytes:
    asked = questions(recorder.play, viewer)
    return msgspec.msgpack.encode(
        [asked, [explain_topic(recorder.play, viewer, question) for question in listed(asked)]]
    )


def _require_same_pointers(here: Recorder, there: Recorder, viewer: Seat) -> None:
    """Whatever another seat points at, the viewer is shown the same in both worlds, or nothing in both."""
    for seat in range(len(here.zones.hands)):
        if seat != viewer and _outline(here, seat) == _outline(there, seat):
            same = _list_shown(here, seat, viewer) == _list_shown(there, seat, viewer)
            require(same, f"law 3: seat {viewer} is shown what seat {seat} points at, which it may not know")


def _list_shown(recorder: Recorder, seat: Seat, viewer: Seat) -> list[Any]:
    actions, audience = pick_some(recorder.play.offer(seat)), recorder.game.pointing_audience
    return [
        action if viewer in audience(recorder.play, seat, recorder.game.read_action(action)) else None
        for action in actions
    ]


def _outline(recorder: Recorder, seat: Seat) -> list[tuple[str, int]]:
    """Return how many actions of which kind a seat is offered."""
    return [(choice.do, choice.count()) for choice in recorder.play.offer(seat)]


def _find_twin(here: Recorder, there: Recorder, seat: Seat, action: Action) -> Action | None:
    """Return the action with the same number in the other world's offer, if the offers are alike."""
    mine, other = here.play.offer(seat), there.play.offer(seat)
    if _outline(here, seat) != _outline(there, seat):
        return None
    number = list(map(plain, listed(mine))).index(plain(action))
    return here.game.read_action(plain(list(listed(other))[number]))


# Games that do not say how to swap their secrets


def compare_presents(game: Game, document: Any, viewer: Seat, rng: Random) -> int:
    """Compare the present of a world and of another possible one; return how many were compared."""
    other = _swap_pieces(game, document, viewer, rng)
    here, there = Recorder(game.resume(document)), Recorder(game.resume(other))
    if not _can_go_on(there):
        return 0
    require_same_explanations(here, there, viewer)
    if not here.play.is_over:
        require_same_view(here, there, viewer)
    return 1


def _can_go_on(recorder: Recorder) -> bool:
    """Return whether the rules can work with a world that a machine made up."""
    try:
        recorder.game.check(recorder.play)
        for seat in recorder.play.seats:
            recorder.play.offer(seat)
    except Exception:  # the made-up world is impossible, which says nothing about the game
        return False
    return True


def _swap_pieces(game: Game, document: Any, viewer: Seat, rng: Random) -> Any:
    """Return a document with other secrets, in which all piles are as large as before; if none holds, only the seed."""
    for _ in range(TRIALS):
        other = copy_plain(document)
        for piles in _merge_piles(_list_piles(game, other, viewer).values()):
            _deal_anew(piles, rng)
        other["chance"]["seed"] = f"{rng.getrandbits(256):064x}"
        if _can_go_on(Recorder(game.resume(copy_plain(other)))):
            return other
    other = copy_plain(document)
    other["chance"]["seed"] = f"{rng.getrandbits(256):064x}"
    return other


def _merge_piles(groups: Iterable[list[list[Any]]]) -> list[list[list[Any]]]:
    """Put groups of piles together that have a piece in common: such pieces can be in any of them."""
    merged: list[list[list[Any]]] = []
    for group in groups:
        pieces = {item for pile in group for item in pile}
        alike = [other for other in merged if any(item in pieces for pile in other for item in pile)]
        merged = [other for other in merged if other not in alike]
        merged.append([pile for each in [*alike, group] for pile in each])
    return merged


def _deal_anew(piles: list[list[Any]], rng: Random) -> None:
    pool = [item for pile in piles for item in pile]
    rng.shuffle(pool)
    for pile in piles:
        pile[:] = [pool.pop() for _ in pile]


def _list_piles(game: Game, document: Any, viewer: Seat) -> dict[str, list[list[Any]]]:
    """Return the lists of words in the box and in other hands, by what their items name."""
    zones = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
    hand = inspect.type_info(get_args(zones["hands"])[0])
    piles = defaultdict[str, list[list[Any]]](list)
    places = [(hand, each) for seat, each in enumerate(document["hands"]) if seat != viewer]
    for kind, value in [*places, (inspect.type_info(zones["box"]), document["box"])]:
        for name, pile in _find_piles(kind, value, ""):
            piles[name].append(pile)
    return piles


def _find_piles(kind: Any, value: Any, path: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of strings in a value, by what their items name, or else by their place."""
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.StructType) and isinstance(value, dict):
        for field in kind.fields:
            if field.encode_name in value:
                yield from _find_piles(field.type, value[field.encode_name], f"{kind.cls.__name__}.{field.name}")
    elif isinstance(kind, inspect.ListType) and isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            yield _name_items(kind.item_type) or path, value
        else:
            for item in value:
                yield from _find_piles(kind.item_type, item, path)
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        for item in value.values():
            yield from _find_piles(kind.value_type, item, path)


def _name_items(kind: Any) -> str:
    """Return what the items of a list name, if their annotation says that they are pieces."""
    meaning = kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None
    return " ".join(meaning["x-sections"]) if meaning and meaning.get("x-names") == "piece" else ""
