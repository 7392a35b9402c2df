"""The pages of games, and what they show at /v1/games: complete, in two languages, and the same whatever is played."""

import re
from pathlib import Path
from random import Random

import httpx
import pytest
from server_fixture import House, running, seated

SPICE_MARKET = Path(__file__).parents[2] / "examples" / "spice_market"


async def get(house: House, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.get(path, headers=headers)


async def test_a_page_shows_everything_that_the_json_has(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        for name in house.server._app.state.shared.directory.games:
            game = (await get(house, f"/v1/games/{name}")).json()
            page = (await get(house, f"/docs/games/{name}")).text
            ids = {*re.findall(r' id="([^"]+)"', page)}
            schemas = game["description"]["schemas"]
            assert {f"action-{verb}" for verb in schemas["actions"]} <= ids
            assert {f"news-{each}" for each in schemas["news"]} <= ids
            assert {f"refusal-{code}" for code in game["examples"]["refusals"]} <= ids
            assert {*game["rules"]["paragraphs"]} <= ids
            assert game["rules"]["page"] == f"/docs/games/{name}"
            assert all(path in page for path in game["look"]["glyphs"].values())


async def test_the_list_stays_small_and_a_game_has_the_rest(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        listed = await get(house, "/v1/games")
        alone = (await get(house, "/v1/games/noblemen")).json()
    assert len(listed.content) < 2_000 * len(listed.json()["games"])
    assert {"catalog", "description", "look", "examples", "rules"} <= alone.keys()
    assert alone["examples"].keys() == {"games", "actions", "news", "refusals", "questions"}


@pytest.mark.parametrize(
    ("path", "accepted", "lang"),
    [
        ("/docs/games/noblemen", "", "en"),
        ("/docs/games/noblemen", "de-AT,en;q=0.5", "de"),
        ("/docs/games/noblemen", "fr, de;q=0.3", "de"),
        ("/docs/games/noblemen?lang=en", "de", "en"),
        ("/docs/games?lang=de", "", "de"),
        ("/docs/games?lang=fr", "", "en"),
    ],
)
async def test_the_language_is_named_or_preferred(tmp_path: Path, path: str, accepted: str, lang: str) -> None:
    async with running(tmp_path) as house:
        answer = await get(house, path, **{"accept-language": accepted})
    assert f'<html lang="{lang}">' in answer.text
    assert "accept-language" in answer.headers["vary"].lower()


async def test_a_page_runs_nothing_and_loads_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        answer = await get(house, "/docs/games/palais_royal")
        missing = await get(house, "/docs/games/chess")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"<script| style=| on\w+=|src=|@import", answer.text)
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_game")


async def test_a_game_of_another_package_has_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SPICE_MARKET))
    async with running(tmp_path, games=["spice_market:SPICE_MARKET"]) as house:
        game = (await get(house, "/v1/games/spice_market")).json()
        page = (await get(house, "/docs/games/spice_market?lang=de")).text
    assert game["examples"]["actions"].keys() == game["description"]["schemas"]["actions"].keys()
    assert game["examples"]["news"].keys() == game["description"]["schemas"]["news"].keys()
    assert game["look"]["colours"]["tint_0"]["light"] == "#F1DFC4"
    assert game["rules"]["paragraphs"]["SM-STALL-3"] == "No stand is built on a space that is taken."
    assert '<a id="SM-STALL-3"' in page


async def test_a_game_without_rules_and_examples_has_a_page_too(tmp_path: Path) -> None:
    async with running(tmp_path, games=["web.minimal_game:BARE"]) as house:
        answer = await get(house, "/docs/games/bare")
    assert answer.status_code == 200
    assert "The package of this game has no examples." in answer.text


async def test_law_3_pages_are_the_same_bytes_whatever_is_played(tmp_path: Path) -> None:
    paths = [f"/{part}/games/between_two_castles?lang={lang}" for part in ("docs", "v1") for lang in ("en", "de")]
    async with running(tmp_path / "idle") as house:
        idle = [(await get(house, path)).content for path in paths]
    async with running(tmp_path / "busy") as house, house.peer("Anna") as anna:
        [table] = await seated([anna], bots=2)
        await table.play(Random(1).randrange, until=lambda table: table.version > 20)
        busy = [(await get(house, path)).content for path in paths]
    assert idle == busy
