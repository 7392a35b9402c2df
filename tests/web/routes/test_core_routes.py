"""HTTP: health, games, tables, guests, the protocol page."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.json import encode
from server_fixture import House, opened, running

from palatine_protocol.messages import Create, Created
from palatine_server.games.kit.description.schemas import walk_nodes
from palatine_server.games.registry import GAMES


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    async with running(tmp_path) as house:
        yield house


async def get(house: House, path: str, **given: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.get(path, **given)


async def post(house: House, path: str, **given: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.post(path, **given)


async def test_the_server_is_well_and_ready(house: House) -> None:
    assert (await get(house, "/healthz")).status_code == 200
    assert (await get(house, "/readyz")).text == "ready\n"


async def test_a_stopping_server_is_not_ready(house: House) -> None:
    await house.server._app.state.shared.announce_stop()
    assert (await get(house, "/readyz")).status_code == 503
    assert (await get(house, "/healthz")).status_code == 200


@pytest.mark.parametrize(("lang", "title"), [("en", "Between Two Castles"), ("de", "Zwischen zwei Schlössern")])
async def test_games_are_listed_in_two_languages(house: House, lang: str, title: str) -> None:
    games = (await get(house, "/v1/games", params={"lang": lang})).json()["games"]
    castles = next(game for game in games if game["game"] == "between_two_castles")
    assert castles["title"] == title
    assert castles["players"] == [2, 7]
    assert set(castles["policies"]) >= {"random", "greedy"}
    assert "takeback" in str(castles["options"])


async def test_a_game_has_its_catalog_with_sources(house: House) -> None:
    game = (await get(house, "/v1/games/between_two_castles")).json()
    assert len(game["catalog"]["room"]) == 147
    assert all(room["source"] for room in game["catalog"]["room"])
    assert (await get(house, "/v1/games/chess")).status_code == 404


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/noblemen"])
async def test_games_refuse_a_language_that_they_do_not_have(house: House, path: str) -> None:
    answer = await get(house, path, params={"lang": "fr"})
    assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (400, "malformed", "$.lang")


async def test_a_game_describes_itself_in_the_same_bytes_for_every_language(house: House) -> None:
    english = (await get(house, "/v1/games/noblemen", params={"lang": "en"})).json()["description"]
    german = (await get(house, "/v1/games/noblemen", params={"lang": "de"})).json()["description"]
    assert english == german
    assert english["schemas"].keys() == {"board", "hand", "actions", "news", "options"}
    assert english["coordinates"]["kind"] == "grid"
    assert english["labels"]["verbs"]["lay"]["label"].keys() == {"en", "de"}


@pytest.mark.parametrize("name", GAMES)
async def test_schemas_allow_unknown_keys_as_the_server_does(house: House, name: str) -> None:
    schemas = (await get(house, f"/v1/games/{name}")).json()["description"]["schemas"]
    assert not [node for node in walk_nodes(schemas) if node.get("additionalProperties") is False]
    async with house.peer("Anna") as anna:
        created = await anna.do(Create, game=name, seats=GAMES[name].players[0], options={"later": 1})
        assert isinstance(created, Created)


async def test_a_game_has_its_look_and_the_common_paper(house: House) -> None:
    castles = (await get(house, "/v1/games/between_two_castles")).json()["look"]
    assert castles["colours"]["food"]["light"] == "#B9472A"
    assert castles["glyphs"]["food"].startswith("M")
    assert castles["paper"].keys() == {"light", "dark"}
    assert (castles["players_by"], castles["players"]["0"]["glyph"]) == ("seat", "square")
    assert {mark["glyph"] for mark in castles["players"].values()} <= castles["glyphs"].keys()


async def test_a_look_says_how_the_mark_of_a_player_is_found(house: House) -> None:
    palais = (await get(house, "/v1/games/palais_royal")).json()
    assert palais["look"]["players_by"] == "players.{seat}.colour"
    assert "colour" in palais["description"]["schemas"]["board"]["$defs"]["Player"]["properties"]
    assert {colour["id"] for colour in palais["catalog"]["colours"]} == palais["look"]["players"].keys()


async def test_games_say_which_figures_are_reconstructed(house: House) -> None:
    games = (await get(house, "/v1/games", params={"lang": "de"})).json()["games"]
    assert {game["game"] for game in games} == {*GAMES}
    reconstructed = {game["game"] for game in games if game["reconstructed"]}
    assert reconstructed == {game["game"] for game in games if "rekonstruiert" in game["notice"]}
    assert reconstructed == {name for name, game in GAMES.items() if b'"reconstructed"' in encode(game.catalog)}
    assert reconstructed


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_a_game_without_a_catalog_is_listed_like_the_others(tmp_path: Path, lang: str) -> None:
    async with running(tmp_path / "more", games=["web.minimal_game:BARE"]) as house:
        games = (await get(house, "/v1/games", params={"lang": lang})).json()["games"]
        alone = (await get(house, "/v1/games/bare", params={"lang": lang})).json()
    assert len(games) == len(GAMES) + 1
    assert alone.pop("description")["schemas"]["board"]["$ref"]
    assert alone.pop("look")["players"]["0"]["glyph"] == "square"
    assert not any(alone.pop("examples").values())
    assert alone.pop("rules") == {"page": "/docs/games/bare", "paragraphs": {}}
    assert alone == {**games[-1], "catalog": {}}
    assert (alone["title"], alone["notice"], alone["reconstructed"]) == ("Counters", "", False)


async def test_guests_get_a_token_and_can_renew_it(house: House) -> None:
    made = await post(house, "/v1/guests", json={"name": "Anna"})
    assert made.status_code == 201
    guest = made.json()
    assert guest["name"] == "Anna"
    renewed = await post(house, "/v1/guests", headers={"authorization": f"Bearer {guest['token']}"})
    assert renewed.json()["user"] == guest["user"]
    assert renewed.json()["name"] == "Anna"


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"content": b"{"}, 400),
        ({"content": b'{"name": 5}'}, 400),
        ({"content": b"x" * 5000}, 400),
        ({"headers": {"authorization": "Bearer nonsense"}}, 401),
    ],
)
async def test_bad_requests_for_guests_are_refused(house: House, given: Any, status: int) -> None:
    answer = await post(house, "/v1/guests", **given)
    assert answer.status_code == status
    assert "nonsense" not in answer.text


async def test_guests_are_limited_by_address(tmp_path: Path) -> None:
    async with running(tmp_path / "few", guests_per_minute=3) as house:
        answers = [await post(house, "/v1/guests") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1


async def test_tables_are_listed_and_ones_own_with_a_token(house: House) -> None:
    async with house.peer("Anna") as anna:
        public, private = await opened(anna, 3), await opened(anna, 3, visibility="private")
        everybody = (await get(house, "/v1/tables")).json()["tables"]
        own = await get(house, "/v1/tables", headers={"authorization": f"Bearer {anna.token}"})
    assert [row["table"] for row in everybody] == [public]
    assert {row["table"] for row in own.json()["tables"]} == {public, private}
    assert (await get(house, "/v1/tables", headers={"authorization": "Bearer x"})).status_code == 401


async def test_a_list_takes_the_filters_of_list_tables_and_names_a_wrong_one(house: House) -> None:
    async with house.peer("Anna") as anna:
        table = await opened(anna, 2)
        for status, listed in (("open", [table]), ("playing", [])):
            rows = (await get(house, "/v1/tables", params={"status": status, "unknown": "1"})).json()["tables"]
            assert [row["table"] for row in rows] == listed
    wrong = await get(house, "/v1/tables", params={"status": "nonsense"})
    assert (wrong.status_code, wrong.json()["code"], wrong.json()["path"]) == (400, "malformed", "$.status")


async def test_the_protocol_page_is_served(house: House) -> None:
    page = await get(house, "/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "palatine.v1.msgpack" in page.text
    assert "<script" not in page.text
    assert (await get(house, "/docs/asyncapi.yaml")).text.splitlines()[1].startswith("asyncapi: 3")
