"""Discord's limits, checked as Discord checks them (discord/discord-api-docs, August 2026): messages and answers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .command_limits import check_choices
from .component_limits import check_components, check_modal
from .payload_checks import Plain, check_length, refuse_malformed, require

EPHEMERAL, COMPONENTS_V2 = 64, 1 << 15
LONGEST_CONTENT, MOST_EMBEDS, LONGEST_EMBEDS = 2000, 10, 6000
MOST_FILES, LARGEST_FILE = 10, 10 * 2**20  # bytes
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5  # kinds of interactions
ANSWERS = {1: {1}, COMMAND: {4, 5, 9, 12}, COMPONENT: {4, 5, 6, 7, 9, 12}, AUTOCOMPLETE: {8}, MODAL: {4, 5, 12}}
MESSAGE, SUGGESTIONS, UPDATES, FORM = 4, 8, {6, 7}, 9


# Messages


@refuse_malformed
def check_message(body: Plain, files: Mapping[str, bytes] | None = None, *, is_edit: bool = False) -> None:
    """Check the body of a message, and its files by their field names (`files[0]`)."""
    files = files or {}
    content, embeds = body.get("content") or "", body.get("embeds") or []
    components, attachments = body.get("components") or [], body.get("attachments") or []
    is_v2 = bool(body.get("flags", 0) & COMPONENTS_V2)
    check_length(content, 0, LONGEST_CONTENT, "content")
    check_embeds(embeds)
    require(not (is_v2 and (content or embeds)), "flags: components v2 allow neither content nor embeds")
    check_components(components, is_v2=is_v2)
    check_files(attachments, files, embeds)
    nonce = body.get("nonce")
    require(nonce is None or len(str(nonce)) <= 25, "nonce: must have at most 25 characters")
    check_mentions(body.get("allowed_mentions") or {})
    something = content.strip() or embeds or attachments or files or (is_v2 and components)
    require(something or is_edit, "50006: Cannot send an empty message")


def check_embeds(embeds: list[Plain]) -> None:
    require(len(embeds) <= MOST_EMBEDS, f"embeds: at most {MOST_EMBEDS}")
    require(sum(map(count_embed, embeds)) <= LONGEST_EMBEDS, f"embeds: at most {LONGEST_EMBEDS} characters in all")
    for embed in embeds:
        check_length(embed.get("title") or "", 0, 256, "embeds.title")
        check_length(embed.get("description") or "", 0, 4096, "embeds.description")
        check_length((embed.get("footer") or {}).get("text", ""), 0, 2048, "embeds.footer")
        check_length((embed.get("author") or {}).get("name", ""), 0, 256, "embeds.author")
        fields = embed.get("fields") or []
        require(len(fields) <= 25, "embeds.fields: at most 25")
        for field in fields:
            check_length(field.get("name"), 1, 256, "embeds.fields.name")
            check_length(field.get("value"), 1, 1024, "embeds.fields.value")
            require(field["name"].strip() and field["value"].strip(), "embeds.fields: must not be blank")
        require(0 <= embed.get("color", 0) <= 0xFFFFFF, "embeds.color: from 0 to 16777215")
        shown = ("title", "description", "fields", "image", "thumbnail", "author", "footer", "video")
        require(any(embed.get(key) for key in shown), "50006: Cannot send an empty message")


def count_embed(embed: Plain) -> int:
    fields = embed.get("fields") or []
    texts = [embed.get("title") or "", embed.get("description") or "", *(f["name"] + f["value"] for f in fields)]
    more = [(embed.get("footer") or {}).get("text", ""), (embed.get("author") or {}).get("name", "")]
    return sum(map(len, [*texts, *more]))


def check_mentions(allowed: Plain) -> None:
    require({*allowed.get("parse", [])} <= {"roles", "users", "everyone"}, "allowed_mentions.parse: unknown kind")
    require(len(allowed.get("users", [])) <= 100, "allowed_mentions.users: at most 100")
    both = "users" in allowed.get("parse", []) and allowed.get("users")
    require(not both, "allowed_mentions: parse and users exclude each other")


def check_files(attachments: list[Plain], files: Mapping[str, bytes], embeds: list[Plain]) -> None:
    """Check that files and attachments belong together, and that embeds name only files that are there."""
    require(len(files) <= MOST_FILES and len(attachments) <= MOST_FILES, f"attachments: at most {MOST_FILES}")
    for name, content in files.items():
        require(re.fullmatch(r"files\[\d\]", name), f"{name}: files are sent as files[n]")
        require(0 < len(content) <= LARGEST_FILE, f"40005: {name} is too large or empty")
    for attachment in attachments:
        check_length(attachment.get("description") or "", 0, 1024, "attachments.description")
        known = str(attachment.get("id")).isdecimal()
        require(known, "attachments.id: must be a number")
        if int(attachment["id"]) < MOST_FILES:
            require(f"files[{attachment['id']}]" in files, f"attachments: there is no file {attachment['id']}")
    names = {attachment.get("filename") for attachment in attachments}
    for url in (embed["image"]["url"] for embed in embeds if "image" in embed):
        if url.startswith("attachment://"):
            require(url.removeprefix("attachment://") in names, f"embeds.image: there is no attachment {url}")
        else:
            require(url.startswith(("http://", "https://")), "embeds.image.url: not a well formed URL")


# Responses to interactions


@refuse_malformed
def check_response(
    response: Plain, kind: int, files: Mapping[str, bytes] | None = None, *, has_message: bool = True
) -> None:
    """Check the first answer to an interaction of this kind; `has_message`: it comes from a click on a message."""
    answer, data = response.get("type"), response.get("data") or {}
    allowed = ANSWERS[kind] | (UPDATES if kind == MODAL and has_message else set())
    require(answer in allowed, f"type: an interaction of type {kind} cannot be answered with {answer}")
    if answer == MESSAGE or answer in UPDATES:
        check_message(data, files, is_edit=answer in UPDATES)
    if answer == SUGGESTIONS:
        check_choices(data.get("choices") or [])
    if answer == FORM:
        check_modal(data)
