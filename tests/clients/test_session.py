"""The session without I/O: what it sends, what it believes, and how it heals."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palatine_client.events import (
    ByeReceived,
    Event,
    HelloRefused,
    ListChanged,
    PartnerPointed,
    Postponed,
    Problem,
    ProblemKind,
    Replied,
    TableChanged,
    TableLost,
    Welcomed,
)
from palatine_client.session import NEW, Session, State
from palatine_client.table_list import TableList
from palatine_client.view import MAX_CHAT_LINES, View, WatchTerms
from palatine_protocol import digest, patch
from palatine_protocol.codec import JSON, MSGPACK, for_server
from palatine_protocol.messages import (
    Act,
    AnyFromServer,
    Bye,
    Create,
    Created,
    Done,
    Hello,
    Info,
    Line,
    ListTables,
    Lobby,
    Lost,
    Offer,
    Ping,
    Pointed,
    Pong,
    Refused,
    Resumed,
    Say,
    Sit,
    Snapshot,
    Tables,
    TableSummary,
    Unwatch,
    Update,
    Waiting,
    Watch,
    Watching,
    Welcome,
)
from palatine_protocol.offers import Choice

T = "t1"


class Server:
    """What a server without faults would say about one table, as the viewer on seat 0 sees it."""

    def __init__(self, wire: str = MSGPACK, status: str = "playing") -> None:
        self.codec = for_server(wire)
        self.info = Info(game="g", status=status, visibility="public", host="h", seats=[None], options={})  # type: ignore[arg-type]
        self.version, self.board, self.hand = 0, {"turn": 0, "log": []}, {"tiles": ["a"]}
        self.entries: dict[int, Update] = {}

    def move(self, **given: Any) -> Update:
        """The next entry: the turn goes on, a line is written, a tile changes."""
        before = copy.deepcopy((self.board, self.hand))
        self.version += 1
        self.board["turn"] += 1
        self.board["log"].append(f"line {self.version}")
        self.hand["tiles"] = [f"tile {self.version}"]
        board, hand = patch.make(before[0], self.board), patch.make(before[1], self.hand)
        update = Update(table=T, version=self.version, board=board, hand=hand, digest=self.digest, **given)
        self.entries[self.version] = copy.deepcopy(update)
        return self.entries[self.version]

    @property
    def digest(self) -> int:
        return digest.of_viewer(digest.of_board(self.board), self.hand)

    def snapshot(self, **given: Any) -> Snapshot:
        usual = {"seat": 0, "view": 0, "offer": None, "waiting": [], "can_undo": False, "digest": self.digest}
        usual |= {"info": self.info, "info_digest": digest.of_info(self.info)}
        document = {"board": copy.deepcopy(self.board), "hand": copy.deepcopy(self.hand)}
        return Snapshot(table=T, version=self.version, **{**usual, **document, **given})

    def answer(self, request: Any) -> list[AnyFromServer]:
        """The reply, and what is pushed after it."""
        match request:
            case Hello():
                resumed = [*self.since(request.resume[T]), self.resumed()] if T in request.resume else []
                return [welcome(request), *resumed]
            case Watch():
                watching = Watching(re=request.id, table=T, version=self.version, seat=0)
                return [watching, *([self.snapshot()] if request.since is None else self.since(request.since))]
        return [Pong(re=request.id)]

    def resumed(self, fork: str = "") -> Resumed:
        digests = {"digest": self.digest, "info_digest": digest.of_info(self.info)}
        return Resumed(table=T, version=self.version, seat=0, fork=fork, **digests)

    def since(self, version: int) -> list[Update]:
        return [self.entries[number] for number in range(version + 1, self.version + 1)]


def welcome(hello: Hello) -> Welcome:
    limits = {"heartbeat": 30, "largest_frame": 16384, "token_expires": 1}
    return Welcome(re=hello.id, user="u", name="n", server="s", time=1_772_700_000_000, **limits)


class Talk:
    """A session and the frames it exchanges, as messages."""

    def __init__(self, wire: str = MSGPACK) -> None:
        self.codec = for_server(wire)
        self.session = Session("secret", prefix="p", client="test", subprotocol=wire)

    def sent(self) -> list[Any]:
        return [self.codec.decode(frame) for frame in self.session.take_frames()]

    def hears(self, *messages: AnyFromServer) -> list[Event]:
        return [event for message in messages for event in self.session.receive(self.frame(message))]

    def frame(self, message: AnyFromServer) -> bytes | str:
        frame: bytes = self.codec.encode(message)
        return frame.decode() if self.codec.is_text else frame

    def connect(self) -> Hello:
        self.session.connection_made()
        (hello,) = self.sent()
        self.hears(welcome(hello))
        return hello

    def watch(self, server: Server) -> None:
        """Watch the server's table from its present state."""
        self.session.request(self.session.build_watch(T))
        (watch,) = self.sent()
        self.hears(*server.answer(watch))

    @property
    def view(self) -> View:
        return self.session.tables[T]

    def agrees_with(self, server: Server) -> bool:
        seen = self.view.version, self.view.board, self.view.hand
        return seen == (server.version, server.board, server.hand)


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.connect()
    return talk


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def watching(talk: Talk, server: Server) -> Talk:
    talk.watch(server)
    return talk


