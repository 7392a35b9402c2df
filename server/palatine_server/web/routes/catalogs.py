"""Catalogs: what HTTP says of the games, encoded once for each language, in a worker thread."""

from __future__ import annotations

from typing import Any

import msgspec
from anyio import to_thread

from ...games.kit import Game


class Catalogs:
    """The games of a shelf in JSON."""

    def __init__(self, shelf: dict[str, Game]) -> None:
        self._shelf = shelf
        self._encoded: dict[tuple[str, str], bytes] = {}  # by name and language; all games are under no name

    async def list_games(self, lang: str) -> bytes:
        """Every game, in short."""
        if ("", lang) not in self._encoded:
            self._encoded["", lang] = await to_thread.run_sync(encode_games, self._shelf, lang)
        return self._encoded["", lang]

    async def show_game(self, name: str, lang: str) -> bytes:
        """One game with its whole catalog."""
        if (name, lang) not in self._encoded:
            self._encoded[name, lang] = await to_thread.run_sync(encode_game, self._shelf[name], lang)
        return self._encoded[name, lang]


def encode_games(shelf: dict[str, Game], lang: str) -> bytes:
    return msgspec.json.encode({"games": [described(game, lang) for game in shelf.values()]})


def encode_game(game: Game, lang: str) -> bytes:
    return msgspec.json.encode({**described(game, lang), "catalog": game.catalog})


def described(game: Game, lang: str) -> dict[str, Any]:
    players = [game.players[0], game.players[-1]]
    schema = msgspec.json.schema(game.options)
    return {
        "game": game.name,
        "title": game.title.get(lang, game.title["en"]),
        "players": players,
        "policies": list(game.policies),
        "options": schema,
        "notice": game.catalog.get("meta", {}).get(f"notice_{lang}", ""),
        "reconstructed": reconstructed(game.catalog),
    }


def reconstructed(catalog: Any) -> bool:
    """Whether any figure of the game is our reconstruction rather than read from the printed game."""
    if isinstance(catalog, dict):
        return any("source" in key and value == "reconstructed" for key, value in catalog.items()) or any(
            map(reconstructed, catalog.values())
        )
    return isinstance(catalog, list) and any(map(reconstructed, catalog))
