"""Pictures over HTTP: what a spectator sees, drawn off the event loop, cached, and safe to open anywhere."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import httpx
import msgspec
import pytest
from gateway.twin_servers import NOW, SECRET, TABLE, Setting
from metrics.test_node_metrics import counted, figures
from PIL import Image
from server_fixture import House, Peer, Table, opened, running, seated

from palatine_client.render.pictures import draw_picture
from palatine_client.render.raster.markup_check import check_markup
from palatine_protocol import messages
from palatine_protocol.costs import DRAWING_COSTS, Cost
from palatine_protocol.messages import Ping, Pong
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.pictures import pool as picture_pool
from palatine_server.pictures.cache import PictureCache
from palatine_server.pictures.jobs import PictureJob, PictureStyle, build_view, encode_job
from palatine_server.tables.deadlines.store_clock import StoreClock


@asynccontextmanager
async def playing(data: Path, **given: Any) -> AsyncIterator[tuple[House, Peer, Table, httpx.AsyncClient]]:
    """A server with a table that Anna plays, and a client without a token."""
    settings = {name: given.pop(name) for name in ("burst", "rate", "picture_workers") if name in given}
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(data, **settings))
        anna = await stack.enter_async_context(house.peer("Anna"))
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=house.url, timeout=60))
        (table,) = await seated([anna], bots=1, game="palais_royal", **given)
        table.catch_up()
        yield house, anna, table, client


def bearer(peer: Peer) -> dict[str, str]:
    return {"authorization": f"Bearer {peer.token}"}


# The picture


async def test_svg_and_png_show_the_board_with_the_names_of_the_players(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, _, table, client):
        svg = await client.get(f"/v1/tables/{table.id}/board.svg")
        assert (svg.status_code, svg.headers["content-type"]) == (200, "image/svg+xml")
        assert "Anna" in svg.text
        check_markup(svg.text)
        png = await client.get(f"/v1/tables/{table.id}/board.png")
        assert (png.status_code, png.headers["content-type"]) == (200, "image/png")
        image = Image.open(BytesIO(png.content))
        assert image.width >= 800
        assert len(image.convert("RGB").getcolors(10_000_000)) > 10  # not a blank page


async def test_language_scheme_and_layout_change_the_picture(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, _, table, client):
        asked = [{}, {"lang": "de"}, {"scheme": "dark"}, {"layout": "tall"}]
        pictures = [(await client.get(f"/v1/tables/{table.id}/board.svg", params=each)).text for each in asked]
        assert len(set(pictures)) == 4
        assert 'lang="de"' in pictures[1]
        again = await client.get(f"/v1/tables/{table.id}/board.svg", params={"scheme": "light", "v": "17"})
        assert again.text == pictures[0]  # the default, and an unknown parameter


@pytest.mark.parametrize(
    "query",
    [
        "lang=fr",
        "lang=",
        "scheme=DARK",
        "layout=wide%00",
        "layout=../..",
        "lang=en&lang=de",
        "scheme=%ff",
        "lang[]=en&lang=x",
    ],
)
async def test_other_values_of_parameters_are_malformed(tmp_path: Path, query: str) -> None:
    async with playing(tmp_path) as (_, _, table, client):
        answer = await client.get(f"/v1/tables/{table.id}/board.svg?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


async def test_table_before_its_game_has_no_picture(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.get(f"/v1/tables/{await opened(anna, 2)}/board.svg")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_started")
        for table in ("nowhere", "%00", "a" * 500, "%2e%2e"):
            answer = await client.get(f"/v1/tables/{table}/board.svg")
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_table")


# Who may see it


async def test_private_table_answers_as_if_it_were_not_there(tmp_path: Path) -> None:
    async with playing(tmp_path, visibility="private") as (house, anna, table, client), house.peer("Ben") as stranger:
        path = f"/v1/tables/{table.id}/board.svg"
        nowhere = await client.get("/v1/tables/nowhere/board.svg")
        for given in ({}, {"headers": bearer(stranger)}, {"params": {"invitation": "x" * 1000}}):
            answer = await client.get(path, **given)
            assert (answer.status_code, answer.content) == (404, nowhere.content)
            assert answer.headers.keys() == nowhere.headers.keys()
        # A stranger who knows the tag from elsewhere learns nothing either.
        shown = await client.get(path, headers=bearer(anna))
        assert shown.status_code == 200
        assert (await client.get(path, headers={"if-none-match": shown.headers["etag"]})).status_code == 404
        invitation = (await anna.do(messages.Invite, table=table.id)).invitation
        assert (await client.get(path, params={"invitation": invitation})).content == shown.content


async def test_spectators_delay_holds_for_pictures_also_for_the_players(tmp_path: Path) -> None:
    async with playing(tmp_path, delay=6) as (house, anna, table, client), house.peer("Ben") as ben:
        path = f"/v1/tables/{table.id}/board.svg"
        assert (await client.get(path)).json()["code"] == "not_started"  # six entries ago it had not started
        await table.play(lambda most: 0, until=lambda seen: seen.version >= 30 and seen.is_waited_for)
        await ben.do(messages.Watch, table=table.id)
        while not (seen := [each for each in ben.heard if isinstance(each, messages.Snapshot)]):
            await ben.receive()
        late = seen[-1]
        assert late.version < table.version
        drawn = (await client.get(path)).text
        assert drawn == draw_here(late)
        assert drawn != draw_here(late, board=table.board)
        assert (await client.get(path, headers=bearer(anna))).text == drawn


def draw_here(snapshot: messages.Snapshot, **changes: Any) -> str:
    """The picture of a snapshot, drawn in this process."""
    game = GAMES[snapshot.info.game]
    job = encode_job(game, msgspec.structs.replace(snapshot, **changes), PictureStyle("svg"))
    return draw_picture(build_view(msgspec.msgpack.decode(job, type=PictureJob), game))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("delay", [0, 3])
async def test_swapped_secrets_give_the_same_bytes_and_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game, delay: int
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    monkeypatch.setattr(StoreClock, "__call__", lambda clock: NOW)
    setting = Setting(game, 7 + delay, delay)
    answers = []
    for number, document in enumerate(setting.documents):
        data = tmp_path / str(number)
        await setting.planted(data, document)
        async with running(data) as house, httpx.AsyncClient(base_url=house.url, timeout=60) as client:
            answers.append([await client.get(f"/v1/tables/{TABLE}/board.{kind}") for kind in ("svg", "png")])
    for here, there in zip(*answers, strict=True):
        assert (here.status_code, here.content) == (there.status_code, there.content)
        assert without_date(here) == without_date(there)


def without_date(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name != "date"}


# Caches, costs and limits


async def test_clients_and_caches_may_keep_pictures_as_long_as_they_are_true(tmp_path: Path) -> None:
    async with playing(tmp_path) as (house, _, table, client):
        path = f"/v1/tables/{table.id}/board.svg"
        first = await client.get(path)
        assert first.headers["cache-control"] == "public, no-cache"
        tag = first.headers["etag"]
        for known in (tag, f'"other", W/{tag}', "*"):
            answer = await client.get(path, headers={"if-none-match": known})
            assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert (await client.head(path)).headers["etag"] == tag
        await table.play(lambda most: 0)
        over = await client.get(path, headers={"if-none-match": tag})
        assert (over.status_code, over.headers["cache-control"]) == (200, "public, max-age=3600")


async def test_picture_of_a_private_table_is_kept_nowhere(tmp_path: Path) -> None:
    async with playing(tmp_path, visibility="private") as (_, anna, table, client):
        answer = await client.get(f"/v1/tables/{table.id}/board.svg", headers=bearer(anna))
        assert answer.headers["cache-control"] == "private, no-store"


async def test_picture_runs_nothing_and_loads_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, _, table, client):
        for kind in ("svg", "png"):
            headers = (await client.get(f"/v1/tables/{table.id}/board.{kind}")).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert {"default-src 'none'", "sandbox"} <= set(re.split(r"; ?", headers["content-security-policy"]))


async def test_picture_is_drawn_once_and_paid_by_who_had_it_drawn(tmp_path: Path) -> None:
    async with playing(tmp_path, burst=10_000, rate=1e-6) as (house, anna, table, client):
        state = house.server._app.state.shared

        def left() -> float:
            return float(state.admission._budgets_of_users.of(anna.user)._left)

        for kind, cost in DRAWING_COSTS.items():
            spent = []
            for _ in range(2):
                before = left()
                await client.get(f"/v1/tables/{table.id}/board.{kind}", headers=bearer(anna))
                spent.append(round(before - left()))
            assert spent == [Cost.EXPENSIVE + cost, Cost.EXPENSIVE]
        assert counted(figures(house), "pictures_total", "drawn") == 2
        assert counted(figures(house), "pictures_total", "cached") == 2
        assert counted(figures(house), "picture_drawing_seconds_count") == 2


async def test_too_many_pictures_are_refused_with_a_time_to_wait(tmp_path: Path) -> None:
    async with playing(tmp_path, burst=250, rate=1.0) as (_, anna, table, client):
        path = f"/v1/tables/{table.id}/board.svg"
        answers = [await client.get(path, headers=bearer(anna)) for _ in range(8)]
        assert [answer.status_code for answer in answers][-1] == 429
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_server_without_picture_workers_draws_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, picture_workers=0) as (_, _, table, client):
        answer = await client.get(f"/v1/tables/{table.id}/board.svg")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


async def test_others_are_served_while_a_picture_is_drawn(tmp_path: Path) -> None:
    async with playing(tmp_path) as (house, anna, table, client):
        pool, answers = house.server._app.state.shared.pictures, list[httpx.Response]()
        await client.get(f"/v1/tables/{table.id}/board.svg")  # starts the process
        (process,) = pool.processes
        os.kill(process.pid, 19)  # stops it: the picture takes as long as we like
        async with anyio.create_task_group() as tasks:

            async def get() -> None:
                answers.append(await client.get(f"/v1/tables/{table.id}/board.png"))

            tasks.start_soon(get)
            for _ in range(3):
                assert isinstance(await anna.do(Ping), Pong)
            assert not answers
            os.kill(process.pid, 18)
        assert answers[0].status_code == 200


async def test_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    async with playing(tmp_path) as (house, _, table, client):
        pool = house.server._app.state.shared.pictures
        await client.get(f"/v1/tables/{table.id}/board.svg")
        (process,) = pool.processes
        os.kill(process.pid, 9)
        answer = await client.get(f"/v1/tables/{table.id}/board.svg", params={"scheme": "dark"})
        assert answer.status_code == 200
        assert {each.pid for each in pool.processes} != {process.pid}


async def test_processes_end_when_nobody_wants_pictures_and_with_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_pool, "IDLE", 0.2)
    async with playing(tmp_path) as (house, _, table, client):
        pool = house.server._app.state.shared.pictures
        assert (await client.get(f"/v1/tables/{table.id}/board.svg")).status_code == 200
        with anyio.fail_after(10):
            while pool.processes:
                await anyio.sleep(0.05)
        assert (await client.get(f"/v1/tables/{table.id}/board.png")).status_code == 200
    assert not pool.processes


async def test_users_wait_in_bounded_numbers(tmp_path: Path) -> None:
    async with playing(tmp_path) as (house, _, table, client):
        pool = house.server._app.state.shared.pictures
        pool._waiting = picture_pool.MOST_IN_ALL
        answer = await client.get(f"/v1/tables/{table.id}/board.svg")
        assert (answer.status_code, answer.json()["code"]) == (503, "try_again")


def test_cache_is_bounded_in_bytes_and_drops_what_was_not_used() -> None:
    cache = PictureCache(most_bytes=30)
    for key in "abc":
        cache.put(key, b"0123456789")
    assert cache.get("a")
    cache.put("d", b"0123456789")
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]
    cache.put("huge", b"0" * 31)
    assert cache._bytes <= 30
