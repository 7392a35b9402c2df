"""Origins: the rules for which web pages may use this server.

A browser names the origin of a page with every websocket handshake and with most HTTP requests to other origins.
Programs send no origin and are always allowed. A page is allowed if its origin is

    the server's own       the address that the client asked for, or the one that PALATINE_PUBLIC_URL names
    a localhost origin     while the server listens on loopback, so that development servers work
    listed                 by --origin or PALATINE_ORIGINS; `*`, if it is written, allows every page, also `null`

The server never sets a cookie, and a token is sent in a message or a header that only the client itself can fill. So a
page that is allowed by mistake can do what any program on the user's machine can do without a token, and no more.

DNS rebinding: an attacker lets a name of theirs resolve to an address on the user's machine or in their network. The
name is then in `Host` and in `Origin`, and they are equal. So `Host` counts as the server's own address only if

    it is an IP address or a localhost name, which no attacker can own; or
    a trusted proxy forwarded the request: a page cannot add such headers to a websocket handshake; or
    the server listens beyond loopback and PALATINE_PUBLIC_URL does not say which name is right.

In the last case such a page can play as a guest on a server that only the user's network reaches. Operators of such
servers set PALATINE_PUBLIC_URL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from ..settings import BadSetting

ALL = "*"
NULL = "null"
DEFAULT_PORTS = {"http": 80, "https": 443}
LONGEST_SHOWN = 100  # characters of a mistyped setting that are repeated
_HOST = r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([0-9]{1,5}))?"
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]{0,31})://" + _HOST)
_ADDRESS = re.compile(_HOST)


class Origin(NamedTuple):
    """A scheme, a host and a port, as browsers compare them."""

    scheme: str
    host: str  # in lower case; an IPv6 address in brackets
    port: int | None  # None where the scheme has no default and none is named

    def __str__(self) -> str:
        """Return the origin as browsers write it: without the default port."""
        is_default = self.port == DEFAULT_PORTS.get(self.scheme)
        return f"{self.scheme}://{self.host}" + ("" if is_default else f":{self.port}")

    @property
    def is_localhost(self) -> bool:
        """Whether this machine serves the page to itself."""
        return self.scheme in DEFAULT_PORTS and is_localhost(self.host)


class OriginPolicy:
    """Decides which origins are allowed."""

    def __init__(self, listed: Sequence[str] = (), public_url: str = "", listens_on: str = "127.0.0.1") -> None:
        self.allows_all = ALL in listed
        self._has_public_url = bool(public_url)
        self._listed = {read_listed_origin(text) for text in listed if text != ALL}
        if public_url:
            self._listed.add(read_public_url(public_url))
        self._is_on_loopback = is_localhost(f"[{listens_on}]" if ":" in listens_on else listens_on.lower())

    def allows(self, origin: str | None, asked: Origin | None = None, *, is_forwarded: bool = False) -> bool:
        """Return whether a request with this `Origin` header is allowed.

        `asked` is the address the client asked for; `is_forwarded` says that a trusted proxy named it.
        """
        return origin is None or self.allows_all or self.names(origin, asked, is_forwarded=is_forwarded)

    def names(self, origin: str, asked: Origin | None = None, *, is_forwarded: bool = False) -> bool:
        """Return whether the origin is allowed by name, not only by `*`."""
        page = parse_origin(origin)
        if page is None:
            return False
        is_local = self._is_on_loopback and page.is_localhost
        is_own = page == asked and (is_forwarded or self._trusts_host(page.host))
        return page in self._listed or is_local or is_own

    def _trusts_host(self, host: str) -> bool:
        is_open_to_names = not (self._is_on_loopback or self._has_public_url)
        return is_open_to_names or is_localhost(host) or is_ip_address(host)


# Reading


def parse_origin(text: str) -> Origin | None:
    """Return the origin in an `Origin` header; None if it is `null` or nothing that a browser sends."""
    found = _ORIGIN.fullmatch(text)
    return make_origin(found[1], found[2], found[3]) if found else None


def parse_address(scheme: str, host: str) -> Origin | None:
    """Return the origin that a `Host` header names; None if it names no host."""
    found = _ADDRESS.fullmatch(host.lower())
    return make_origin(scheme, found[1], found[2]) if found else None


def make_origin(scheme: str, host: str, port: str | None) -> Origin | None:
    """Return an origin; None if the port or the IPv6 address is not valid."""
    number = int(port) if port else DEFAULT_PORTS.get(scheme)
    if (number or 0) > 65_535 or (host.startswith("[") and not is_ip_address(host)):
        return None
    return Origin(scheme, host, number)


def is_localhost(host: str) -> bool:
    """Return whether a host always names the client's own machine: localhost, *.localhost, 127.0.0.0/8 or [::1]."""
    if is_ip_address(host):
        return ip_address(host.strip("[]")).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def is_ip_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


