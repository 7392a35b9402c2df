"""The names in the description of a game that refer to its own parts: rules, actions, news and rule ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ..decisions import verb_of

if TYPE_CHECKING:
    from ..game import Game
    from ..hidden_zones.secret_swap import SecretSwap

MOMENTS = ("not_your_turn", "game_over")


def find_wrong_references(game: Game) -> Iterator[str]:
    """Yield the names that refer to nothing."""
    verbs, news = {verb_of(action) for action in game.actions}, {str(each.__struct_config__.tag) for each in game.news}
    for verb, revealed in game.sealed.items():
        yield from _find_unknown(f"sealed[{verb!r}]: {verb!r} is no action", verb, verbs)
        yield from _find_unknown(f"sealed[{verb!r}]={revealed!r} is no news", revealed, news)
    if game.secrets:
        yield from _find_wrong_revelations(game.secrets, news, game.options.__struct_encode_fields__)
    rules = {rule.__name__ for rule in game.rules}
    for name in game.offers_read:
        yield from _find_unknown(f"offers_read[{name!r}]: {name!r} is no rule", name, rules)
    for name in game.moments:
        yield from _find_unknown(f"moments[{name!r}]: {name!r} is no moment", name, MOMENTS)


def _find_wrong_revelations(secrets: SecretSwap, news: Collection[str], options: Collection[str]) -> Iterator[str]:
    for name in secrets.revealing:
        yield from _find_unknown(f"secrets.revealing has {name!r}, which is no news", name, news)
    for option, revealing in secrets.revealing_with.items():
        where = f"secrets.revealing_with[{option!r}]"
        yield from _find_unknown(f"{where}: {option!r} is no option", option, options)
        for name in revealing:
            yield from _find_unknown(f"{where} has {name!r}, which is no news", name, news)


def _find_unknown(trouble: str, name: Any, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        close = get_close_matches(str(name), known, n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"use one of: {', '.join(sorted(known)) or 'none yet'}"
        yield f"{trouble}; {advice}"
