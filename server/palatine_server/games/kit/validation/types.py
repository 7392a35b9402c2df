"""The types of a game: options, actions, news, and a document of values that clients in any language can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args

import msgspec
from msgspec import Struct, inspect

from ..decisions import Action, News
from ..document import Document

if TYPE_CHECKING:
    from ..game import Game

TAG = re.compile(r"[a-z][a-z0-9_]{0,63}")
TAKEN_VERBS = {"undo": "the action with which the kit takes an action back"}
TAKEN_NEWS = {"action_undone": "news of the kit"}
# The wire has no floats, no binary strings and no integer keys, and the order of a set is not the same everywhere.
FORBIDDEN: dict[type[inspect.Type], str] = {
    inspect.FloatType: "a float; use whole numbers, for example half points as int",
    inspect.BytesType: "bytes; use a string",
    inspect.ByteArrayType: "a bytearray; use a string",
    inspect.MemoryViewType: "a memoryview; use a string",
    inspect.SetType: "a set, whose order differs from process to process; use a sorted list",
    inspect.FrozenSetType: "a frozenset, whose order differs from process to process; use a sorted list",
}


def find_wrong_types(game: Game) -> Iterator[str]:
    """Yield the mistakes in the types of a game."""
    yield from _find_wrong_options(game.options)
    yield from _find_wrong_structs("actions", game.actions, Action, TAKEN_VERBS)
    yield from _find_wrong_structs("news", game.news, News, TAKEN_NEWS)
    yield from _find_wrong_document(game.document)


def _find_wrong_options(options: Any) -> Iterator[str]:
    if not _is_struct(options):
        yield "options is no Struct; write class Options(Struct, frozen=True, forbid_unknown_fields=True)"
        return
    required = [field.name for field in msgspec.structs.fields(options) if field.required]
    for name in required:
        yield f"the option {name!r} has no default; give it one, because tables are created without options too"
    if not required:
        yield from _find_unreadable("options", options)


def _find_wrong_structs(field: str, kinds: Any, base: type[Struct], taken: dict[str, str]) -> Iterator[str]:
    tags = dict[str, Any]()
    for kind in kinds:
        if not (_is_struct(kind) and issubclass(kind, base)):
            yield f"{field} has {_name(kind)}, which is no {base.__name__}; write class {_name(kind)}({base.__name__})"
            continue
        tag = str(kind.__struct_config__.tag)
        if not TAG.fullmatch(tag):
            yield f"{field} has {kind.__name__} with the name {tag!r}; use letters and digits, as in PlayCard"
        if tag in taken:
            yield f"{field} has {kind.__name__}, but {tag!r} is {taken[tag]}; choose another name"
        if tags.setdefault(tag, kind) is not kind:
            yield f"{field} has two classes named {tag!r}; rename one of them"
        yield from _find_unreadable(kind.__name__, kind)
    if len(tags) == len(kinds) and tags:
        yield from _find_unreadable(field, Union[tuple(kinds)])  # noqa: UP007 (made from a tuple)


def _find_wrong_document(document: Any) -> Iterator[str]:
    if not _is_struct(document) or not issubclass(getattr(document, "__origin__", document), Document):
        yield "document is no Document; write document=Document[Board, Hand, Box]"
        return
    zones = {zone.name: zone.type for zone in msgspec.structs.fields(document)}
    if any(isinstance(zone, TypeVar) for zone in (zones["board"], zones["box"], *get_args(zones["hands"]))):
        yield "document does not name its zones; write document=Document[Board, Hand, Box]"
        return
    board = zones["board"]
    if not _is_struct(board):
        yield f"the board is of type {_name(board)}; write class Board(Struct)"
    elif not _is_plain(board):
        yield f"{board.__name__} is array_like, tagged or renamed; write class {board.__name__}(Struct) without them"
    yield from _find_unreadable("document", document)


def _is_plain(struct: type[Struct]) -> bool:
    config = struct.__struct_config__
    return config.tag is None and not config.array_like and struct.__struct_encode_fields__ == struct.__struct_fields__


def _find_unreadable(where: str, kind: Any) -> Iterator[str]:
    """Yield why a type cannot be stored and sent."""
    try:
        msgspec.msgpack.Decoder(kind)
        info = inspect.type_info(kind)
    except (TypeError, NameError) as error:
        yield f"{where} cannot be read back from plain data: {error}; use structs, lists, strings and whole numbers"
        return
    yield from _find_forbidden(where, info)


def _find_forbidden(where: str, info: inspect.Type) -> Iterator[str]:
    """Yield the fields whose types have no place on the wire."""
    seen, open_nodes = set[Any](), [(where, info)]
    while open_nodes:
        where, node = open_nodes.pop()
        if isinstance(node, inspect.StructType):
            if node.cls in seen:
                continue
            seen.add(node.cls)
            open_nodes += [(f"{node.cls.__name__}.{field.name}", field.type) for field in node.fields]
        elif type(node) in FORBIDDEN:
            yield f"{where} is {FORBIDDEN[type(node)]}"
        elif isinstance(node, inspect.DictType) and not _is_text(node.key_type):
            yield f"{where} is a dict with other keys than strings; use dict[str, ...] or a list"
        open_nodes += [(where, part) for part in _list_parts(node)]


def _is_text(info: inspect.Type) -> bool:
    node = info.type if isinstance(info, inspect.Metadata) else info
    if isinstance(node, inspect.LiteralType):
        return all(isinstance(value, str) for value in node.values)
    if isinstance(node, inspect.EnumType):
        return all(isinstance(member.value, str) for member in node.cls)
    return isinstance(node, inspect.StrType | inspect.AnyType)


def _list_parts(node: Any) -> Iterator[inspect.Type]:
    if isinstance(node, inspect.StructType):
        return
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, inspect.Type):
                yield part
            elif isinstance(part, inspect.Field):
                yield part.type


def _is_struct(kind: Any) -> bool:
    origin = getattr(kind, "__origin__", kind)
    return isinstance(origin, type) and issubclass(origin, Struct)


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", repr(kind)))