def troubles(events: list[Event]) -> list[ProblemKind]:
    return [event.kind for event in events if isinstance(event, Problem)]


# Hello


def test_hello_goes_first_and_requests_wait_for_the_welcome() -> None:
    talk = Talk()
    talk.session.request(Ping(id=NEW))
    assert talk.sent() == []
    talk.session.connection_made()
    (hello,) = talk.sent()
    assert (hello.token, hello.resume, hello.client) == ("secret", {}, "test")
    assert talk.session.state is State.GREETING
    (welcomed,) = talk.hears(welcome(hello))
    assert isinstance(welcomed, Welcomed)
    assert [type(request) for request in talk.sent()] == [Ping]


def test_hello_names_the_tables_we_hold_with_their_versions(watching: Talk, server: Server) -> None:
    watching.hears(server.move(), server.move())
    watching.session.connection_lost()
    assert watching.connect().resume == {T: 2}
    assert watching.sent() == []


def test_hello_does_not_name_an_open_table_because_only_watching_tells_our_seat(talk: Talk) -> None:
    talk.watch(Server(status="open"))
    talk.session.connection_lost()
    assert talk.connect().resume == {}
    (watch,) = talk.sent()
    assert (watch.table, watch.since) == (T, 0)
    (changed,) = talk.hears(Watching(re=watch.id, table=T, version=0, seat=3))
    assert isinstance(changed, TableChanged)
    assert talk.view.seat == 3


def test_hello_names_at_most_32_tables_and_the_others_are_watched(talk: Talk, server: Server) -> None:
    for number in range(40):
        talk.session.request(Watch(id=NEW, table=f"t{number}"))
        (watch,) = talk.sent()
        snapshot = msgspec.structs.replace(server.snapshot(), table=f"t{number}")
        talk.hears(Watching(re=watch.id, table=f"t{number}", version=0, seat=0), snapshot)
    talk.session.connection_lost()
    resumed, watched = talk.connect().resume, [watch.table for watch in talk.sent()]
    assert len(resumed) == 32
    assert sorted([*resumed, *watched]) == sorted(talk.session.tables)


@pytest.mark.parametrize(("code", "final"), [("bad_token", True), ("try_again", False), ("shutting_down", False)])
def test_hello_may_be_refused(code: str, final: bool) -> None:
    talk = Talk()
    talk.session.connection_made()
    (hello,) = talk.sent()
    (event,) = talk.hears(Refused(re=hello.id, code=code, sentence="No."))
    assert isinstance(event, HelloRefused)
    assert event.final is final
    assert talk.session.state is not State.WELCOMED


# Requests


def test_requests_get_ids_that_no_other_session_gives(talk: Talk) -> None:
    ids = [talk.session.request(Ping(id=NEW)).id for _ in range(5)]
    assert len({*ids}) == 5
    assert all(each.startswith("p-") for each in ids)


def test_requests_keep_an_id_that_they_have_and_it_is_not_given_twice(talk: Talk) -> None:
    assert talk.session.request(Ping(id="mine")).id == "mine"
    with pytest.raises(ValueError, match="mine"):
        talk.session.request(Ping(id="mine"))


def test_requests_without_reply_are_sent_again_unchanged_and_in_order(talk: Talk) -> None:
    first = talk.session.request(Act(id=NEW, table=T, offer=3, action={"do": "build"}))
    second = talk.session.request(Sit(id=NEW, table=T))
    third = talk.session.request(Ping(id=NEW))
    frames = talk.session.take_frames()
    talk.hears(Done(re=second.id, table=T, version=4))
    talk.session.connection_lost()
    talk.session.connection_made()
    (hello,) = talk.sent()
    talk.hears(welcome(hello))
    assert talk.session.take_frames() == [frames[0], frames[2]]
    (event,) = talk.hears(Done(re=first.id, table=T, version=5))
    assert isinstance(event, Replied)
    assert event.request == first
    assert talk.hears(Pong(re=third.id)) == [Replied(third, Pong(re=third.id))]


def test_requests_made_offline_go_out_with_the_next_welcome(talk: Talk) -> None:
    talk.session.connection_lost()
    talk.session.request(Create(id=NEW, game="g", seats=2))
    assert talk.sent() == []
    talk.connect()
    (create,) = talk.sent()
    (event,) = talk.hears(Created(re=create.id, table="new"))
    assert isinstance(event, Replied)


def test_requests_that_are_forgotten_are_not_sent_again(talk: Talk) -> None:
    forgotten = talk.session.request(Ping(id=NEW))
    talk.session.forget_request(forgotten.id)
    talk.session.take_frames()
    talk.session.connection_lost()
    talk.connect()
    assert talk.sent() == []
    assert talk.hears(Pong(re=forgotten.id)) == []


def test_a_second_reply_is_ignored(talk: Talk) -> None:
    ping = talk.session.request(Ping(id=NEW))
    assert len(talk.hears(Pong(re=ping.id), Pong(re=ping.id))) == 1


