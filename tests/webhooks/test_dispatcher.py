"""Who is told what, and how often: never who is connected, never the same turn twice."""

from asyncio import Event, Task, create_task, get_running_loop
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from store import redis_servers
from store.redis_servers import Server, one_server
from webhooks.nodes import FORGET, PEOPLE, Clock, Scene, ask, messages, scene, table_of
from webhooks.receiver import BROKEN, SILENCE, Receiver, receiving

from palatine_server.settings import Settings
from palatine_server.store import Append, OnOutcome, Unavailable
from palatine_server.store.redis import RedisStore
from palatine_server.webhooks import dispatcher
from palatine_server.webhooks.dispatcher import PAUSES
from palatine_server.webhooks.signatures import sign_body

GRACE = 5_000
LONG = 200_000  # milliseconds after which every connection has proved that it lives


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Scene]:
    made, over = get_running_loop().create_future(), Event()

    async def live() -> None:  # a task of its own: a fixture is taken down in another one than it was set up in
        async with scene(tmp_path) as house:
            made.set_result(house)
            await over.wait()

    living = create_task(live())
    yield await made
    over.set()
    await living


async def choose(house: Scene, user: str, table: str) -> Any:
    """Somebody makes his choice; when all have, the next turn begins."""
    state = (await house.first.directory.open(table)).state
    seat = state.own_seat(user)
    action = {"do": "choose", "tiles": state.require_begun().play.document.hands[seat].tiles[:2]}
    given = {"table": table, "offer": state.secrets.answers[seat], "action": action}
    return await ask(house.first.directory, user, messages.Act, id=f"{user}-{state.version}", **given)


# Once


async def test_who_is_not_connected_is_told_once_whose_turn_it_is(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "berta")
    table = await house.table()
    await house.look()
    assert receiver.letters == []  # he may come by himself
    await house.look(after=GRACE)
    for _ in range(5):
        await house.look(after=LONG)
    (letter,) = receiver.letters
    assert letter.event == {
        "event": "your_turn",
        "id": f"{table}:1:0",
        "table": table,
        "game": "between_two_castles",
        "seat": 1,
        "offer": 0,
        "until": None,
    }
    hook = (await house.first.dispatcher.registrations.find(["berta"]))["berta"]
    sent = int(letter.headers["palatine-signature"][2:].partition(",")[0])
    assert letter.headers["palatine-signature"] == sign_body(hook.secret, letter.body, sent)
    assert sum(node.rang("delivered") for node in house.nodes) == 1


async def test_what_others_do_begins_no_new_turn(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, *PEOPLE)
    table = await house.table()
    await house.look(after=GRACE)
    assert sorted(letter.event["seat"] for letter in receiver.letters) == [0, 1, 2]
    await ask(house.first.directory, "anna", messages.Say, table=table, text="hello")
    assert isinstance(await choose(house, "anna", table), messages.Done)
    await house.look(after=GRACE)
    assert [letter.event["seat"] for letter in receiver.letters[3:]] == []


async def test_what_others_do_meanwhile_does_not_put_it_off(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path, nodes=1) as house:
        await house.hook(receiver, "berta")
        table = await house.table()
        await house.look(after=GRACE - 1)
        assert isinstance(await ask(house.first.directory, "anna", messages.Show, table=table), messages.Done)
        assert receiver.letters == []
        await house.look(after=1)
        assert len(receiver.letters) == 1


async def test_the_next_turn_is_told_again(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "carla")
    table = await house.table()
    await house.look(after=GRACE)
    for user in PEOPLE:
        assert isinstance(await choose(house, user, table), messages.Done)
    await house.look(after=GRACE)
    await house.look(after=GRACE)
    assert [letter.event["offer"] for letter in receiver.letters] == [0, 1]


async def test_what_is_no_longer_true_is_not_told(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "anna")
    table = await house.table()
    assert isinstance(await choose(house, "anna", table), messages.Done)
    await house.look(after=GRACE)
    assert receiver.letters == []


async def test_a_node_that_missed_the_move_reads_the_table_before_it_tells_anything(
    house: Scene, receiver: Receiver
) -> None:
    await house.hook(receiver, "anna")
    table = await house.table()
    second = house.nodes[1]
    second.directory.changed = lambda table, state: None  # its dispatcher hears of nothing any more
    for user in PEOPLE:
        assert isinstance(await choose(house, user, table), messages.Done)
    house.clock.now += GRACE
    await second.dispatcher.check_pending()
    await house.look()
    await house.look(after=GRACE)
    assert [letter.event["offer"] for letter in receiver.letters] == [1]


async def test_who_has_no_hook_is_not_remembered(house: Scene) -> None:
    await house.table()
    await house.look(after=GRACE)
    assert all(node.dispatcher._pending == {} for node in house.nodes)


async def test_bots_and_paused_games_tell_nobody(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, *PEOPLE)
    table = await house.table()
    await ask(house.first.directory, "berta", messages.Leave, table=table)
    await ask(house.first.directory, "anna", messages.Pause, table=table)
    await house.look(after=GRACE)
    assert receiver.letters == []


