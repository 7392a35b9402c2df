"""The description of a game: its schemas, labels and catalog are complete, and true of games that are played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from palatine_server.games.kit import Entry, Game, LabelsError, Recorder, describe_game, find_missing_labels, plain
from palatine_server.games.kit.decisions import verb_of
from palatine_server.games.kit.description.error_codes import list_error_codes
from palatine_server.games.kit.description.schemas import SchemaError, build_schemas, name_news, walk_nodes

from .laws import list_policies
from .named_values import NameChecker, list_ids
from .random_games import begun, create_rng, list_values, random_moves, require

Plain = dict[str, Any]
UNSHOWN = {"id", "source", "note", "why", "number", "count", "copies", "rulebook"}  # clients show no such figure
WORDS = ("name_", "text_")
LARGEST_NUMBER = 2**53 - 1  # that every client can hold


def find_wrong_description(game: Game) -> Iterator[str]:
    """Yield the entries of labels.toml and the annotations that are wrong."""
    try:
        description = describe_game(game)
    except (LabelsError, SchemaError) as error:
        yield str(error)
        return
    nodes = [*walk_nodes(description["schemas"])]
    for section in sorted({section for node in nodes for section in node.get("x-sections", ())}):
        if not list_ids(game, section):
            yield f"a type names pieces of the section {section!r}; write this section in catalog.toml"
    yield from _find_wrong_places(game, nodes)


def _find_wrong_places(game: Game, nodes: list[Plain]) -> Iterator[str]:
    coordinates, checker = game.description["coordinates"], NameChecker(game, {}, game.players[0])
    for place in sorted({node["x-names"] for node in nodes if "x-names" in node} & {"cell", "vertex"}):
        if place not in coordinates:
            yield f"a type names a {place}; describe its form in [coordinates.{place}] of labels.toml"
        elif not checker.is_point(place, coordinates[place]["example"]):
            yield f"the example of [coordinates.{place}] in labels.toml is no {place}; correct it"
    lists = {node["x-list"] for node in nodes if "x-list" in node}
    lists |= {node["x-index"] for node in nodes if "x-index" in node} - {"seat"}
    for name in sorted(lists - _list_fields(nodes)):
        yield f"a type refers to the list {name!r}, which neither board nor hand has; correct the annotation"


def _list_fields(nodes: list[Plain]) -> set[str]:
    return {name for node in nodes for name in (*node.get("properties", ()), *node.get("x-fields", ()))}


# What is missing


def find_missing_words(game: Game) -> Iterator[str]:
    """Yield what labels.toml lacks, in one sentence for each table of it."""
    missing: dict[str, list[str]] = {}
    try:
        entries = find_missing_labels(game)
    except (LabelsError, SchemaError):
        return  # find_wrong_description says more
    for entry in entries:
        table, _, name = entry.partition(".")
        missing.setdefault(table, []).append(name)
    for table, names in missing.items():
        yield f"labels.toml has no [{table}] for: {', '.join(names)}"
    if not game.labels.figures and (figures := list_unnamed_figures(game)):
        yield (
            f"labels.toml has no [figures], so players read {', '.join(figures)} of catalog.toml in English; name there"
            " those that players need"
        )
    if "de" not in game.title:
        yield 'title has no German; write title={"en": ..., "de": ...}'


def list_unnamed_figures(game: Game) -> list[str]:
    """Return the fields of catalog entries with a name, as clients show them if the labels name none."""
    named = [entry for _, entry in _list_tables(game.catalog) if "name_en" in entry or "name_de" in entry]
    return sorted({field for entry in named for field in entry if field not in UNSHOWN and not field.startswith(WORDS)})


def _list_tables(part: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all tables of a catalog, with their keys."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in items:
        if isinstance(value, dict):
            yield str(key), value
        yield from _list_tables(value)


def find_wrong_error_labels(game: Game) -> Iterator[str]:
    """Yield the error codes without a label, and labels of codes that no refusal has."""
    codes = list_error_codes(game.folder)
    try:
        labelled = game.labels.errors.keys()
    except (LabelsError, SchemaError):
        return
    for code in sorted(codes - labelled):
        yield f"labels.toml has no [errors] {code}; write it in English and German"
    for code in sorted(labelled - codes):
        yield f"labels.toml has [errors] {code}, which no refusal has; remove it"


def find_nameless_texts(game: Game) -> Iterator[str]:
    """Yield the strings whose types do not say what they name, so that clients can only show them as they are."""
    for part, schema in game.description["schemas"].items():
        for definition in walk_nodes(schema):
            for name, node in definition.get("properties", {}).items():
                if node.get("type") == "string" and "x-names" not in node and "anyOf" not in node:
                    yield f"{part}: the string {name!r} does not say what it names; annotate it, as in piece('cards')"


def find_shown_secrets(game: Game) -> Iterator[str]:
    """Yield the types of the hidden zones that a schema shows; a struct that board and box share is no secret."""
    zones = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
    open_types = {getattr(zones["board"], "__name__", ""), getattr(get_args(zones["hands"])[0], "__name__", "")}
    hidden = {getattr(zones["box"], "__name__", ""), "Chance", "Step", "Document"} - open_types
    named = {name for schema in walk_nodes(game.description["schemas"]) for name in schema.get("$defs", {})}
    for name in sorted(named & hidden):
        yield f"a schema that clients get describes {name}, which nobody may see; use another type on the board"


# Catalog


def find_wrong_catalog(game: Game) -> Iterator[str]:
    """Yield the mistakes of the catalog that clients would stumble over."""
    try:
        catalog = game.catalog
    except (ValueError, OSError) as error:
        yield f"catalog.toml cannot be read: {error}; correct it"
        return
    for section in sorted(_list_sections(game)):
        ids = [name for name, _ in _list_entries(catalog, section)]
        for name in sorted({str(each) for each in ids if ids.count(each) > 1 or not isinstance(each, str)}):
            yield f"catalog.toml, {section}: the id {name!r} is missing or not unique; give each entry its own id"


def find_nameless_pieces(game: Game) -> Iterator[str]:
    """Yield the pieces without a name in a language."""
    for section in sorted(_list_sections(game)):
        entries = _list_entries(game.catalog, section)
        for lang in ("en", "de"):
            nameless = [str(name) for name, entry in entries if not entry.get(f"name_{lang}")]
            if nameless:
                some = ", ".join(nameless[:5]) + (" …" if nameless[5:] else "")
                yield f"catalog.toml, {section}: there is no name_{lang} for {some}"


def _list_entries(catalog: Plain, section: str) -> list[tuple[Any, Plain]]:
    """Return the entries of a section with their ids."""
    entries: Any = catalog
    for name in section.split("."):
        entries = entries.get(name, {}) if isinstance(entries, dict) else {}
    rows = entries.items() if isinstance(entries, dict) else [(entry.get("id"), entry) for entry in entries]
    return [(name, entry if isinstance(entry, dict) else {}) for name, entry in rows]


def _list_sections(game: Game) -> set[str]:
    return {section for node in walk_nodes(game.description["schemas"]) for section in node.get("x-sections", ())}


# Truth


def games_are_as_described(game: Game, players: int, seed: int) -> int:
    """Documents, actions and news of a random game are as their schemas say, and name what they should."""
    check, recorder, rng = TruthCheck(game, players), begun(game, players, seed), create_rng(seed)
    check.check_document(recorder)
    for number, (seat, action) in enumerate(random_moves(recorder, rng, list_policies(game))):
        check.check("actions", plain(action), plain(action)["do"])
        check.check_news(recorder.act(seat, action))
        if number % 10 == 0 or recorder.play.is_over:
            check.check_document(recorder)
    return check.checked


class TruthCheck:
    """Compares documents, actions and news with the description of their game."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players, self.checked = game, players, 0
        zones = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
        self.types: dict[tuple[str, str], Any] = {
            ("board", ""): zones["board"],
            ("hand", ""): get_args(zones["hands"])[0],
            **{("actions", verb_of(action)): action for action in game.actions},
            **{("news", name_news(news)): news for news in game.news},
        }
        self.schemas, self.checkers = build_schemas(game), dict[tuple[str, str], NameChecker]()

    def check_document(self, recorder: Recorder) -> None:
        self.check("board", recorder.zones.board)
        for hand in recorder.zones.hands:
            self.check("hand", hand)

    def check_news(self, entry: Entry) -> None:
        for each in entry.news:
            news = plain(each.news)
            self.check("news", news, news["news"])

    def check(self, part: str, value: Any, name: str = "") -> None:
        """Check one value against its type, and what its parts name."""
        what = f"{part} {name}".strip()
        require((part, name) in self.types, f"the game tells {name!r}, which is not in {part}; add it there")
        value = msgspec.json.decode(msgspec.json.encode(value))
        try:
            msgspec.convert(value, self.types[part, name])
        except msgspec.ValidationError as error:
            require(False, f"{what} is not of its type: {error}")
        large = [number for number in list_values(value) if type(number) is int and abs(number) > LARGEST_NUMBER]
        require(not large, f"{what} has {large[:1]}, which is too large for clients in JavaScript; use a string")
        troubles = [*self.load(part, name).find_troubles(value)]
        require(not troubles, f"{what}: {'; '.join(troubles[:3])}")
        self.checked += 1

    def load(self, part: str, name: str) -> NameChecker:
        if (part, name) not in self.checkers:
            schema = self.schemas[part]
            self.checkers[part, name] = NameChecker(self.game, schema[name] if name else schema, self.players)
        return self.checkers[part, name]
