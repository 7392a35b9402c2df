"""The life of a table through the Python client: lobby, host, clocks, talk, replays, questions; on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from clients.relay import PATIENCE, Relay
from server_fixture import House, running

from palatine_client import Client, RequestRefused, Table, connect
from palatine_client.cli.connection_status import follow_connection_status
from palatine_client.table import Change
from palatine_protocol import patch
from palatine_protocol.messages import Clock, Contribute, Hello, Update
from palatine_protocol.offers import Choice, listed

PALAIS, CASTLES = "palais_royal", "between_two_castles"
SEED = "5e" * 32


@asynccontextmanager
async def people(url: str, house: House, *names: str, **given: Any) -> AsyncIterator[list[Client]]:
    """Somebody of each of these names, with a connection of his own."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        tokens = [await house.token(name) for name in names]
        yield [await stack.enter_async_context(connect(url, token, **given)) for token in tokens]


@pytest.fixture
async def three(house: House) -> AsyncIterator[list[Client]]:
    async with people(house.url, house, "Anna", "Berta", "Carla") as three:
        yield three


async def seated(players: list[Client], game: str = PALAIS, **given: Any) -> list[Table]:
    """A table at which all of these sit, not started."""
    hosted = await players[0].create(game, len(players), **given)
    tables = [await player.join(hosted.id) for player in players]
    for table in tables:
        await table.sit()
    for table in tables:
        await table.catch_up()
    return tables


async def started(players: list[Client], game: str = PALAIS, **given: Any) -> list[Table]:
    tables = await seated(players, game, **given)
    await tables[0].start()
    for table in tables:
        await table.until(lambda table=table: table.info.status == "playing")  # type: ignore[misc]
    return tables


async def over(players: list[Client], game: str = PALAIS) -> list[Table]:
    """A table whose game is over: house bots have played it."""
    tables = await started(players, game)
    for table in tables:
        await table.leave()
    for table in tables:
        await table.until(lambda table=table: table.is_over)  # type: ignore[misc]
    return tables


async def refused(asking: Any) -> str:
    """The code with which a request is refused."""
    with pytest.raises(RequestRefused) as raised:
        await asking
    return raised.value.code


# The lobby


async def test_the_lobby_is_a_list_that_stays_true(three: list[Client]) -> None:
    anna, berta, _ = three
    async with aclosing(berta.follow_tables(PALAIS)) as lobby:
        assert await anext(lobby) == []
        table = await anna.create(PALAIS, 2)
        await anna.create("noblemen", 3)
        assert [(row.table, row.seats) for row in await anext(lobby)] == [(table.id, [None, None])]
        assert await berta.list_tables("noblemen")  # another list in between does not end it
        await table.sit()
        while (rows := await anext(lobby))[0].seats != ["Anna", None]:
            pass
        newer = await anna.create(PALAIS, 3)
        while [row.table for row in rows] != [newer.id, table.id]:
            rows = await anext(lobby)
        await newer.change(visibility="private")
        while [row.table for row in rows] != [table.id]:
            rows = await anext(lobby)


async def test_the_lobby_comes_back_with_the_connection(house: House, lossy: Relay) -> None:
    async with people(house.url, house, "Anna") as (anna,), people(lossy.url, house, "Berta") as (berta,):
        async with aclosing(berta.follow_tables(free=True)) as lobby:
            assert await anext(lobby) == []
            lossy.cut()
            table = await anna.create(PALAIS, 2)
            assert [row.table for row in await anext(lobby)] == [table.id]
        assert berta.session.table_list is None


async def test_only_one_lobby_is_followed_at_a_time(three: list[Client]) -> None:
    anna = three[0]
    async with aclosing(anna.follow_tables()) as lobby:
        await anext(lobby)
        with pytest.raises(RuntimeError, match="already"):
            await anext(anna.follow_tables())
    async with aclosing(anna.follow_tables()) as lobby:
        assert await anext(lobby) == []


