"""Metrics: what a node counts, who may see it, and what must never be among it."""

import gc
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import anyio
import httpx
import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families
from server.process import ServerProcess
from server_fixture import House, Table, opened, running, seated
from store import redis_servers
from store.redis_servers import free_port, one_server
from websockets.asyncio.client import connect

from palatine_protocol import messages
from palatine_protocol.codec import JSON, MSGPACK, SUBPROTOCOLS, for_server
from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AnyFromServer, AnyRequest, Clock
from palatine_server.games.registry import GAMES
from palatine_server.metrics import BotMove, Limit, Metrics, PictureOutcome, Resume, WebhookOutcome, WorkerLoss
from palatine_server.metrics.instruments import OTHER, tag_of
from palatine_server.metrics.node_metrics import CUT, OK, OUTCOMES, RULE, UNKNOWN, Unreadable
from palatine_server.store import Committed, Stale, StoreTrouble, TroubleKind, Unavailable
from palatine_server.web.collector import time_collections

Figures = dict[str, float]


def read(text: str) -> Figures:
    """Every sample by its name and labels, as Prometheus reads them."""
    return {
        f"{sample.name}{sorted(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def counted(metrics: Metrics, name: str, *labels: str) -> float:
    return read(metrics.text().decode()).get(f"palatine_{name}{sorted(labels)}", 0)


def figures(house: House) -> Metrics:
    metrics: Metrics = house.server._app.state.shared.directory.metrics
    return metrics


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    async with running(tmp_path) as house:
        yield house


# Who may see them


async def scraped(port: int) -> httpx.Response:
    async with httpx.AsyncClient() as client:
        while True:  # the port opens a moment after the server is ready
            try:
                return await client.get(f"http://127.0.0.1:{port}/metrics")
            except httpx.TransportError:
                await anyio.sleep(0.01)


async def test_metrics_are_on_a_port_of_their_own(tmp_path: Path) -> None:
    port = free_port()
    async with running(tmp_path, metrics_port=port) as house, house.peer():
        with anyio.fail_after(10):
            page = await scraped(port)
        async with httpx.AsyncClient() as client:
            public = await client.get(f"{house.url}/metrics")
            other = await client.get(f"http://127.0.0.1:{port}/v1/tables")
    assert read(page.text)["palatine_connections[]"] == 1
    assert page.headers["content-type"].startswith("text/plain; version=")
    assert (public.status_code, other.status_code) == (404, 404)


async def test_metrics_are_off_unless_asked_for(house: House) -> None:
    assert house.settings.metrics_port == 0
    assert house.settings.metrics_host == "127.0.0.1"


async def test_workers_take_one_port_each_and_wait_for_it(tmp_path: Path) -> None:
    port = free_port()
    shared: dict[str, Any] = {"metrics_port": port, "workers": 2}
    async with running(tmp_path / "a", **shared) as first, first.peer():
        with anyio.fail_after(10):
            await scraped(port)
        async with running(tmp_path / "b", **shared):
            with anyio.fail_after(10):
                assert read((await scraped(port + 1)).text)["palatine_connections[]"] == 0
            assert read((await scraped(port)).text)["palatine_connections[]"] == 1


async def test_real_workers_are_all_scraped_also_after_they_were_replaced(tmp_path: Path) -> None:
    port = free_port()
    with redis_servers.running(one_server) as valkey:
        served = ServerProcess(tmp_path)
        served.options = ["--workers", "2", "--store", valkey.url, "--metrics-port", str(port)]
        async with served:
            before = await start_times(port)
            served.signal(signal.SIGHUP)
            with anyio.fail_after(60):
                while before & (after := await start_times(port)):
                    await anyio.sleep(0.1)
            assert len(before) == len(after) == 2
            assert await served.stop() == 0


async def start_times(port: int) -> set[tuple[int, float]]:
    """When each of two workers began; both may have begun at the same moment."""
    with anyio.fail_after(30):
        pages = [await scraped(port + number) for number in range(2)]
    return {(number, read(page.text)["process_start_time_seconds[]"]) for number, page in enumerate(pages)}


async def test_two_servers_in_one_process_do_not_count_together(tmp_path: Path) -> None:
    async with running(tmp_path / "a") as one, running(tmp_path / "b") as other, one.peer():
        assert counted(figures(one), "frames_total", "in", "hello") == 1
        assert counted(figures(other), "frames_total", "in", "hello") == 0


# Frames


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize("kind", get_args(AnyFromServer), ids=tag_of)
def test_frames_every_type_is_told_by_its_first_letters(kind: Any, subprotocol: str) -> None:
    wire, metrics = for_server(subprotocol), Metrics()
    frame = wire.encode(sample(kind))
    metrics.traffic.count_sent(frame, wire.is_text)
    assert counted(metrics, "frames_total", "out", tag_of(kind)) == 1
    assert counted(metrics, "bytes_total", "out", tag_of(kind)) == len(frame)


def sample(kind: Any) -> Any:
    """A message with anything in its fields, and with as many of them as possible."""
    values = {int: 300, str: "x", bool: True}
    return kind(**{field.name: values.get(field.type, ["x"]) for field in msgspec.structs.fields(kind)})


def test_frames_what_is_no_message_counts_as_other() -> None:
    metrics = Metrics()
    metrics.traffic.count_sent(b"\x00", False)
    metrics.traffic.count_received(None, 7)
    assert counted(metrics, "frames_total", "out", OTHER) == 1
    assert counted(metrics, "bytes_total", "in", OTHER) == 7


@pytest.mark.parametrize("wire", [MSGPACK, JSON])
async def test_frames_and_bytes_add_up_to_what_a_client_sent_and_heard(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        (table,) = await seated([anna], bots=2, seed="11" * 32)
        await table.play(Random(1).randrange, until=lambda table: table.version >= 20)
        await anna.do(messages.Unwatch, table=table.id)  # the bots play on
        await anna.do(messages.Ping)
        text = figures(house).text().decode()
    heard = {tag_of(type(message)) for message in anna.heard}
    assert {"welcome", "created", "done", "watching", "snapshot", "update", "pong"} <= heard
    sizes = [len(frame.encode() if isinstance(frame, str) else frame) for frame in anna.frames]
    for tag in heard:
        same = [size for size, message in zip(sizes, anna.heard, strict=True) if tag_of(type(message)) == tag]
        assert read(text)[f"palatine_frames_total{sorted(['out', tag])}"] == len(same)
        assert read(text)[f"palatine_bytes_total{sorted(['out', tag])}"] == sum(same)
    assert (
        sum(value for name, value in read(text).items() if re.match(r"palatine_frames_total.*'in'", name))
        == anna.number
    )


async def test_frames_that_cannot_be_read_are_counted_together(house: House) -> None:
    async with house.peer() as peer:
        await peer.socket.send(b"\xc1 not msgpack")
        await peer.socket.send(peer.codec.encode({"type": "divide_by_zero", "id": "1"}))
        await peer.receive()
        await peer.receive()
        assert counted(figures(house), "frames_total", "in", OTHER) == 2


# Tables


async def test_requests_are_counted_by_game_and_result(house: House) -> None:
    metrics = figures(house)
    async with house.peer("Anna") as anna:
        (table,) = await seated([anna], game="palais_royal", bots=1)
        await anna.do(messages.Start, table=table.id)
        await anna.do(messages.Act, table=table.id, offer=99, action={"do": "x"})
        assert counted(metrics, "requests_total", "palais_royal", "start", OK) == 1
        assert counted(metrics, "requests_total", "palais_royal", "start", "already_started") == 1
        assert counted(metrics, "requests_total", "palais_royal", "act", "no_such_offer") == 1


def test_requests_own_codes_of_a_game_are_one() -> None:
    metrics, request = Metrics(), messages.Undo(id="1", table="t" * 16)
    for code in ("no_presence", "not_adjacent"):
        metrics.count_request("palais_royal", request, messages.Refused(re="1", code=code, sentence=""))
    assert counted(metrics, "requests_total", "palais_royal", "undo", RULE) == 2


async def test_bots_and_the_clock_are_counted(house: House) -> None:
    async with house.peer("Anna") as anna:
        (table,) = await seated([anna], bots=2, clock=Clock(move=1))
        await table.play(Random(1).randrange, until=lambda table: table.version >= 12)
        with anyio.fail_after(10):
            while not counted(figures(house), "house_moves_total", "between_two_castles", "overdue"):
                await anna.receive()
    assert counted(figures(house), "house_moves_total", "between_two_castles", "bot") >= 4


async def test_resumes_are_counted_by_kind(tmp_path: Path) -> None:
    async with running(tmp_path, tail=3) as house, house.peer("Anna") as anna, house.peer("Bela") as bela:
        (table,) = await seated([anna], bots=2)
        watched = Table(anna, table.id)
        watched.catch_up()
        for since in (watched.version, 0):
            await bela.do(messages.Watch, table=table.id, since=since)
        newest = await bela.do(messages.Watch, table=table.id)
        await bela.do(messages.Watch, table=table.id, since=newest.version)
        await bela.do(messages.Watch, table=table.id, since=newest.version - 1)
        counts = {kind: counted(figures(house), "resumes_total", kind) for kind in get_args(Resume)}
    assert sum(counts.values()) == 6
    assert counts["new"] == 2
    assert counts["snapshot"] >= 1
    assert counts["tail"] >= 1


async def test_open_tables_and_connections_are_shown(house: House) -> None:
    async with house.peer("Anna") as anna:
        await anna.do(messages.Sit, table=await opened(anna, 3))
        assert counted(figures(house), "tables") == 1
        assert counted(figures(house), "connections") == 1


# Ends and limits


async def closed_with(house: House, code: Close) -> None:
    with anyio.fail_after(10):
        while not counted(figures(house), "closes_total", code.name.lower()):
            await anyio.sleep(0.01)


async def test_closes_are_counted_by_code(house: House) -> None:
    async with house.peer():
        pass
    await closed_with(house, Close.GOING_AWAY)
    async with connect(house.socket, compression=None) as stranger:
        await stranger.send(for_server(JSON).encode(messages.Hello(id="1", token="nonsense")).decode())
        await closed_with(house, Close.BAD_TOKEN)
    with pytest.raises(Exception, match="HTTP 403"):
        await connect(house.socket, origin="https://elsewhere.example").__aenter__()  # type: ignore[arg-type]
    await closed_with(house, Close.FORBIDDEN)


async def test_limits_that_were_hit_are_counted(tmp_path: Path) -> None:
    async with running(tmp_path, burst=40, rate=100.0, guests_per_minute=2, watched_per_connection=0) as house:
        async with house.peer() as peer:
            for _ in range(60):
                await peer.do(messages.Ping)
            assert (await peer.do(messages.Watch, table="A" * 16)).code == "too_fast"
            await anyio.sleep(0.5)
            await peer.do(messages.Watch, table="A" * 16)
        async with httpx.AsyncClient() as client:
            answers = [await client.post(f"{house.url}/v1/guests") for _ in range(3)]
        assert answers[-1].status_code == 429
        assert counted(figures(house), "limits_total", "rate") >= 1
        assert counted(figures(house), "limits_total", "budget") == 1
        assert counted(figures(house), "limits_total", "watched") == 1
        assert counted(figures(house), "limits_total", "guests") >= 1


# The store


def test_commits_are_counted_and_timed() -> None:
    metrics = Metrics()
    for outcome in (Committed(1), Stale(7), Unavailable()):  # type: ignore[arg-type]
        metrics.observe_commit(outcome, 0.25)
    for what in ("committed", "stale", UNKNOWN):
        assert counted(metrics, "commits_total", what) == 1
    assert counted(metrics, "commit_seconds_count") == 3
    assert counted(metrics, "commit_seconds_sum") == 0.75


async def test_commits_of_a_game_are_counted(house: House) -> None:
    async with house.peer("Anna") as anna:
        (table,) = await seated([anna], bots=1, game="palais_royal")
        await anna.do(messages.Ping)
        committed = counted(figures(house), "commits_total", "committed")
        table.catch_up()
        assert committed >= table.version >= 3


def test_the_store_is_silent_until_it_answers() -> None:
    metrics = Metrics()
    assert counted(metrics, "store_up") == 0
    metrics.set_store_up(True)
    assert (counted(metrics, "store_up"), counted(metrics, "store_silent_seconds") < 1) == (1, True)
    metrics.set_store_up(False)
    assert counted(metrics, "store_up") == 0


def test_the_trouble_of_the_store_is_shown_until_it_is_over() -> None:
    metrics = Metrics()
    assert counted(metrics, "store_trouble", "disk_full") == 0
    metrics.set_store_trouble(StoreTrouble("disk_full", ""))
    assert (counted(metrics, "store_trouble", "disk_full"), counted(metrics, "store_trouble", "damaged")) == (1, 0)
    metrics.set_store_trouble(StoreTrouble("damaged", ""))
    assert (counted(metrics, "store_trouble", "disk_full"), counted(metrics, "store_trouble", "damaged")) == (0, 1)


async def test_the_store_answers_in_a_running_server(house: House) -> None:
    with anyio.fail_after(10):
        while not counted(figures(house), "store_up"):
            await anyio.sleep(0.01)


async def test_the_lag_of_the_event_loop_is_felt() -> None:
    metrics = Metrics()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(metrics.measure_loop_lag)
        with anyio.fail_after(10):
            while not counted(metrics, "loop_lag_seconds_count"):
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()


def test_garbage_collections_are_timed_and_the_longest_is_known() -> None:
    metrics = Metrics()
    with time_collections(metrics.count_collection):
        gc.collect()
    gc.collect()
    assert counted(metrics, "gc_pause_seconds_count") == 1
    assert counted(metrics, "gc_longest_pause_seconds") == counted(metrics, "gc_pause_seconds_sum") > 0


# Closed sets


def closed_sets() -> Iterator[str]:
    """Every word that may be a label."""
    yield from ("in", "out", OTHER, CUT, OK, RULE, UNKNOWN, "bot", "overdue", "lapse")
    yield from map(tag_of, (*get_args(AnyRequest), *get_args(AnyFromServer)))
    yield from (
        *GAMES,
        *map(str, Code),
        *OUTCOMES.values(),
        *get_args(Limit),
        *get_args(Resume),
        *get_args(WebhookOutcome),
        *get_args(PictureOutcome),
    )
    yield from get_args(Unreadable)
    yield from (code.name.lower() for code in Close)
    yield from (*get_args(TroubleKind), *get_args(BotMove), *get_args(WorkerLoss))


async def test_labels_come_from_closed_sets(house: House) -> None:
    async with house.peer("Anna") as anna, house.peer("Bela") as bela:
        tables = await seated([anna, bela], bots=1)
        await anna.do(messages.Act, table=tables[0].id, offer=99, action={"do": "Anna"})
        await anna.socket.send(anna.codec.encode({"type": "Anna", "id": "1"}))
        await anna.do(messages.Sit, table="Anna")
        await anna.do(messages.Create, game="Anna", seats=3)
        families = [*text_string_to_metric_families(figures(house).text().decode())]
    labels = {
        value
        for family in families
        for sample in family.samples
        for name, value in sample.labels.items()
        if name != "le"
    }
    assert labels <= {*closed_sets()}
    assert len(labels) > 30
