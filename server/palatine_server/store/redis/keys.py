"""The names of all keys and channels in Redis. The part in braces determines the slot, and is never empty."""

from __future__ import annotations


class Keys:
    """Builds names, all with the same prefix."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._before, self._hints = f"{prefix}:{{table:", "}:hints"
        self.every_table = self.table("*")
        self.index = [f"{prefix}:{{index}}:{name}" for name in ("open", "due", "versions")]
        self.open, self.due, self.versions = self.index
        self.every_user = self.user("*")
        self.rebuilt = f"{prefix}:{{index}}:rebuilt"
        self.uptime = f"{prefix}:{{index}}:house"
        self.revoked = f"{prefix}:{{index}}:revoked"

    def table(self, table: str) -> str:
        """Return the key of a table's hash."""
        return f"{self._before}{table}}}"

    def table_of(self, key: str) -> str:
        """Return the table whose hash this key names."""
        return key[len(self._before) : -1]

    def log(self, table: str) -> str:
        return f"{self._before}{table}}}:log"

    def replies(self, table: str) -> str:
        return f"{self._before}{table}}}:replies"

    def all_of(self, table: str) -> list[str]:
        """Return the three keys of a table, in the order of our functions."""
        return [self.table(table), self.log(table), self.replies(table)]

    def hints(self, table: str) -> str:
        """Return the channel of a table."""
        return f"{self._before}{table}{self._hints}"

    def table_of_hints(self, channel: str) -> str:
        """Return the table whose channel this is."""
        return channel[len(self._before) : -len(self._hints)]

    def creation(self, request: bytes) -> str:
        """Return the key that holds which table a request created."""
        return f"{self._prefix}:{{creation:{request.decode()}}}"

    def note(self, key: str) -> str:
        """Return the key of a note."""
        return f"{self._prefix}:{{note:{key}}}"

    def claim(self, key: str) -> str:
        """Return the key of a claim."""
        return f"{self._prefix}:{{claim:{key}}}"

    def archive(self, table: str) -> list[str]:
        """Return the two keys of an archived game: its row and its record."""
        return [f"{self._prefix}:{{archive:{table}}}", f"{self._prefix}:{{archive:{table}}}:record"]

    def archive_of(self, user: str) -> str:
        """Return the key of the set of a user's archived games."""
        return f"{self._prefix}:{{archive-of:{user}}}"

    def document(self, name: str) -> str:
        """Return the key of a document of the whole store."""
        return f"{self._prefix}:{{document:{name}}}"

    def user(self, user: str) -> str:
        """Return the key of a user's tables, in the index."""
        return f"{self._prefix}:{{index}}:user:{user}"

    def user_of(self, key: str) -> str:
        """Return the user whose tables this key names."""
        return key[len(self.user("")) :]