def test_try_again_keeps_the_request_and_says_when(talk: Talk) -> None:
    act = talk.session.request(Act(id=NEW, table=T, offer=0, action={}))
    (frame,) = talk.session.take_frames()
    refused = Refused(re=act.id, code="try_again", sentence="Later.", retry_after_ms=70)
    assert talk.hears(refused) == [Postponed(act.id, 70)]
    talk.session.resend(act.id)
    assert talk.session.take_frames() == [frame]
    assert len(talk.hears(Done(re=act.id, table=T, version=1))) == 1
    talk.session.resend(act.id)
    assert talk.session.take_frames() == []


def test_shutting_down_keeps_the_request_for_the_next_connection(talk: Talk) -> None:
    act = talk.session.request(Act(id=NEW, table=T, offer=0, action={}))
    (frame,) = talk.session.take_frames()
    assert talk.hears(Refused(re=act.id, code="shutting_down", sentence="Bye.")) == []
    talk.session.connection_lost()
    talk.connect()
    assert talk.session.take_frames() == [frame]


def test_a_refusal_of_something_else_is_the_reply(talk: Talk) -> None:
    act = talk.session.request(Act(id=NEW, table=T, offer=0, action={}))
    refused = Refused(re=act.id, code="stale_offer", sentence="Too late.")
    assert talk.hears(refused) == [Replied(act, refused)]


# Updates


def test_a_snapshot_and_updates_give_the_servers_document(watching: Talk, server: Server) -> None:
    assert watching.agrees_with(server)
    for _ in range(5):
        (event,) = watching.hears(server.move())
        assert event == TableChanged(T, server.version, [], snapshot=False)
        assert watching.agrees_with(server)
    assert watching.sent() == []


def test_what_an_update_does_not_name_stays(watching: Talk, server: Server) -> None:
    offer = Offer(id=1, choices=[Choice("build")])
    news = [{"news": "built"}]
    (event,) = watching.hears(server.move(offer=offer, waiting=[Waiting(seat=0)], can_undo=True, news=news))
    assert event == TableChanged(T, 1, news, snapshot=False)
    watching.hears(server.move())
    view = watching.view
    assert (view.offer, view.waiting, view.can_undo, view.news) == (offer, [Waiting(seat=0)], True, [])
    watching.hears(server.move(offer=None, waiting=[], can_undo=False))
    assert (view.offer, view.waiting, view.can_undo) == (None, [], False)


def test_an_update_without_changes_still_counts(watching: Talk, server: Server) -> None:
    (event,) = watching.hears(Update(table=T, version=1, digest=server.digest))
    assert isinstance(event, TableChanged)
    assert watching.view.version == 1


def test_old_and_doubled_updates_are_ignored(watching: Talk, server: Server) -> None:
    first, second = server.move(), server.move()
    assert len(watching.hears(first, first, second, first, second)) == 2
    assert watching.hears(Update(table=T, version=0, digest=0)) == []
    assert watching.agrees_with(server)
    assert watching.sent() == []


def test_a_doubled_snapshot_does_no_harm(watching: Talk, server: Server) -> None:
    watching.hears(server.move())
    watching.hears(server.snapshot(), server.snapshot())
    assert watching.agrees_with(server)


def test_updates_of_tables_we_do_not_watch_are_ignored(watching: Talk, server: Server) -> None:
    watching.session.request(Unwatch(id=NEW, table=T))
    assert watching.hears(server.move(), server.snapshot()) == []


# T12: a newer server adds keys.
def test_info_keeps_keys_that_we_do_not_know_for_later_patches(talk: Talk, server: Server) -> None:
    talk.session.request(talk.session.build_watch(T))
    (watch,) = talk.sent()
    shown = {**msgspec.to_builtins(server.snapshot()), "type": "snapshot", "weather": "mild"}
    shown["info"]["clock"] = {"left": 9}
    shown["info_digest"] = digest.of_info(shown["info"])
    talk.hears(Watching(re=watch.id, table=T, version=0, seat=0))
    talk.session.receive(msgspec.msgpack.encode(shown))
    ops: patch.Patch = [[["clock", "left"], 8], [["host"], "Anna"]]
    after = digest.of_info({**shown["info"], "clock": {"left": 8}, "host": "Anna"})
    (event,) = talk.hears(Update(table=T, version=1, info=ops, digest=server.digest, info_digest=after))
    assert isinstance(event, TableChanged)
    assert talk.view.info
    assert talk.view.info.host == "Anna"


def test_a_seat_taken_just_before_the_connection_broke_is_told_by_the_reply(watching: Talk, server: Server) -> None:
    sit = watching.session.request(Sit(id=NEW, table=T))
    watching.hears(Done(re=sit.id, table=T, version=1, seat=4))
    assert watching.view.seat == 4
    assert not watching.view.is_current
    watching.hears(server.move())
    assert watching.view.is_current


# Gaps


def test_a_gap_is_healed_by_one_watch_from_the_last_good_version(watching: Talk, server: Server) -> None:
    watching.hears(server.move())
    server.move()
    assert troubles(watching.hears(server.move())) == [ProblemKind.GAP]
    (watch,) = watching.sent()
    assert (watch.table, watch.since) == (T, 1)
    assert watching.hears(server.move()) == []  # meanwhile the table goes on
    assert watching.sent() == []
    assert not watching.view.is_current
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)
    assert watching.view.is_current
    assert watching.sent() == []


