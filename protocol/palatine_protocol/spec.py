"""The specification, generated from the types: AsyncAPI for tools, JSON Schema for validators, tables for the README.

`python -m palatine_protocol.spec` writes the files anew; a test fails when they are stale.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import FieldInfo, fields

from . import messages, offers
from .codec import DEFAULT, JSON, MSGPACK, SUBPROTOCOLS
from .costs import COSTS, HTTP_COSTS, Cost
from .errors import STATUS, Close, Code
from .examples import EXAMPLES
from .messages import (
    AnyPush,
    AnyReply,
    AnyRequest,
    Bye,
    Create,
    Created,
    Describe,
    Described,
    Done,
    Explain,
    Explained,
    Hello,
    Invitation,
    Invite,
    ListTables,
    Noted,
    Ping,
    Point,
    Pong,
    Preview,
    Previewed,
    Refused,
    Rematch,
    Tables,
    Watch,
    Watching,
    Welcome,
)
from .patch import Patch

HOME = Path(__file__).parents[1]
ASYNCAPI, SCHEMA, README = HOME / "asyncapi.yaml", HOME / "schema.json", HOME / "README.md"

REQUESTS: tuple[type, ...] = get_args(AnyRequest)
REPLIES: tuple[type, ...] = get_args(AnyReply)
PUSHES: tuple[type, ...] = get_args(AnyPush)
MESSAGES = (*REQUESTS, *REPLIES, *PUSHES)
# The reply to every other request is Done.
REPLY_TO: dict[type, type] = {
    Hello: Welcome,
    Ping: Pong,
    ListTables: Tables,
    Create: Created,
    Rematch: Created,
    Invite: Invitation,
    Watch: Watching,
    Point: Noted,
    Preview: Previewed,
    Explain: Explained,
    Describe: Described,
}
KINDS: dict[str, type] = {**vars(offers), **vars(messages)}

ABOUT = f"""\
Palatine serves board games over one websocket. A client sends requests, each with an id; the server answers each with
exactly one reply that quotes the id, and pushes snapshots and updates of the tables that the client watches.

The websocket subprotocol settles the encoding: `{JSON}` (text frames, the default) or `{MSGPACK}` (binary frames).
The messages are the same. Unknown keys are ignored, new optional fields may appear, nothing is renamed inside v1.

`README.md` beside this file is the page for people; `vectors/` holds messages, patches and digests to test against.
"""

# Types that have no class but get a name in the schema: their schemas, and their descriptions.
NAMED = {
    "Patch": msgspec.json.schema(Patch),
    "Scalar": msgspec.json.schema(messages.Scalar),
    "Flat": msgspec.json.schema(messages.Flat),
    "Nested": msgspec.json.schema(messages.Nested),
    "Plain": msgspec.json.schema(messages.Plain),
}
WORDS = {
    "Patch": "In order: `[path]` deletes, `[path, value]` sets, `[path, at, count, ...items]` splices.",
    "Scalar": "A single value; there are no floats.",
    "Flat": "A scalar, or a list or map of them.",
    "Nested": "A scalar, or a list or map of such lists and maps.",
    "Plain": "What a field of an action or an option may hold.",
}


# Names and words


def wire_name(message: type) -> str:
    """Return the type of a message on the wire."""
    return str(message.__struct_config__.tag)  # type: ignore[attr-defined]


def sentence(message: type) -> str:
    """Return the docstring of a message."""
    return inspect.getdoc(message) or ""


def reply_to(request: type) -> type:
    """Return the reply to a request that is not refused."""
    return REPLY_TO.get(request, Done)


def remarks(kind: type) -> dict[str, str]:
    """Return the comments beside the fields of a type, by their names on the wire."""
    beside = dict(re.findall(r"^ +(\w+): .*  # (.+)$", inspect.getsource(kind), re.MULTILINE))
    return {each.encode_name: beside[each.name] for each in fields(kind) if each.name in beside}


# JSON Schema


def schemas(prefix: str) -> dict[str, Any]:
    """Return the schemas of all messages and of their parts, which refer to each other by this prefix."""
    _, components = msgspec.json.schema_components(MESSAGES, ref_template=prefix + "{name}")
    classes = {name: remarked(KINDS[name], polished(schema, prefix)) for name, schema in components.items()}
    return classes | {name: named(name, prefix) for name in NAMED}


def named(name: str, prefix: str) -> dict[str, Any]:
    inside = {key: polished(value, prefix) for key, value in NAMED[name].items()}
    return {"title": name, "description": WORDS[name], **inside}


def remarked(kind: type, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with the comments of the source as descriptions."""
    for name, remark in remarks(kind).items():
        schema["properties"][name]["description"] = remark
    return schema


