"""A third language is one file: a copy of the client gets one, names what it lacks, is built, and is played in it."""

import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from server_fixture import running
from web_client.players import player, settings_of

from palatine_server.web.routes import client_files, client_pages

CLIENT = Path(__file__).parents[2] / "clients" / "web"
LANGUAGES = CLIENT / "src" / "i18n"
TEXT = re.compile(r'("(?:[^"\\]|\\.)*")(?=,\n)')
MARK = "›"  # in front of every text of the third language


def copy_client(folder: Path) -> Path:
    copied = shutil.copytree(CLIENT, folder / "web", ignore=shutil.ignore_patterns("node_modules"))
    (copied / "node_modules").symlink_to(CLIENT / "node_modules")
    return copied


def write_italian() -> str:
    """Return a file after the German one, in which every text is marked."""
    german = (
        (LANGUAGES / "de.ts").read_text().replace("Deutsch", "Italiano").replace("/** German. */", "/** Italian. */")
    )
    return (
        TEXT.sub(lambda text: f'"{MARK}{text[1][1:]}', german)
        .replace("const de:", "const it:")
        .replace("export default de;", "export default it;")
    )


def run_npm(folder: Path, *command: str) -> str:
    done = subprocess.run(["npm", "run", "--silent", *command], cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client with a third language, and nothing else changed."""
    copied = copy_client(tmp_path_factory.mktemp("translated"))
    (copied / "src" / "i18n" / "it.ts").write_text(write_italian())
    return copied


def test_every_language_has_the_type_that_names_missing_texts() -> None:
    for file in LANGUAGES.glob("*.ts"):
        if file.stem not in ("en", "languages"):
            assert f"const {file.stem}: Phrases = {{" in file.read_text()


def test_the_compiler_names_a_text_that_a_language_lacks(translated: Path, tmp_path: Path) -> None:
    assert run_npm(translated, "types") == ""
    file = translated / "src" / "i18n" / "it.ts"
    whole = file.read_text()
    try:
        file.write_text("".join(line for line in whole.splitlines(keepends=True) if "tapCell:" not in line))
        assert "'tapCell' is missing" in run_npm(translated, "types")
    finally:
        file.write_text(whole)


async def test_a_game_is_played_in_a_language_that_the_server_does_not_have(
    browser: Browser, translated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = tmp_path / "build"
    assert run_npm(translated, "build", "--", "--outDir", str(build), "--logLevel", "error") == ""
    monkeypatch.setattr(client_pages, "load_files", partial(client_files.load_files, build))
    async with running(tmp_path / "data") as house, player(browser, house, "it") as ada:
        await ada.open("")
        await ada.page.get_by_role("button", name=f"{MARK}Sofort spielen").first.wait_for()
        await ada.page.locator("header button").click()
        choice = ada.page.get_by_role("dialog").get_by_role("combobox").first
        await expect(choice.locator("option")).to_have_text(["Deutsch", "English", f"{MARK}Italiano"])
        await choice.select_option("en")
        await ada.page.get_by_role("button", name="Play now").first.wait_for()
        await choice.select_option("it")
        await ada.page.get_by_role("button", name=f"{MARK}Sofort spielen").first.wait_for()
        assert (await settings_of(ada.page))["palatine.lang"] == "it"
        await ada.open_table("between_two_castles", 3, 2)
        await ada.start()
        board = ada.page.locator(".board-area .board")
        await board.get_by_text(f"{MARK}Deine Hand").wait_for()
        await ada.page.get_by_role("button", name="Choose two rooms").wait_for()  # a word of the server
        await ada.page.locator(".in-words summary").click()
        await ada.page.locator(".in-words").get_by_text("Round").first.wait_for()
        await board.locator(".castle [data-fact]").first.wait_for()
        assert await ada.page.evaluate("document.documentElement.lang") == "it"
        assert [each for each in ada.problems if "404" not in each] == []  # this server has no issuer of logins


async def test_a_page_tries_again_when_its_language_did_not_arrive(browser: Browser, tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, player(browser, house, service_workers="block") as ada:
        await ada.page.route("**/assets/en-*.js", lambda route: route.abort(), times=1)
        await ada.open("")
        await ada.page.locator(".game-card").first.wait_for()
