"""The REST routes of Discord that the app uses, each with its rate-limit bucket."""

from __future__ import annotations

from typing import Any

from .payloads import PICTURE_NAME
from .rest_client import DiscordBusy, DiscordRefused, DiscordRest

THREAD_EXISTS, THREAD_ARCHIVED = 160004, 50083
ONE_WEEK = 10_080  # minutes after which Discord hides an idle thread
LONGEST_THREAD_NAME = 100


class DiscordRoutes:
    """Posts, edits and deletes messages."""

    def __init__(self, rest: DiscordRest) -> None:
        self._rest = rest

    async def post(self, channel: str, body: dict[str, Any], nonce: str = "", picture: bytes | None = None) -> str:
        """Post a message and return its id. Within some minutes, a nonce makes a repeated post the same message."""
        if nonce:
            body = {**body, "nonce": nonce[:25], "enforce_nonce": True}
        path = f"/channels/{channel}/messages"
        return read_id(await self._rest.send("POST", path, body, build_files(picture), bucket=f"POST {path}"))

    async def edit(self, channel: str, message: str, body: dict[str, Any], picture: bytes | None = None) -> None:
        """Edit a message; with a picture, in place of the one it had. An archived thread is opened again."""
        path, bucket = f"/channels/{channel}/messages/{message}", f"PATCH /channels/{channel}/messages"
        try:
            await self._rest.send("PATCH", path, body, build_files(picture), bucket=bucket)
        except DiscordRefused as refused:
            if refused.code != THREAD_ARCHIVED:
                raise
            await self._rest.send("PATCH", f"/channels/{channel}", {"archived": False})
            await self._rest.send("PATCH", path, body, build_files(picture), bucket=bucket)

    async def delete(self, channel: str, message: str) -> None:
        await self._rest.send(
            "DELETE", f"/channels/{channel}/messages/{message}", bucket=f"DELETE /channels/{channel}/messages"
        )

    async def open_thread(self, channel: str, message: str, name: str) -> str:
        """Open the thread of a message and return its id, which is that of the message."""
        path = f"/channels/{channel}/messages/{message}/threads"
        body = {"name": name[:LONGEST_THREAD_NAME], "auto_archive_duration": ONE_WEEK}
        try:
            thread = await self._rest.send("POST", path, body, bucket=f"POST /channels/{channel}/threads")
        except DiscordRefused as refused:
            if refused.code != THREAD_EXISTS:
                raise
            return message
        return read_id(thread)

    async def edit_answer(
        self, application: str, token: str, body: dict[str, Any], picture: bytes | None = None
    ) -> None:
        """Edit the answer to an interaction, within 15 minutes."""
        path = f"/webhooks/{application}/{token}/messages/@original"
        await self._rest.send("PATCH", path, body, build_files(picture), bucket=f"webhook {token}")

    async def put_commands(self, commands: list[dict[str, Any]]) -> None:
        """Replace the commands of the app that the bot's token belongs to."""
        application = read_id(await self._rest.send("GET", "/applications/@me"))
        await self._rest.send("PUT", f"/applications/{application}/commands", commands)


def read_id(answer: Any) -> str:
    """Return the id of what Discord made; raise DiscordBusy if the answer has none."""
    found = answer.get("id") if isinstance(answer, dict) else None
    if not (isinstance(found, str) and found.isdecimal() and len(found) <= 20):
        raise DiscordBusy("Discord's answer has no id")
    return found


def build_files(picture: bytes | None) -> dict[str, tuple[str, bytes]] | None:
    return None if picture is None else {"files[0]": (PICTURE_NAME, picture)}
