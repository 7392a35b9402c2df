"""What `palatine webhook` and `palatine whoami` do: who we are at a server, and where we want to be told things."""

from __future__ import annotations

import time

from rich.text import Text

from ...guest_tokens import Guest
from ...render.translations import label
from ...screen_console import ScreenConsole
from ...webhooks import Webhook, Webhooks
from ..http_api import HttpApi
from ..identity import get_identity, identity_file, load_identity
from ..json_mode import json_lines
from ..shell_hints import build_command, split_invitation


class Bells:
    """The webhooks of whoever we are at a server: our own, or that of a table; who sits there needs no invitation."""

    def __init__(self, url: str, name: str | None, lang: str, as_json: bool) -> None:
        self.url, self.lang, self.as_json = url, lang, as_json
        self.table = split_invitation(name)[0] if name else None
        self.console = ScreenConsole(highlight=False)

    async def put(self, url: str) -> None:
        """Be told there from now on."""
        hook = await (await self._hooks()).put(url, self.table)
        self._tell(hook)
        if not self.as_json:
            self.console.print(Text(label(self.lang, "webhook secret")))
            self.console.print(Text(f"  {hook.secret}", "green"), soft_wrap=True)

    async def show(self) -> None:
        """Say where we are told."""
        self._tell(await (await self._hooks()).get(self.table))

    async def remove(self) -> None:
        """Be told no longer."""
        await (await self._hooks()).remove(self.table)
        if not self.as_json:
            self.console.print(Text(label(self.lang, "table webhook removed" if self.table else "webhook removed")))

    async def _hooks(self) -> Webhooks:
        await HttpApi(self.url, self.lang).fetch_games()  # says what to do if there is no server
        return Webhooks(self.url, (await get_identity(self.url, identity_file(self.url))).token)

    def _tell(self, hook: Webhook | None) -> None:
        if self.as_json:
            json_lines.write_object(hook)
        else:
            self.console.print(Text(self._described(hook)), soft_wrap=True)

    def _described(self, hook: Webhook | None) -> str:
        if hook is None:
            at = ["--table", self.table] if self.table else []
            return label(
                self.lang, "no webhook", command=build_command("webhook", "set", "URL", *at, "--server", self.url)
            )
        key = "webhook of another" if not hook.url else "table webhook" if self.table else "webhook"
        expires = time.strftime("%Y-%m-%d", time.localtime(hook.expires))
        return label(self.lang, key, table=self.table, url=hook.url, expires=expires)


async def tell_who(url: str, lang: str, as_json: bool) -> None:
    """Say who we are at a server."""
    await HttpApi(url, lang).fetch_games()
    known = load_identity(identity_file(url))
    if as_json:
        json_lines.write_object({"name": known.name, "user": known.user} if known else None)
    else:
        ScreenConsole(highlight=False).print(Text(described(known, url, lang)), soft_wrap=True)


def described(known: Guest | None, url: str, lang: str) -> str:
    if known is None:
        return label(lang, "whoami nobody", command=build_command("play", "--server", url))
    return label(lang, "whoami", name=known.name, user=known.user)