def test_updates_out_of_order_are_a_gap_and_end_well(watching: Talk, server: Server) -> None:
    first, second, third = server.move(), server.move(), server.move()
    watching.hears(third, first, second)
    (watch,) = watching.sent()
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


def test_a_loss_while_healing_is_noticed(watching: Talk, server: Server) -> None:
    server.move()
    watching.hears(server.move())
    (watch,) = watching.sent()
    reply, _, second = server.answer(watch)
    watching.hears(reply, second)
    (again,) = watching.sent()
    assert again.since == 0
    watching.hears(*server.answer(again))
    assert watching.agrees_with(server)


def test_a_gap_may_be_healed_with_a_snapshot(watching: Talk, server: Server) -> None:
    server.move()
    watching.hears(server.move())
    (watch,) = watching.sent()
    (event,) = watching.hears(Watching(re=watch.id, table=T, version=2, seat=0), server.snapshot())
    assert event == TableChanged(T, 2, [], snapshot=True)
    assert watching.agrees_with(server)


def test_a_connection_lost_while_healing_is_healed_by_hello(watching: Talk, server: Server) -> None:
    server.move()
    watching.hears(server.move())
    watching.sent()
    watching.session.connection_lost()
    hello = watching.connect()
    assert hello.resume == {T: 0}
    assert watching.sent() == []
    watching.hears(*server.since(0))
    assert watching.agrees_with(server)


def test_a_table_that_went_back_is_shown_anew(watching: Talk, server: Server) -> None:
    watching.hears(server.move(), server.move())
    restored = Server()
    watching.session.beat()
    watching.session.take_frames()
    watching.session.beat()
    (watch,) = watching.sent()
    watching.hears(Watching(re=watch.id, table=T, version=0, seat=0))
    (again,) = watching.sent()
    assert again.since is None
    watching.hears(*restored.answer(again))
    assert watching.agrees_with(restored)


def test_a_table_that_went_back_while_we_were_away_is_taken_as_it_is(watching: Talk, server: Server) -> None:
    watching.hears(server.move(), server.move())
    watching.session.connection_lost()
    assert watching.connect().resume == {T: 2}
    restored = Server()
    restored.move()
    (event,) = watching.hears(restored.snapshot())
    assert isinstance(event, TableChanged)
    assert watching.agrees_with(restored)
    assert watching.view.is_current
    watching.hears(restored.move())
    assert watching.agrees_with(restored)


def test_an_older_snapshot_shows_that_the_store_went_back_and_is_taken(watching: Talk, server: Server) -> None:
    old, ahead = server.snapshot(), server.move()
    watching.hears(ahead)
    (event,) = watching.hears(old)
    assert isinstance(event, TableChanged)
    assert event.snapshot
    assert watching.view.is_current
    watching.hears(Server().move())
    assert watching.view.version == 1


def test_a_version_is_held_with_its_fork_and_named_with_it(watching: Talk, server: Server) -> None:
    watching.hears(server.move(fork="one"))
    assert watching.session.build_watch(T).fork == "one"
    watching.hears(server.snapshot(fork="shown"))
    watching.session.connection_lost()
    assert watching.connect().forks == {T: "shown"}
    watching.hears(server.move())
    assert watching.session.build_watch(T).fork == ""
    watching.session.connection_lost()
    assert watching.connect().forks == {}


def test_the_same_version_of_another_history_is_thrown_away(watching: Talk, server: Server) -> None:
    watching.hears(server.move(fork="ours"))
    watch = watching.session.request(watching.session.build_watch(T))
    watching.sent()
    events = watching.hears(Watching(re=watch.id, table=T, version=1, seat=0, fork="another"))
    assert troubles(events) == [ProblemKind.WENT_BACK]
    (again,) = watching.sent()
    assert (again.since, again.fork) == (None, "")
    watch = watching.session.request(watching.session.build_watch(T))
    watching.hears(server.snapshot(fork="another"), Watching(re=watch.id, table=T, version=1, seat=0, fork="another"))
    assert watching.agrees_with(server)


def test_resumed_follows_what_was_missed_and_nothing_is_left_to_ask(watching: Talk, server: Server) -> None:
    watching.hears(server.move(fork="one"))
    watching.session.connection_lost()
    watching.connect()
    watching.hears(server.move(fork="two"))
    assert watching.hears(server.resumed("two")) == []
    assert watching.view.is_current
    watching.session.connection_lost()
    watching.connect()
    assert watching.hears(server.resumed("two")) == []
    assert watching.view.is_current
    assert watching.sent() == []


def test_resumed_shows_that_an_update_was_lost(watching: Talk, server: Server) -> None:
    watching.session.connection_lost()
    watching.connect()
    server.move()
    assert watching.hears(server.resumed()) == []
    assert not watching.view.is_current
    (watch,) = watching.sent()
    assert watch.since == 0
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


@pytest.mark.parametrize("wrong", [{"fork": "other"}, {"digest": 1}, {"info_digest": 1}, {"version": 0}])
def test_resumed_shows_that_the_document_is_another(watching: Talk, server: Server, wrong: dict[str, Any]) -> None:
    watching.hears(server.move(fork="one"))
    watching.session.connection_lost()
    watching.connect()
    resumed = msgspec.structs.replace(server.resumed("one"), **wrong)
    assert troubles(watching.hears(resumed)) == [ProblemKind.WENT_BACK]
    (watch,) = watching.sent()
    assert watch.since is None