# Settings, with a sentence for each mistake


def read_listed_origin(text: str) -> Origin:
    """Return an origin that --origin or PALATINE_ORIGINS lists; raise BadSetting if it cannot be read."""
    origin = parse_origin(text.lower())
    if origin is None or origin.scheme in ("ws", "wss"):
        raise BadSetting(f"--origin {text[:LONGEST_SHOWN]} (PALATINE_ORIGINS): {explain_mistake(text)}")
    return origin


def explain_mistake(text: str) -> str:
    """Return a sentence that says what is wrong with an origin, and what to write instead."""
    scheme, separator, rest = text.lower().partition("://")
    address = re.split(r"[/?#]", rest)[0]
    if text.lower() == NULL:
        return "null stands for files and sandboxed pages of anybody; serve the page, or write * to allow every page"
    if not separator:
        return f"the scheme is missing; write https://{text[:LONGEST_SHOWN].strip('/')} or http://…"
    if scheme in ("ws", "wss"):
        return f"an origin is the address of a page; write {scheme.replace('ws', 'http')}://{address}"
    if ALL in address:
        return "a part of a name cannot be *; list each origin, or write * alone to allow every page"
    if "@" in address:
        return "an origin has no user and no password; write scheme://host:port"
    if not address.isascii():
        return "write the host in ASCII, as browsers send it (xn--…)"
    if rest != address and parse_origin(f"{scheme}://{address}"):
        return f"an origin ends after the host or the port; write {scheme}://{address}"
    return "this is no origin; write scheme://host or scheme://host:port, e.g. https://play.example"


def read_public_url(text: str) -> Origin:
    """Return the origin of PALATINE_PUBLIC_URL, which may have a path; raise BadSetting if it cannot be read."""
    try:
        url = urlsplit(text.lower())
        origin = parse_origin(f"{url.scheme}://{url.netloc}")
    except ValueError:
        origin = None
    if origin is None or origin.scheme not in DEFAULT_PORTS:
        shown = text[:LONGEST_SHOWN]
        raise BadSetting(f"--public-url {shown} (PALATINE_PUBLIC_URL): write an address like https://play.example")
    return origin


# Refusing


def show_origin(text: str) -> str:
    """Return an origin for a log or an answer; a text that no browser sends is not repeated."""
    origin = parse_origin(text)
    return str(origin) if origin else (NULL if text == NULL else "unreadable")


def explain_refusal(text: str) -> str:
    """Return a sentence that names the refused origin and the setting that allows it."""
    shown = show_origin(text)
    if shown == NULL:
        return (
            "Pages without an origin (null: a file, or a sandboxed frame) may not use this server. Serve the page"
            " from a web server; only PALATINE_ORIGINS=* would allow it as it is."
        )
    if not parse_origin(text):
        return "The header Origin holds nothing that a browser sends; programs leave it out."
    return (
        f"Pages from {shown} may not use this server. Its operator allows them with --origin {shown} or"
        f" PALATINE_ORIGINS={shown}. If this is the server's own address behind a proxy: PALATINE_PUBLIC_URL={shown}."
    )
