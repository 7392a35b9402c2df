"""The rows of a question: a few buttons, a selection of up to 25 options, pages of them, or a form for a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...menu import Number, OneOf, Question, SomeOf
from ..choice_path import decode_picks, digest_question, encode_path
from ..custom_ids import encode_id, encode_number
from .chat_messages import Button, Row, Selection, SelectOption
from .scenes import Scene
from .text_limits import cut_text, read_columns

MOST_OPTIONS = 25  # of one selection
MOST_BUTTONS = 5  # in one row
LONGEST_LABEL = 38  # characters of a button; Discord allows 80, and cuts long ones on phones
LONGEST_LINE = 60  # characters of an option; longer ones go on in a second line
LONGEST_OPTION = 100  # characters of an option, and of what it says besides

PAUSE = re.compile(r"[,;:] ")


class Moment(Struct, frozen=True):
    """Where a person is on the way from an offer to an action."""

    steps: list[int] = []  # the answers so far
    page: int = 0
    picks: int = 0  # items picked on all pages of a long list


def build_rows(scene: Scene, asked: Question, moment: Moment) -> list[Row]:
    """Return the rows with which a person answers the question."""
    match asked:
        case OneOf():
            return build_choice_rows(scene, asked, moment, label_entries(scene, asked, moment))
        case SomeOf(chosen, field, _, _, of):
            labels = [read_columns(scene.words.render_row(field, value, chosen, scene.context)) for value in of]
            return build_pick_rows(scene, asked, moment, labels)
        case Number(_, _, low, high) if high - low < MOST_OPTIONS:
            options = [SelectOption(encode_number(number), str(number)) for number in range(low, high + 1)]
            return [Selection(name_answer(scene, asked, moment), prompt_for(scene, asked), options)]
        case Number():
            arguments = name_arguments(scene, asked, moment)
            return [[Button(encode_id(scene.view.table, "form", *arguments), scene.say("enter"), "primary")]]


def build_choice_rows(scene: Scene, asked: OneOf, moment: Moment, labels: list[list[str]]) -> list[Row]:
    """Return buttons for a short list of short entries, and otherwise a selection with pages."""
    whole = [", ".join(label) for label in labels]
    are_distinct = len({*whole}) == len(whole)
    if len(labels) <= MOST_BUTTONS and are_distinct and all(0 < len(label) <= LONGEST_LABEL for label in whole):
        answer = name_answer(scene, asked, moment)
        buttons = [Button(f"{answer}:{encode_number(at)}", label, "primary") for at, label in enumerate(whole)]
        return [buttons]
    return build_paged_selection(scene, asked, moment, labels, least=1, most=1)


def build_pick_rows(scene: Scene, asked: SomeOf, moment: Moment, labels: list[list[str]]) -> list[Row]:
    """Return a selection of several items; a list of more than 25 is picked page by page and confirmed."""
    if len(labels) <= MOST_OPTIONS and asked.most <= MOST_OPTIONS:
        rows = build_paged_selection(scene, asked, moment, labels, max(asked.least, 1), max(asked.most, 1))
        none = Button(f"{name_answer(scene, asked, moment)}:0", scene.say("none"))
        return [*rows, [none]] if asked.least == 0 else rows
    count = moment.picks.bit_count()
    confirm = Button(
        f"{name_answer(scene, asked, moment)}:{encode_number(moment.picks)}",
        scene.say("confirm", count=count),
        "success",
        is_disabled=not asked.least <= count <= asked.most,
    )
    start = clamp_page(moment.page, len(labels)) * MOST_OPTIONS
    here = len(labels[start : start + MOST_OPTIONS])
    return [*build_paged_selection(scene, asked, moment, labels, 0, min(here, asked.most)), [confirm]]


def build_paged_selection(
    scene: Scene, asked: Question, moment: Moment, labels: list[list[str]], least: int, most: int
) -> list[Row]:
    """Return the selection of one page, and a row of buttons for the other pages."""
    pages = -(-len(labels) // MOST_OPTIONS)
    page = clamp_page(moment.page, len(labels))
    start = page * MOST_OPTIONS
    picked = {*decode_picks(moment.picks)}
    options = [
        build_option(at, label, at in picked) for at, label in enumerate(labels[start : start + MOST_OPTIONS], start)
    ]
    options = number_equals(options, start)
    prompt = prompt_for(scene, asked)
    if pages == 1:
        return [Selection(name_answer(scene, asked, moment), prompt, options, least, most)]
    operation = "pick" if isinstance(asked, SomeOf) else "answer"
    selection = Selection(
        name_page(scene, operation, asked, moment, page),
        scene.say("page", prompt=prompt, page=page + 1, pages=pages),
        options,
        least,
        most,
    )
    return [selection, build_page_buttons(scene, asked, moment, page, pages)]


def clamp_page(page: int, count: int) -> int:
    """Return the nearest page that there is."""
    return min(max(page, 0), -(-count // MOST_OPTIONS) - 1)


def build_option(at: int, label: Sequence[str], is_picked: bool) -> SelectOption:
    name, rest = split_line(label[0] if label else "")
    detail = ", ".join(filter(None, [rest, *label[1:]]))
    return SelectOption(
        encode_number(at), cut_text(name, LONGEST_OPTION) or str(at + 1), cut_text(detail, LONGEST_OPTION), is_picked
    )


def split_line(text: str) -> tuple[str, str]:
    """Return a text as a line and what follows, which Discord shows in a second line: long options end differently."""
    if len(text) <= LONGEST_LINE:
        return text, ""
    ends = [found.start() for found in PAUSE.finditer(text) if found.start() <= LONGEST_OPTION]
    ends = [end for end in ends if len(text) - end - 2 <= LONGEST_OPTION] or ends[-1:]
    end = ends[0] if ends else text.rfind(" ", 0, LONGEST_OPTION) if len(text) > LONGEST_OPTION else len(text)
    return text[:end], text[end:].lstrip(",;: ")


def number_equals(options: list[SelectOption], start: int) -> list[SelectOption]:
    """Return the options of a page; where two read the same, a number tells them apart."""
    times = Counter((option.label, option.detail) for option in options)
    return [
        replace(option, label=cut_text(f"{at}. {option.label}", LONGEST_OPTION))
        if times[option.label, option.detail] > 1
        else option
        for at, option in enumerate(options, start + 1)
    ]


def build_page_buttons(scene: Scene, asked: Question, moment: Moment, page: int, pages: int) -> list[Button]:
    """Return a button for each page near this one."""
    first = min(max(page - 2, 0), max(pages - MOST_BUTTONS, 0))
    return [
        Button(
            name_page(scene, "page", asked, moment, other),
            scene.say("earlier", page=other + 1),
            is_disabled=other == page,
        )
        for other in range(first, min(first + MOST_BUTTONS, pages))
    ]


# Labels


def label_entries(scene: Scene, asked: OneOf, moment: Moment) -> list[list[str]]:
    """Return what the entries of the menu say; places have the numbers that the picture shows."""
    labels = [label_entry(scene, entry, asked, moment) for entry in asked.entries]
    labels = drop_beginning(labels) if moment.steps else labels
    if not scene.list_numbered(asked):
        return labels
    return [[f"{number}. {', '.join(label)}"] for number, label in enumerate(labels, 1)]


def label_entry(scene: Scene, entry: dict[str, Any], asked: OneOf, moment: Moment) -> list[str]:
    """Return what an entry of the menu says, and what else there is to say of it."""
    before = find_common(asked) if moment.steps else {}
    return read_columns(scene.words.render_columns(entry, before, scene.context))


def drop_beginning(labels: list[list[str]]) -> list[list[str]]:
    """Return labels without the words with which all of them begin: the message says what was chosen so far."""
    first, *others = whole = [", ".join(label) for label in labels]
    heads = [first[: found.end()] for found in PAUSE.finditer(first)]
    same = [head for head in heads if head.count("(") == head.count(")") and begin_all(others, head)]
    return [[text.removeprefix(same[-1])] for text in whole] if same and others else labels


def begin_all(texts: list[str], head: str) -> bool:
    return all(text.startswith(head) and text != head for text in texts)


def find_common(asked: OneOf) -> dict[str, Any]:
    """Return the part of the action that all entries share."""
    first, *others = asked.entries
    common = {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
    return common if others else {key: value for key, value in common.items() if key == "do"}


def prompt_for(scene: Scene, asked: Question) -> str:
    """Return the words that ask for an answer."""
    match asked:
        case SomeOf(_, _, least, most, _):
            return scene.say("choose exactly" if least == most else "choose some", least=least, most=most)
        case Number(_, _, low, high):
            return scene.say("choose number", low=low, high=high)
        case _:
            return scene.say("choose one")


# Ids


def name_arguments(scene: Scene, asked: Question, moment: Moment) -> list[str]:
    """Return the arguments that identify a question: the offer, the digest of the question, and the way to it."""
    assert scene.view.offer
    return [encode_number(scene.view.offer.id), digest_question(asked), encode_path(moment.steps)]


def name_answer(scene: Scene, asked: Question, moment: Moment) -> str:
    return encode_id(scene.view.table, "answer", *name_arguments(scene, asked, moment))


def name_page(scene: Scene, operation: str, asked: Question, moment: Moment, page: int) -> str:
    arguments = [*name_arguments(scene, asked, moment), encode_number(page)]
    picks = [encode_number(moment.picks)] if isinstance(asked, SomeOf) else []
    return encode_id(scene.view.table, operation, *arguments, *picks)
