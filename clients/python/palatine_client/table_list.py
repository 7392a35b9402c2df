"""The list of tables that a client follows."""

from __future__ import annotations

from palatine_protocol.messages import ListTables, Lobby, Status, TableSummary


class TableList:
    """The tables that match a filter, kept up to date by messages of the server."""

    def __init__(self, game: str | None = None, status: Status | None = None, free: bool = False) -> None:
        self.game, self.status, self.free = game, status, free
        self.is_known = False  # whether the server has sent the list on this connection
        self.request_id = ""  # the id of the pending request
        self._rows: dict[str, TableSummary] = {}

    @property
    def tables(self) -> list[TableSummary]:
        """All tables, newest first."""
        return sorted(self._rows.values(), key=lambda row: row.created, reverse=True)

    def build_request(self, request_id: str) -> ListTables:
        """Build the request that asks for the list and for its changes."""
        return ListTables(id=request_id, game=self.game, status=self.status, free=self.free, follow=True)

    def replace(self, tables: list[TableSummary]) -> None:
        """Replace the whole list."""
        self.is_known, self._rows = True, {row.table: row for row in tables}

    def apply_lobby(self, lobby: Lobby) -> None:
        """Apply the changes of a `lobby` message."""
        self._rows.update({row.table: row for row in lobby.changed})
        for table in lobby.gone:
            self._rows.pop(table, None)
