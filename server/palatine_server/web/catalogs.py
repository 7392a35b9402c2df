"""Catalogs: what HTTP says of the games, encoded once for each language."""

from __future__ import annotations

from typing import Any

import msgspec

from ..games.kit import Game


class Catalogs:
    """The games of a shelf in JSON."""

    def __init__(self, shelf: dict[str, Game]) -> None:
        self._shelf = shelf
        self._encoded: dict[tuple[str, str], bytes] = {}  # by name and language; all games are under no name

    def list_games(self, lang: str) -> bytes:
        """Every game, in short."""
        if ("", lang) not in self._encoded:
            games = [described(game, lang) for game in self._shelf.values()]
            self._encoded["", lang] = msgspec.json.encode({"games": games})
        return self._encoded["", lang]

    def show_game(self, name: str, lang: str) -> bytes:
        """One game with its whole catalog."""
        if (name, lang) not in self._encoded:
            game = self._shelf[name]
            self._encoded[name, lang] = msgspec.json.encode({**described(game, lang), "catalog": game.catalog})
        return self._encoded[name, lang]


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