# Who is connected


@pytest.mark.parametrize("node", [0, 1])
async def test_who_is_connected_anywhere_is_told_nothing(house: Scene, receiver: Receiver, node: int) -> None:
    await house.hook(receiver, "berta")
    house.nodes[node].here.add("berta")
    await house.look()
    table = await house.table()
    for _ in range(LONG // GRACE):
        await house.look(after=GRACE)
    house.nodes[node].here.clear()  # he has known for long
    await house.look(after=2 * FORGET)
    await ask(house.first.directory, "anna", messages.Show, table=table)  # the table changes, and it is still his turn
    for _ in range(5):
        await house.look(after=FORGET)
    assert receiver.letters == []


@pytest.mark.parametrize("node", [0, 1])
async def test_who_loses_his_connection_soon_after_is_told(house: Scene, receiver: Receiver, node: int) -> None:
    await house.hook(receiver, "berta")
    house.nodes[node].here.add("berta")
    await house.look()
    await house.table()
    await house.look(after=GRACE)
    house.nodes[node].here.clear()
    await house.look()
    for _ in range(4):
        await house.look(after=GRACE)
    assert [letter.event["seat"] for letter in receiver.letters] == [1]


async def test_who_made_a_hook_is_told_nothing_until_every_node_knows_of_it(house: Scene, receiver: Receiver) -> None:
    house.nodes[1].here.add("berta")
    await house.look()  # the second node learns that he has none
    await house.first.dispatcher.register_user("berta", receiver.url)
    await house.table()
    for _ in range(LONG // GRACE):
        await house.look(after=GRACE)
    assert receiver.letters == []


# Trying again


async def test_after_an_error_or_silence_it_is_tried_again_with_longer_pauses(
    tmp_path: Path, receiver: Receiver
) -> None:
    async with scene(tmp_path, nodes=1, patience=0.2) as house:
        await house.hook(receiver, "berta")
        receiver.answers.extend([BROKEN, SILENCE, b"nonsense"])
        await house.table()
        await house.look(after=GRACE)
        assert len(receiver.letters) == 4
        assert len({letter.body for letter in receiver.letters}) == 1
        assert len(house.pauses) == 4
        for pause, planned in zip(house.pauses, PAUSES, strict=False):
            assert planned / 2 <= pause <= planned * 1.5
        assert (house.first.rang("delivered"), house.first.rang("failed")) == (1, 0)


async def test_it_is_given_up_at_last_and_never_begun_again(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "berta")
    receiver.answers.extend([BROKEN] * 100)
    await house.table()
    await house.look(after=GRACE)
    await house.look(after=LONG)
    assert len(receiver.letters) == len(PAUSES)
    assert sum(node.rang("failed") for node in house.nodes) == 1


@pytest.mark.parametrize("answer", [b"HTTP/1.1 404 No\r\n\r\n", b"HTTP/1.1 302 Go\r\nlocation: /other\r\n\r\n"])
async def test_a_no_is_a_no(house: Scene, receiver: Receiver, answer: bytes) -> None:
    await house.hook(receiver, "berta")
    receiver.answers.append(answer)
    await house.table()
    await house.look(after=GRACE)
    assert len(receiver.letters) == 1
    assert sum(node.rang("rejected") for node in house.nodes) == 1


@pytest.mark.parametrize("why", ["came here", "came elsewhere", "removed", "moved"])
async def test_between_two_attempts_the_reason_may_go_away(
    house: Scene, receiver: Receiver, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.hook(receiver, "berta")
    receiver.answers.append(BROKEN)
    table = await house.table()

    async def sleep(seconds: float) -> None:
        if receiver.letters and why == "came here":
            for node in house.nodes:  # whichever was first
                node.here.add("berta")
        elif receiver.letters and why == "came elsewhere":
            house.nodes[1].here.add("berta")
            await house.nodes[1].dispatcher.online_users.announce()
        elif receiver.letters and why == "removed":
            await house.first.dispatcher.registrations.remove("berta")
        elif receiver.letters:
            await choose(house, "berta", table)

    for node in house.nodes:
        monkeypatch.setattr(node.dispatcher, "_sleep", sleep)
    await house.look(after=GRACE)
    await house.look(after=GRACE)
    assert len(receiver.letters) == 1


# Failing


async def test_a_node_that_dies_between_claim_and_answer_leaves_nothing_to_be_told_twice(
    house: Scene, receiver: Receiver
) -> None:
    await house.hook(receiver, "berta")
    receiver.answers.append(SILENCE)
    async with AsyncExitStack() as stack:
        dying = await house.add(stack)
        house.nodes.remove(dying)
        await house.table()
        await dying.directory.open(next(iter(house.first.directory.tables)))
        house.clock.now += GRACE
        await dying.dispatcher.check_pending()
        await receiver.until(1)
    await house.look(after=GRACE)
    await house.look(after=LONG)
    assert len(receiver.letters) == 1


async def test_a_node_that_dies_before_its_claim_is_replaced_by_another(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "berta")
    async with AsyncExitStack() as stack:
        dying = await house.add(stack)
        house.nodes.remove(dying)
        table = await house.table()
        await dying.directory.open(table)
    await house.look(after=GRACE)
    assert len(receiver.letters) == 1


async def test_when_the_store_fails_before_the_claim_it_is_told_later(
    house: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.hook(receiver, "berta")
    await house.table()

    async def failing(key: str, keep: int) -> bool:
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "claim_key", failing, raising=False)
        await house.look(after=GRACE)
    assert receiver.letters == []
    await house.look(after=GRACE)
    assert len(receiver.letters) == 1


async def test_what_was_nearly_done_and_not_stored_takes_no_turn_away(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, nodes=1) as house:
        await house.hook(receiver, "anna")
        table = await house.table()

        looking = list[Task[None]]()

        async def look(on_outcome: OnOutcome) -> None:
            await house.first.dispatcher.check_pending()
            on_outcome(Unavailable())

        def failing(given: Append, on_outcome: OnOutcome) -> None:
            looking.append(create_task(look(on_outcome)))

        with monkeypatch.context() as broken:
            broken.setattr(house.store, "append", failing)
            assert (await choose(house, "anna", table)).code == "try_again"
        await house.look()
        await house.look(after=GRACE)
        assert [letter.event["offer"] for letter in receiver.letters] == [0]


async def test_a_broken_book_concerns_no_other(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "anna")
    table = await table_of(house.first.directory)
    house.first.dispatcher.note_change("broken", None)  # type: ignore[arg-type]
    house.first.dispatcher.note_change(table, (await house.first.directory.open(table)).state)
    await house.look()
    await house.look(after=GRACE)
    assert len(receiver.letters) == 1


async def test_a_hook_that_cannot_be_read_silences_no_other(house: Scene, receiver: Receiver) -> None:
    await house.hook(receiver, "anna", "berta")
    await house.store.set_note("webhook:berta", b"scribble", 60_000)
    await house.table()
    await house.look(after=GRACE)
    assert [letter.event["seat"] for letter in receiver.letters] == [0]


async def test_a_note_that_cannot_be_read_closes_no_house(
    house: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    note = "sought:berta"
    monkeypatch.setattr(dispatcher, "CHECK_EVERY", 0.01)
    await house.hook(receiver, "berta")
    (kept,) = (await house.store.read_notes([note])).values()
    await house.store.set_note(note, b"scribble", 60_000)
    await house.table()
    house.clock.now += GRACE
    house.first.dispatcher.start()
    with anyio.fail_after(10):
        while "the check of pending webhooks failed" not in caplog.text:
            await anyio.sleep(0.01)
    await house.store.set_note(note, kept, 60_000)
    assert [letter.event["seat"] for letter in await receiver.until(1)] == [1]


@pytest.mark.parametrize("revoked", ["anna", "berta"])
async def test_who_was_shut_out_is_told_nothing(house: Scene, receiver: Receiver, revoked: str) -> None:
    await house.hook(receiver, "anna", "berta")
    await house.table()
    await house.store.revoke(revoked, house.clock.now + LONG)
    await house.look(after=GRACE)
    assert [letter.event["seat"] for letter in receiver.letters] == [1 if revoked == "anna" else 0]


async def test_a_table_opened_after_a_restart_tells_what_nobody_was_told(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path, nodes=1) as house:
        await house.hook(receiver, "berta")
        table, now = await house.table(), house.clock.now
    async with scene(tmp_path, nodes=1) as house:
        house.clock.now = now
        await house.first.directory.open(table)
        await house.look(after=GRACE)
        await house.look(after=LONG)
    assert len(receiver.letters) == 1


async def test_no_more_than_allowed_in_a_minute(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path, nodes=1, webhooks_per_minute=1) as house:
        await house.hook(receiver, "berta")
        await house.table()
        await table_of(house.first.directory, tag="second")
        await house.look(after=GRACE)
        await house.look(after=GRACE)
        assert len(receiver.letters) == 1
        await house.look(after=60_000)
        assert len({letter.event["table"] for letter in receiver.letters}) == 2


# Real nodes


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


async def test_two_nodes_on_one_valkey_tell_a_turn_once(valkey: Server, tmp_path: Path, receiver: Receiver) -> None:
    async with AsyncExitStack() as stack:
        stores = [await RedisStore.open(valkey.url) for _ in "ab"]
        for store in stores:
            stack.push_async_callback(store.close)
        clock = Clock()
        nodes = [await Scene(store, clock, Settings(data=tmp_path)).add(stack) for store in stores]
        house = Scene(stores[0], clock, Settings(data=tmp_path))
        house.nodes = nodes
        await house.hook(receiver, *PEOPLE)
        nodes[1].here.add("carla")
        await house.look()
        await house.table()
        clock.now += GRACE
        async with anyio.create_task_group() as tasks:
            for node in nodes:
                tasks.start_soon(node.dispatcher.check_pending)
        await house.look()
        await house.look(after=GRACE)
        assert sorted(letter.event["seat"] for letter in receiver.letters) == [0, 1]
