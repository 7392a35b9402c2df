"""Requests that only the server itself makes; no client can send them, because the protocol does not list them."""

from __future__ import annotations

from palatine_protocol.messages import AtTable


class EraseUser(AtTable, tag="erase_user"):
    """Erase the requester from the table, with their name and their chat."""