def test_resumed_on_another_history_comes_after_a_snapshot_of_any_version(watching: Talk, server: Server) -> None:
    watching.hears(server.move(fork="one"), server.move(fork="two"))
    restored = Server()
    restored.move()
    watching.session.connection_lost()
    watching.connect()
    watching.hears(restored.snapshot(fork="other"))
    assert watching.hears(restored.resumed("other")) == []
    assert watching.agrees_with(restored)
    assert watching.view.is_current


def test_a_table_is_not_current_until_what_watching_promises_has_come(watching: Talk, server: Server) -> None:
    server.move()
    watch = watching.session.request(watching.session.build_watch(T))
    reply, update = server.answer(watch)
    watching.hears(reply)
    assert not watching.view.is_current
    watching.hears(update)
    assert watching.view.is_current


# Wrong documents


def test_a_wrong_digest_is_healed_by_a_snapshot(watching: Talk, server: Server) -> None:
    update = msgspec.structs.replace(server.move(), digest=1)
    assert troubles(watching.hears(update)) == [ProblemKind.WRONG_DIGEST]
    (watch,) = watching.sent()
    assert watch.since is None
    assert watching.hears(server.move()) == []
    assert watching.view.version is None
    (event,) = watching.hears(*server.answer(watch))
    assert event == TableChanged(T, 2, [], snapshot=True)
    assert watching.agrees_with(server)


def test_a_document_that_goes_wrong_while_a_watch_is_under_way_is_asked_for_at_once(
    watching: Talk, server: Server
) -> None:
    wrong = msgspec.structs.replace(server.move(), digest=1)
    watching.hears(server.move())
    (watch,) = watching.sent()
    assert watch.since == 0
    watching.hears(wrong)
    (again,) = watching.sent()
    assert again.since is None
    watching.hears(*server.answer(watch))
    assert watching.view.version is None
    watching.hears(*server.answer(again))
    assert watching.agrees_with(server)
    assert watching.sent() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"board": [[["nowhere", "at", "all"], 1]]},
        {"board": [[]]},
        {"hand": [[["tiles"], 0, 9]]},
        {"info": [[["status"], "confused"]]},
        {"info": [[[], 7]]},
    ],
)
def test_a_patch_that_does_not_fit_is_healed_by_a_snapshot(watching: Talk, server: Server, wrong: Any) -> None:
    update = Update(table=T, version=1, digest=server.digest, **wrong)
    assert troubles(watching.hears(update)) == [ProblemKind.BAD_PATCH]
    (watch,) = watching.sent()
    assert watch.since is None
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


def test_a_wrong_snapshot_is_not_asked_for_again_before_the_next_beat(watching: Talk, server: Server) -> None:
    assert troubles(watching.hears(server.snapshot(digest=1))) == [ProblemKind.WRONG_DIGEST]
    assert watching.sent() == []
    watching.session.beat()
    (watch,) = watching.sent()
    assert watch.since is None
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


def test_a_wrong_digest_of_the_info_is_healed_by_a_snapshot(watching: Talk, server: Server) -> None:
    update = msgspec.structs.replace(server.move(), info=[[["host"], "Anna"]], info_digest=1)
    assert troubles(watching.hears(update)) == [ProblemKind.WRONG_DIGEST]
    (watch,) = watching.sent()
    assert watch.since is None


def test_a_wrong_document_is_not_resumed(watching: Talk, server: Server) -> None:
    watching.hears(msgspec.structs.replace(server.move(), digest=1))
    watching.sent()
    watching.session.connection_lost()
    assert watching.connect().resume == {}
    (watch,) = watching.sent()
    assert watch.since is None


def test_a_table_that_cannot_be_read_now_is_asked_for_soon(watching: Talk, server: Server) -> None:
    watching.session.connection_lost()
    watching.connect()
    assert watching.hears(Lost(table=T, code="try_again", sentence="Later.")) == []
    (watch,) = watching.sent()
    refused = Refused(re=watch.id, code="try_again", sentence="Later.")
    assert watching.hears(refused) == [Postponed(watch.id, None)]
    server.move()
    watching.session.resend(watch.id)
    assert watching.sent() == [watch]
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


def postponed_watch(talk: Talk) -> Any:
    """Our own watch, which the server refused for now."""
    talk.session.connection_lost()
    talk.connect()
    talk.hears(Lost(table=T, code="try_again", sentence="Later."))
    (watch,) = talk.sent()
    talk.hears(Refused(re=watch.id, code="try_again", sentence="Later."))
    return watch


def test_a_table_that_was_left_is_not_watched_after_all(watching: Talk) -> None:
    watch = postponed_watch(watching)
    watching.session.request(Unwatch(id=NEW, table=T))
    watching.sent()
    watching.session.resend(watch.id)
    assert watching.sent() == []


def test_a_table_is_watched_on_the_terms_that_were_asked_for_last(watching: Talk) -> None:
    watch = postponed_watch(watching)
    watching.session.request(watching.session.build_watch(T, WatchTerms(invitation="secret1")))
    (asked,) = watching.sent()
    watching.session.resend(watch.id)
    assert watching.sent() == []
    assert watching.hears(Refused(re=watch.id, code="not_shown", sentence="No.")) == []
    assert (asked.invitation, list(watching.session.tables)) == ("secret1", [T])


