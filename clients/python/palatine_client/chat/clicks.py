"""Clicks: each button, selection and form carries its meaning in its id, and is compared with the present offer."""

from __future__ import annotations

from collections.abc import Callable

from palatine_protocol.messages import Act, Done, Refused

from ..menu import Number, Question, SomeOf
from ..render.translations import translate_refusal
from .chat_events import ChatEvent, Clicked, CommandGiven, FormSent
from .chat_memory import TableRecord
from .choice_path import (
    StaleClick,
    apply_step,
    decode_path,
    decode_picks,
    digest_moment,
    digest_question,
    encode_picks,
    follow_path,
    read_indices,
)
from .commands import (
    TABLE_COMMANDS,
    Requests,
    as_replacement,
    explain_refusal,
    handle_command,
    say_privately,
    see_scene,
    show_hand,
    undo_action,
)
from .custom_ids import ClickMeaning, UnknownId, decode_id, decode_number, encode_id
from .messages.chat_messages import Form, FormAnswer, FormField, Replacement
from .messages.question_rows import MOST_OPTIONS, Moment, prompt_for
from .messages.scenes import Scene
from .messages.text_limits import cut_text
from .messages.turn_message import build_turn, describe_chosen
from .steps import FindTable, Handling

NUMBER_FIELD = "number"


def handle_event(event: ChatEvent) -> Handling:
    """Return the answer to any event."""
    if isinstance(event, CommandGiven):
        return (yield from handle_command(event))
    try:
        return (yield from handle_click(event, decode_id(event.target)))
    except UnknownId:
        return say_privately(event.person, "unknown")


def handle_click(event: Clicked | FormSent, meaning: ClickMeaning) -> Handling:
    if meaning.operation == "choose" and isinstance(event, Clicked) and len(event.values) == 1:
        [command], table = meaning.arguments[:1] or [""], event.values[0]
    else:
        command, table = meaning.operation, meaning.table
    record: TableRecord | None = yield FindTable(table)
    if record is None or record.community != event.room.community:  # an id proves nothing, also not where it is from
        return say_privately(event.person, "table gone")
    if meaning.operation in QUESTIONS:
        return (yield from handle_question(event, record, meaning))
    if command == "turn":
        return as_replacement((yield from show_hand(event, record)))
    if command == "take_back":
        return (yield from click_undo(event, record, meaning))
    if command not in TABLE_COMMANDS:
        raise UnknownId(event.target)
    answer = yield from TABLE_COMMANDS[command](event, record)
    return as_replacement(answer) if isinstance(event, Clicked) and event.is_private else answer


def click_undo(event: Clicked | FormSent, record: TableRecord, meaning: ClickMeaning) -> Handling:
    """Undo the action that the button was shown for; a second click on it does not undo an earlier action."""
    scene = yield from see_scene(event, record)
    if isinstance(scene, Refused):
        return explain_refusal(event.person, scene)
    if scene.view.seat is None:
        return say_privately(event.person, "not seated")
    if meaning.arguments != [digest_moment(scene.view)]:
        return Replacement(build_turn(scene, {}, Moment(), scene.say("changed")))
    return as_replacement((yield from undo_action(event, record)))


# Questions


def handle_question(event: Clicked | FormSent, record: TableRecord, meaning: ClickMeaning) -> Handling:
    """Answer a question of the present offer; a click on an older one shows the present one instead."""
    if len(meaning.arguments) not in ARGUMENTS[meaning.operation]:
        raise UnknownId(event.target)
    scene = yield from see_scene(event, record)
    if isinstance(scene, Refused):
        return explain_refusal(event.person, scene)
    if scene.view.seat is None:
        return say_privately(event.person, "not seated")
    if scene.view.offer is None or scene.view.offer.id != decode_number(meaning.arguments[0]):
        return Replacement(build_turn(scene, {}, Moment(), scene.say("stale")))
    try:
        return (yield from QUESTIONS[meaning.operation](event, record, scene, meaning.arguments[1:]))
    except StaleClick:
        return Replacement(build_turn(scene, {}, Moment(), scene.say("changed")))


def find_question(scene: Scene, digest: str, path: str) -> tuple[Question, list[int]]:
    """Return the question that a click answers, and the way to it; raise StaleClick if it is another one now."""
    steps = decode_path(path)
    asked = scene.ask(follow_path(scene.ask, steps)) if scene.choices else None
    if asked is None or digest_question(asked) != digest:
        raise StaleClick
    return asked, steps


