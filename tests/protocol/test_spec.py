"""The specification: up to date, sound in itself, and true of every example."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator  # type: ignore[import-untyped]

from palatine_protocol import spec
from palatine_protocol.codec import JSON, SUBPROTOCOLS, Unreadable, for_server
from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import Refused
from palatine_server.games.registry import GAMES

ASYNCAPI = yaml.safe_load(spec.ASYNCAPI.read_text("utf-8"))
SCHEMA = json.loads(spec.SCHEMA.read_text("utf-8"))
each_message = pytest.mark.parametrize("message", spec.MESSAGES, ids=lambda message: message.__name__)


def resolved(document: Any, pointer: str) -> Any:
    """What a reference within a document points to."""
    head, *steps = pointer.split("/")
    assert head == "#"
    for step in steps:
        document = document[step]
    return document


def references(node: Any) -> Iterator[str]:
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        yield node["$ref"]
    for child in children:
        yield from references(child)


def validator(message: type) -> Any:
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{message.__name__}"}]})


# Up to date


@pytest.mark.parametrize("path", spec.files(), ids=lambda path: path.name)
def test_up_to_date_run_the_spec_module_if_this_fails(path: Path) -> None:
    assert path.read_text("utf-8") == spec.files()[path], "stale: run `python -m palatine_protocol.spec`"


def test_up_to_date_a_page_without_a_place_for_a_table_is_noticed() -> None:
    with pytest.raises(LookupError, match="requests"):
        spec.filled("# A page without markers\n")


# Sound in itself


@pytest.mark.parametrize("document", [ASYNCAPI, SCHEMA], ids=["asyncapi", "schema"])
def test_sound_every_reference_leads_somewhere(document: Any) -> None:
    found = set(references(document))
    assert len(found) > 30
    for pointer in found:
        assert resolved(document, pointer)


def test_sound_the_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for schema in ASYNCAPI["components"]["schemas"].values():
        Draft7Validator.check_schema(schema)  # what AsyncAPI 3 builds on


def test_sound_the_document_has_what_asyncapi_3_requires() -> None:
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= ASYNCAPI["info"].keys()
    assert all({"host", "protocol"} <= server.keys() for server in ASYNCAPI["servers"].values())
    assert ASYNCAPI["channels"]["session"]["address"] == "/v1/ws"
    assert all({"action", "channel", "messages"} <= each.keys() for each in ASYNCAPI["operations"].values())


def test_sound_operations_use_only_messages_of_their_channel() -> None:
    channel = ASYNCAPI["channels"]["session"]["messages"]
    for operation in ASYNCAPI["operations"].values():
        for reference in [*operation["messages"], *operation.get("reply", {}).get("messages", [])]:
            assert reference["$ref"].removeprefix("#/channels/session/messages/") in channel


def test_sound_every_request_is_received_and_answered_and_every_push_is_sent() -> None:
    operations = ASYNCAPI["operations"]
    assert operations.keys() == {*map(spec.wire_name, spec.REQUESTS), "push"}
    for name, operation in operations.items():
        assert operation["action"] == ("send" if name == "push" else "receive")
        assert name == "push" or len(operation["reply"]["messages"]) == 2
    answers = {spec.reply_to(request) for request in spec.REQUESTS}
    assert {*answers, Refused} == set(spec.REPLIES)


# Complete


@each_message
def test_complete_every_message_has_words_a_schema_and_an_example(message: type) -> None:
    described = ASYNCAPI["components"]["messages"][message.__name__]
    assert described["name"] == spec.wire_name(message)
    assert described["summary"].endswith((".", "?"))
    assert resolved(ASYNCAPI, described["payload"]["$ref"])["properties"]["type"] == {"const": described["name"]}
    assert described["examples"]


def test_complete_all_codes_and_subprotocols_are_documented() -> None:
    channel, refused = ASYNCAPI["channels"]["session"], ASYNCAPI["components"]["messages"]["Refused"]
    assert {row["code"]: row["advice"] for row in channel["x-palatine-close-codes"]} == {c: c.advice for c in Close}
    assert {row["code"]: row["sentence"] for row in refused["x-palatine-error-codes"]} == {c: c.sentence for c in Code}
    assert channel["x-palatine-subprotocols"] == list(SUBPROTOCOLS)
    assert all(f"`{code}`" in refused["description"] for code in Code)
    assert all(f"`{code.value}`" in channel["description"] for code in Close)


def test_complete_every_code_that_the_platform_refuses_with_is_documented() -> None:
    named = {code for path in platform() for code in re.findall(r'Refused\(\s*"(\w+)"', path.read_text("utf-8"))}
    assert {"bad_webhook", "bad_record"} <= named  # the others are taken from the enumeration
    assert named - {"secret_open"} <= {*Code}  # that one is for whoever starts a server


def platform() -> list[Path]:
    """The sources of the server, without its games, which have codes of their own."""
    server = spec.HOME.parent / "server" / "palatine_server"
    games = [path for path in (server / "games").iterdir() if (path / "RULES.md").exists()]
    assert len(games) == len(GAMES)
    return [path for path in server.rglob("*.py") if not any(path.is_relative_to(game) for game in games)]


def test_complete_remarks_beside_fields_become_descriptions() -> None:
    welcome, done = (SCHEMA["$defs"][name]["properties"] for name in ("Welcome", "Done"))
    assert welcome["token_expires"]["description"] == "seconds since 1970"
    assert done["seat"]["description"] == "the seat you took or filled"


def test_complete_patches_are_called_by_their_name() -> None:
    assert {SCHEMA["$defs"]["Update"]["properties"][zone]["$ref"] for zone in ("info", "board", "hand")} == {
        "#/$defs/Patch"
    }


# True


@each_message
def test_true_every_example_fits_its_schema_and_no_other(message: type) -> None:
    others = [validator(other) for other in spec.MESSAGES if other is not message]
    for example in ASYNCAPI["components"]["messages"][message.__name__]["examples"]:
        validator(message).validate(example["payload"])
        Draft202012Validator(SCHEMA).validate(example["payload"])
        assert not any(other.is_valid(example["payload"]) for other in others)


@each_message
def test_true_every_example_fits_the_schema_in_asyncapi_as_well(message: type) -> None:
    schema = {"$ref": f"#/components/schemas/{message.__name__}", "components": ASYNCAPI["components"]}
    for example in ASYNCAPI["components"]["messages"][message.__name__]["examples"]:
        Draft202012Validator(schema).validate(example["payload"])


@pytest.mark.parametrize("message", spec.REQUESTS, ids=lambda message: message.__name__)
def test_true_the_schema_requires_what_the_server_requires(message: type) -> None:
    codec, schema = for_server(JSON), validator(message)
    example = ASYNCAPI["components"]["messages"][message.__name__]["examples"][0]["payload"]
    for wrong in spoiled(example):
        assert schema.is_valid(wrong) == is_readable(codec, wrong), wrong


def spoiled(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The example without each of its fields, and with something else in each of them."""
    for key in example:
        yield {name: value for name, value in example.items() if name != key}
        yield from ({**example, key: value} for value in SOMETHING_ELSE)


SOMETHING_ELSE: list[Any] = [
    *(None, True, -1, 0, 16, 2**53, "", "x", "two words", "x" * 2000),
    *([], {}, {"": -1}, {"a b": 1}, {"a": -1}, {"a": 1}),
]


def is_readable(codec: Any, message: Any) -> bool:
    try:
        codec.decode(json.dumps(message))
    except Unreadable:
        return False
    return True
