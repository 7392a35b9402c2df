"""The public message of a table. It is made from a spectator's view alone, so it can hold nothing secret."""

from __future__ import annotations

from typing import Any

from palatine_protocol.messages import Info, Seated

from ...render.text.narration import narrate_view
from ...render.text.platform_news import render_news
from ...render.translations import Lang
from ..custom_ids import encode_id
from .chat_messages import Button, RoomMessage, Row, TextPart
from .phrases import phrase
from .scenes import Scene
from .text_limits import cut_lines, cut_text

MOST_NEWS = 5  # of the last changes
LONGEST_NEWS = 800  # characters
LONGEST_WORDS = 5400  # characters of the whole view in words
LONGEST_NAME = 40  # characters
NOT_TOLD = {"entropy_added", "choice_sealed", "choices_opened", "player_away", "player_back", "said", "muted"}
NOT_TOLD |= {"rematch_opened"}  # its sentence names the id of the table, which people of a chat do not need


def build_table_post(scene: Scene) -> RoomMessage:
    """Return the message that the thread of a table shows, and which is edited in place."""
    assert scene.view.seat is None
    assert scene.view.hand is None
    info = scene.view.info
    return RoomMessage(
        title=scene.facts.title,
        parts=[TextPart(lines=describe_state(scene)), build_seats(scene), build_news(scene)],
        rows=build_table_rows(scene.view.table, info, scene.lang),
        picture=scene.build_picture(),
    )


def describe_state(scene: Scene) -> list[str]:
    """Return where the game stands, and whom it waits for."""
    info, words = scene.view.info, scene.words
    if info.status == "open":
        return [scene.say("full" if all(info.seats) else "gathering")]
    if info.status == "over":
        return [scene.say("over"), *list_standings(scene), *([scene.say("next")] if info.next else [])]
    heading = words.render_heading(scene.context) if scene.view.board is not None else None
    lines = [heading.plain] if heading else []
    others = [each.seat for each in scene.view.waiting if each.seat < len(info.seats) and each.seat != scene.view.seat]
    waiting = [name_seat(info.seats[seat]) for seat in others]
    paused = [scene.say("paused")] if info.paused else []
    return [*lines, *paused, *([scene.say("waiting", people=", ".join(waiting))] if waiting else [])]


def list_standings(scene: Scene) -> list[str]:
    """Return the players by rank, with their scores."""
    ranked = sorted(scene.view.info.standings, key=lambda standing: int(standing["rank"]))
    return [
        scene.say("standing", rank=each["rank"], name=name_player(scene, each["seat"]), score=each["score"])
        for each in ranked
    ]


def name_player(scene: Scene, seat: int) -> str:
    """Return the name of a player; a game may also rank seats without players."""
    seats = scene.view.info.seats
    return name_seat(seats[seat]) if seat < len(seats) else scene.words.name_player(seat, scene.context)


def name_seat(sitting: Seated | None) -> str:
    return cut_text(sitting.name, LONGEST_NAME) if sitting else ""


def build_seats(scene: Scene) -> TextPart:
    """Return who sits where; during the game the picture shows it."""
    if scene.view.info.status != "open":
        return TextPart()
    lines = [f"{seat}. {describe_seat(scene, sitting)}" for seat, sitting in enumerate(scene.view.info.seats, 1)]
    return TextPart(scene.say("seats"), lines)


def describe_seat(scene: Scene, sitting: Seated | None) -> str:
    if sitting is None:
        return scene.say("free")
    kind = "substitute" if sitting.substitute else "bot" if sitting.bot else "host" if sitting.host else ""
    return scene.say(kind, name=name_seat(sitting)) if kind else name_seat(sitting)


def build_news(scene: Scene) -> TextPart:
    """Return what happened last."""
    told = list_told(scene)
    if scene.view.info.status == "open" or scene.view.board is None or not told:
        return TextPart()
    sentences = [render_news(scene.words, news, scene.context).plain for news in told[-MOST_NEWS:]]
    return TextPart(scene.say("news"), cut_lines(sentences, LONGEST_NEWS))


def list_told(scene: Scene) -> list[dict[str, Any]]:
    """Return the news that people want to read."""
    return [news for news in scene.view.news if news.get("news") not in NOT_TOLD]


# Buttons


def build_table_rows(table: str, info: Info, lang: Lang) -> list[Row]:
    """Return the buttons that fit the state of the table."""
    if info.status == "open":
        is_full = all(info.seats)
        return [
            [
                build_button(table, "join", lang, "success", is_disabled=is_full),
                build_button(table, "bots", lang, is_disabled=is_full),
                build_button(table, "start", lang, "primary", is_disabled=not is_full),
                build_button(table, "leave", lang),
                build_button(table, "rules", lang),
            ]
        ]
    if info.status == "over":
        last = build_button(table, "rematch", lang, "success", is_disabled=bool(info.next))
        return [[last, build_button(table, "words", lang), build_button(table, "rules", lang)]]
    names = ("words", "rules", "leave")
    return [[build_button(table, "hand", lang, "primary"), *(build_button(table, name, lang) for name in names)]]


def build_button(
    table: str, operation: str, lang: Lang, style: str = "secondary", *, is_disabled: bool = False
) -> Button:
    return Button(encode_id(table, operation), phrase(lang, operation), style, is_disabled)  # type: ignore[arg-type]


# Other public messages


def build_announcement(scene: Scene, host: str) -> RoomMessage:
    """Return the message in the channel from which the thread of a table grows."""
    info = scene.view.info
    line = scene.say("announced", host=cut_text(host, LONGEST_NAME), seats=len(info.seats))
    now = {"open": [], "playing": [scene.say("playing")]}.get(info.status, describe_state(scene))
    name, style = ("join", "success") if info.status == "open" else ("watch", "secondary")
    button = build_button(scene.view.table, name, scene.lang, style)
    return RoomMessage(title=scene.facts.title, parts=[TextPart(lines=[line, *now])], rows=[[button]])


def build_ping(lang: Lang, people: list[str]) -> RoomMessage:
    """Return the short message that reminds people of their turn."""
    return RoomMessage(parts=[TextPart(lines=[phrase(lang, "ping")])], mentions=people)


def build_words(scene: Scene) -> RoomMessage:
    """Return the whole view in words, for one person."""
    text = narrate_view(scene.words, scene.context, scene.view, list_told(scene))
    return RoomMessage(
        title=scene.facts.title,
        parts=[TextPart(lines=cut_lines(text.splitlines(), LONGEST_WORDS))],
        picture=scene.build_picture(),
    )
