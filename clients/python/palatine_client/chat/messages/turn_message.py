"""The private message of a player: their hand, the question that they must answer, and its buttons."""

from __future__ import annotations

from ...menu import Partial, Question
from ..choice_path import digest_moment, encode_path
from ..custom_ids import encode_id, encode_number
from .chat_messages import Button, RoomMessage, Row, TextPart
from .question_rows import Moment, build_rows
from .scenes import Scene
from .table_post import describe_state
from .text_limits import cut_lines, cut_text

LONGEST_HAND = 1800  # characters
LONGEST_QUESTION = 700  # characters
LONGEST_STATUS = 600  # characters


def build_turn(scene: Scene, chosen: Partial, moment: Moment, notice: str = "") -> RoomMessage:
    """Return the message with the question for a partial action; it must not be complete."""
    asked = scene.ask(chosen) if scene.choices else None
    rows: list[Row] = [] if asked is None else build_rows(scene, asked, moment)
    return RoomMessage(
        title=scene.facts.title,
        parts=[
            *([TextPart(lines=[notice])] if notice else []),
            TextPart(lines=cut_lines(describe_state(scene), LONGEST_STATUS)),
            build_hand_part(scene),
            build_question_part(scene, asked, chosen),
        ],
        rows=[*rows, build_buttons(scene, asked, moment)],
        picture=scene.build_picture(asked, chosen),
    )


def build_hand_part(scene: Scene) -> TextPart:
    """Return the hand in words; the first line is the heading if the game names what follows."""
    hand = cut_lines(scene.words.narrate_hand(scene.context), LONGEST_HAND)
    if hand and hand[0].endswith(":"):
        return TextPart(hand[0].removesuffix(":"), hand[1:])
    return TextPart(scene.say("your hand"), hand) if hand else TextPart()


def build_question_part(scene: Scene, asked: Question | None, chosen: Partial) -> TextPart:
    """Return what is asked, and what was chosen so far."""
    if asked is None:
        return TextPart(lines=[] if scene.view.info.status == "over" else [scene.say("nothing to do")])
    heading = scene.say("your turn" if scene.must_decide else "may act")
    if not chosen:
        return TextPart(heading)
    return TextPart(heading, cut_lines([f"{scene.say('chosen')}: {describe_chosen(scene, chosen)}"], LONGEST_QUESTION))


def describe_chosen(scene: Scene, chosen: Partial) -> str:
    return cut_text(scene.words.format_action(chosen, scene.context), LONGEST_QUESTION // 2)


def build_buttons(scene: Scene, asked: Question | None, moment: Moment) -> list[Button]:
    """Return the buttons to go back, to begin again, to look again and to undo."""
    table, buttons = scene.view.table, list[Button]()
    if asked is not None and scene.view.offer and moment.steps:
        offer, path = encode_number(scene.view.offer.id), encode_path(moment.steps[:-1])
        buttons.append(Button(encode_id(table, "ask", offer, path), scene.say("back")))
    again = "first" if moment.steps else "refresh"
    buttons.append(Button(encode_id(table, "turn"), scene.say(again)))
    if scene.view.can_undo:
        buttons.append(Button(encode_id(table, "take_back", digest_moment(scene.view)), scene.say("undo"), "danger"))
    return buttons