async def test_an_invitation_opens_a_private_table_and_is_remembered(house: House, lossy: Relay) -> None:
    async with people(house.url, house, "Anna") as (anna,), people(lossy.url, house, "Berta") as (berta,):
        hosted = await anna.create(PALAIS, 3, visibility="private", seed=SEED)
        assert await refused(berta.join(hosted.id)) == "no_such_table"
        table = await berta.join(hosted.id, invitation=await hosted.invite())
        await hosted.fill()
        await hosted.start()
        await table.until(lambda: table.info.status == "playing")
        lossy.cut()
        await hosted.say("Are you there?")
        await table.until(lambda: table.talk)
        hello = [request for request in lossy.requests if isinstance(request, Hello)][-1]
        assert hello.invitations == {hosted.id: await hosted.invite()}
        renewed = await hosted.invite(renew=True)
        assert renewed != hello.invitations[hosted.id]


async def test_somebody_who_was_invited_sits_down_with_the_same_invitation(three: list[Client]) -> None:
    anna, berta, _ = three
    hosted = await anna.create(PALAIS, 2, visibility="private")
    table = await berta.join(hosted.id, invitation=await hosted.invite())
    await table.unwatch()
    table = await berta.join(hosted.id, invitation=await hosted.invite())
    assert await table.sit() == 0


# Before the game


async def test_who_sits_down_adds_chance_by_himself(three: list[Client]) -> None:
    tables = await seated(three[:2])
    entropy = [sitting.entropy for sitting in tables[0].info.seats if sitting]
    assert [len(each) for each in entropy] == [32, 32]
    assert entropy[0] != entropy[1]
    await tables[0].contribute(bytes(range(16)))
    assert tables[0].info.seats[0]
    assert tables[0].info.seats[0].entropy == bytes(range(16)).hex()


async def test_where_chance_is_settled_nobody_adds_any(house: House, lossy: Relay) -> None:
    async with people(lossy.url, house, "Anna") as (anna,):
        table = await anna.create(PALAIS, 2, seed=SEED)
        await table.sit()
        assert not [request for request in lossy.requests if isinstance(request, Contribute)]


async def test_all_must_be_ready_and_say_so_again_when_the_terms_change(three: list[Client]) -> None:
    one, other = await seated(three[:2], ready_check=True)
    assert await refused(one.start()) == "not_ready"
    await other.ready()
    await one.change(clock=Clock(move=60), options={})
    assert one.info.clock == Clock(move=60)
    assert await refused(one.start()) == "not_ready"
    await other.ready()
    await other.ready(False)
    assert await refused(one.start()) == "not_ready"
    await other.ready()
    await one.change(clock=None, ready_check=False)
    assert one.info.clock is None
    await one.start()


async def test_the_host_keeps_seats_sends_people_away_and_hands_over(three: list[Client]) -> None:
    anna, berta, carla = three
    one, other = await seated(three[:2])
    await one.kick(1)
    await other.until(lambda: other.seat is None)
    await one.reserve(1, carla.welcome.user)
    assert await refused(other.sit()) == "no_seat_free"
    assert await refused(other.sit(1)) == "seat_reserved"
    await one.fill()  # finds nothing to fill
    assert one.info.seats[1] is None
    third = await carla.join(one.id)
    assert await third.sit() == 1
    assert await refused(third.start()) == "not_the_host"
    await one.hand_over(1)
    await third.catch_up()
    assert third.info.host == "Carla"
    await third.start()
    assert await refused(one.pause()) == "not_the_host"


async def test_a_reserved_seat_can_be_named_when_the_table_is_opened(three: list[Client]) -> None:
    anna, berta, _ = three
    table = await anna.create(PALAIS, 2, reserved=[berta.welcome.user])
    assert table.info.reserved == [0]
    assert table.free_seats == [1]
    assert await table.sit() == 1
    assert await (await berta.join(table.id)).sit() == 0


# Clocks


