"""One HTTP GET of a small document from a server that an operator or a user has named; the content is untrusted."""

from __future__ import annotations

import urllib.request


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: only the named server can vouch for its answer."""

    def redirect_request(self, *given: object) -> None:
        return None


def fetch(url: str, most: int, within: float) -> bytes:
    """Return at most `most` bytes of the answer; each read may take `within` seconds. Run this in a thread."""
    with urllib.request.build_opener(_NoRedirects).open(url, timeout=within) as answer:
        content: bytes = answer.read(most)
        return content
