"""What each command and each button of a table does; each is a generator of steps that returns the answer."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec.structs import replace

from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    AddBot,
    AnyReply,
    AnyRequest,
    Create,
    Created,
    Done,
    Invitation,
    Invite,
    Leave,
    Refused,
    Rematch,
    Sit,
    Start,
    Undo,
)

from ..render.translations import translate_refusal
from .chat_events import ChatEvent, CommandGiven, Person
from .chat_memory import MOST_MINUTES, PersonRecord, TableRecord
from .custom_ids import encode_id
from .messages.chat_messages import (
    ChatAnswer,
    PrivateAnswer,
    Replacement,
    RoomMessage,
    Selection,
    SelectOption,
    TextPart,
)
from .messages.phrases import phrase
from .messages.question_rows import MOST_OPTIONS, Moment
from .messages.rules_text import build_rules
from .messages.scenes import Scene
from .messages.table_post import build_words
from .messages.text_limits import cut_text
from .messages.turn_message import build_turn
from .steps import (
    AddTable,
    AskServer,
    ChangeMember,
    ChatView,
    FindPerson,
    FindTable,
    GameFacts,
    Handling,
    ListTableRecords,
    SavePerson,
    SeeGame,
    SeeTable,
    Step,
)

Steps = Generator[Step, Any, Any]


class Requests:
    """The requests of one event. Their ids follow from the event, so that none is carried out twice."""

    def __init__(self, event: ChatEvent) -> None:
        self.event, self._count = event, 0

    def next_id(self) -> str:
        self._count += 1
        return f"{self.event.id}-{self._count}"

    def ask(self, request: AnyRequest) -> Generator[Step, Any, AnyReply]:
        """Send a request as the person of the event; return the reply."""
        request.id = self.next_id()
        reply: AnyReply = yield AskServer(self.event.person, request)
        return reply


def say_privately(person: Person, key: str, **values: object) -> PrivateAnswer:
    return PrivateAnswer(RoomMessage(parts=[TextPart(lines=[phrase(person.lang, key, **values)])]))


def explain_refusal(person: Person, refused: AnyReply) -> PrivateAnswer:
    """Return the sentence of a refusal in the language of the person."""
    if not isinstance(refused, Refused):
        raise TypeError(f"the server answered with {type(refused).__name__}")
    sentence = translate_refusal(person.lang, refused.code, refused.sentence, at_table=True)
    return PrivateAnswer(RoomMessage(parts=[TextPart(lines=[sentence])]))


def read_integer(event: CommandGiven, name: str, default: int) -> int:
    """Return an option that is a number; the default if it is missing or of another kind."""
    given = event.options.get(name, default)
    return given if isinstance(given, int) else default


# Opening


def open_table(event: CommandGiven) -> Handling:
    """Create a private table for the channel, and give the person its first seat."""
    person, room = event.person, event.room
    if not room.community:
        return say_privately(person, "guild only")
    facts = yield SeeGame(str(event.options.get("game", "")), person.lang)
    if isinstance(facts, Refused):
        return explain_refusal(person, facts)
    low, high = facts.players
    seats = read_integer(event, "seats", low)
    if not low <= seats <= high:
        return say_privately(person, "wrong seats", title=facts.title, low=low, high=high)
    requests = Requests(event)
    created = yield from requests.ask(Create(id="", game=facts.game, seats=seats, visibility="private"))
    if not isinstance(created, Created):
        return explain_refusal(person, created)
    record = TableRecord(
        table=created.table,
        game=facts.game,
        community=room.community,
        channel=room.parent or room.channel,
        lang=person.lang,
        host=person.id,
    )
    return (yield from settle_table(requests, record, "opened"))


def settle_table(requests: Requests, record: TableRecord, key: str) -> Handling:
    """Take a seat at a new table, remember the table with its invitation, and say so."""
    person, table = requests.event.person, record.table
    invitation = yield from requests.ask(Invite(id="", table=table))
    code = invitation.invitation if isinstance(invitation, Invitation) else ""
    yield AddTable(replace(record, invitation=code))
    yield from take_seat(requests, table)
    return say_privately(person, key)


def take_seat(requests: Requests, table: str, invitation: str = "") -> Generator[Step, Any, AnyReply]:
    """Ask for a seat, and note who plays from the chat; first the note, so that it is there if the app dies."""
    person = requests.event.person.id
    yield ChangeMember(table, person, is_member=True)
    done = yield from requests.ask(Sit(id="", table=table, invitation=invitation))
    if isinstance(done, Refused) and done.code != Code.ALREADY_SEATED:
        yield ChangeMember(table, person, is_member=False)
    return done


# Before the game


def join_table(event: ChatEvent, record: TableRecord) -> Handling:
    """Give the person a free seat, or their own seat back."""
    done = yield from take_seat(Requests(event), record.table, record.invitation)
    if not isinstance(done, Done):
        return explain_refusal(event.person, done)
    return say_privately(event.person, "joined", seat=(done.seat or 0) + 1)


def leave_table(event: ChatEvent, record: TableRecord) -> Handling:
    """Free the person's seat, or let a bot play on."""
    view = yield SeeTable(record.table, event.person, record.invitation)
    done = yield from Requests(event).ask(Leave(id="", table=record.table))
    if not isinstance(done, Done):
        return explain_refusal(event.person, done)
    has_begun = isinstance(view, ChatView) and view.info.status != "open"
    if not has_begun:
        yield ChangeMember(record.table, event.person.id, is_member=False)
    return say_privately(event.person, "left running" if has_begun else "left")