def ask_again(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Show the question at the end of a path, without an answer."""
    steps = decode_path(arguments[0] if arguments else "")
    chosen = follow_path(scene.ask, steps)
    if scene.choices and scene.ask(chosen) is None:
        raise StaleClick
    return Replacement(build_turn(scene, chosen, Moment(steps)))
    yield  # a generator like the others, although it needs nothing


def turn_page(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Show another page of a long list."""
    digest, path, page, *picks = arguments
    asked, steps = find_question(scene, digest, path)
    moment = Moment(steps, decode_number(page), read_picks(asked, picks[0]) if picks else 0)
    return Replacement(build_turn(scene, follow_path(scene.ask, steps), moment))
    yield


def pick_items(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Replace what is picked on one page of a long list; the other pages stay as they are."""
    digest, path, page, picks = arguments
    asked, steps = find_question(scene, digest, path)
    if not isinstance(asked, SomeOf) or not isinstance(event, Clicked):
        raise StaleClick
    start = decode_number(page) * MOST_OPTIONS
    elsewhere = [at for at in decode_picks(read_picks(asked, picks)) if not start <= at < start + MOST_OPTIONS]
    chosen = encode_picks([*elsewhere, *read_indices(event.values, len(asked.of))])
    return Replacement(build_turn(scene, follow_path(scene.ask, steps), Moment(steps, decode_number(page), chosen)))
    yield


def read_picks(asked: Question, text: str) -> int:
    """Return the picked items of an id, as far as there are such items."""
    count = len(asked.of) if isinstance(asked, SomeOf) else 0
    return abs(decode_number(text)) & ((1 << count) - 1)


def open_form(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Open the form in which a person enters a number."""
    digest, path = arguments[:2]
    asked, _ = find_question(scene, digest, path)
    field = FormField(NUMBER_FIELD, cut_text(prompt_for(scene, asked), 45))
    target = encode_id(record.table, "number", decode_id(event.target).arguments[0], digest, path)
    return FormAnswer(Form(target, cut_text(scene.facts.title, 45), [field]))
    yield


def enter_number(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Answer a question with the number in the form."""
    asked, steps = find_question(scene, *arguments[:2])
    if not isinstance(asked, Number) or not isinstance(event, FormSent):
        raise StaleClick
    typed = event.fields.get(NUMBER_FIELD, "").strip()
    if not (typed.lstrip("-").isdecimal() and len(typed) < 16 and asked.low <= int(typed) <= asked.high):
        notice = scene.say("no number", low=asked.low, high=asked.high)
        return Replacement(build_turn(scene, follow_path(scene.ask, steps), Moment(steps), notice))
    return (yield from take_step(event, record, scene, asked, steps, int(typed)))


def answer_question(event: Clicked | FormSent, record: TableRecord, scene: Scene, arguments: list[str]) -> Handling:
    """Answer a question by a button or a selection."""
    asked, steps = find_question(scene, *arguments[:2])
    return (yield from take_step(event, record, scene, asked, steps, read_step(event, asked, arguments[2:])))


def read_step(event: Clicked | FormSent, asked: Question, rest: list[str]) -> int:
    """Return the answer: the chosen options, or the last argument of a button."""
    values = event.values if isinstance(event, Clicked) else []
    if values and isinstance(asked, SomeOf):
        return encode_picks(read_indices(values, len(asked.of)))
    if len(values or rest) != 1:
        raise UnknownId(event.target)
    return decode_number((values or rest)[0])


def take_step(
    event: Clicked | FormSent, record: TableRecord, scene: Scene, asked: Question, steps: list[int], step: int
) -> Handling:
    """Go one step further: to the next question, or to the action."""
    chosen = apply_step(asked, step)
    if scene.ask(chosen) is not None:
        return Replacement(build_turn(scene, chosen, Moment([*steps, step])))
    assert scene.view.offer
    act = Act(id="", table=record.table, offer=scene.view.offer.id, action=chosen)
    done = yield from Requests(event).ask(act)
    after = yield from see_scene(event, record)
    if isinstance(after, Refused):
        return explain_refusal(event.person, after)
    return Replacement(build_turn(after, {}, Moment(), describe_outcome(scene, after, done, chosen)))


def describe_outcome(before: Scene, after: Scene, reply: object, chosen: dict[str, object]) -> str:
    """Return the sentence that says whether the action was carried out."""
    if isinstance(reply, Done):
        return before.say("done", action=describe_chosen(before, chosen))
    assert isinstance(reply, Refused)
    errors = before.context.values.labels.find("errors", reply.code)
    return errors or translate_refusal(before.lang, reply.code, reply.sentence, at_table=True)


QuestionHandler = Callable[[Clicked | FormSent, TableRecord, Scene, list[str]], Handling]

QUESTIONS: dict[str, QuestionHandler] = {
    "answer": answer_question,
    "ask": ask_again,
    "page": turn_page,
    "pick": pick_items,
    "form": open_form,
    "number": enter_number,
}
# How many arguments an id of ours has: the offer, the question, the way to it, and what else the operation needs.
ARGUMENTS = {"answer": (3, 4, 5), "ask": (2,), "page": (4, 5), "pick": (5,), "form": (3,), "number": (3,)}
