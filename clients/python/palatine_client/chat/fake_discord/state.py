"""What the fake knows: channels, threads, messages and interactions, all in memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from .limits import COMPONENTS_V2, EPHEMERAL
from .payload_checks import BadPayload

PERMISSIONS = 309_237_763_072  # those that a bot with messages, pictures and threads asks for
FIRST_ID = 1_300_000_000_000_000_000
TOKEN_LIFE = 15 * 60.0  # seconds
NONCE_LIFE = 300.0  # seconds for which Discord compares nonces: "the past few minutes"
ANSWER_WITHIN = 3.0  # seconds
Plain = dict[str, Any]


class DiscordRefusal(Exception):  # noqa: N818 (an answer of Discord)
    """Discord refuses a request: there is no such channel, message or webhook, or the app may not use it."""

    def __init__(self, code: int, sentence: str, status: int = 404) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.status = code, sentence, status


class FakeInteraction:
    """An interaction: its token, when it was sent, and the message that answers it."""

    def __init__(
        self,
        id: str,  # noqa: A002 (as Discord says)
        kind: int,
        token: str,
        sent: float,
        user: str,
        channel: str,
        source: Plain | None,
    ) -> None:
        self.id, self.kind, self.token, self.sent, self.user, self.channel = id, kind, token, sent, user, channel
        self.source = source  # the message on which the person clicked
        self.original: Plain | None = None  # the message that answers
        self.is_answered, self.follow_ups = False, 0


class FakeState:
    """Channels, messages and interactions of one fake Discord."""

    def __init__(self, now: Callable[[], float], answer_within: float = ANSWER_WITHIN) -> None:
        self.now, self.answer_within, self._ids = now, answer_within, count(FIRST_ID)
        self.channels: dict[str, Plain] = {}
        self.messages: dict[str, Plain] = {}
        self.nonces: dict[tuple[str, str], tuple[str, float]] = {}  # the message and when it was sent
        self.files: dict[str, bytes] = {}  # by the id of the attachment
        self.interactions: dict[str, FakeInteraction] = {}  # by token
        self.commands: list[Plain] = []
        self.bot = self.new_id()

    def describe_bot(self) -> Plain:
        return {"id": self.bot, "username": "fake", "discriminator": "0", "avatar": None, "bot": True}

    def new_id(self) -> str:
        return str(next(self._ids))

    def add_channel(self, guild: str, name: str) -> str:
        """Add a channel to a community, and return its id."""
        channel = self.new_id()
        self.channels[channel] = {"id": channel, "type": 0, "guild_id": guild, "name": name}
        return channel

    def find_channel(self, channel: str) -> Plain:
        if channel not in self.channels:
            raise DiscordRefusal(10003, "Unknown Channel")
        if self.channels[channel].get("is_closed"):
            raise DiscordRefusal(50001, "Missing Access", 403)
        return self.channels[channel]

    def read_permissions(self, channel: str) -> str:
        """Return the permissions of the app in a channel, as an interaction tells them."""
        is_open = not self.channels.get(channel, {}).get("is_closed")
        return str(PERMISSIONS if is_open else 0)

    # What happens to channels by other hands

    def close_channel(self, channel: str, *, is_closed: bool = True) -> None:
        """Take the app's permission for a channel away, or give it back."""
        self.channels[channel]["is_closed"] = is_closed

    def archive_thread(self, thread: str) -> None:
        """Archive a thread, as Discord does after a week without a message."""
        self.channels[thread]["thread_metadata"]["archived"] = True

    def remove_channel(self, channel: str) -> None:
        """Remove a channel or thread with its messages."""
        del self.channels[channel]
        self.messages = {key: each for key, each in self.messages.items() if each["channel_id"] != channel}

    def change_channel(self, channel: str, body: Plain) -> Plain:
        """Open an archived thread again."""
        found = self.find_channel(channel)
        if "thread_metadata" in found and "archived" in body:
            found["thread_metadata"]["archived"] = bool(body["archived"])
        return found

    def find_message(self, channel: str, message: str) -> Plain:
        self.find_channel(channel)
        found = self.messages.get(message)
        if found is None or found["channel_id"] != channel:
            raise DiscordRefusal(10008, "Unknown Message")
        return found

    def find_public_message(self, channel: str, message: str) -> Plain:
        """Return a message that the bot's token can reach; only an interaction's token reaches an ephemeral one."""
        found = self.find_message(channel, message)
        if found["viewer"]:
            raise DiscordRefusal(10008, "Unknown Message")
        return found

    def edit_message(self, channel: str, message: str, body: Plain, files: dict[str, bytes]) -> Plain:
        """Edit a message of the app that everybody sees; not in an archived thread."""
        found = self.find_public_message(channel, message)
        if self.channels[channel].get("thread_metadata", {}).get("archived"):
            raise DiscordRefusal(50083, "Thread is archived", 400)
        self.change_message(found, body, files)
        return found

    # Messages

    def add_message(self, channel: str, body: Plain, files: dict[str, bytes], *, viewer: str = "") -> Plain:
        """Add a message of the app; with a viewer, only that person sees it."""
        parent = self.channels.get(channel, {}) if viewer else self.find_channel(channel)
        nonce = str(body.get("nonce") or "")
        known, sent = self.nonces.get((channel, nonce), ("", 0.0))
        if known and body.get("enforce_nonce") and self.now() - sent < NONCE_LIFE:
            return self.find_message(channel, known)
        if "thread_metadata" in parent and not viewer:
            parent["thread_metadata"]["archived"] = False  # a new message opens a thread again
        message: Plain = {"id": self.new_id(), "channel_id": channel, "author": self.describe_bot()}
        message |= {"content": "", "embeds": [], "components": [], "attachments": [], "flags": 0, "viewer": viewer}
        message |= {"history": []}
        self.messages[message["id"]] = message
        self.change_message(message, body, files)
        message["flags"] = (EPHEMERAL if viewer else 0) | body.get("flags", 0) & COMPONENTS_V2
        if nonce:
            self.nonces[channel, nonce] = message["id"], self.now()
        return message

    def change_message(self, message: Plain, body: Plain, files: dict[str, bytes]) -> None:
        """Change what a message shows; fields that are not given stay."""
        kept = {attachment["id"]: attachment for attachment in message["attachments"]}
        for key in ("content", "embeds", "components", "allowed_mentions"):
            if key in body:
                message[key] = body[key]
        if "attachments" in body or files:
            message["attachments"] = [self._attach(given, kept, files) for given in body.get("attachments") or []]
        shown = {key: message[key] for key in ("content", "embeds", "components", "attachments")}
        if message["history"] and not any(shown.values()):
            raise BadPayload("50006: Cannot send an empty message")
        message["history"].append(shown)

    def _attach(self, given: Plain, kept: dict[str, Plain], files: dict[str, bytes]) -> Plain:
        content = files.get(f"files[{given['id']}]")
        if content is None:
            if str(given["id"]) not in kept:
                raise BadPayload(f"attachments: there is no attachment {given['id']}")
            return kept[str(given["id"])]
        attachment = {"id": self.new_id(), "filename": given["filename"], "size": len(content)}
        attachment["description"] = given.get("description", "")
        attachment |= dict.fromkeys(("url", "proxy_url"), f"attachment://{given['filename']}")
        self.files[attachment["id"]] = content
        return attachment

    def remove_message(self, channel: str, message: str) -> None:
        del self.messages[self.find_public_message(channel, message)["id"]]

    def restart_client(self, user: str) -> None:
        """Let a person restart their Discord: the messages that only they saw are gone."""
        self.messages = {key: each for key, each in self.messages.items() if each["viewer"] != user}

    def add_thread(self, channel: str, message: str, name: str) -> Plain:
        """Add the thread of a message, whose id it has."""
        self.find_public_message(channel, message)
        if "parent_id" in self.channels[channel]:
            raise DiscordRefusal(50024, "Cannot execute action on this channel type", 400)
        if message in self.channels:
            raise DiscordRefusal(160004, "A thread has already been created for this message", 400)
        guild = self.find_channel(channel)["guild_id"]
        thread = {"id": message, "type": 11, "guild_id": guild, "name": name, "parent_id": channel}
        self.channels[message] = {**thread, "thread_metadata": {"archived": False}}
        return self.channels[message]

    def list_visible(self, channel: str, user: str) -> list[Plain]:
        """Return the messages of a channel that a person sees."""
        return [
            message
            for message in self.messages.values()
            if message["channel_id"] == channel and message["viewer"] in ("", user)
        ]

    # Interactions

    def find_interaction(self, token: str) -> FakeInteraction:
        """Return an interaction that was answered in time, by its token, which lives for 15 minutes."""
        found = self.interactions.get(token)
        if found is None or not found.is_answered:
            raise DiscordRefusal(10015, "Unknown Webhook")
        if self.now() - found.sent > TOKEN_LIFE:
            raise DiscordRefusal(50027, "Invalid Webhook Token", 401)
        return found

    def find_open_interaction(self, token: str) -> FakeInteraction:
        """Return an interaction that still needs its first answer."""
        found = self.interactions.get(token)
        if found is None or self.now() - found.sent > self.answer_within:
            raise DiscordRefusal(10062, "Unknown interaction")
        if found.is_answered:
            raise BadPayload("40060: Interaction has already been acknowledged")
        return found

    def apply_response(self, interaction: FakeInteraction, response: Plain) -> Plain | None:
        """Carry the first answer out; return a modal, or the message that answers."""
        kind, data = response["type"], response.get("data") or {}
        interaction.is_answered = True
        if kind == 9:
            return dict(data)
        if kind in (6, 7):
            interaction.original = interaction.source
            if kind == 7 and interaction.source is not None:
                self.change_message(interaction.source, data, {})
        else:
            viewer = interaction.user if data.get("flags", 0) & EPHEMERAL else ""
            interaction.original = self.add_message(interaction.channel, data, {}, viewer=viewer)
        return interaction.original