def test_a_refusal_for_now_says_how_many_there_were(watching: Talk) -> None:
    watch = postponed_watch(watching)
    again = Refused(re=watch.id, code="try_again", sentence="Later.")
    assert watching.hears(again, again) == [Postponed(watch.id, None, 2), Postponed(watch.id, None, 3)]


def test_a_table_that_is_refused_is_lost(watching: Talk) -> None:
    watching.session.beat()
    watching.session.take_frames()
    watching.session.beat()
    (watch,) = watching.sent()
    refused = Refused(re=watch.id, code="no_such_table", sentence="Gone.")
    assert watching.hears(refused) == [TableLost(T, refused)]
    assert watching.session.tables == {}


# Invitations and shoulders


def test_an_invitation_is_shown_again_with_hello_and_with_every_watch(talk: Talk, server: Server) -> None:
    talk.session.request(talk.session.build_watch(T, WatchTerms(invitation="secret1")))
    (watch,) = talk.sent()
    talk.hears(*server.answer(watch))
    talk.session.connection_lost()
    hello = talk.connect()
    assert (hello.resume, hello.invitations) == ({T: 0}, {T: "secret1"})
    talk.session.beat()
    talk.session.beat()
    (watch,) = talk.sent()
    assert (watch.invitation, watch.since) == ("secret1", 0)


def test_a_table_seen_over_a_shoulder_is_watched_anew_for_hello_has_no_word_for_it(talk: Talk, server: Server) -> None:
    shoulder(talk, server)
    talk.session.connection_lost()
    assert talk.connect().resume == {}
    (watch,) = talk.sent()
    assert (watch.table, watch.seat, watch.since) == (T, 0, 0)


def test_an_idle_session_does_not_ask_to_see_a_shoulder_again(talk: Talk, server: Server) -> None:
    shoulder(talk, server)
    talk.session.beat()
    talk.session.beat()
    assert [type(request) for request in talk.sent()] == [Ping]


def test_a_seat_seen_over_a_shoulder_is_not_ours_until_we_sit_down(talk: Talk, server: Server) -> None:
    shoulder(talk, server)
    assert (talk.view.seat, talk.view.viewed_seat, talk.view.hand) == (None, 0, server.hand)
    talk.hears(server.snapshot(seat=None, view=None, hand=None, digest=digest.of_board(server.board)))
    assert (talk.view.seat, talk.view.hand) == (None, None)
    sit = talk.session.request(Sit(id=NEW, table=T))
    talk.hears(Done(re=sit.id, table=T, version=0, seat=0))
    assert (talk.view.seat, talk.view.terms) == (0, WatchTerms())


def shoulder(talk: Talk, server: Server) -> None:
    """Look over the shoulder of seat 0 without a seat of our own."""
    talk.session.request(talk.session.build_watch(T, WatchTerms(seat=0)))
    (watch,) = talk.sent()
    talk.hears(Watching(re=watch.id, table=T, version=server.version, seat=None), server.snapshot(seat=None))


def test_who_watches_late_does_not_wait_for_what_has_happened_meanwhile(talk: Talk, server: Server) -> None:
    server.info.delay = 5
    talk.session.request(talk.session.build_watch(T))
    (watch,) = talk.sent()
    public = {"seat": None, "view": None, "hand": None, "digest": digest.of_board(server.board)}
    talk.hears(Watching(re=watch.id, table=T, version=0, seat=None), server.snapshot(**public))
    say = talk.session.request(Say(id=NEW, table=T, text="Hello"))
    talk.hears(Done(re=say.id, table=T, version=9))
    assert talk.view.is_current
    talk.session.beat()
    talk.session.beat()
    assert Watch not in [type(request) for request in talk.sent()]


# Talk and pointing


def test_talk_comes_with_a_snapshot_and_goes_on_with_news(talk: Talk, server: Server) -> None:
    talk.watch(server)
    talk.hears(server.snapshot(talk=[Line(line=0, name="Ada", text="First", seat=0)]))
    whispered = {**said("Eve", "Third"), "to": "spectators"}
    talk.hears(server.move(news=[said("Bob", "Second")]), server.move(news=[whispered]))
    assert [(line.line, line.name, line.text, line.to) for line in talk.view.talk] == [
        (0, "Ada", "First", "table"),
        (1, "Bob", "Second", "table"),
        (2, "Eve", "Third", "spectators"),
    ]
    talk.hears(server.move(news=[{"news": "muted", "name": "Bob", "line": 1}]))
    assert [line.name for line in talk.view.talk] == ["Ada", "Eve"]


def said(name: str, text: str) -> dict[str, Any]:
    return {"news": "said", "name": name, "text": text, "to": "table", "seat": 1}


def test_of_much_talk_the_last_lines_are_kept(watching: Talk, server: Server) -> None:
    for number in range(MAX_CHAT_LINES + 7):
        watching.hears(server.move(news=[said("Ada", str(number))]))
    assert [line.text for line in watching.view.talk] == [str(number) for number in range(7, MAX_CHAT_LINES + 7)]