def polished(schema: Any, prefix: str) -> Any:
    """Return a simpler schema: named types as references, tags as constants, and nothing specific to OpenAPI."""
    if isinstance(schema, list):
        return [polished(each, prefix) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema in NAMED.values():
        return {"$ref": prefix + next(name for name in NAMED if NAMED[name] == schema)}
    if len(schema.get("enum", ())) == 1:
        return {"const": schema["enum"][0]}
    return {key: polished(value, prefix) for key, value in schema.items() if key != "discriminator"}


def json_schema() -> dict[str, Any]:
    """Return one schema for every message; `$defs` has one for each direction and each message."""
    prefix = "#/$defs/"
    kinds = {"Request": REQUESTS, "Reply": REPLIES, "Push": PUSHES}
    unions = {name: {"oneOf": refs(prefix, types)} for name, types in kinds.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:palatine:v1",
        "title": "The messages of palatine.v1",
        "description": "Generated by `python -m palatine_protocol.spec`. Clients send requests, the server the rest.",
        "oneOf": [{"$ref": prefix + name} for name in unions],
        "$defs": {**unions, **schemas(prefix)},
    }


def refs(prefix: str, types: tuple[type, ...]) -> list[dict[str, str]]:
    return [{"$ref": prefix + each.__name__} for each in types]


# AsyncAPI


def asyncapi() -> dict[str, Any]:
    """Return the AsyncAPI document from the server's side: it receives requests and sends replies and pushes."""
    return {
        "asyncapi": "3.0.0",
        "info": info(),
        "defaultContentType": "application/json",
        "servers": servers(),
        "channels": {"session": channel()},
        "operations": {**{wire_name(each): receiving(each) for each in REQUESTS}, "push": pushing()},
        "components": components(),
    }


def info() -> dict[str, Any]:
    return {
        "title": "Palatine",
        "version": "1",
        "description": ABOUT,
        "license": {"name": "MIT"},
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
    }


TAGS = {
    "request": "What a client says. Each gets exactly one reply.",
    "reply": "The one answer to a request, whose id it quotes as `re`.",
    "push": "What the server says of its own accord.",
}


def servers() -> dict[str, Any]:
    """Return an example server; there is no central one."""
    name = {"default": "localhost:8080", "description": "Host and port of the server."}
    server = {"host": "{host}", "variables": {"host": name}}
    return {
        "plain": {**server, "protocol": "ws", "description": "On your own machine: `palatine serve`."},
        "secure": {**server, "protocol": "wss", "description": "Behind a proxy that ends TLS."},
    }


def channel() -> dict[str, Any]:
    """Return the channel of the one websocket."""
    return {
        "address": "/v1/ws",
        "title": "A session",
        "description": "The first message is `hello`, within five seconds.\n\nClose codes:\n\n"
        + bullets(close_codes()),
        "messages": {each.__name__: {"$ref": f"#/components/messages/{each.__name__}"} for each in MESSAGES},
        "bindings": {"ws": {"method": "GET", "headers": handshake(), "bindingVersion": "0.1.0"}},
        "x-palatine-subprotocols": list(SUBPROTOCOLS),
        "x-palatine-close-codes": [{"code": code, "advice": advice} for code, advice in close_codes()],
    }


def handshake() -> dict[str, Any]:
    words = f"The encoding; without this header it is {DEFAULT}."
    protocol = {"type": "string", "enum": list(SUBPROTOCOLS), "default": DEFAULT, "description": words}
    return {"type": "object", "properties": {"Sec-WebSocket-Protocol": protocol}}


def receiving(request: type) -> dict[str, Any]:
    """Return the operation of a request and its replies."""
    here = {"$ref": "#/channels/session"}
    return {
        "action": "receive",
        "title": wire_name(request),
        "summary": sentence(request),
        "channel": here,
        "messages": in_channel(request),
        "reply": {"channel": here, "messages": in_channel(reply_to(request), Refused)},
    }


def pushing() -> dict[str, Any]:
    return {
        "action": "send",
        "title": "push",
        "summary": TAGS["push"],
        "channel": {"$ref": "#/channels/session"},
        "messages": in_channel(*PUSHES),
    }


def in_channel(*messages: type) -> list[dict[str, str]]:
    return refs("#/channels/session/messages/", messages)


def components() -> dict[str, Any]:
    return {
        "schemas": schemas("#/components/schemas/"),
        "messages": {each.__name__: described(each) for each in MESSAGES},
        "correlationIds": {
            "request": {"location": "$message.payload#/id", "description": "Chosen by the client."},
            "reply": {"location": "$message.payload#/re", "description": "The id of the request."},
        },
    }


def described(message: type) -> dict[str, Any]:
    """Return a message with its description, its schema and its examples."""
    kind = "request" if message in REQUESTS else "reply" if message in REPLIES else "push"
    correlation = {} if kind == "push" else {"correlationId": {"$ref": f"#/components/correlationIds/{kind}"}}
    return {
        "name": wire_name(message),
        "title": wire_name(message),
        "summary": sentence(message),
        **more_about(message),
        "tags": [{"name": kind}],
        **correlation,
        "payload": {"$ref": f"#/components/schemas/{message.__name__}"},
        "examples": examples(message),
    }


def more_about(message: type) -> dict[str, Any]:
    """Return the description of the codes that this message carries, if it carries any."""
    if message is Refused:
        words = "Codes are stable, sentences may be reworded. A game adds codes of its own.\n\n"
        listed = [{"code": code, "sentence": meaning} for code, meaning in error_codes()]
        return {"description": words + bullets(error_codes()), "x-palatine-error-codes": listed}
    return {"description": bullets(close_codes())} if message is Bye else {}


def examples(message: type) -> list[dict[str, Any]]:
    own = {name: each for name, each in EXAMPLES.items() if type(each) is message}
    return [{"name": name, "payload": msgspec.to_builtins(each)} for name, each in own.items()]


def close_codes() -> list[tuple[int, str]]:
    return [(int(close), close.advice) for close in sorted(Close)]


def error_codes() -> list[tuple[str, str]]:
    return [(code.value, code.sentence) for code in Code]


def bullets(rows: list[Any]) -> str:
    return "".join(f"- `{code}`: {words}\n" for code, words in rows)


# Tables for the README


def tables() -> dict[str, str]:
    """Return the texts between the markers of the README, by name."""
    return {
        "requests": table("request | fields | reply | cost | meaning", map(request_row, REQUESTS)),
        "replies": table("reply | fields | meaning", map(row, REPLIES)),
        "pushes": table("push | fields | meaning", map(row, PUSHES)),
        "info": table("field | default | meaning", map(part_row, public_fields(messages.Info))),
        "seated": table("field | default | meaning", map(part_row, public_fields(messages.Seated))),
        "error codes": table("code | sentence", ((f"`{code}`", words) for code, words in error_codes())),
        "http statuses": table("status | codes", map(status_row, sorted({*STATUS.values()}))),
        "costs": table("cost | units | over HTTP", map(cost_row, Cost)),
        "close codes": table("code | what it means for you", ((str(code), words) for code, words in close_codes())),
    }


def table(head: str, rows: Any) -> str:
    lines = [head, " | ".join("---" for _ in head.split("|")), *map(" | ".join, rows)]
    return "".join(f"| {line} |\n" for line in lines)


def request_row(request: type) -> tuple[str, ...]:
    name, own, words = row(request)
    return name, own, f"`{wire_name(reply_to(request))}`", COSTS[request].name.lower(), words


def cost_row(cost: Cost) -> tuple[str, ...]:
    """Return a row with a kind of cost, its units, and its requests and routes."""
    routes = [f"`{method} {path}`" for (method, path), each in HTTP_COSTS.items() if each is cost]
    return cost.name.lower(), str(cost.value), ", ".join(routes)


def row(message: type) -> tuple[str, ...]:
    """Return a row with a message, its fields besides id and re, and its meaning."""
    own = ", ".join(f"`{field(each)}`" for each in fields(message) if each.encode_name not in ("id", "re"))
    return f"`{wire_name(message)}`", own, " ".join(sentence(message).split())


def public_fields(kind: type) -> list[tuple[FieldInfo, str]]:
    """Return the fields of a part of a message, each with the comment beside it."""
    beside = remarks(kind)
    return [(each, beside[each.encode_name]) for each in fields(kind)]


def part_row(part: tuple[FieldInfo, str]) -> tuple[str, ...]:
    """Return a row with a field of a part of a message, its default and its meaning."""
    info, words = part
    default = info.default_factory() if callable(info.default_factory) else info.default
    return f"`{info.encode_name}`", "" if info.required else f"`{json.dumps(default)}`", words


def field(info: FieldInfo) -> str:
    """Return the name of a field, with a question mark if it is optional, and its default if that says something."""
    optional = "" if info.required else "?"
    is_telling = not info.required and (info.default is True or (isinstance(info.default, str) and info.default))
    return f"{info.encode_name}{optional}" + (f" = {json.dumps(info.default)}" if is_telling else "")


def status_row(status: int) -> tuple[str, ...]:
    """Return a row with an HTTP status and its error codes."""
    return str(status), ", ".join(f"`{code}`" for code in Code if STATUS.get(code) == status)


def filled(page: str) -> str:
    """Return the page with all its tables generated again."""
    for name, text in tables().items():
        page = between(name, page, text)
    return page


# Markers are link definitions that nothing links to: unlike comments, no renderer shows them.
def between(name: str, page: str, text: str) -> str:
    """Return the page with this text between the markers of this name."""
    old = re.compile(rf"(\[//\]: # \({name}\)\n).*?(\n\[//\]: # \(end\)\n)", re.DOTALL)
    if not old.search(page):
        raise LookupError(f"the page has no place for {name}")
    return old.sub(lambda found: f"{found[1]}\n{text}{found[2]}", page)


# Files


def files() -> dict[Path, str]:
    """Return the content of every generated file."""
    return {
        ASYNCAPI: HEADING + as_yaml(asyncapi()),
        SCHEMA: json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n",
        README: filled(README.read_text("utf-8")),
    }


HEADING = "# Generated from the types by `python -m palatine_protocol.spec`; do not edit.\n"


def as_yaml(document: Any) -> str:
    """Return readable YAML: in our order, with long texts as blocks and without aliases."""
    import yaml  # only authors of Palatine need it

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: yaml.SafeDumper, words: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", words, style="|" if "\n" in words else None)

    Dumper.add_representer(str, text)
    written: str = yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)
    return written


def write() -> None:
    for path, text in files().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    write()