def fill_table(event: ChatEvent, record: TableRecord) -> Handling:
    """Put bots on all free seats."""
    requests, count = Requests(event), 0
    while True:
        done = yield from requests.ask(AddBot(id="", table=record.table))
        if isinstance(done, Done):
            count += 1
        elif count and isinstance(done, Refused) and done.code == "no_seat_free":
            return say_privately(event.person, "filled", count=count)
        else:
            return explain_refusal(event.person, done)


def start_table(event: ChatEvent, record: TableRecord) -> Handling:
    """Start the game."""
    done = yield from Requests(event).ask(Start(id="", table=record.table))
    if not isinstance(done, Done):
        return explain_refusal(event.person, done)
    return say_privately(event.person, "started", hand=phrase(record.lang, "hand"))


# During the game


def see_scene(event: ChatEvent, record: TableRecord) -> Generator[Step, Any, Scene | Refused]:
    """Return the scene that the person sees, or the refusal."""
    view = yield SeeTable(record.table, event.person, record.invitation)
    facts = view if isinstance(view, Refused) else (yield SeeGame(view.info.game, event.person.lang))
    if isinstance(facts, Refused):
        return facts
    assert isinstance(facts, GameFacts)
    return Scene(view, facts, event.person.lang)


def show_hand(event: ChatEvent, record: TableRecord, notice: str = "") -> Handling:
    """Show the person their hand and what they may do."""
    scene = yield from see_scene(event, record)
    if isinstance(scene, Refused):
        return explain_refusal(event.person, scene)
    if scene.view.seat is None:
        return say_privately(event.person, "not seated")
    if scene.view.board is None:
        return say_privately(event.person, "not begun")
    return PrivateAnswer(build_turn(scene, {}, Moment(), notice))


def undo_action(event: ChatEvent, record: TableRecord) -> Handling:
    """Take the person's last action back, and show their hand."""
    done = yield from Requests(event).ask(Undo(id="", table=record.table))
    if isinstance(done, Refused) and done.code == "cannot_undo":
        return say_privately(event.person, "no undo")
    if not isinstance(done, Done):
        return explain_refusal(event.person, done)
    return (yield from show_hand(event, record, phrase(event.person.lang, "undone")))


def show_words(event: ChatEvent, record: TableRecord) -> Handling:
    """Describe to the person what they see."""
    scene = yield from see_scene(event, record)
    return explain_refusal(event.person, scene) if isinstance(scene, Refused) else PrivateAnswer(build_words(scene))


