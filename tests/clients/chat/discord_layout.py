"""Messages of the fake Discord laid out as Discord shows them: HTML for Chromium, to look at and for the documents."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from palatine_client.chat.fake_discord.component_limits import BUTTON
from palatine_client.chat.fake_discord.limits import EPHEMERAL

Message = Mapping[str, Any]
WIDTH, PHONE = 640, 390  # CSS pixels of a chat column, and of a phone
STYLE = """
body { margin: 0; background: #313338; color: #dbdee1;
  font: 16px/1.375 "gg sans", "Noto Sans", Inter, "DejaVu Sans", sans-serif; }
main { width: WIDTHpx; padding: 12px 0; }
h1 { font-size: 15px; color: #f2f3f5; margin: 0 0 8px; padding: 0 16px 10px; border-bottom: 1px solid #26272b; }
article { position: relative; padding: 6px 16px 6px 72px; margin-top: 10px; }
article.private { background: #383a51; border-left: 2px solid #5865f2; padding-left: 70px; }
.avatar { position: absolute; left: 16px; top: 8px; width: 40px; height: 40px; border-radius: 50%; background: #8a6500;
  color: #fff; font: 600 22px/40px serif; text-align: center; }
.name { color: #f2f3f5; font-weight: 500; }
.tag { background: #5865f2; color: #fff; border-radius: 4px; font-size: 10px; font-weight: 600;
  padding: 1px 5px; margin: 0 6px; }
.time, .note { color: #949ba4; font-size: 12px; }
.mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px; }
img { display: block; max-width: min(550px, 100%); max-height: 350px; border-radius: 8px; margin: 4px 0; }
.embed { background: #2b2d31; border-left: 4px solid; border-radius: 4px; max-width: 490px;
  padding: 8px 16px 14px 12px; margin: 4px 0; font-size: 14px;
  overflow-wrap: anywhere; }
.embed b.title { display: block; color: #f2f3f5; font-size: 16px; margin: 6px 0; }
.embed b { color: #f2f3f5; font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0 0; }
.button { color: #fff; font-size: 14px; font-weight: 500; border-radius: 3px; padding: 6px 16px; min-height: 20px; }
.s1 { background: #5865f2; } .s2 { background: #4e5058; } .s3 { background: #248046; } .s4 { background: #da373c; }
.disabled { opacity: .5; }
.select { width: 400px; max-width: 100%; }
.box { background: #1e1f22; border-radius: 4px; padding: 8px 12px; color: #949ba4; display: flex;
  justify-content: space-between; }
.list { background: #2b2d31; border: 1px solid #1e1f22; border-radius: 4px; }
.option { padding: 6px 12px; font-size: 14px; color: #dbdee1; }
.option small { display: block; color: #949ba4; font-size: 12px; }
.option.chosen { background: #404249; }
"""


def build_page(
    title: str, messages: list[Message], files: Mapping[str, bytes], *, is_open: bool = False, width: int = WIDTH
) -> str:
    """Return a page with these messages; `is_open` shows the options of selections."""
    articles = "".join(build_article(message, files, is_open) for message in messages)
    style = STYLE.replace("WIDTH", str(width))
    head = f"<!doctype html><meta charset=utf-8><style>{style}</style>"
    return f"{head}<main><h1># {html.escape(title)}</h1>{articles}</main>"


def build_article(message: Message, files: Mapping[str, bytes], is_open: bool) -> str:
    is_private = bool(message["flags"] & EPHEMERAL)
    parts = [build_head(), f"<div>{format_markup(message['content'])}</div>" if message["content"] else ""]
    parts += [build_image(files[each["id"]]) for each in message["attachments"]]
    parts += [build_embed(embed) for embed in message["embeds"]]
    parts += [build_row(row["components"], is_open) for row in message["components"]]
    if is_private:
        parts.append('<div class=note style="margin-top:6px">Only you can see this • Dismiss message</div>')
    return f"<article class={'private' if is_private else 'public'}>{''.join(parts)}</article>"


def build_head() -> str:
    name = "<span class=name>Palatine</span><span class=tag>APP</span>"
    return f"<div class=avatar>P</div><div>{name}<span class=time>Today at 19:04</span></div>"


def build_image(content: bytes) -> str:
    return f'<img src="data:image/png;base64,{base64.b64encode(content).decode()}">'


def build_embed(embed: Message) -> str:
    title = f"<b class=title>{format_markup(embed['title'])}</b>" if embed.get("title") else ""
    colour = f"#{embed.get('color', 0x1E1F22):06x}"
    return f'<div class=embed style="border-color:{colour}">{title}{format_markup(embed.get("description", ""))}</div>'


def build_row(components: list[Message], is_open: bool) -> str:
    return f"<div class=row>{''.join(build_component(each, is_open) for each in components)}</div>"


def build_component(component: Message, is_open: bool) -> str:
    if component["type"] == BUTTON:
        disabled = " disabled" if component.get("disabled") else ""
        return f'<div class="button s{component["style"]}{disabled}">{html.escape(component["label"])}</div>'
    chosen = [option["label"] for option in component["options"] if option.get("default")]
    shown = html.escape(", ".join(chosen) or component.get("placeholder", ""))
    options = "".join(map(build_option, component["options"])) if is_open else ""
    listed = f"<div class=list>{options}</div>" if options else ""
    return f"<div class=select><div class=box><span>{shown}</span><span>⌄</span></div>{listed}</div>"


def build_option(option: Message) -> str:
    detail = f"<small>{html.escape(option['description'])}</small>" if option.get("description") else ""
    return (
        f'<div class="option{" chosen" if option.get("default") else ""}">{html.escape(option["label"])}{detail}</div>'
    )


def format_markup(text: str) -> str:
    """Return the HTML of the markup that our messages have: bold text, mentions, and escaped signs."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[1])
        return f"\x00{len(kept) - 1}\x00"

    plain = html.escape(re.sub(r"\\([^\w\s])", keep, text))
    plain = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
    plain = re.sub(r"&lt;@(\d+)&gt;", r"<span class=mention>@Person \1</span>", plain)
    plain = re.sub(r"\x00(\d+)\x00", lambda found: html.escape(kept[int(found[1])]), plain)
    return plain.replace("\n", "<br>")


async def draw_page(browser: Browser, content: str, file: Path, width: int = WIDTH) -> None:
    """Write a page as a PNG."""
    page = await browser.new_page(viewport={"width": width, "height": 200}, device_scale_factor=1.5)
    await page.set_content(content)
    await page.locator("main").screenshot(path=str(file))
    await page.close()
