"""One user on several devices: a link that moves a guest, a login, another name, a TV."""

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.async_api import Browser, Page
from server_fixture import House, running
from web_client.players import Player, player

KEY = ec.generate_private_key(ec.SECP256R1())
AUDIENCE = "palatine-web"


async def user_of(page: Page) -> str:
    """The id of the user of a page, as its settings show it."""
    await page.get_by_role("button", name="Settings").click()
    shown = page.get_by_text(re.compile(r"Your id: \w+"))
    user = (await shown.inner_text()).removeprefix("Your id: ")
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    return user


async def begin_game(ada: Player) -> str:
    table = await ada.open_table("between_two_castles", 3, 2)
    await ada.start()
    await ada.page.locator("#choices").wait_for()
    return table


async def test_a_link_moves_a_guest_to_another_device_after_a_question(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada, player(browser, house) as phone:
        table = await begin_game(ada)
        user = await user_of(ada.page)
        await ada.page.get_by_role("button", name="Settings").click()
        await ada.page.get_by_role("button", name="Show a code").click()
        link = await ada.page.get_by_role("textbox", name="Play on another device").input_value()
        await ada.page.get_by_role("img", name=f"QR: {link}").wait_for()
        await phone.page.goto(link)
        await phone.page.get_by_role("button", name="Play here as this user").click()
        await phone.page.get_by_text("You are Guest").wait_for()
        assert "move" not in phone.page.url
        assert await user_of(phone.page) == user
        await phone.open(f"t/{table}")
        await phone.page.locator("#choices").wait_for()


async def test_another_name_is_still_the_same_user(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await ada.open("")
        user = await user_of(ada.page)
        await ada.page.get_by_role("button", name="Settings").click()
        await ada.page.get_by_label("Name").fill("Ada Lovelace")
        await ada.page.get_by_role("button", name="Save").click()
        await ada.page.get_by_text("You are Ada Lovelace now.").wait_for()
        await ada.page.reload()
        assert await user_of(ada.page) == user


async def test_a_tv_shows_the_public_board_also_in_the_browser_of_a_player(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        table = await begin_game(ada)
        await ada.page.locator("#choices [data-verb=choose]").click()
        tiles = [*{*await ada.page.locator("#choices fieldset button").all_inner_texts()}]
        assert len(tiles) == 9
        tv = await ada.context.new_page()
        await tv.set_viewport_size({"width": 1280, "height": 720})
        await tv.goto(f"{house.url}/t/{table}?view=table")
        await tv.locator(".board-area .board").wait_for()
        page = await tv.evaluate("document.documentElement.outerHTML")
        assert [tile for tile in tiles if tile in page] == []
        assert await tv.locator("#choices").count() == 0
        assert await tv.evaluate("document.documentElement.scrollHeight <= innerHeight")
        await ada.page.reload()
        await ada.page.locator("#choices").wait_for()  # this page is still the player's


# Login


@contextmanager
def serve_issuer() -> Iterator[str]:
    """An OpenID Connect issuer at which Ada is always logged in. It checks the proof key of the page (PKCE)."""
    asked: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if path == "/authorize":
                asked.update({name: values[0] for name, values in query.items()})
                back = urlencode({"code": "the code", "state": asked["state"]})
                self.send_response(302)
                self.send_header("location", f"{asked['redirect_uri']}?{back}")
                self.end_headers()
                return
            key = jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
            endpoints = {"authorization_endpoint": f"{url}/authorize", "token_endpoint": f"{url}/token"}
            discovery = {"issuer": url, "jwks_uri": f"{url}/keys", **endpoints}
            self.answer({"keys": [{**key, "kid": "one", "use": "sig"}]} if path == "/keys" else discovery)

        def do_POST(self) -> None:
            body = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
            digest = hashlib.sha256(body["code_verifier"][0].encode()).digest()
            is_right = base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
            now = int(time.time())
            claims = {"iss": url, "aud": AUDIENCE, "sub": "ada-1", "iat": now, "exp": now + 300, "name": "Ada"}
            token = jwt.encode({**claims, "nonce": asked["nonce"]}, KEY, "ES256", {"kid": "one"})
            self.answer({"id_token": token} if is_right else {"error": "invalid_grant"})

        def answer(self, content: Any) -> None:
            self.send_response(200)
            self.send_header("access-control-allow-origin", "*")
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *given: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def issuer() -> Iterator[str]:
    with serve_issuer() as url:
        yield url


async def test_a_login_keeps_the_guests_games_and_is_the_same_user_elsewhere(
    browser: Browser, tmp_path: Path, issuer: str
) -> None:
    async with (
        running(tmp_path / "data", issuer=issuer, audience=AUDIENCE) as house,
        player(browser, house) as ada,
        player(browser, house) as laptop,
    ):
        table = await begin_game(ada)
        for person in (ada, laptop):
            await person.open("")
            await person.page.get_by_role("button", name="Settings").click()
            await person.page.get_by_role("button", name="Log in").click()
            await person.page.wait_for_url(f"{house.url}/")
            await person.page.get_by_text("You are Ada now.").wait_for()
        assert await user_of(ada.page) == await user_of(laptop.page)
        await laptop.open(f"t/{table}")
        await laptop.page.locator("#choices").wait_for()
        assert ada.problems == []
