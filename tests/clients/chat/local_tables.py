"""Tables in this process, for tests of the core: they carry out its steps without a server and without I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from palatine_client.chat.chat_events import ChatEvent
from palatine_client.chat.chat_memory import PersonRecord, TableRecord
from palatine_client.chat.clicks import handle_event
from palatine_client.chat.messages.chat_messages import ChatAnswer
from palatine_client.chat.steps import (
    AddTable,
    AskServer,
    ChangeMember,
    ChatView,
    FindPerson,
    FindTable,
    GameFacts,
    ListTableRecords,
    SavePerson,
    SeeGame,
    SeeTable,
    Step,
)
from palatine_protocol.messages import Act, Done, Info, Offer, Refused, Seated, Undo, Waiting
from palatine_server.games.kit import Game, Recorder, plain, view_entry
from palatine_server.games.kit import Refused as GameRefused

TABLE = "k3Xq9ZpTd0Rw7LmA"
_encode = msgspec.msgpack.Encoder().encode


def describe_game(game: Game, lang: str) -> GameFacts:
    """Return what a server tells of a game."""
    return GameFacts(
        game=game.name,
        title=game.title[lang],
        players=(game.players[0], game.players[-1]),
        policies=list(game.policies),
        catalog=game.catalog,
        description=game.description,
    )


@dataclass
class LocalTable:
    """One game whose seats are people of a chat."""

    game: Game
    recorder: Recorder
    people: list[str]  # by seat
    answers: dict[int, int] = field(default_factory=dict)
    version: int = 0
    news: list[Any] = field(default_factory=list)
    records: dict[str, TableRecord] = field(default_factory=dict)
    persons: dict[str, PersonRecord] = field(default_factory=dict)
    acted: dict[str, Done] = field(default_factory=dict)  # by request id

    @classmethod
    def begin(cls, game: Game, players: int, seed: int) -> LocalTable:
        recorder = Recorder(game.begin(players, f"{seed:064x}"))
        table = cls(game, recorder, [f"discord:{1000 + seat}" for seat in range(players)])
        table.records[TABLE] = TableRecord(table=TABLE, game=game.name, community="1", channel="2", thread="3")
        return table

    # Steps

    def handle(self, event: ChatEvent) -> ChatAnswer:
        """Let the core handle an event, and carry its steps out."""
        handling, result = handle_event(event), None
        try:
            while True:
                result = self.carry_out(handling.send(result))
        except StopIteration as stop:
            answer: ChatAnswer = stop.value
            return answer

    def carry_out(self, step: Step) -> Any:
        match step:
            case AskServer(person, request):
                return self.reply(self.find_seat(person.id), request)
            case SeeTable(_, person, _):
                return self.view(None if person is None else self.find_seat(person.id))
            case SeeGame(_, lang):
                return describe_game(self.game, lang)
            case FindTable(table):
                return self.records.get(table)
            case ListTableRecords():
                return list(self.records.values())
            case AddTable(record):
                self.records[record.table] = record
            case ChangeMember():
                pass
            case FindPerson(person):
                return self.persons.get(person, PersonRecord(person))
            case SavePerson(record):
                self.persons[record.person] = record
        return None

    def find_seat(self, person: str) -> int | None:
        return self.people.index(person) if person in self.people else None

    def reply(self, seat: int | None, request: Any) -> Done | Refused:
        if seat is None:
            return Refused(re=request.id, code="not_seated", sentence="You do not sit at this table.")
        if request.id in self.acted:
            return self.acted[request.id]
        try:
            match request:
                case Act(offer=offer, action=action):
                    self.act(seat, offer, action)
                case Undo():
                    self.news = view_entry(self.recorder.undo(seat), None).news
                    self.answers[seat] = self.answers.get(seat, 0) + 1
                case _:
                    return Refused(re=request.id, code="not_allowed", sentence="Not here.")
        except GameRefused as refused:
            return Refused(re=request.id, code=str(refused.code), sentence=refused.sentence)
        self.version += 1
        self.acted[request.id] = Done(re=request.id, table=TABLE, version=self.version, seat=seat)
        return self.acted[request.id]

    def act(self, seat: int, offer: int, action: dict[str, Any]) -> None:
        if offer != self.answers.get(seat, 0):
            raise GameRefused("stale_offer", "This offer was answered already.")
        entry = self.recorder.act(seat, self.game.read_action(action))
        self.news = [plain(news) for news in view_entry(entry, None).news]
        self.answers[seat] = self.answers.get(seat, 0) + 1

    def offer(self, seat: int) -> list[Any]:
        return [] if self.recorder.play.is_over else list(self.recorder.play.offer(seat))

    def view(self, seat: int | None) -> ChatView:
        play, zones = self.recorder.play, self.recorder.zones
        offer = Offer(id=self.answers.get(seat, 0), choices=self.offer(seat)) if seat is not None else None
        view = ChatView(
            table=TABLE,
            version=self.version,
            seat=seat,
            info=self.info(),
            board=plain(zones.board),
            hand=None if seat is None else plain(zones.hands[seat]),
            offer=offer,
            waiting=[]
            if play.is_over
            else [Waiting(seat=each, since=1_700_000_000_000) for each in play.waiting_for()],
            can_undo=seat is not None and self.recorder.may_undo(seat),
            news=[plain(news) for news in self.news],
        )
        return msgspec.msgpack.decode(_encode(view), type=ChatView)

    def info(self) -> Info:
        is_over = self.recorder.play.is_over
        standings = [msgspec.to_builtins(each) for each in self.game.standings(self.recorder.play)] if is_over else []
        return Info(
            game=self.game.name,
            status="over" if is_over else "playing",
            visibility="private",
            host="P0",
            seats=[Seated(name=f"P{seat}") for seat in range(len(self.people))],
            options={},
            standings=standings,
        )