async def test_a_clock_shows_the_seconds_that_are_left_though_ours_is_wrong(house: House) -> None:
    moment = 0.0  # many years behind the server's
    async with people(house.url, house, "Anna", "Berta", now=lambda: moment) as players:
        tables = await started(players, clock=Clock(move=30, bank=60))
        table = tables[0]
        (waiting,) = table.view.waiting
        assert waiting.since is not None
        assert waiting.until == waiting.since + 90_000
        moment = (waiting.since - players[0].welcome.time) / 1000 + 20
        assert table.seconds_left(waiting.seat) == pytest.approx(70)
        assert table.seconds_left(1 - waiting.seat) == 90
        moment += 100
        assert table.seconds_left(waiting.seat) == 0
        await table.pause()
        assert table.info.paused
        assert table.seconds_left(waiting.seat) == 0  # hosts do not stop their own clock
        await table.resume()
        assert not table.info.paused


async def test_a_clock_that_a_pause_stops_shows_nothing(three: list[Client]) -> None:
    table, other = await started(three[:2], clock=Clock(move=30, bank=60))  # the first one is the host
    (waiting,) = table.view.waiting
    assert waiting.seat == table.seat
    assert other.seat is not None
    await table.hand_over(other.seat)
    await other.pause()
    await table.catch_up()
    assert table.info.paused
    assert table.seconds_left(waiting.seat) is None
    await other.resume()
    await table.catch_up()
    assert 0 < (table.seconds_left(waiting.seat) or 0) <= 90


async def test_without_a_clock_there_is_all_the_time(three: list[Client]) -> None:
    tables = await started(three[:2])
    assert [tables[0].seconds_left(seat) for seat in (0, 1)] == [None, None]
    hosted = await three[0].create(PALAIS, 2, clock=Clock(move=30))
    await hosted.fill()
    assert hosted.seconds_left(0) is None  # a bot has no clock


async def test_nobody_acts_while_the_game_is_paused(three: list[Client]) -> None:
    tables = await started(three[:2])
    await tables[0].pause()
    for table in tables:
        await table.catch_up()
        assert table.view.offer is None
    await tables[0].resume()
    playing = next(table for table in tables if table.must_decide)
    await playing.catch_up()
    async for turn in playing:
        assert await turn.act(turn.offer.random())
        break


# Talk


async def test_talk_is_heard_kept_and_taken_away_with_whoever_is_muted(three: list[Client]) -> None:
    one, other = await started(three[:2])
    visitor = await three[2].join(one.id)
    await one.say("Good luck")
    await other.say("You too")
    await other.say("Among us", to="spectators")
    await visitor.say("Nobody hears me")
    await visitor.catch_up()
    assert [line.text for line in visitor.talk] == ["Good luck", "You too", "Among us", "Nobody hears me"]
    await one.catch_up()
    assert [(line.name, line.text, line.seat) for line in one.talk] == [
        ("Anna", "Good luck", 0),
        ("Berta", "You too", 1),
    ]
    told = visitor.talk
    await visitor.unwatch()
    visitor = await three[2].join(one.id)  # who comes later is shown what was said
    assert visitor.talk == told
    await one.mute(told[1].line)
    assert [line.name for line in one.talk] == ["Anna"]
    assert await refused(other.say("Hey")) == "muted"
    await one.unmute(told[1].line)
    await other.say("Sorry")
    await one.report(one.talk[0].line, "Too polite.")


async def test_deciders_of_a_castle_see_what_somebody_points_at_and_nobody_else_does(house: House) -> None:
    async with people(house.url, house, "Anna", "Berta", "Carla", "Dora") as four:
        tables = await started(four, CASTLES)
        await choose(tables)
        one, right, across, left = tables
        place = next(action for action in listed(offered(one)) if action["do"] == "place")
        assert await refused(one.point({**place, "cell": [40, place["cell"][1]]})) == "not_adjacent"
        others = [right, across, left]
        castles = {castle: one.view.board["castles"][castle]["partners"] for castle in (0, 3)}
        for castle, partners in castles.items():
            place = next(action for action in listed(offered(one)) if action.get("castle") == castle)
            (shown,) = (table for seat, table in enumerate(tables) if seat in partners and seat != 0)
            await one.point(place)  # after a moment, if that was too fast
            await shown.until(lambda shown=shown, place=place: shown.pointed == {0: place})  # type: ignore[misc]
            for table in others:
                await table.catch_up()
            assert [table.pointed for table in others if table is not shown] == [{}, {}]  # also of the other castle
        await one.point(None)
        await shown.until(lambda: not shown.pointed)