@pytest.mark.parametrize("odd", [{"news": "said"}, {"news": "said", "name": 1, "text": "x"}, {"news": "muted"}, {}])
def test_news_that_only_look_like_talk_do_no_harm(watching: Talk, server: Server, odd: dict[str, Any]) -> None:
    watching.hears(server.move(news=[odd]))
    assert watching.view.talk == []
    assert watching.agrees_with(server)


def test_a_partner_points_until_he_points_no_longer(watching: Talk, server: Server) -> None:
    place = {"do": "place", "cell": [1, 2]}
    assert watching.hears(Pointed(table=T, seat=1, action=place)) == [PartnerPointed(T, 1)]
    assert watching.view.pointed == {1: place}
    watching.hears(Pointed(table=T, seat=1, action=None), Pointed(table=T, seat=2, action=None))
    assert watching.view.pointed == {}
    watching.hears(Pointed(table=T, seat=1, action=place), server.snapshot())
    assert watching.view.pointed == {}
    assert watching.hears(Pointed(table="elsewhere", seat=1, action=place)) == []


# The list of tables


def row(table: str, created: int, game: str = "g") -> TableSummary:
    usual: dict[str, Any] = {"status": "open", "visibility": "public", "seats": [None], "host": "h"}
    return TableSummary(table=table, game=game, created=created, **usual)


def followed(talk: Talk, *rows: TableSummary) -> TableList:
    """The list of a game, as the server tells it."""
    listing = TableList(game="g", free=True)
    talk.session.follow_list(listing)
    (asked,) = talk.sent()
    assert (asked.game, asked.free, asked.follow) == ("g", True, True)
    assert talk.hears(Tables(re=asked.id, tables=list(rows))) == [ListChanged()]
    return listing


def test_the_list_is_told_and_changes(talk: Talk) -> None:
    listing = followed(talk, row("a", 1))
    changed = Lobby(changed=[row("b", 2), row("a", 1, "h")], gone=["c"])
    assert talk.hears(changed) == [ListChanged()]
    assert [(each.table, each.game) for each in listing.tables] == [("b", "g"), ("a", "h")]
    talk.hears(Lobby(gone=["b"]))
    assert [each.table for each in listing.tables] == ["a"]


def test_the_list_is_asked_for_on_every_connection(talk: Talk) -> None:
    listing = followed(talk, row("a", 1))
    talk.session.connection_lost()
    talk.connect()
    (asked,) = talk.sent()
    assert talk.hears(Lobby(changed=[row("x", 9)])) == []  # before the answer, it may be of another list
    assert [each.table for each in listing.tables] == ["a"]
    talk.hears(Tables(re=asked.id, tables=[row("b", 2)]))
    assert [each.table for each in listing.tables] == ["b"]


def test_the_list_is_asked_for_again_when_another_one_has_ended_it(talk: Talk) -> None:
    followed(talk)
    other = talk.session.request(ListTables(id=NEW))
    talk.sent()
    talk.hears(Tables(re=other.id, tables=[row("x", 9)]))
    (asked,) = talk.sent()
    assert asked.follow


def test_the_list_that_is_refused_for_now_is_asked_for_when_it_is_time(talk: Talk) -> None:
    talk.session.follow_list(TableList())
    (asked,) = talk.sent()
    refused = Refused(re=asked.id, code="too_fast", sentence="Slow down.", retry_after_ms=50)
    assert talk.hears(refused) == [Postponed(asked.id, 50)]
    assert talk.sent() == []
    talk.session.resend(asked.id)
    assert talk.sent() == [asked]
    talk.session.unfollow_list()
    talk.sent()
    talk.session.resend(asked.id)
    assert talk.sent() == []


def test_the_list_is_told_no_longer(talk: Talk) -> None:
    followed(talk)
    talk.session.unfollow_list()
    (asked,) = talk.sent()
    assert not asked.follow
    assert talk.hears(Tables(re=asked.id, tables=[]), Lobby(changed=[row("x", 9)])) == []
    talk.session.connection_lost()
    talk.connect()
    assert talk.sent() == []


# Beats


def test_an_idle_session_that_waits_for_nothing_sends_nothing_and_counts_no_silence(talk: Talk) -> None:
    for _ in range(5):
        talk.session.beat()
    assert talk.sent() == []
    assert talk.session.silent_beats == 0


def test_an_idle_session_that_follows_the_list_of_tables_pings(talk: Talk) -> None:
    followed(talk)
    talk.session.beat()  # the request was something
    assert talk.sent() == []
    talk.session.beat()
    (ping,) = talk.sent()
    assert isinstance(ping, Ping)
    assert talk.session.silent_beats == 1
    assert talk.hears(Pong(re=ping.id)) == []
    assert talk.session.silent_beats == 0


def test_an_idle_session_looks_at_its_tables_in_turn_and_finds_a_silent_loss(watching: Talk, server: Server) -> None:
    server.move()  # and the frame is lost
    watching.session.beat()
    assert watching.sent() == []
    watching.session.beat()
    (watch,) = watching.sent()
    assert watch.since == 0
    watching.hears(*server.answer(watch))
    assert watching.agrees_with(server)


