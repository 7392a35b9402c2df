"""The chat core: every offer can be answered within Discord's limits, and an id says what a click means."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from random import Random
from xml.etree import ElementTree

import msgspec
import pytest
from games.lower_bounds import find_least
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from spice_market import SPICE_MARKET

from palatine_client.chat.chat_events import ChatRoom, Clicked, CommandGiven, FormSent, Person
from palatine_client.chat.choice_path import decode_path, decode_picks, encode_path, encode_picks
from palatine_client.chat.clicks import handle_event
from palatine_client.chat.custom_ids import UnknownId, decode_id, decode_number, encode_id, encode_number
from palatine_client.chat.discord.payloads import build_form, build_message, escape_markup
from palatine_client.chat.fake_discord import limits
from palatine_client.chat.fake_discord.component_limits import check_modal
from palatine_client.chat.fake_discord.random_person import fill_in, list_controls, read_embeds
from palatine_client.chat.messages import phrases
from palatine_client.chat.messages.chat_messages import (
    ChatAnswer,
    FormAnswer,
    PrivateAnswer,
    Replacement,
    RoomMessage,
    Selection,
    TextPart,
)
from palatine_client.chat.messages.question_rows import drop_beginning
from palatine_client.chat.messages.rules_text import build_rules
from palatine_client.chat.messages.scenes import Scene
from palatine_client.chat.messages.table_post import build_announcement, build_ping, build_table_post, build_words
from palatine_client.chat.steps import FindTable, ListTableRecords, SeeGame, SeeTable
from palatine_client.render.pictures import draw_picture
from palatine_client.render.svg.view import PictureView
from palatine_client.render.translations import Lang
from palatine_protocol.messages import Offer
from palatine_protocol.offers import Choice, Pick, Range
from palatine_server.checks.laws import copy_plain
from palatine_server.games.kit import Recorder
from palatine_server.games.registry import GAMES

from .local_tables import TABLE, LocalTable, describe_game
from .random_games import RandomTable, list_tables

ROOM, ADA = ChatRoom("1", "3"), Person("discord:1000", "Ada")


# Whole games


@pytest.mark.parametrize(("game", "players"), list_tables(GAMES))
def test_every_offer_of_a_game_can_be_answered_within_the_limits(game: str, players: int) -> None:
    table = RandomTable(GAMES[game], players, seed=players)
    table.play_some(150)
    assert table.counts["messages"] >= 150 or table.table.recorder.play.is_over
    assert table.counts["messages"] > (find_least(GAMES[game], "private messages in a chat") or 0)
    assert [key for key in table.counts if key.startswith("violation")] == []
    assert table.counts["ambiguous"] == 0


@pytest.mark.parametrize(("game", "messages"), [("between_two_castles", 200), ("noblemen", 700)])
def test_places_have_the_numbers_that_the_picture_shows(game: str, messages: int) -> None:
    table = RandomTable(GAMES[game], 3, seed=3)
    pictures: list[tuple[PictureView, list[str]]] = []
    see = table.see

    def note(answer: ChatAnswer) -> dict[str, object]:
        shown = see(answer)
        assert isinstance(answer, PrivateAnswer | Replacement)
        if (picture := answer.message.picture) and picture.numbered:
            pictures.append((picture, read_labels(shown)))
        return shown

    table.see = note  # type: ignore[method-assign]
    table.play_some(messages)
    assert len(pictures) > 10
    for picture, labels in pictures:
        numbers = [str(number) for number in range(1, len(picture.numbered) + 1)]
        assert [label.partition(". ")[0] for label in labels] == numbers[: len(labels)]
        texts = [node.text for node in ElementTree.fromstring(draw_picture(picture)).iter() if node.text]
        unnumbered = [node.text for node in ElementTree.fromstring(draw_plain(picture)).iter() if node.text]
        assert Counter(texts) - Counter(unnumbered) == Counter(numbers)


def read_labels(shown: Mapping[str, object]) -> list[str]:
    """Return the labels of the options of a question, or of the buttons that answer it."""
    controls = [each for each in list_controls(shown) if ":answer:" in each["custom_id"]]
    return [option["label"] for each in controls for option in each.get("options", [each])]


def draw_plain(picture: PictureView) -> str:
    return draw_picture(dataclasses.replace(picture, numbered=[]))


def test_a_game_that_nobody_knows_is_played_to_its_end() -> None:
    counts = RandomTable(SPICE_MARKET, 3, seed=4).play()
    assert counts["messages"] > 20
    assert counts["posts"] > 2
    assert counts["violations"] == 0


# Ids


@given(st.integers(-(62**20), 62**20))
def test_numbers_survive_an_id(number: int) -> None:
    assert decode_number(encode_number(number)) == number


@given(st.lists(st.integers(0, 2**60), max_size=6))
def test_paths_survive_an_id(steps: list[int]) -> None:
    assert decode_path(encode_path(steps)) == steps


@given(st.sets(st.integers(0, 80)))
def test_picks_survive_an_id(indices: set[int]) -> None:
    assert decode_picks(encode_picks([*indices])) == sorted(indices)


@given(st.text(max_size=120))
def test_a_foreign_id_is_refused_or_read(text: str) -> None:
    for hostile in (text, f"p1:{text}", f"p1:{TABLE}:answer:{text}"):
        try:
            meaning = decode_id(hostile)
        except UnknownId:
            continue
        assert encode_id(meaning.table, meaning.operation, *meaning.arguments) == hostile


@given(
    st.lists(st.text(alphabet="0Aaz-.:", max_size=6), max_size=5),
    st.sampled_from(["answer", "page", "pick", "ask", "form", "number"]),
)
def test_a_forged_id_gets_a_sentence_and_changes_nothing(arguments: list[str], operation: str) -> None:
    table = LocalTable.begin(SPICE_MARKET, 2, 1)
    target = ":".join(["p1", TABLE, operation, *arguments])
    answer = table.handle(Clicked("1", ADA, ROOM, target, ["0"]))
    assert isinstance(answer, PrivateAnswer | Replacement | FormAnswer)
    assert table.version <= 1


# Questions that no game of ours asks: their limits are the network's


class Asker:
    """A table whose offer is given; it keeps what was done."""

    def __init__(self, choices: list[Choice]) -> None:
        self.table, self.choices = LocalTable.begin(SPICE_MARKET, 2, 1), choices
        self.done: list[dict[str, object]] = []
        self.count = 0

    def handle(self, event: Clicked | CommandGiven | FormSent) -> RoomMessage | FormAnswer:
        handling, result = handle_event(event), None
        try:
            while True:
                step = handling.send(result)
                if isinstance(step, SeeTable):
                    result = replace(self.table.view(0), offer=Offer(id=7, choices=self.choices))
                elif isinstance(step, SeeGame | FindTable | ListTableRecords):
                    result = self.table.carry_out(step)
                else:
                    self.done.append(step.request.action)  # type: ignore[union-attr]
                    result = self.table.reply(None, step.request)  # type: ignore[union-attr]
        except StopIteration as stop:
            answer = stop.value
            return answer if isinstance(answer, FormAnswer) else self.check(answer.message)

    def check(self, message: RoomMessage) -> RoomMessage:
        limits.check_message({**build_message(message), "flags": 64})
        return message

    def click(self, target: str, values: list[str] | None = None) -> RoomMessage | FormAnswer:
        self.count += 1
        return self.handle(Clicked(str(self.count), ADA, ROOM, target, values or []))

    def show(self) -> RoomMessage:
        shown = self.handle(CommandGiven("0", ADA, ROOM, "hand"))
        assert isinstance(shown, RoomMessage)
        return shown


def find_selection(message: RoomMessage) -> Selection:
    return next(row for row in message.rows if isinstance(row, Selection))


def test_a_list_of_sixty_values_has_three_pages() -> None:
    asker = Asker([Choice("bid", {"card": [f"card {at}" for at in range(60)]})])
    shown = asker.show()
    assert len(find_selection(shown).options) == 25
    [pages] = [row for row in shown.rows if isinstance(row, list) and ":page:" in row[0].id]
    assert [button.is_disabled for button in pages] == [True, False, False]
    last = asker.click(pages[2].id)
    assert isinstance(last, RoomMessage)
    selection = find_selection(last)
    assert len(selection.options) == 10
    asker.click(selection.id, [selection.options[-1].value])
    assert asker.done == [{"do": "bid", "card": "card 59"}]


def test_a_pick_of_forty_items_goes_over_pages_and_is_confirmed() -> None:
    items = [f"item {at}" for at in range(40)]
    asker = Asker([Choice("bid", {"card": Pick(2, 3, items)})])
    shown = asker.show()
    first = find_selection(shown)
    chosen = asker.click(first.id, [first.options[3].value])
    assert isinstance(chosen, RoomMessage)
    pages = next(row for row in chosen.rows if isinstance(row, list) and ":page:" in row[0].id)
    second_page = asker.click(pages[1].id)
    assert isinstance(second_page, RoomMessage)
    second = find_selection(second_page)
    both = asker.click(second.id, [second.options[0].value, second.options[1].value])
    assert isinstance(both, RoomMessage)
    [confirm] = [button for row in both.rows if isinstance(row, list) for button in row if button.style == "success"]
    assert not confirm.is_disabled
    asker.click(confirm.id)
    assert asker.done == [{"do": "bid", "card": ["item 3", "item 25", "item 26"]}]


def test_a_pick_may_be_of_nothing() -> None:
    asker = Asker([Choice("bid", {"card": Pick(0, 2, ["a", "b", "c"])})])
    shown = asker.show()
    [none] = [button for row in shown.rows if isinstance(row, list) for button in row if button.id.endswith(":0")]
    asker.click(none.id)
    assert asker.done == [{"do": "bid", "card": []}]


def test_a_number_from_a_long_range_is_entered_in_a_form() -> None:
    asker = Asker([Choice("bid", {"card": Range(-3, 500)})])
    [[enter], *_] = [row for row in asker.show().rows if isinstance(row, list)]
    opened = asker.click(enter.id)
    assert isinstance(opened, FormAnswer)
    modal = build_form(opened.form)
    check_modal(modal)
    for typed, is_done in (("x", False), ("501", False), ("²", False), ("42", True)):
        asker.handle(FormSent("9", ADA, ROOM, modal["custom_id"], dict(fill_in(modal, typed))))
        assert asker.done == ([{"do": "bid", "card": 42}] if is_done else [])


def test_an_offer_that_changed_under_the_same_number_is_recognised() -> None:
    asker = Asker([Choice("bid", {"card": ["a", "b"]})])
    [[first, *_], *_] = [row for row in asker.show().rows if isinstance(row, list)]
    asker.choices = [Choice("bid", {"card": ["b", "c"]})]
    answer = asker.click(first.id)
    assert isinstance(answer, RoomMessage)
    assert answer.parts[0].lines == [phrases.phrase("en", "changed")]
    assert asker.done == []


def test_long_options_go_on_in_a_second_line_and_can_be_told_apart() -> None:
    cards = [
        f"{'a very long name ' * 4}in the castle, left of the throne room (column {at}, floor 1)" for at in range(7)
    ]
    options = find_selection(Asker([Choice("bid", {"card": [*cards, "x" * 150, "x" * 151]})]).show()).options
    assert len({(option.label, option.detail) for option in options}) == 9
    assert options[3].detail.startswith("left of the throne room (column 3")
    assert all(len(option.label) <= 100 and len(option.detail) <= 100 for option in options)


# Words


@pytest.mark.parametrize("key", phrases.PHRASES)
def test_every_phrase_has_every_language_and_the_same_fields(key: str) -> None:
    texts = phrases.PHRASES[key]
    assert {*texts} == {"en", "de"}
    fields = [{part.split("}")[0] for part in text.split("{")[1:]} for text in texts.values()]
    assert fields[0] == fields[1]


@pytest.mark.parametrize(
    "text", ["@everyone <@1> <#2>", "**bold** __x__ ~~y~~ `z` ||w||", "[a](https://b)", "# head\n> quote"]
)
def test_text_of_people_is_never_markup(text: str) -> None:
    escaped = escape_markup(text)
    for sign in "*_~`|<@[]()#>":
        assert escaped.count(sign) == escaped.count(f"\\{sign}")
    assert "https://" not in escaped


def test_ranks_and_dashes_are_no_lists_of_discord() -> None:
    assert escape_markup("1. Ada\n1. Bo\n 3. Cy\n- x\n2.5 points") == "1\\. Ada\n1\\. Bo\n 3\\. Cy\n\\- x\n2\\.5 points"


def test_a_long_text_goes_on_in_a_second_embed_and_ends_with_a_sign() -> None:
    lines = [f"{at} {'x' * 90}" for at in range(50)]
    body = build_message(RoomMessage("Title", [TextPart("Heading", lines)]))
    limits.check_message(body)
    assert len(body["embeds"]) == 2
    assert [line for embed in body["embeds"] for line in embed["description"].split("\n")][1:] == lines
    markup = build_message(RoomMessage("Title", [TextPart("Heading", ["*" * 90] * 50)]))
    limits.check_message(markup)
    assert markup["embeds"][-1]["description"].endswith("\n…")
    assert len(read_embeds(markup)) > 5000


def test_options_do_not_repeat_what_was_chosen_before() -> None:
    castle = "Place Study (living room, with a torch) in Eltz Castle"
    labels = [[f"{castle}, left of the hall (column 1, floor 0)"], [castle, "above the hall (column 1, floor 1)"]]
    assert drop_beginning(labels) == [["left of the hall (column 1, floor 0)"], ["above the hall (column 1, floor 1)"]]
    assert drop_beginning([["a, b"], ["a"]]) == [["a, b"], ["a"]]
    assert drop_beginning([["only, one"]]) == [["only, one"]]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_can_be_read_before_the_game(game: str) -> None:
    local = LocalTable.begin(GAMES[game], GAMES[game].players[0], 1)
    scene = Scene(replace(local.view(None), board=None), describe_game(local.game, "de"), "de")
    assert len(build_rules(scene).parts[0].lines) > 4


# Law 3: what is posted in the channel does not depend on what nobody may know


@pytest.mark.parametrize("game", [*GAMES, "spice_market"])
@pytest.mark.parametrize("seed", range(4))
def test_posts_are_the_same_bytes_in_swapped_worlds(game: str, seed: int) -> None:
    found = SPICE_MARKET if game == "spice_market" else GAMES[game]
    players, rng = found.players[seed % len(found.players)], Random(seed)
    table = RandomTable(found, players, seed)
    table.play_some(20 + 30 * seed)
    local = table.table
    assert found.secrets
    document = local.recorder.zones.document()
    swapped = copy_plain(document)
    for seat in range(players):  # all together: everything that some seat may not know
        swapped = found.secrets.swap(swapped, seat, rng)
    here, there = (build_posts(local, world) for world in (copy_plain(document), swapped))
    assert here == there
    assert copy_plain(document) != swapped


def build_posts(local: LocalTable, document: object) -> bytes:
    """Return everything that a channel gets of a world in both languages: messages, announcement, picture, reminder."""
    local.recorder = Recorder(local.game.resume(document))
    languages: list[Lang] = ["en", "de"]
    return b"".join(encode_world(local, lang) for lang in languages)


def encode_world(local: LocalTable, lang: Lang) -> bytes:
    scene = Scene(local.view(None), describe_game(local.game, lang), lang)
    post = build_table_post(scene)
    assert post.picture
    assert (post.picture.hand, post.picture.seat, post.picture.offer, post.picture.numbered) == (None, None, [], [])
    waiting = [local.people[each.seat] for each in scene.view.waiting]
    messages = [
        post,
        build_announcement(scene, "Ada"),
        build_ping(lang, waiting),
        build_words(scene),
        build_rules(scene),
    ]
    bodies = [build_message(each, has_picture=each.picture is not None) for each in messages]
    return msgspec.json.encode([bodies, asdict(post.picture)]) + draw_picture(post.picture).encode()


def test_the_poster_is_given_the_views_of_spectators_and_nothing_else() -> None:
    """Posts are edited when a spectator's view changes, so their order and time tell what spectators see anyway."""
    table = LocalTable.begin(GAMES["between_two_castles"], 2, 1)
    facts = describe_game(table.game, "en")
    with pytest.raises(AssertionError):
        build_table_post(Scene(table.view(0), facts, "en"))
    with pytest.raises(AssertionError):
        build_table_post(Scene(replace(table.view(None), hand={"tiles": []}), facts, "en"))


def test_a_private_message_shows_the_hand_and_a_post_does_not() -> None:
    table = LocalTable.begin(SPICE_MARKET, 2, 1)
    private = table.handle(CommandGiven("1", ADA, ROOM, "hand"))
    assert isinstance(private, PrivateAnswer)
    shown = build_message(private.message)
    post = build_message(build_table_post(Scene(table.view(None), describe_game(SPICE_MARKET, "en"), "en")))
    assert phrases.phrase("en", "your hand") in read_embeds(shown)
    assert phrases.phrase("en", "your hand") not in read_embeds(post)
    assert list_controls(post)