async def choose(tables: list[Table]) -> None:
    """Let everybody choose tiles, so that all place them next."""
    for table in tables:
        async for turn in table:
            await turn.act(next(action for action in turn.offer if action["do"] == "choose"))
            break
    for table in tables:
        await table.until(lambda table=table: table.board["phase"] == "place")  # type: ignore[misc]


def offered(table: Table) -> list[Choice]:
    assert table.view.offer
    return table.view.offer.choices


# Taking back


async def test_all_agree_to_take_back(three: list[Client]) -> None:
    one, other = await started(three[:2])
    before, board = one.version, repr(one.board)
    assert before is not None
    first = one if one.must_decide else other
    async for turn in first:
        await turn.act(turn.offer.random())
        break
    await one.rollback(before)
    await other.until(lambda: other.info.rollback)
    assert other.info.rollback
    assert (other.info.rollback.to, other.info.rollback.by) == (before, 0)
    await other.disagree()
    assert other.info.rollback is None
    assert await refused(other.agree()) == "nothing_proposed"
    await other.rollback(before)
    await one.agree()
    assert repr(one.board) == board


# Rematch


async def test_once_more_with_the_same_people_each_a_seat_further(three: list[Client]) -> None:
    one, other = await over(three[:2])
    assert await refused((await three[2].join(one.id)).rematch()) == "not_seated"
    again = await one.rematch()
    await other.until(lambda: other.info.next)
    same = await other.rematch()
    assert again.id == same.id == one.info.next
    assert (again.seat, same.seat) == (1, 0)
    assert again.info.status == "open"
    await again.catch_up()
    people = [sitting for sitting in again.info.seats if sitting]
    assert [sitting.name for sitting in people] == ["Berta", "Anna"]
    assert all(sitting.entropy for sitting in people)


# Spectators


async def test_over_a_shoulder_while_it_is_shown(three: list[Client]) -> None:
    one, other = await started(three[:2], CASTLES)
    assert await refused(three[2].join(one.id, seat=0)) == "not_shown"
    await one.show_hand()
    visitor = await three[2].join(one.id, seat=0)
    assert (visitor.hand, visitor.seat, visitor.view.offer) == (one.hand, None, None)
    assert not visitor.must_decide
    await visitor.catch_up()
    assert (visitor.hand, visitor.seat) == (one.hand, None)
    await one.cover_hand()
    await visitor.until(lambda: visitor.hand is None)


async def test_over_a_shoulder_again_after_a_lost_connection(house: House, lossy: Relay) -> None:
    async with people(house.url, house, "Anna", "Berta") as players, people(lossy.url, house, "Carla") as (carla,):
        one, _ = await started(players, CASTLES)
        await one.show_hand()
        visitor = await carla.join(one.id, seat=0)
        lossy.cut()
        await visitor.catch_up()
        assert (visitor.hand, visitor.seat) == (one.hand, None)


async def test_a_late_spectator_speaks_without_waiting_for_the_others(three: list[Client]) -> None:
    one, _ = await started(three[:2], delay=50)
    visitor = await three[2].join(one.id)
    await visitor.say("What happened?")
    assert (visitor.version or 0) < (one.version or 0)
    assert visitor.view.is_delayed
    await visitor.catch_up()


# Replays


async def test_a_game_is_told_again_with_all_hands_open(three: list[Client]) -> None:
    tables = await over(three[:2], CASTLES)
    replay = three[2].replay(tables[0].id, open=True)
    hands, versions, told = [], [], []
    async for change in replay:
        versions.append(change.version)
        told += [news["news"] for news in change.news]
        hands.append(repr(replay.hands))
    assert versions == list(range((tables[0].version or 0) + 1))
    assert replay.info.status == "over"
    assert replay.board == tables[0].board
    assert replay.hands is not None
    assert replay.hands[0] == tables[0].hand
    assert replay.hands[1] == tables[1].hand
    assert len(set(hands)) > 20
    assert "game_started" in told


