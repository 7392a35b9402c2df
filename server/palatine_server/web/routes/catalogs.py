"""Catalogs: the games as JSON, encoded and compressed once for each language in a worker thread."""

from __future__ import annotations

from typing import Any

import msgspec
from anyio import to_thread

from ...games.kit import Game
from .static_answers import StaticAnswer


class Catalogs:
    """A cache of the encoded games."""

    def __init__(self, games: dict[str, Game]) -> None:
        self._games = games
        self._encoded: dict[
            tuple[str, str], StaticAnswer
        ] = {}  # by name and language; the list of all games has no name

    async def list_games(self, lang: str) -> StaticAnswer:
        """Return a short description of every game."""
        if ("", lang) not in self._encoded:
            self._encoded["", lang] = await to_thread.run_sync(encode_games, self._games, lang)
        return self._encoded["", lang]

    async def show_game(self, name: str, lang: str) -> StaticAnswer:
        """Return one game with its whole catalog and its description of itself."""
        if (name, lang) not in self._encoded:
            self._encoded[name, lang] = await to_thread.run_sync(encode_game, self._games[name], lang)
        return self._encoded[name, lang]


def encode_games(games: dict[str, Game], lang: str) -> StaticAnswer:
    content = {"games": [summarise_game(game, lang) for game in games.values()]}
    return StaticAnswer(msgspec.json.encode(content), "application/json")


def encode_game(game: Game, lang: str) -> StaticAnswer:
    return StaticAnswer(msgspec.json.encode({**summarise_game(game, lang), **describe_fully(game)}), "application/json")


def describe_fully(game: Game) -> dict[str, Any]:
    """Return everything that is the same in every language: what the game's own page shows."""
    # Imported late, so that a server starts without the renderers.
    from palatine_client.render.published_look import publish_look

    from ..game_pages.rules_text import list_paragraphs

    return {
        "catalog": game.catalog,
        "description": game.description,
        "look": publish_look(game.name),
        "examples": game.examples,
        "rules": {"page": find_page(game.name), "paragraphs": list_paragraphs(game.rules_text)},
    }


def find_page(name: str) -> str:
    """Return the address of a game's page; a rule has the place `#` and its id there."""
    return f"/docs/games/{name}"


def summarise_game(game: Game, lang: str) -> dict[str, Any]:
    players = [game.players[0], game.players[-1]]
    schema = msgspec.json.schema(game.options)
    return {
        "game": game.name,
        "title": game.title.get(lang, game.title["en"]),
        "players": players,
        "policies": list(game.policies),
        "options": schema,
        "notice": game.catalog.get("meta", {}).get(f"notice_{lang}", ""),
        "reconstructed": has_reconstruction(game.catalog),
    }


def has_reconstruction(catalog: Any) -> bool:
    """Return whether any figure of the game is our reconstruction instead of a reading from the printed game."""
    if isinstance(catalog, dict):
        return any("source" in key and value == "reconstructed" for key, value in catalog.items()) or any(
            map(has_reconstruction, catalog.values())
        )
    return isinstance(catalog, list) and any(map(has_reconstruction, catalog))
