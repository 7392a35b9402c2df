"""The life of a table over real sockets: lobby, invitations, talk, late spectators, replays, rematch, previews."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from server_fixture import House, Peer, Table, opened, running, seated

from palatine_protocol import digest, messages, patch
from palatine_protocol.messages import UNSET, Refused, Snapshot, Update
from palatine_protocol.offers import count

PALAIS = "palais_royal"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


@pytest.fixture
async def peers(house: House) -> AsyncIterator[list[Peer]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(house.peer(name)) for name in ("Anna", "Berta", "Carla")]


def code(reply: Any) -> str:
    assert isinstance(reply, Refused), reply
    return reply.code


# The lobby


async def test_the_list_of_tables_is_told_as_it_changes(peers: list[Peer]) -> None:
    anna, berta, _ = peers
    listed = await berta.do(messages.ListTables, game=PALAIS, follow=True)
    assert listed.tables == []
    table = await opened(anna, 2, PALAIS)
    await opened(anna, 3, "noblemen")
    new = await berta.until(messages.Lobby)
    assert [(row.table, row.seats, row.yours) for row in new.changed] == [(table, [None, None], False)]
    await anna.do(messages.Sit, table=table)
    assert (await berta.until(messages.Lobby)).changed[0].seats == ["Anna", None]
    await anna.do(messages.Change, table=table, visibility="private")
    assert (await berta.until(messages.Lobby)).gone == [table]


async def test_only_tables_with_free_seats(peers: list[Peer]) -> None:
    anna, berta, _ = peers
    table = await opened(anna, 2, PALAIS)
    assert [row.table for row in (await berta.do(messages.ListTables, free=True, follow=True)).tables] == [table]
    for _ in range(2):
        await anna.do(messages.AddBot, table=table)
    assert (await berta.until(messages.Lobby)).gone == [table]


async def test_who_follows_no_longer_hears_no_more(peers: list[Peer]) -> None:
    anna, berta, _ = peers
    await berta.do(messages.ListTables, follow=True)
    await berta.do(messages.ListTables)
    carla = peers[2]
    await carla.do(messages.ListTables, follow=True)
    await opened(anna, 2, PALAIS)
    await carla.until(messages.Lobby)
    await berta.do(messages.Ping)
    assert not [message for message in berta.heard if isinstance(message, messages.Lobby)]


async def test_a_private_table_is_not_there_without_an_invitation(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = await opened(anna, 3, PALAIS, visibility="private")
    invitation = (await anna.do(messages.Invite, table=table)).invitation
    for kind in (messages.Watch, messages.Sit, messages.Say, messages.Explain, messages.Start, messages.Invite):
        given = {"text": "hello"} if kind is messages.Say else {}
        refused = await berta.do(kind, table=table, **given)
        assert refused == Refused(re=refused.re, code="no_such_table", sentence=refused.sentence)
        missing = await berta.do(kind, table="nosuchtable", **given)
        assert (refused.code, refused.sentence) == (missing.code, missing.sentence)
    assert code(await berta.do(messages.Sit, table=table, invitation="wrong")) == "no_such_table"
    assert (await berta.do(messages.Sit, table=table, invitation=invitation)).seat == 0
    assert isinstance(await berta.do(messages.Watch, table=table), messages.Watching)
    assert isinstance(await carla.do(messages.Watch, table=table, invitation=invitation), messages.Watching)
    assert isinstance(await carla.do(messages.Say, table=table, text="hello"), messages.Done)


async def test_an_invitation_opens_a_table_again_after_a_lost_connection(house: House, peers: list[Peer]) -> None:
    anna, berta, _ = peers
    table = await opened(anna, 2, PALAIS, visibility="private")
    invitation = (await anna.do(messages.Invite, table=table)).invitation
    async with house.peer(token=berta.token, resume={table: 0}) as again:
        assert (await again.until(messages.Lost)).code == "no_such_table"
    async with house.peer(token=berta.token, resume={table: 0}, invitations={table: invitation}) as again:
        await again.do(messages.Ping)
        assert not [message for message in again.heard if isinstance(message, messages.Lost)]


async def test_once_more_with_the_same_people(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = await over([anna, berta])
    first = await anna.do(messages.Rematch, table=table)
    second = await berta.do(messages.Rematch, table=table)
    assert first.table == second.table != table
    assert code(await carla.do(messages.Rematch, table=table)) == "not_seated"
    await berta.do(messages.Watch, table=first.table)
    shown = await berta.until(Snapshot, table=first.table)
    assert [seated.name for seated in shown.info.seats if seated] == ["Berta", "Anna"]
    assert (shown.info.status, shown.seat) == ("open", 0)
    assert isinstance(await anna.do(messages.Start, table=first.table), messages.Done)


async def over(peers: list[Peer], game: str = PALAIS, **given: Any) -> str:
    """A table whose game is over: bots play it to the end."""
    tables = await seated(peers, game, **given)
    for peer in peers:
        await peer.do(messages.Leave, table=tables[0].id)
    while not tables[0].is_over:
        await peers[0].receive()
        tables[0].catch_up()
    return tables[0].id


# Talk


async def test_talk_is_heard_and_shown_to_who_comes_later(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = (await seated([anna, berta], PALAIS))[0].id
    good_luck = await anna.do(messages.Say, table=table, text="Good luck")
    said = await berta.until(Update, version=good_luck.version)
    assert said.news == [{"news": "said", "name": "Anna", "text": "Good luck", "to": "table", "seat": 0}]
    await carla.do(messages.Watch, table=table)
    assert [line.text for line in (await carla.until(Snapshot)).talk] == ["Good luck"]
    whispered = await carla.do(messages.Say, table=table, text="They do not hear me")
    assert (await berta.until(Update, version=whispered.version)).news is UNSET
    await anna.do(messages.Say, table=table, text="Your turn")
    await berta.do(messages.Watch, table=table)
    lines = (await berta.until(Snapshot)).talk
    assert [line.text for line in lines] == ["Good luck", "Your turn"]


# Spectators


async def test_a_late_spectator_is_as_many_entries_behind_as_the_host_said(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = await opened(anna, 2, PALAIS, delay=5)
    await carla.do(messages.Watch, table=table)
    for peer in (anna, berta):
        await peer.do(messages.Sit, table=table)
        await peer.do(messages.Watch, table=table)
    late, early = Table(carla, table), Table(anna, table)
    await late.until_version(2)
    await anna.do(messages.Start, table=table)
    for word in "abcde":
        await anna.do(messages.Say, table=table, text=word)
    await late.until_version(3)
    await early.until_version(8)
    await carla.do(messages.Ping)
    late.catch_up()
    assert (late.version, late.offer, late.hand) == (3, None, None)
    await carla.do(messages.Unwatch, table=table)
    watching = await carla.do(messages.Watch, table=table, since=8)
    assert watching.version == 3
    assert (await carla.until(Snapshot)).version == 3


async def test_a_late_spectator_hears_of_nothing_newer_than_he_sees(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = await opened(anna, 2, PALAIS, delay=5)
    for peer in (anna, berta):
        await peer.do(messages.Sit, table=table)
    await anna.do(messages.Start, table=table)
    assert code(await carla.do(messages.Explain, table=table)) == "not_started"  # as far as she can know
    for word in "abcde":
        await anna.do(messages.Say, table=table, text=word)
    assert (await carla.do(messages.Explain, table=table)).questions


async def test_a_late_spectator_sees_the_end_with_everybody(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    tables = await seated([anna, berta], PALAIS, delay=200)
    await carla.do(messages.Watch, table=tables[0].id)
    for peer in (anna, berta):
        await peer.do(messages.Leave, table=tables[0].id)
    late = Table(carla, tables[0].id)
    late.catch_up()
    while not late.is_over:
        await carla.receive()
        late.catch_up()
    await tables[0].until_version(late.version)
    assert late.board == tables[0].board


async def test_over_a_shoulder_only_while_it_is_allowed(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    tables = await seated([anna, berta])
    table = tables[0].id
    assert code(await carla.do(messages.Watch, table=table, seat=0)) == "not_shown"
    await anna.do(messages.Show, table=table)
    assert isinstance(await carla.do(messages.Watch, table=table, seat=0), messages.Watching)
    tables[0].catch_up()
    shown = await carla.until(Snapshot)
    assert (shown.seat, shown.view, shown.hand, shown.offer) == (None, 0, tables[0].hand, None)
    assert code(await carla.do(messages.Watch, table=table, seat=1)) == "not_shown"
    await anna.do(messages.Show, table=table, shown=False)
    covered = await carla.until(Snapshot)
    assert (covered.seat, covered.view, covered.hand) == (None, None, None)


# Replays


async def test_a_game_that_is_over_is_told_again_from_every_seat(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = await over([anna, berta])
    assert isinstance(await carla.do(messages.Watch, table=table, since=0, seat=1, pace=50), messages.Watching)
    await carla.do(messages.Unwatch, table=table)
    await carla.do(messages.Watch, table=table, since=0, open=True)
    replay = Table(carla, table)
    replay.seen = len(carla.heard)
    hands: Any = None
    while not replay.is_over:
        message = await carla.receive()
        replay.catch_up()
        if isinstance(message, Snapshot):
            hands = message.hands
        elif isinstance(message, Update):
            assert message.hands is not UNSET
            hands = [patch.apply(hand, ops) for hand, ops in zip(hands, message.hands, strict=True)]
            assert digest.of_board(replay.board) == message.digest
    assert replay.snapshots == 1
    assert len(hands) == 2


async def test_a_game_that_runs_is_told_again_only_as_the_user_has_seen_it(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    tables = await seated([anna, berta])
    table = tables[0].id
    assert code(await carla.do(messages.Watch, table=table, open=True)) == "not_over"
    assert code(await anna.do(messages.Watch, table=table, open=True, seat=0)) == "not_over"
    assert code(await anna.do(messages.Watch, table=table, pace=0, seat=1)) == "not_shown"
    await berta.do(messages.Show, table=table)
    assert code(await carla.do(messages.Watch, table=table, pace=0, seat=1)) == "not_over"  # before, it was not shown
    tables[1].catch_up()
    own = await replayed(berta, table)
    assert (own.hand, own.board) == (tables[1].hand, tables[1].board)
    seen = await replayed(carla, table)
    assert (seen.hand, seen.board) == (None, tables[1].board)


async def test_a_late_spectator_is_not_told_sooner_by_a_replay(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    tables = await seated([anna, berta], PALAIS, delay=2)
    for word in "abcd":
        await anna.do(messages.Say, table=tables[0].id, text=word)
    now = (await anna.do(messages.Watch, table=tables[0].id)).version
    assert (await replayed(carla, tables[0].id)).version == now - 2
    assert (await replayed(anna, tables[0].id)).version == now
    late = await carla.do(messages.Watch, table=tables[0].id, since=now, pace=0)
    assert late.version == (await carla.until(Snapshot)).version == now - 2


async def replayed(peer: Peer, table: str) -> Table:
    """A table at the end of its replay from the first version."""
    last = (await peer.do(messages.Watch, table=table, since=0, pace=0)).version
    replay = Table(peer, table)
    replay.seen = len(peer.heard)
    await replay.until_version(last)
    await peer.do(messages.Unwatch, table=table)
    return replay


# Taking back, previews, explanations


async def test_taking_back_needs_everybody_and_brings_the_old_board(peers: list[Peer]) -> None:
    anna, *others = peers
    tables = await seated(peers)
    for table in tables:
        await table.until_version(4)
    before, rng = tables[0].board, Random(1)
    for table in tables:
        assert table.offer is not None
        choose = next(choice for choice in table.offer.choices if choice.do == "choose")
        await table.peer.do(messages.Act, table=table.id, offer=table.offer.id, action=choose.nth(rng.randrange(3)))
    assert isinstance(await anna.do(messages.Rollback, table=tables[0].id, to=4), messages.Done)
    for peer in others:
        done = await peer.do(messages.Agree, table=tables[0].id)
    for table in tables:
        await table.until_version(done.version)
        assert table.board == before
    assert tables[0].offer is not None
    assert any(choice.do == "choose" for choice in tables[0].offer.choices)


async def test_a_preview_changes_nothing_and_tells_what_would_change(peers: list[Peer]) -> None:
    anna = peers[0]
    tables = await seated(peers, seed="5e" * 32)
    for table in tables:
        await table.until_version(4)
        assert table.offer is not None
        choose = next(choice for choice in table.offer.choices if choice.do == "choose")
        preview = await table.peer.do(messages.Preview, table=table.id, action=choose.nth(0))
        if table is tables[2]:  # the last choice would reveal the others
            assert code(preview) == "would_reveal"
        else:
            assert [op[0] for op in preview.hand]
        await table.peer.do(messages.Act, table=table.id, offer=table.offer.id, action=choose.nth(0))
    await tables[0].until_version(7)
    assert tables[0].offer is not None
    place = next(choice for choice in tables[0].offer.choices if choice.do == "place")
    before = await scores(anna, tables[0].id)
    preview = await anna.do(messages.Preview, table=tables[0].id, action=place.nth(0))
    expected = patch.apply(deepcopy(tables[0].board), preview.board)
    assert await scores(anna, tables[0].id) == before
    await anna.do(messages.Act, table=tables[0].id, offer=tables[0].offer.id, action=place.nth(0))
    await tables[0].until_version(8)
    assert tables[0].board == expected
    after = await scores(anna, tables[0].id)
    assert preview.scores == [late - early for early, late in zip(before, after, strict=True)]


async def scores(peer: Peer, table: str) -> list[int]:
    questions = [{"do": "score", "seat": seat} for seat in range(3)]
    return [(await peer.do(messages.Explain, table=table, question=asked)).reason.amount for asked in questions]


async def test_a_seat_without_a_player_is_named_as_the_game_calls_it(peers: list[Peer]) -> None:
    anna, berta, _ = peers
    table = (await seated([anna, berta], "between_two_castles"))[0].id
    asked = await anna.do(messages.Explain, table=table)
    assert asked.text[2] == "Where do the points of Ludwig come from?"
    answer = await berta.do(messages.Explain, table=table, question={"do": "score", "seat": 2}, lang="de")
    assert answer.text[0].startswith("0  Punkte von Ludwig, wenn das Spiel jetzt endete")


async def test_scores_and_refusals_are_explained_with_their_rules(peers: list[Peer]) -> None:
    anna, berta, carla = peers
    table = (await seated([anna, berta], PALAIS))[0].id
    asked = await carla.do(messages.Explain, table=table)
    assert {question.do for question in asked.questions} >= {"score", "majority"}
    assert len(asked.text) == count(asked.questions)
    assert asked.text[0] == "Where do the points of Anna come from?"
    answer = await carla.do(messages.Explain, table=table, question={"do": "score", "seat": 0}, lang="de")
    assert answer.reason.rule.startswith("PR-")
    assert answer.text
    why = await anna.do(messages.Explain, table=table, action={"do": "nonsense"})
    assert code(why) == "no_such_action"