async def test_a_game_is_told_again_as_a_seat_saw_it_from_any_version(three: list[Client]) -> None:
    tables = await over(three[:2], CASTLES)
    replay = three[2].replay(tables[0].id, seat=1, since=9)
    changes = [change async for change in replay]
    assert changes[0] == Change(9, [], snapshot=True)
    assert [change.version for change in changes] == list(range(9, (tables[0].version or 0) + 1))
    assert (replay.hand, replay.hands) == (tables[1].hand, None)


async def test_a_replay_goes_on_after_a_lost_connection(house: House, lossy: Relay) -> None:
    async with people(house.url, house, "Anna", "Berta") as players, people(lossy.url, house, "Carla") as (carla,):
        tables = await over(players)
        lossy.passed = cutting(lossy, version=20)
        replay = carla.replay(tables[0].id, open=True)
        changes = [change async for change in replay]
        assert [change.version for change in changes if not change.snapshot] == list(
            range(1, (tables[0].version or 0) + 1)
        )
        assert [change.version for change in changes if change.snapshot] == [0, 19]
        assert replay.board == tables[0].board


def cutting(lossy: Relay, version: int) -> Any:
    """Cut everything once, instead of this update."""

    def passed(message: Any, frame: bytes) -> list[bytes]:
        if not (isinstance(message, Update) and message.version == version):
            return [frame]
        lossy.passed = lambda message, frame: [frame]
        lossy.cut()
        return []

    return passed


async def test_a_game_that_runs_is_told_again_without_the_hands(three: list[Client]) -> None:
    one, _ = await started(three[:2])
    replay, hands = three[2].replay(one.id), set[str]()
    last = 0
    async for change in replay:
        last = change.version
        hands.add(repr(replay.hand))
    assert (last, replay.board, hands) == (one.version, one.board, {"None"})
    assert await refused(anext(aiter(three[2].replay(one.id, open=True)))) == "not_over"


# Questions


async def test_a_preview_is_what_happens_then(three: list[Client]) -> None:
    one, other = await started(three[:2], seed=SEED)
    playing = one if one.must_decide else other
    async for turn in playing:
        action = next(action for action in turn.offer if isinstance(action, dict))
        preview = await turn.preview(action)
        assert len(preview.scores) == 2
        await turn.act(action)
        assert playing.board == patch.apply(turn.board, preview.board)
        break


async def test_questions_are_listed_and_answered_with_rules(three: list[Client]) -> None:
    one, _ = await started(three[:2])
    assert {question.do for question in await one.list_questions()} >= {"score", "majority"}
    answer = await one.explain({"do": "score", "seat": 0}, lang="de")
    assert answer.reason
    assert answer.reason.rule.startswith("PR-")
    assert answer.text
    assert await refused(one.explain({"do": "follow_connection_status"})) == "not_explained"


async def test_a_refusal_is_explained(three: list[Client]) -> None:
    tables = await started(three, CASTLES)
    code = await refused(tables[0].why_not({"do": "fly"}))
    assert code == "no_such_action"


async def test_a_table_is_described_in_words(three: list[Client]) -> None:
    one, _ = await started(three[:2])
    english, german = await one.describe(), await one.describe("de")
    assert english
    assert german
    assert english != german


# The connection


async def test_the_weather_is_told_when_it_changes(house: House, lossy: Relay) -> None:
    async with people(lossy.url, house, "Anna") as (anna,), asyncio.timeout(PATIENCE):
        follow_connection_status = anna.follow_connectivity()
        assert await anext(follow_connection_status)
        assert anna.is_connected
        lossy.cut()
        assert not await anext(follow_connection_status)
        assert await anext(follow_connection_status)
    assert True not in [held async for held in follow_connection_status]


async def test_people_hear_of_a_loss_that_lasts_until_the_connection_is_given_up(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        async with running(tmp_path) as house:
            (anna,) = await stack.enter_async_context(people(house.url, house, "Anna", patience=1.0))
        assert [holds async for holds in follow_connection_status(anna)] == [False]
