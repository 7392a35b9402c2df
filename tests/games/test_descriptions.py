"""The JSON Schemas of every registered game are usable by other tools, and say nothing of a table."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import jsonschema
import msgspec
from games.registered import every_game

from palatine_server.checks.random_games import begun, list_options, random_moves, seed_of
from palatine_server.games.kit import Game, Recorder, describe_game, plain
from palatine_server.games.registry import GAMES

Plain = dict[str, Any]


@every_game
def test_games_are_as_their_schemas_say(game: Game) -> None:
    """`palatine check` compares them with the types; another implementation of JSON Schema agrees."""
    recorder, rng = begun(game, game.players[-1], 7), Random(7)
    schemas = game.description["schemas"]
    for number, (seat, action) in enumerate(random_moves(recorder, rng)):
        validate(plain(action), schemas["actions"][plain(action)["do"]])
        for each in recorder.act(seat, action).news:
            validate(plain(each.news), schemas["news"][plain(each.news)["news"]])
        if number % 20 == 0 or recorder.play.is_over:
            validate_zones(recorder, schemas)


def validate_zones(recorder: Recorder, schemas: Plain) -> None:
    validate(recorder.zones.board, schemas["board"])
    for hand in recorder.zones.hands:
        validate(hand, schemas["hand"])


def validate(value: Any, schema: Plain) -> None:
    build_validator(msgspec.json.encode(schema)).validate(msgspec.json.decode(msgspec.json.encode(value)))


@cache
def build_validator(schema: bytes) -> jsonschema.Draft202012Validator:
    """Build a validator once for each schema: checking a schema takes longer than checking a value."""
    decoded = msgspec.json.decode(schema)
    jsonschema.Draft202012Validator.check_schema(decoded)
    return jsonschema.Draft202012Validator(decoded)


def test_fields_are_described_by_the_comments_beside_them() -> None:
    definitions = GAMES["between_two_castles"].description["schemas"]["board"]["$defs"]
    castle, decision = definitions["Castle"]["properties"], definitions["Decision"]["properties"]
    assert castle["holds"]["description"] == "the seats that want the partner to place first"
    assert "description" not in castle["token"]
    assert all(castle[name]["description"] for name in ("marker", "laid", "deciding", "decision"))
    assert decision["calls"]["description"]


# Law 3: a description depends on nothing of a table.


@every_game
def test_two_tables_have_the_same_description_byte_for_byte(game: Game) -> None:
    before = msgspec.json.encode(describe_game(game))
    for seed, options in enumerate(list_options(game)):
        recorder = Recorder(game.begin(game.players[0], seed_of(seed), options))
        seat, action = next(random_moves(recorder, Random(seed)))
        recorder.act(seat, action)
        assert msgspec.json.encode(describe_game(recorder.game)) == before
    assert msgspec.json.encode(game.description) == before
