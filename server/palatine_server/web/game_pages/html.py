"""HTML for the pages of games: escaped text, tables, code, and a document with a strict content security policy."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any

STYLE = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
_HASH = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "vary": "accept-language",
}


def element(tag: str, content: str, **attributes: str) -> str:
    """Return an element around HTML; `class_` is the attribute class."""
    given = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{given}>{content}</{tag}>"


def text(tag: str, content: Any, **attributes: str) -> str:
    """Return an element around text."""
    return element(tag, escape(str(content)), **attributes)


def link(address: str, words: str) -> str:
    return text("a", words, href=address)


def code(content: Any) -> str:
    """Return JSON of one line."""
    return text("code", content if isinstance(content, str) else encode(content))


def encode(content: Any) -> str:
    """Return JSON in one line, with a space after each comma and colon."""
    return json.dumps(content, ensure_ascii=False)


def indent(content: Any) -> str:
    """Return JSON with indented lines."""
    return json.dumps(content, ensure_ascii=False, indent=1)


def fold(words: str, content: str) -> str:
    """Return content that is folded until a reader opens it."""
    return element("details", text("summary", words) + content)


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; the heads are text, the cells HTML."""
    head = element("tr", "".join(text("th", each) for each in heads))
    body = "".join(element("tr", "".join(element("td", cell) for cell in row)) for row in rows)
    return element("div", element("table", head + body), class_="scroll") if body else ""


def document(title: str, lang: str, body: str) -> str:
    """Return a whole page."""
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body>{body}</body></html>"
    )
