"""The Discord app over HTTP: signatures, private hands, pictures, stale and foreign clicks, restarts, reminders."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from server_fixture import running

from palatine_client import connect
from palatine_client.chat.chat_memory import PersonRecord
from palatine_client.chat.custom_ids import decode_number
from palatine_client.chat.discord import app
from palatine_client.chat.discord.signatures import load_public_key
from palatine_client.chat.fake_discord.random_person import click_control, find_button, list_controls, read_embeds
from palatine_client.chat.fake_discord.server import FakeDiscord, InteractionFailed
from palatine_client.chat.messages.phrases import phrase
from palatine_client.chat.sqlite_memory import SqliteMemory
from palatine_client.render.translations import Lang
from palatine_protocol.offers import drawn
from palatine_server.cli.discord_process import _put_commands
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.pictures import view_worker, worker
from palatine_server.pictures.view_pictures import ViewPictures
from palatine_server.settings import Settings

from .discord_fixture import FAST, GUILD, Stage, draw_nothing, serving, staged
from .discord_players import Player, begin_game, play_to_the_end

PNG = b"\x89PNG\r\n\x1a\n"
Message = dict[str, Any]


def first_answer(shown: Message) -> Message:
    """Return the first control that answers a question."""
    return next(each for each in list_controls(shown) if ":answer:" in each["custom_id"])


async def use(stage: Stage, number: int, shown: Message, control: Message) -> Message:
    values = (
        [option["value"] for option in control["options"][: control["min_values"]]] if "options" in control else None
    )
    return await stage.click(number, shown, control["custom_id"], values)


# The door


async def test_a_wrong_signature_gets_401_and_a_ping_a_pong(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        ping = json.dumps({"id": "1", "type": 1}).encode()
        assert (await stage.fake.post(ping)).json() == {"type": 1}
        assert (await stage.fake.post(ping, signature="00" * 64)).status_code == 401
        assert (await stage.fake.post(ping, signature="no hex")).status_code == 401
        assert (await stage.fake.post(b"[]")).status_code == 400
        assert (await stage.fake.post(b"x" * 300_000)).status_code == 401


async def test_an_old_or_dateless_interaction_is_a_replay(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        ping, now = json.dumps({"id": "1", "type": 1}).encode(), stage.fake.now()
        for late in (now - 301, now + 400, 10**15):
            assert (await stage.fake.post(ping, timestamp=str(int(late)))).status_code == 401
        for strange in ("", "-5", "1e9", "now", "9" * 400):
            assert (await stage.fake.post(ping, timestamp=strange)).status_code == 401
        assert (await stage.fake.post(ping, timestamp=str(int(now - 200)))).status_code == 200
        await stage.fake.verify_endpoint()


async def test_an_interaction_sent_again_happens_once(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        options = [{"name": "game", "type": 3, "value": "palais_royal"}, {"name": "seats", "type": 4, "value": 2}]
        data = {"name": "palatine", "options": [{"name": "new", "type": 1, "options": options}]}
        _, body = stage.fake.begin_interaction(2, stage.user(0), GUILD, stage.channel, data, "de")
        answers = [await stage.fake.post(json.dumps(body).encode()) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert stage.memory
        [record] = await stage.memory.list_tables()
        await stage.find_post()
        assert await stage.memory.list_members(record.table) == ["discord:9000"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"name": "palatine", "options": []},
        {"name": "palatine", "options": [{"name": "new", "options": [{"name": "seats", "value": "many"}]}]},
        {"name": "palatine", "options": [{"name": "new", "options": [{"name": "game", "value": 5}]}]},
        {"name": "palatine", "options": [{"name": "remind", "options": [{"name": "minutes", "value": -1}]}]},
        {"name": "palatine", "options": [{"name": "\u0000", "options": []}]},
        {"custom_id": "p1:" + "x" * 97, "component_type": 3, "values": ["?"]},
        {"custom_id": "p1:x:choose:hand", "component_type": 3, "values": ["' or 1=1 --"]},
    ],
)
async def test_a_strange_interaction_gets_a_sentence(tmp_path: Path, data: Message, caplog: Any) -> None:
    async with staged(tmp_path) as stage:
        kind = 3 if "custom_id" in data else 2
        shown = await stage.fake.interact(kind, stage.user(0), GUILD, stage.channel, data, "en-US")
        assert len(read_embeds(shown)) > 10
        assert [each for each in caplog.records if each.levelname == "ERROR"] == []


@pytest.mark.parametrize("change", [{"id": "x"}, {"channel_id": "../9"}, {"guild_id": 7}, {"member": []}, {"data": 5}])
async def test_a_malformed_interaction_gets_400(tmp_path: Path, change: Message) -> None:
    async with staged(tmp_path) as stage:
        _, body = stage.fake.begin_interaction(2, stage.user(0), GUILD, stage.channel, {}, "de")
        assert (await stage.fake.post(json.dumps({**body, **change}).encode())).status_code == 400


async def test_a_second_click_on_undo_undoes_nothing_more(tmp_path: Path) -> None:
    languages: tuple[Lang, Lang] = ("en", "de")
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2)
        hands = [await stage.command(number, "hand", post["channel_id"]) for number in (0, 1)]
        [number] = [number for number, hand in enumerate(hands) if ":answer:" in json.dumps(hand["components"])]
        shown, lang = hands[number], languages[number]
        for _ in range(2):  # the first option of a setup is one servant
            shown = await use(stage, number, shown, first_answer(shown))
        [undo] = [each for each in list_controls(shown) if ":take_back:" in each["custom_id"]]
        # The app dies after the undo and before its answer: the person sees the old message and clicks again.
        before = {key: value for key, value in shown.items() if key != "history"} | {"history": []}
        done = await stage.click(number, shown, undo["custom_id"])
        assert phrase(lang, "undone") in read_embeds(done)
        again = await stage.click(number, before, undo["custom_id"])
        assert phrase(lang, "changed") in read_embeds(again)


async def test_hands_are_private_and_everything_else_is_in_one_thread(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "between_two_castles", 3, bots=1)
        hand = await stage.command(0, "hand", post["channel_id"])
        assert hand["viewer"] == stage.user(0)["id"]
        assert phrase("en", "your hand") in read_embeds(hand)
        german = await stage.command(1, "hand", post["channel_id"])
        assert phrase("de", "your hand") in read_embeds(german)
        seen_by_both = stage.fake.state.list_visible(post["channel_id"], stage.user(0)["id"])
        assert german not in seen_by_both
        assert [each["id"] for each in stage.fake.state.list_visible(post["channel_id"], "")] == [post["id"]]
        assert stage.fake.violations == []


async def test_foreign_and_stale_clicks_get_a_friendly_sentence(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        stranger = await stage.click(5, post, find_button(post, phrase("en", "hand")).custom_id)
        assert phrase("de", "not seated") in read_embeds(stranger)
        shown = await stage.command(0, "hand", post["channel_id"])
        with pytest.raises(InteractionFailed):
            await stage.click(1, shown, first_answer(shown)["custom_id"])
        again = await stage.command(0, "hand", post["channel_id"])
        await use(stage, 0, shown, first_answer(shown))
        while (await stage.command(0, "hand", post["channel_id"]))["components"] == again["components"]:
            shown = await use(stage, 0, shown, first_answer(shown))
        late = await use(stage, 0, again, first_answer(again))
        assert phrase("en", "stale") in read_embeds(late)
        old_version = await stage.fake.interact(
            3, stage.user(0), GUILD, post["channel_id"], {"custom_id": "p9:x:y", "component_type": 2}, "de", post
        )
        assert phrase("de", "unknown") in read_embeds(old_version)


async def test_a_click_from_another_community_reaches_no_table_of_this_one(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=3)
        await stage.find_post()
        [table], elsewhere = stage.poster._tables, stage.fake.state.add_channel("88", "elsewhere")
        for data in (
            {"custom_id": f"p1:{table}:join", "component_type": 2},
            {"custom_id": "p1::choose:join", "component_type": 3, "values": [table]},
        ):
            shown = await stage.fake.interact(3, stage.user(4), "88", elsewhere, data, "en-US")
            assert phrase("en", "table gone") in read_embeds(shown)
        assert stage.memory
        assert await stage.memory.list_members(table) == ["discord:9000"]


async def test_a_move_made_elsewhere_updates_the_message(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=2)
        post = await stage.find_post()
        assert stage.memory
        [record] = await stage.memory.list_tables()
        async with connect(stage.house.url, name="Terminal") as client:
            table = await client.join(record.table, invitation=record.invitation)
            await table.sit()
            await wait_for_text(post, "2. Terminal")
            await stage.command(0, "start", post["channel_id"])
            await wait_for_text(post, "Person 0")
            with anyio.fail_after(30):
                while not table.must_decide:
                    await Player(stage, 0, post, 1).take_turn()
            await table.act(table.view.offer.id, drawn(table.view.offer.choices, Random(1).randrange))  # type: ignore[union-attr]
            await wait_for_text(post, "Terminal sent")


async def wait_for_text(post: Message, text: str) -> None:
    with anyio.fail_after(30):
        while text not in read_embeds(post).replace("\\", ""):
            await anyio.sleep(0.01)


# Communities, channels and tables


async def test_many_channels_of_several_communities_have_tables_of_their_own(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        state = stage.fake.state
        places = [(guild, state.add_channel(guild, "games")) for guild in ("77", "88") for _ in range(2)]
        games = ["palais_royal", "noblemen", "between_two_castles", "palais_royal"]
        for (guild, channel), game in zip(places, games, strict=True):
            user = stage.user(len(state.channels))
            await stage.fake.command(user, guild, channel, "new", game=game, seats=3)
        with anyio.fail_after(30):
            while len([each for each in state.channels.values() if each["type"] == 11]) < 4:
                await anyio.sleep(0.01)
        for guild, channel in places:
            assert len(state.list_visible(channel, "")) == 1
            answer = await stage.fake.command(stage.user(0), guild, channel, "join")
            assert phrase("en", "joined", seat=2) in read_embeds(answer)
        guild, channel = places[0]
        await stage.fake.command(stage.user(0), guild, channel, "new", game="noblemen", seats=3)
        asked = await stage.fake.command(stage.user(1), guild, channel, "join")
        [selection] = list_controls(asked)
        assert len(selection["options"]) == 2
        assert selection["options"][0]["label"].endswith("Person 0")
        joined = await stage.click(1, asked, selection["custom_id"], [selection["options"][0]["value"]])
        assert phrase("de", "joined", seat=2) in read_embeds(joined)
        assert (await stage.command(2, "hand"))["viewer"] == stage.user(2)["id"]
        assert stage.fake.violations == []


async def test_the_commands_are_put_in_both_languages(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        count = await _put_commands(stage.fake.token, stage.house.url, f"{stage._api}/api/v10")
        [command] = stage.fake.state.commands
        names = {option["name"]: option["name_localizations"]["de"] for option in command["options"]}
        wanted = {
            "new",
            "join",
            "bots",
            "start",
            "watch",
            "hand",
            "undo",
            "rules",
            "leave",
            "rematch",
            "remind",
            "words",
        }
        assert {*names} == wanted
        assert count == len(wanted)
        assert names["undo"] == "zurücknehmen"
        [game, _] = command["options"][0]["options"]
        assert {choice["value"] for choice in game["choices"]} >= {*GAMES}
        assert "Zwischen zwei Schlössern" in [choice["name_localizations"]["de"] for choice in game["choices"]]
        assert stage.fake.violations == []


# Pictures


async def test_no_picture_is_drawn_in_the_process_of_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("drawn in this process")

    monkeypatch.setattr(worker, "draw_safely", refuse)
    monkeypatch.setattr(view_worker, "answer_task", refuse)
    monkeypatch.setattr("palatine_client.render.pictures.draw_picture", refuse)
    drawn = ViewPictures(Settings(picture_workers=1), Metrics())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(drawn.pool.end_idle_processes)
        async with staged(tmp_path, drawn.draw) as stage:
            post = await begin_game(stage, "palais_royal", 2, bots=1)
            with anyio.fail_after(60):
                while not post["attachments"]:
                    await anyio.sleep(0.05)
            assert drawn.pool.processes
        tasks.cancel_scope.cancel()


async def test_the_board_is_a_picture_and_the_hand_a_private_one(tmp_path: Path) -> None:
    drawn = ViewPictures(Settings(picture_workers=1), Metrics())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(drawn.pool.end_idle_processes)
        async with staged(tmp_path, drawn.draw) as stage:
            post = await begin_game(stage, "between_two_castles", 2, bots=1)
            hand = await stage.command(0, "hand", post["channel_id"])
            with anyio.fail_after(60):
                while not (post["attachments"] and hand["attachments"]):
                    await anyio.sleep(0.05)
            public, private = (stage.fake.state.files[each["attachments"][0]["id"]] for each in (post, hand))
            assert public.startswith(PNG)
            assert private.startswith(PNG)
            assert public != private
            assert "http" not in json.dumps([hand["embeds"], hand["content"], hand["components"]])
            after = await use(stage, 0, hand, first_answer(hand))
            assert after["attachments"]  # the picture stays until the next one is drawn
            assert stage.fake.violations == []
        tasks.cancel_scope.cancel()


# Restarts


async def test_a_restart_between_any_two_clicks_loses_and_doubles_nothing(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        player, decided = Player(stage, 0, post, 3), 0
        shown = await stage.command(0, "hand", post["channel_id"])
        expected = read_number(shown)
        while decided < 4:
            await stage.stop_app()
            await stage.start_app()
            offer = read_number(shown)
            assert offer == expected
            control = player.rng.choice(player.list_answers(shown))
            click = click_control(control, player.rng)
            shown = await stage.click(0, shown, click.custom_id, click.values or None)
            assert phrase("en", "stale") not in read_embeds(shown)
            if phrase("en", "done", action="") in read_embeds(shown):
                decided, expected = decided + 1, offer + 1
            if not player.list_answers(shown):
                with anyio.fail_after(20):
                    while not player.list_answers(shown := await stage.command(0, "hand", post["channel_id"])):
                        await anyio.sleep(0.02)
        assert stage.fake.violations == []
        threads = [each for each in stage.fake.state.channels.values() if each["type"] == 11]
        assert len(threads) == 1


def read_number(shown: Message) -> int:
    """Return the number of the offer, which counts the answers of the seat."""
    return decode_number(first_answer(shown)["custom_id"].split(":")[3])


# Reminders


async def test_people_are_reminded_at_their_interval_and_nobody_else_is(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2)
        thread, poster = post["channel_id"], stage.poster
        with anyio.fail_after(20):
            while not (poster._tables and all(each.view and each.view.waiting for each in poster._tables.values())):
                await anyio.sleep(0.01)
        [view] = [each.view for each in poster._tables.values()]
        assert view
        [waiting] = view.waiting
        first, other = waiting.seat, 1 - waiting.seat
        since = (waiting.since or 0) / 1000
        now = since
        poster._now = lambda: now

        async def remind() -> list[Message]:
            await poster.remind_everybody()
            return [each for each in stage.fake.state.list_visible(thread, "") if each["content"]]

        answer = await stage.command(first, "remind", thread, minutes=30)
        assert "30" in read_embeds(answer)
        await stage.command(other, "remind", thread, minutes=1)
        now = since + 5
        assert await remind() == []
        now = since + 25
        pings = await remind()
        assert [each["allowed_mentions"] for each in pings] == [{"parse": [], "users": [stage.user(first)["id"]]}]
        now = since + 25 + 29 * 60
        assert await remind() == pings
        now = since + 25 + 30 * 60
        [again] = await remind()
        assert again["id"] != pings[0]["id"]
        await stage.command(first, "remind", thread, minutes=0)
        now = since + 10_000
        assert await remind() == [again]


async def test_a_person_is_one_user_for_ever(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await begin_game(stage, "palais_royal", 2, bots=1)
        assert stage.memory
        first = await stage.memory.find_person("discord:9000")
        await stage.stop_app()
        await stage.start_app()
        await stage.command(0, "hand", (await stage.find_post())["channel_id"])
        assert await stage.memory.find_person("discord:9000") == first
        assert first.user
        assert first.name == "Person 0"
        assert first != PersonRecord("discord:9000")


# As a route of the server


async def test_the_server_has_the_app_as_a_route_and_remembers_in_its_store(tmp_path: Path) -> None:
    fake = FakeDiscord(per_route=FAST)
    async with serving(fake.create_app()) as api:
        settings = {"discord_public_key": fake.public_key, "discord_token": fake.token, "discord_api": f"{api}/api/v10"}
        async with running(tmp_path / "data", picture_workers=0, **settings) as house:
            fake.endpoint = f"{house.url}/discord/interactions"
            stage = Stage(house, fake, api, tmp_path / "unused.sqlite", draw_nothing)
            post = await begin_game(stage, "palais_royal", 2, bots=1)
            hand = await stage.command(0, "hand", post["channel_id"])
            assert first_answer(hand)
        async with running(tmp_path / "data", picture_workers=0, **settings) as house:
            fake.endpoint = f"{house.url}/discord/interactions"
            again = await stage.command(0, "hand", post["channel_id"])
            assert first_answer(again)["custom_id"] == first_answer(hand)["custom_id"]
        assert fake.violations == []
    await fake.close()


# Everything else that people do


async def test_rules_words_watch_and_a_rematch_for_everybody(tmp_path: Path) -> None:
    async with staged(tmp_path, games=["spice_market:SPICE_MARKET"]) as stage:
        post = await begin_game(stage, "spice_market", 3, bots=1)
        thread = post["channel_id"]
        for name in ("rules", "words", "watch"):
            shown = await stage.command(0, name, thread)
            assert shown["viewer"] == stage.user(0)["id"]
            assert len(read_embeds(shown)) > 60
        assert "your hand" not in read_embeds(await stage.command(0, "watch", thread)).lower()
        await play_to_the_end(stage, post, 2, seed=2)
        with anyio.fail_after(20):
            while not any(each["label"] == phrase("en", "rematch") for each in list_controls(post)):
                await anyio.sleep(0.01)
        assert read_embeds(post).count(phrase("en", "over")) == 1
        answer = await stage.click(0, post, find_button(post, phrase("en", "rematch")).custom_id)
        assert phrase("en", "rematch opened") in read_embeds(answer)
        assert phrase("de", "rematch opened") in read_embeds(await stage.command(1, "rematch", thread))
        following = await stage.find_post(2)
        await wait_for_text(following, "Person 1")
        assert "another game" not in read_embeds(post)
        assert stage.fake.violations == []


async def test_the_announcement_follows_the_table(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=2)
        post = await stage.find_post()
        [announcement] = stage.fake.state.list_visible(stage.channel, "")
        joined = await stage.click(1, announcement, find_button(announcement, phrase("en", "join")).custom_id)
        assert phrase("de", "joined", seat=2) in read_embeds(joined)
        await stage.command(0, "start", post["channel_id"])
        await wait_for_text(announcement, phrase("en", "playing"))
        watched = await stage.click(5, announcement, find_button(announcement, phrase("en", "watch")).custom_id)
        assert "Person 0" in read_embeds(watched)


async def test_names_are_one_harmless_line_and_nobody_is_nameless(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        stage.names = ["\u3000 \u3000", "@everyone <@1> **x**", "\u202ebad\x1b[2J\n\n# head"]
        await stage.command(0, "new", game="palais_royal", seats=3)
        post = await stage.find_post()
        for number in (1, 2):
            await stage.click(number, post, find_button(post, phrase("en", "join")).custom_id)
        await wait_for_text(post, "head")
        shown = read_embeds(post)
        assert "9000" in shown
        assert "\\@everyone \\<\\@1\\> \\*\\*x" in shown
        assert all(each.isprintable() for each in shown.splitlines())
        assert len([line for line in shown.splitlines() if "head" in line]) == 1
        everything = [*stage.fake.state.list_visible(stage.channel, ""), post]
        assert {str(each["allowed_mentions"]) for each in everything} == {str({"parse": [], "users": []})}


async def test_words_and_posts_do_not_tell_of_seeds(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=2)
        post = await stage.find_post()
        await stage.command(1, "join", post["channel_id"])
        for name in ("words", "watch"):
            shown = read_embeds(await stage.command(1, name, post["channel_id"]))
            assert "Person 0" in shown
            assert "Startwert" not in shown


async def test_an_app_that_stops_waits_only_shortly_for_discord(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "CLOSE_WITHIN", 0.1)
    async with staged(tmp_path) as stage:
        served = stage.poster._runner
        waiting = app.DiscordApp(load_public_key(stage.fake.public_key), served, served, draw_nothing, stage.poster)  # type: ignore[arg-type]
        waiting._spawn(anyio.sleep(3600))
        with anyio.fail_after(5):
            await waiting.close()


async def test_a_person_is_forgotten_in_the_file_of_the_app(tmp_path: Path) -> None:
    palatine, file = Path(sys.executable).with_name("palatine"), tmp_path / "discord.sqlite"
    memory = SqliteMemory(file)
    await memory.save_person(PersonRecord("discord:5", "user5", "Ada"))
    memory.close()
    done = await anyio.run_process([str(palatine), "discord", "forget", "5", "--file", str(file)])
    assert b"5 is forgotten." in done.stdout
    wrong = await anyio.run_process([str(palatine), "discord", "forget", "Ada", "--file", str(file)], check=False)
    assert wrong.returncode == 2
    memory = SqliteMemory(file)
    assert await memory.find_person("discord:5") == PersonRecord("discord:5")
    memory.close()


async def test_a_mistake_of_the_operator_gets_a_sentence(tmp_path: Path) -> None:
    palatine = Path(sys.executable).with_name("palatine")
    secrets = ["--token", "t", "--service-token", "s"]
    wrong = await anyio.run_process([str(palatine), "discord", "--public-key", "xyz", *secrets], check=False)
    assert wrong.returncode == 2
    assert b"64 hexadecimal digits" in wrong.stderr.replace(b"\n", b" ")
    nobody = [str(palatine), "discord", "register", "--token", "t", "--server", "http://127.0.0.1:9"]
    away = await anyio.run_process(nobody, check=False)
    assert away.returncode == 1
    assert b"were not put" in away.stderr
    assert b"Traceback" not in wrong.stderr + away.stderr