def watch_table(event: ChatEvent, record: TableRecord) -> Handling:
    """Show the person what spectators see, wherever they are."""
    view = yield SeeTable(record.table, None, record.invitation)
    facts = view if isinstance(view, Refused) else (yield SeeGame(view.info.game, event.person.lang))
    if isinstance(facts, Refused):
        return explain_refusal(event.person, facts)
    return PrivateAnswer(build_words(Scene(view, facts, event.person.lang)))


def show_rules(event: ChatEvent, record: TableRecord) -> Handling:
    """Show the person the rules in short."""
    scene = yield from see_scene(event, record)
    return explain_refusal(event.person, scene) if isinstance(scene, Refused) else PrivateAnswer(build_rules(scene))


def open_rematch(event: ChatEvent, record: TableRecord) -> Handling:
    """Open the rematch; everybody who asks gets the same one."""
    requests = Requests(event)
    created = yield from requests.ask(Rematch(id="", table=record.table))
    if not isinstance(created, Created):
        return explain_refusal(event.person, created)
    known: TableRecord | None = yield FindTable(created.table)
    if known is not None:
        done = yield from take_seat(requests, known.table, known.invitation)
        if isinstance(done, Refused) and done.code != Code.ALREADY_SEATED:  # the server seats those who ask
            return explain_refusal(event.person, done)
        return say_privately(event.person, "rematch opened")
    following = TableRecord(
        table=created.table,
        game=record.game,
        community=record.community,
        channel=record.channel,
        lang=record.lang,
        host=event.person.id,
    )
    return (yield from settle_table(requests, following, "rematch opened"))


# Reminders


def set_reminders(event: CommandGiven) -> Handling:
    """Set how often the person is reminded."""
    minutes = read_integer(event, "minutes", 0)
    if not 0 <= minutes <= MOST_MINUTES:
        return say_privately(event.person, "no number", low=0, high=MOST_MINUTES)
    known: PersonRecord = yield FindPerson(event.person.id)
    yield SavePerson(replace(known, minutes=minutes))
    return say_privately(event.person, "reminded" if minutes else "not reminded", minutes=minutes)


# Which table

TableCommand = Callable[[ChatEvent, TableRecord], Handling]

TABLE_COMMANDS: dict[str, TableCommand] = {
    "join": join_table,
    "leave": leave_table,
    "bots": fill_table,
    "start": start_table,
    "hand": show_hand,
    "undo": undo_action,
    "words": show_words,
    "watch": watch_table,
    "rules": show_rules,
    "rematch": open_rematch,
}


def handle_command(event: CommandGiven) -> Handling:
    """Carry out a command: one about the table of this thread, or else about the only table of this channel."""
    if event.command == "new":
        return (yield from open_table(event))
    if event.command == "remind":
        return (yield from set_reminders(event))
    if event.command not in TABLE_COMMANDS:
        return say_privately(event.person, "unknown")
    found: list[TableRecord] = yield ListTableRecords(event.room.community, event.room.channel)
    records = [record for record in found if record.is_finished == (event.command == "rematch")] or found
    if not records:
        return say_privately(event.person, "no table")
    if len(records) == 1:
        return (yield from TABLE_COMMANDS[event.command](event, records[0]))
    return (yield from choose_table(event, records))


def choose_table(event: CommandGiven, records: list[TableRecord]) -> Handling:
    """Ask which of several tables a command is about; the newest come first."""
    options = []
    for record in [*reversed(records)][:MOST_OPTIONS]:
        facts = yield SeeGame(record.game, event.person.lang)
        title = facts.title if isinstance(facts, GameFacts) else record.game
        host: PersonRecord = yield FindPerson(record.host)
        options.append(SelectOption(record.table, cut_text(f"{title} · {host.name}", 100), record.table[:6]))
    prompt = phrase(event.person.lang, "which table")
    selection = Selection(encode_id("", "choose", event.command), prompt, options)
    return PrivateAnswer(RoomMessage(parts=[TextPart(lines=[prompt])], rows=[selection]))


def as_replacement(answer: ChatAnswer) -> ChatAnswer:
    """Return an answer that replaces the private message on which the person clicked."""
    return Replacement(answer.message) if isinstance(answer, PrivateAnswer) else answer
