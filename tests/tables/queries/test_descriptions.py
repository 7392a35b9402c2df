"""Descriptions: found once for each view, off the event loop, and never for anybody who is not sent the same bytes."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from server_fixture import Table, running, seated

from palatine_client.render import text
from palatine_protocol.messages import (
    Act,
    Describe,
    Described,
    Done,
    Explain,
    Explained,
    Ping,
    Pong,
    Preview,
    Previewed,
)
from palatine_protocol.offers import drawn
from palatine_server.tables.queries.descriptions import DescribedView, Descriptions

VIEW = DescribedView(b'{"table":"t"}', [{"news": "said"}], "en")


class Describer:
    """Finds the words 'one', 'two' and so on."""

    def __init__(self) -> None:
        self.found = list[tuple[bytes, str]]()

    def __call__(self, snapshot: bytes, news: list[dict[str, Any]], lang: str) -> str:
        self.found.append((snapshot, lang))
        return f"{len(self.found)}"


# Remembering


def test_text_is_found_once_for_each_view() -> None:
    descriptions = Descriptions(Describer())
    assert descriptions.known(VIEW) is None
    assert [descriptions.find(VIEW), descriptions.find(VIEW), descriptions.known(VIEW)] == ["1"] * 3


@pytest.mark.parametrize(
    "other",
    [VIEW._replace(snapshot=b'{"table":"u"}'), VIEW._replace(news=[]), VIEW._replace(lang="de")],
    ids=["snapshot", "news", "language"],
)
def test_text_of_one_view_is_not_that_of_another(other: DescribedView) -> None:
    descriptions = Descriptions(Describer())
    descriptions.find(VIEW)
    assert descriptions.known(other) is None
    assert descriptions.find(other) == "2"


def test_texts_are_bounded_and_the_one_unused_for_longest_is_forgotten() -> None:
    views = [VIEW._replace(snapshot=bytes([number])) for number in range(4)]
    descriptions = Descriptions(Describer(), most_bytes=3)
    for view in views[:3]:
        descriptions.find(view)
    descriptions.known(views[0])
    descriptions.find(views[3])
    assert [descriptions.known(view) is not None for view in views] == [True, False, True, True]
    assert descriptions._bytes == sum(map(len, descriptions._texts.values())) == 3


# At a table


async def begun(table: Table) -> Table:
    """The same table, when its peer has seen that the game has begun."""
    await table.until_version(3)
    return table


async def test_description_is_not_found_again_while_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = noted(monkeypatch)
    async with running(tmp_path) as house, house.peer("Anna") as anna, house.peer("Berta") as berta:
        anna_sees, berta_sees = await seated([anna, berta], game="palais_royal")
        texts = [await anna.do(Describe, table=anna_sees.id) for _ in range(3)]
        assert (len({each.text for each in texts}), len(found)) == (1, 1)
        other = await berta.do(Describe, table=berta_sees.id)
        assert other.text != texts[0].text
        german = await anna.do(Describe, table=anna_sees.id, lang="de")
        assert (german.text != texts[0].text, len(found)) == (True, 3)
        mover = max([await begun(table) for table in (anna_sees, berta_sees)], key=lambda table: table.is_waited_for)
        assert isinstance(await mover.act(Random(1).randrange), Done)
        later = await anna.do(Describe, table=anna_sees.id)
        assert (later.version, len(found)) == (texts[0].version + 1, 4)
        assert "MainThread" not in found


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """In which thread each text is found."""
    found, described = list[str](), text.describe_view

    def describe(*given: Any, **named: Any) -> str:
        found.append(threading.current_thread().name)
        return described(*given, **named)

    monkeypatch.setattr(text, "describe_view", describe)
    return found


async def test_table_and_others_go_on_while_words_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_finding, go_on, described = threading.Event(), threading.Event(), text.describe_view

    def describe(*given: Any, **named: Any) -> str:
        begun_finding.set()
        assert go_on.wait(10)
        return described(*given, **named)

    monkeypatch.setattr(text, "describe_view", describe)
    async with running(tmp_path) as house, house.peer("Anna") as anna, house.peer("Berta") as berta:
        tables = await seated([anna, berta], game="palais_royal")
        asker, mover = sorted([await begun(table) for table in tables], key=lambda table: table.is_waited_for)
        await asker.peer.send(Describe(id="words", table=asker.id))
        await asker.peer.send(Ping(id="behind"))
        assert await anyio.to_thread.run_sync(begun_finding.wait, 10)
        done = await mover.act(Random(1).randrange)
        assert isinstance(done, Done)
        assert isinstance(await mover.peer.do(Ping), Pong)
        go_on.set()
        assert (await asker.peer.reply_to("words")).version == done.version - 1  # as it was when it was asked
        assert isinstance(await asker.peer.reply_to("behind"), Pong)


async def test_previews_and_explanations_are_found_in_threads_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, run_sync = list[Any](), anyio.to_thread.run_sync

    async def noting(work: Any, *given: Any, **named: Any) -> Any:
        threads.append(getattr(work, "func", work).__name__)
        return await run_sync(work, *given, **named)

    monkeypatch.setattr(anyio.to_thread, "run_sync", noting)
    async with running(tmp_path) as house, house.peer("Anna") as anna, house.peer("Berta") as berta:
        tables = await seated([anna, berta], game="palais_royal")
        mover = max([await begun(table) for table in tables], key=lambda table: table.is_waited_for)
        offer = mover.offer
        assert offer is not None
        action = drawn(offer.choices, Random(1).randrange)
        assert isinstance(await mover.peer.do(Preview, table=mover.id, action=action), Previewed)
        assert isinstance(await mover.peer.do(Explain, table=mover.id), Explained)
        assert {"preview", "explain"} <= set(threads)
        assert isinstance(await mover.peer.do(Act, table=mover.id, offer=offer.id, action=action), Done)


async def test_question_that_breaks_costs_nobody_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr("palatine_server.tables.queries.explanations.questions", broken)
    async with running(tmp_path) as house, house.peer("Anna") as anna, house.peer("Berta") as berta:
        table, _ = await seated([anna, berta], game="palais_royal")
        assert (await anna.do(Explain, table=table.id)).code == "try_again"
        assert "a question broke" in caplog.text
        assert isinstance(await anna.do(Describe, table=table.id), Described)
