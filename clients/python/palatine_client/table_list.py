"""The list of tables, as it is told to whoever follows it."""

from __future__ import annotations

from palatine_protocol.messages import ListTables, Lobby, Status, TableSummary


class TableList:
    """The tables that somebody wants to see."""

    def __init__(self, game: str | None = None, status: Status | None = None, free: bool = False) -> None:
        self.game, self.status, self.free = game, status, free
        self.is_known = False  # the server has told it on this connection
        self.request_id = ""  # the id of the request that is under way
        self._rows: dict[str, TableSummary] = {}

    @property
    def tables(self) -> list[TableSummary]:
        """The newest first."""
        return sorted(self._rows.values(), key=lambda row: row.created, reverse=True)

    def build_request(self, request_id: str) -> ListTables:
        """Ask for the list, and to be told what changes."""
        return ListTables(id=request_id, game=self.game, status=self.status, free=self.free, follow=True)

    def replace(self, tables: list[TableSummary]) -> None:
        """Begin anew."""
        self.is_known, self._rows = True, {row.table: row for row in tables}

    def apply_lobby(self, lobby: Lobby) -> None:
        """Take in what changed."""
        self._rows.update({row.table: row for row in lobby.changed})
        for table in lobby.gone:
            self._rows.pop(table, None)
