"""The arrows of the architecture: who may import whom, and what must stay out of the rules."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from palatine_server.games.registry import GAMES

ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "protocol", ROOT / "server", ROOT / "clients" / "python"]

# Each part may import itself and the parts named. Parts are told by the longest matching prefix.
_PURE = {"palatine_protocol", "palatine_server.games.kit", "palatine_server.games"}
_BOTS = {*_PURE, "palatine_server.settings", "palatine_server.metrics", "palatine_server.worker_processes"}
_TABLES = {*_BOTS, "palatine_server.store", "palatine_server.bots"}
_GATEWAY = {*_TABLES, "palatine_server.tables", "palatine_server.http_fetch"}
_WEBHOOKS = {*_GATEWAY, "palatine_server.gateway"}
# The words for a view are found once, by the client; the web hands them to the tables, which know no words themselves.
_SPOKEN = {"palatine_client.render.text"}
# What the picture workers draw with.
_DRAWN = {
    "palatine_client.render",
    "palatine_client.render.pictures",
    "palatine_client.render.published_look",
    "palatine_client.render.raster",
    "palatine_client.render.svg",
}
# Whoever prints or logs makes foreign text harmless first.
_SCREEN = {"palatine_client.screen_console", "palatine_client.screen_text"}
# The chat core has no I/O. What connects it to a server and to a chat network is beside it, and an app may use both.
_CHAT = {"palatine_client.chat", "palatine_client.chat.client_backend", "palatine_client.chat.discord"}
_WEB = {
    *_WEBHOOKS,
    *_CHAT,
    *_SPOKEN,
    *_DRAWN,
    *_SCREEN,
    "palatine_server.pictures",
    "palatine_server.records",
    "palatine_server.webhooks",
    "palatine_server.log_format",
}
# What is drawn and said needs neither a terminal nor a connection.
_SHOWN = {
    "palatine_client.render",
    "palatine_client.render.translations",
    "palatine_client.render.terminal",
    "palatine_client.render.text",
    "palatine_client.render.presentation",
    *_DRAWN,
}
ARROWS: dict[str, set[str]] = {
    "palatine_protocol": set(),
    "palatine_client": {"palatine_protocol", "palatine_client.menu", "palatine_client.game_option", *_SHOWN, *_SCREEN},
    "palatine_client.menu": {"palatine_protocol"},
    "palatine_client.chat": {
        "palatine_protocol",
        "palatine_client.menu",
        "palatine_client.screen_console",  # lays texts out in memory, and prints nothing
        "palatine_client.screen_text",
        "palatine_client.render",
        "palatine_client.render.svg",
        "palatine_client.render.text",
        "palatine_client.render.translations",
    },
    "palatine_client.chat.client_backend": {"palatine_protocol", "palatine_client", "palatine_client.chat"},
    "palatine_client.chat.discord": {
        "palatine_client",
        "palatine_client.chat",
        "palatine_client.chat.client_backend",
        "palatine_client.render.svg",
        "palatine_client.render.translations",
    },
    "palatine_client.chat.fake_discord": set(),  # anybody may use it to test any bot
    "palatine_server.http_fetch": set(),
    "palatine_client.game_option": set(),
    "palatine_client.screen_text": set(),
    "palatine_client.screen_console": {"palatine_client.screen_text"},
    "palatine_client.render": {"palatine_client.render.translations", "palatine_client.screen_text"},
    "palatine_client.render.translations": set(),
    # The folder of a game holds its presentation, which loads its renderers when they are needed.
    "palatine_client.render.games": _SHOWN,
    "palatine_client.render.terminal": {
        "palatine_client.render",
        "palatine_client.render.games",
        "palatine_client.render.presentation",
        "palatine_client.render.translations",
    },
    "palatine_client.render.svg": {
        "palatine_client.render",
        "palatine_client.render.games",
        "palatine_client.render.translations",
        "palatine_client.screen_text",
    },
    "palatine_client.render.raster": {"palatine_client.render.svg"},
    "palatine_client.render.pictures": {
        "palatine_client.render.presentation",
        "palatine_client.render.raster",
        "palatine_client.render.svg",
    },
    "palatine_client.render.published_look": {
        "palatine_client.render",
        "palatine_client.render.presentation",
        "palatine_client.render.svg",
    },
    "palatine_client.render.presentation": {
        "palatine_client.render",
        "palatine_client.render.text",
        "palatine_client.render.svg",
    },
    "palatine_client.render.text": {
        "palatine_protocol",
        "palatine_client.menu",
        "palatine_client.render",
        "palatine_client.render.games",
        "palatine_client.render.presentation",
        "palatine_client.render.translations",
        "palatine_client.render.terminal",
    },
    "palatine_server.games.kit": {"palatine_protocol"},
    "palatine_server.games": {"palatine_protocol", "palatine_server.games.kit"},
    "palatine_server.checks": {*_PURE, "palatine_server.job_pool"},
    "palatine_server.job_pool": set(),
    "palatine_server.scaffold": set(),
    "palatine_server.settings": set(),
    "palatine_server.store": set(),
    "palatine_server.worker_processes": {"palatine_server.metrics"},
    "palatine_server.metrics": {"palatine_protocol", "palatine_server.store"},
    "palatine_server.log_format": {"palatine_client.screen_text"},
    "palatine_server.bots": _BOTS,
    "palatine_server.tables": _TABLES,
    "palatine_server.pictures": {*_GATEWAY, *_DRAWN},
    "palatine_server.records": {*_GATEWAY, *_SCREEN},
    "palatine_server.gateway": _GATEWAY,
    "palatine_server.webhooks": _WEBHOOKS,
    "palatine_server.web": _WEB,
    "palatine_server": {*_WEB, *_SHOWN, "palatine_server.web", "palatine_server.job_pool", "palatine_client"},
    "palatine_server.reload": {*_WEB, "palatine_server", "palatine_server.web"},
    # The arena plays games in process, through bots of the kit, and over the wire; it draws its plot with our SVG.
    "palatine_server.arena": {*_WEB, *_SHOWN, "palatine_server", "palatine_server.job_pool", "palatine_client"},
    # The environments play games in process, and put them into words.
    "palatine_server.environments": {
        *_PURE,
        *_SPOKEN,
        "palatine_server",
        "palatine_server.job_pool",
        "palatine_client.screen_console",
    },
    "palatine_server.cli": {
        *_WEB,
        *_SHOWN,
        "palatine_server",
        "palatine_server.arena",
        "palatine_server.environments",
        "palatine_server.checks",
        "palatine_server.reload",
        "palatine_server.scaffold",
        "palatine_server.web",
        "palatine_client",
        "palatine_client.game_option",
    },
}
# A module is named by the noun it holds. Chapters of a game are named as in its rulebook, so they may end as they like.
NOUNS_IN_ING = {"drawing", "monitoring", "ring", "string"}
# Modules of the chat that are not its core: they carry its steps out.
CHAT_IO = {"palatine_client.chat.runner", "palatine_client.chat.sqlite_memory", "palatine_client.chat.client_backend"}
IMPURE = {"anyio", "asyncio", "redis", "starlette", "sqlite3", "time", "datetime", "random", "secrets", "socket", "os"}


def modules() -> Iterator[tuple[str, Path]]:
    for source in SOURCES:
        for path in sorted(source.rglob("palatine_*/**/*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def imports(module: str, path: Path) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            target = ".".join([*base, *filter(None, [node.module])])
            yield target
            yield from (f"{target}.{alias.name}" for alias in node.names if f"{target}.{alias.name}" in MODULES)


def part_of(module: str) -> str | None:
    parts = [part for part in ARROWS if module == part or module.startswith(f"{part}.")]
    return max(parts, key=len, default=None)


def test_all_parts_are_walked() -> None:
    assert {part_of(module) for module in MODULES} >= {"palatine_protocol", "palatine_server.games.kit"}
    assert all(part_of(module) for module in MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_arrows(module: str) -> None:
    part = part_of(module)
    assert part
    for imported in imports(module, MODULES[module]):
        target = part_of(imported)
        assert target in {None, part, *ARROWS[part]}, f"{module} must not import {imported}"


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("palatine_server.games")])
def test_rules_know_no_world(module: str) -> None:
    forbidden = {imported for imported in imports(module, MODULES[module]) if imported.split(".")[0] in IMPURE}
    assert not forbidden


@pytest.mark.parametrize("module", [module for module in MODULES if part_of(module) == "palatine_client.chat"])
def test_the_chat_core_knows_no_world(module: str) -> None:
    forbidden = {imported for imported in imports(module, MODULES[module]) if imported.split(".")[0] in IMPURE}
    assert not forbidden or module in CHAT_IO


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("palatine_server.games.")])
def test_games_do_not_know_each_other(module: str) -> None:
    game = module.split(".")[2]
    others = {imported.split(".")[2] for imported in imports(module, MODULES[module]) if imported.count(".") > 1}
    allowed = {game, "kit", *(others if game == "registry" else set())}
    assert {name for name in others if f"palatine_server.games.{name}" in MODULES} <= allowed


def platform_modules() -> Iterator[str]:
    """The names of all modules and folders outside the chapters of games, those of the tests too."""
    for path in (path for place in [*SOURCES, ROOT / "tests", ROOT / "deploy"] for path in place.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if not ("games" in parts and any(game in parts for game in GAMES)):
            yield from parts


def test_no_module_is_named_by_a_gerund() -> None:
    last_words = {name: name.rpartition("_")[2] for name in platform_modules()}
    assert [name for name, word in last_words.items() if word.endswith("ing") and word not in NOUNS_IN_ING] == []


# Class names


def declared_classes(package: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the module of each class at the top of a module, except in the folders of games."""
    for module, path in MODULES.items():
        parts = module.split(".")
        belongs_to_game = parts[1:2] == ["games"] and any(part in GAMES for part in parts[2:3])
        if parts[0] == package and not belongs_to_game:
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield node.name, module


@pytest.mark.parametrize("package", ["palatine_protocol", "palatine_server", "palatine_client"])
def test_no_class_name_occurs_twice_in_a_package(package: str) -> None:
    modules_by_name: dict[str, list[str]] = {}
    for name, module in declared_classes(package):
        modules_by_name.setdefault(name, []).append(module)
    assert modules_by_name
    assert {name: modules for name, modules in modules_by_name.items() if len(modules) > 1} == {}
