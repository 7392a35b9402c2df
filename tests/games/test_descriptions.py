"""Every registered game describes itself completely, and what it says is true of the games that are played."""

from __future__ import annotations

from random import Random
from typing import Any

import jsonschema
import msgspec
import pytest
from games.laws import begun, random_moves
from games.named_values import NameChecker, list_ids

from palatine_server.games.kit import Entry, Game, Recorder, describe_game, find_missing_labels, plain
from palatine_server.games.kit.error_codes import list_error_codes
from palatine_server.games.kit.schemas import walk_nodes
from palatine_server.games.registry import GAMES

Plain = dict[str, Any]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_table = pytest.mark.parametrize(
    ("game", "players"),
    [
        pytest.param(game, players, id=f"{game.name}-{players}")
        for game in GAMES.values()
        for players in sorted({game.players[0], game.players[-1]})
    ],
)
POLICIES = ("random", "greedy")


# Completeness


@every_game
def test_everything_that_players_read_has_labels_in_both_languages(game: Game) -> None:
    assert find_missing_labels(game) == []


@every_game
def test_the_labels_of_errors_are_those_of_the_refusals(game: Game) -> None:
    assert game.labels.errors.keys() == list_error_codes(game.folder)


@every_game
def test_every_text_says_what_it_names(game: Game) -> None:
    nameless = [
        (part, name)
        for part, schema in game.description["schemas"].items()
        for definition in walk_nodes(schema)
        for name, node in definition.get("properties", {}).items()
        if node.get("type") == "string" and "x-names" not in node and "anyOf" not in node
    ]
    assert nameless == []


@every_game
def test_every_section_and_every_place_exists(game: Game) -> None:
    nodes = [*walk_nodes(game.description["schemas"])]
    sections = {section for node in nodes for section in node.get("x-sections", ())}
    assert all(list_ids(game, section) for section in sections)
    places = {node["x-names"] for node in nodes if "x-names" in node} & {"cell", "vertex"}
    coordinates = game.description["coordinates"]
    assert places <= coordinates.keys()
    checker = NameChecker(game, {}, game.players[0])
    assert all(checker.is_point(place, coordinates[place]["example"]) for place in places)
    lists = {node["x-list"] for node in nodes if "x-list" in node}
    lists |= {node["x-index"] for node in nodes if "x-index" in node} - {"seat"}
    assert lists <= set(game.labels.zones)


@every_game
def test_the_hidden_zones_have_no_schema(game: Game) -> None:
    hidden = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
    named = {name for schema in walk_nodes(game.description["schemas"]) for name in schema.get("$defs", {})}
    assert named
    assert named.isdisjoint({hidden["box"].__name__, hidden["chance"].__name__, "Step", "Document"})


# Truth


@every_table
def test_games_are_as_their_schemas_say(game: Game, players: int) -> None:
    log = TruthCheck(game, players)
    recorder, rng = begun(game, players, 7), Random(7)
    policies = [name for name in POLICIES if name in game.policies]
    log.check_document(recorder)
    for number, (seat, action) in enumerate(random_moves(recorder, rng, policies)):
        log.check("actions", plain(action), plain(action)["do"])
        log.check_news(recorder.act(seat, action))
        if number % 10 == 0 or recorder.play.is_over:
            log.check_document(recorder)
    assert log.checked > 100


class TruthCheck:
    """Compares documents, actions and news with the description of their game."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players, self.checked = game, players, 0
        self.checkers: dict[tuple[str, str], tuple[jsonschema.Draft202012Validator, NameChecker]] = {}

    def check_document(self, recorder: Recorder) -> None:
        self.check("board", recorder.zones.board)
        for hand in recorder.zones.hands:
            self.check("hand", hand)

    def check_news(self, entry: Entry) -> None:
        for each in entry.news:
            news = plain(each.news)
            self.check("news", news, news["news"])

    def check(self, part: str, value: Plain, name: str = "") -> None:
        """Check one value against the schema, and what its parts name."""
        validator, names = self.load(part, name)
        value = msgspec.json.decode(msgspec.json.encode(value))
        validator.validate(value)
        assert [*names.find_troubles(value)] == []
        self.checked += 1

    def load(self, part: str, name: str) -> tuple[jsonschema.Draft202012Validator, NameChecker]:
        if (part, name) not in self.checkers:
            schema = self.game.description["schemas"][part]
            schema = schema[name] if name else schema
            jsonschema.Draft202012Validator.check_schema(schema)
            made = jsonschema.Draft202012Validator(schema), NameChecker(self.game, schema, self.players)
            self.checkers[part, name] = made
        return self.checkers[part, name]


# Law 3: a description depends on nothing of a table.


@every_game
def test_two_tables_have_the_same_description_byte_for_byte(game: Game) -> None:
    before = msgspec.json.encode(describe_game(game))
    for seed in (1, 2):
        recorder = begun(game, game.players[0], seed)
        seat, action = next(random_moves(recorder, Random(seed)))
        recorder.act(seat, action)
        assert msgspec.json.encode(describe_game(recorder.game)) == before
    assert msgspec.json.encode(game.description) == before
