"""Requests that would change nothing: they are confirmed, and write no entry."""

from __future__ import annotations


class Unchanged(Exception):  # noqa: N818 (not an error: there is nothing to store)
    """Everything is already as the request asks."""
