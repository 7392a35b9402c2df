"""The archive of finished games in SQLite: the changes of the writer and the queries of the readers."""

from __future__ import annotations

from sqlite3 import Connection

from ..contract import ArchivedGame

PUT = "REPLACE INTO archive (id, ended, until, row, record) VALUES (?, ?, ?, ?, ?)"
DROP_USERS = "DELETE FROM archive_users WHERE id = ?"
ADD_USER = "INSERT INTO archive_users (user, ended, id) VALUES (?, ?, ?)"
FIND = "SELECT ended, row, record FROM archive WHERE id = ? AND until > ?"
USERS = "SELECT user FROM archive_users WHERE id = ? ORDER BY user"
OF_USER = """
    SELECT id, row FROM archive_users JOIN archive USING (id) WHERE user = ? AND until > ?
    ORDER BY archive_users.ended DESC, id LIMIT ?
"""
EXPIRED = "SELECT id FROM archive WHERE until <= ? LIMIT ?"
DROP = "DELETE FROM archive WHERE id = ?"
UNARCHIVED = """
    SELECT id FROM tables WHERE visibility = 'finished' AND NOT EXISTS (SELECT 1 FROM archive WHERE id = tables.id)
    ORDER BY number LIMIT ?
"""


def put(game: ArchivedGame, until: int, db: Connection) -> None:
    """Store a game in place of an earlier copy."""
    db.execute(PUT, (game.table, game.ended, until, game.row, game.record))
    db.execute(DROP_USERS, (game.table,))
    db.executemany(ADD_USER, [(user, game.ended, game.table) for user in set(game.users)])


def find(table: str, now: int, db: Connection) -> ArchivedGame | None:
    """Return the archived game of a table."""
    found = db.execute(FIND, (table, now)).fetchone()
    if found is None:
        return None
    users = [user for (user,) in db.execute(USERS, (table,))]
    return ArchivedGame(table=table, ended=found[0], users=users, row=found[1], record=found[2])


def list_games(user: str, limit: int, now: int, db: Connection) -> list[tuple[str, bytes]]:
    """Return the tables and rows of a user's games, newest first."""
    return db.execute(OF_USER, (user, now, limit)).fetchall()


def expire(most: int, now: int, db: Connection) -> int:
    """Remove games whose time is over; return how many."""
    expired = db.execute(EXPIRED, (now, most)).fetchall()
    db.executemany(DROP_USERS, expired)
    db.executemany(DROP, expired)
    return len(expired)
