"""compose.yaml matches the schema and the code, and its proxy is run with its real configuration."""

import json
import re
import shlex
from contextlib import AsyncExitStack
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import anyio
import jsonschema
import pytest
from deploy.files import DEPLOY, ROOT, VARIABLES, documents, image_environment, read
from deploy.proxy import Proxy
from server.process import ServerProcess
from server_fixture import House, Table, running, seated
from store import redis_servers
from store.redis_servers import one_server

from palatine_protocol import messages
from palatine_server.settings import Settings
from palatine_server.web.app import create_app

(COMPOSE,) = documents("compose.yaml")
SERVICES = COMPOSE["services"]
NODES = [SERVICES["node1"], SERVICES["node2"]]
PATHS = {getattr(route, "path", "") for route in create_app(Settings()).routes}


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


# The file


def test_it_is_a_compose_file() -> None:
    schema = files("check_jsonschema.builtin_schemas.vendor").joinpath("compose-spec.json").read_text()
    jsonschema.validate(COMPOSE, json.loads(schema))


def test_every_variable_it_asks_for_is_made_by_prepare() -> None:
    asked = {*re.findall(r"\$\{([A-Z_]+)", read("compose.yaml"))}
    made = {*re.findall(r"(?m)^([A-Z_]+)=", read("env.example"))}
    assert asked <= made
    assert made - asked == {"KEEPER_PASSWORD"}  # for backups


@pytest.mark.parametrize("node", NODES)
def test_a_node_is_told_only_what_the_server_reads(node: dict[str, Any]) -> None:
    assert {*node["environment"]} <= VARIABLES
    assert {"PALATINE_STORE", "PALATINE_SECRET"} <= {*node["environment"]}


@pytest.mark.parametrize("node", NODES)
def test_a_node_has_time_to_say_goodbye(node: dict[str, Any]) -> None:
    notice = float(node["environment"]["PALATINE_DRAIN_NOTICE"])
    assert seconds(node["stop_grace_period"]) > Settings().drain + notice + 5
    assert notice > seconds(caddy_option("health_interval"))


@pytest.mark.parametrize("node", NODES)
def test_a_node_may_do_little(node: dict[str, Any]) -> None:
    assert node["read_only"] is True
    assert node["cap_drop"] == ["ALL"]
    assert node["security_opt"] == ["no-new-privileges:true"]
    assert node["ulimits"]["nofile"] > Settings().most_connections
    assert "ports" not in node


def test_only_the_proxy_is_open_to_the_world() -> None:
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports.pop("grafana") == ["127.0.0.1:3000:3000"]
    assert {*ports} == {"proxy"}


def test_the_proxy_is_believed_who_the_clients_are() -> None:
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert NODES[0]["environment"]["PALATINE_TRUSTED_PROXIES"] == subnet["subnet"]


def test_every_file_that_is_mounted_exists() -> None:
    mounts = [mount.split(":") for service in SERVICES.values() for mount in service.get("volumes", [])]
    made = {"./users.acl"}  # by prepare
    for source, *_ in mounts:
        assert source in COMPOSE["volumes"] or source in made or (DEPLOY / source).exists(), source
    context = (DEPLOY / NODES[0]["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / NODES[0]["build"]["dockerfile"]).exists()


# The proxy


def caddy_option(name: str) -> str:
    (found,) = re.findall(rf"(?m)^\s*{name} (.+)$", read("Caddyfile"))
    return str(found)


def test_the_proxy_asks_and_leads_where_the_nodes_are() -> None:
    port = image_environment()["PALATINE_PORT"]
    (nodes,) = re.findall(r"\{\$PALATINE_NODES:([^}]+)\}", read("Caddyfile"))
    assert nodes.split() == [f"node1:{port}", f"node2:{port}"]
    assert caddy_option("health_uri") in PATHS


def node_of(house: House) -> str:
    return house.url.removeprefix("http://")


async def test_a_game_is_played_through_the_proxy_on_two_nodes(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        valkey = stack.enter_context(redis_servers.running(one_server))
        houses = [await stack.enter_async_context(running(tmp_path / "data", store=valkey.url)) for _ in range(2)]
        tokens = [await houses[0].token(name) for name in ("Anna", "Bela")]
        proxy = Proxy(tmp_path, [node_of(house) for house in houses])
        await stack.enter_async_context(proxy.running())
        peers = [await stack.enter_async_context(proxy.peer(token)) for token in tokens]
        held = [len(house.server._app.state.shared.connections) for house in houses]
        tables = await seated(peers, game="palais_royal")
        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:
                for table in tables:
                    tasks.start_soon(play_on, table)
    assert held == [1, 1]  # who has fewest connections gets the next one
    assert all(table.version >= 30 for table in tables)


async def play_on(table: Table) -> None:
    await table.play(Random(1).randrange, until=lambda table: table.version >= 30)


async def test_when_a_node_stops_the_proxy_leads_to_the_other(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        valkey = stack.enter_context(redis_servers.running(one_server))
        nodes = [ServerProcess(tmp_path / "data") for _ in range(2)]
        for node in nodes:
            node.options = shlex.split(f"--store {valkey.url}")
            await stack.enter_async_context(node)
        token = nodes[0].token("Anna")
        proxy = Proxy(tmp_path, [f"127.0.0.1:{node.port}" for node in nodes])
        await stack.enter_async_context(proxy.running())
        for node in nodes:
            assert await node.stop() == 0
            async with proxy.peer(token) as anna:
                assert isinstance(await anna.do(messages.Ping), messages.Pong)
            await node.start()