def test_a_reply_that_is_lost_is_asked_for_again(talk: Talk) -> None:
    act = talk.session.request(Act(id=NEW, table=T, offer=0, action={}))
    (frame,) = talk.session.take_frames()
    talk.session.beat()
    assert talk.session.take_frames() == []
    talk.session.beat()
    assert frame in talk.session.take_frames()
    assert len(talk.hears(Done(re=act.id, table=T, version=1))) == 1


def test_silence_is_counted_in_beats_while_a_reply_is_due(talk: Talk) -> None:
    talk.session.request(Act(id=NEW, table=T, offer=0, action={}))
    for beats in range(1, 4):
        talk.session.beat()
        assert talk.session.silent_beats == beats
    talk.hears(Pong(re="whatever"))
    assert talk.session.silent_beats == 0


def test_nothing_is_sent_by_a_beat_while_offline() -> None:
    talk = Talk()
    talk.session.beat()
    assert talk.sent() == []


# Bad servers


def test_bye_is_told(talk: Talk) -> None:
    bye = Bye(code=1012, reason="restart", reconnect_in_ms=50)
    assert talk.hears(bye) == [ByeReceived(bye)]


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        b"\xdd\xff\xff\xff\xff",
        "text",
        msgspec.msgpack.encode({"type": "update", "table": 7}),
        msgspec.msgpack.encode([1, 2]),
        b"\x81\xa4type\xa3\xff\xfe\xfd",
    ],
)
def test_a_malformed_frame_is_a_problem_and_nothing_else(watching: Talk, server: Server, frame: Any) -> None:
    assert troubles(watching.session.receive(frame)) == [ProblemKind.UNREADABLE]
    watching.hears(server.move())
    assert watching.agrees_with(server)


def test_a_message_of_a_type_that_we_do_not_know_yet_is_passed_over(watching: Talk, server: Server) -> None:
    assert watching.session.receive(msgspec.msgpack.encode({"type": "celebration", "table": T})) == []
    watching.hears(server.move())
    assert watching.agrees_with(server)


@pytest.mark.parametrize(
    "board", [{1: 2, "a": 3}, {"f": 1.5}, {"b": b"bytes"}, 2**60, {"t": msgspec.msgpack.Ext(5, b"")}]
)
def test_a_document_that_cannot_be_one_is_a_problem(watching: Talk, server: Server, board: Any) -> None:
    (problem,) = watching.hears(server.snapshot(board=board))
    assert isinstance(problem, Problem)


def test_a_refusal_of_nothing_is_a_problem(talk: Talk) -> None:
    assert troubles(talk.hears(Refused(re="", code="malformed", sentence="What?"))) == [ProblemKind.UNASKED]


def test_replies_of_the_wrong_kind_do_not_raise(talk: Talk) -> None:
    watch = talk.session.request(Watch(id=NEW, table=T))
    ping = talk.session.request(Ping(id=NEW))
    talk.hears(Tables(re=watch.id, tables=[]), Done(re=ping.id, table="elsewhere", version=3))
    talk.session.connection_lost()
    talk.session.connection_made()
    (hello,) = talk.sent()
    assert talk.hears(Pong(re=hello.id)) == []
    assert talk.session.state is State.GREETING


def mutated(frame: bytes, rng: Random) -> bytes:
    """A frame with a few bytes changed, cut out or put in."""
    wrong = bytearray(frame)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(wrong))
        wrong[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        if not wrong:
            break
    return bytes(wrong)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_mutated_frame_raises_and_the_table_heals(seed: int) -> None:
    rng, talk, server = Random(seed), Talk(), Server()
    talk.connect()
    talk.watch(server)
    for _ in range(30):
        server.move(offer=Offer(id=1, choices=[Choice("a", {"n": [1, 2]})]), news=[{"news": "x"}])
        frame = rng.choice([talk.frame(server.entries[server.version]), talk.frame(server.snapshot())])
        assert isinstance(frame, bytes)
        talk.session.receive(mutated(frame, rng))
    if T in talk.session.tables:
        healed(talk, server)
        assert talk.agrees_with(server)


def healed(talk: Talk, server: Server) -> None:
    """Let beats and replies pass without any further loss."""
    for _ in range(4):
        talk.session.beat()
        for request in talk.sent():
            talk.hears(*server.answer(request))


# T3: whatever is lost, doubled, delayed or cut, the client comes out with the server's document.
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), wire=st.sampled_from([MSGPACK, JSON]))
def test_any_loss_is_healed(seed: int, wire: str) -> None:
    rng, talk, server = Random(seed), Talk(wire), Server(wire)
    talk.connect()
    talk.watch(server)
    late: list[AnyFromServer] = []
    for _ in range(60):
        pushed = [server.move()]
        pushed += [message for request in talk.sent() for message in server.answer(request)]  # type: ignore[misc]
        for message in pushed:
            match rng.choice(["pass", "pass", "pass", "lose", "double", "delay", "cut"]):
                case "pass":
                    talk.hears(message, *late)
                    late.clear()
                case "double":
                    talk.hears(message, message)
                case "delay":
                    late.append(message)
                case "cut":
                    late.clear()
                    talk.session.connection_made()
    talk.session.connection_made()
    for request in talk.sent():
        talk.hears(*server.answer(request))
    healed(talk, server)
    assert talk.agrees_with(server)
    assert talk.view.is_current
