"""The schema. Each script leads from one version to the next; a file remembers its version as `user_version`."""

from __future__ import annotations

DURABLE = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA secure_delete = ON;  -- what was erased is overwritten
"""

SCHEMAS = (
    """
    BEGIN IMMEDIATE;
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        visibility TEXT NOT NULL,
        created INTEGER NOT NULL,
        deadline INTEGER,
        summary TEXT NOT NULL
    );
    CREATE INDEX tables_public ON tables (created) WHERE visibility = 'public';
    CREATE INDEX tables_due ON tables (deadline) WHERE deadline IS NOT NULL;
    CREATE TABLE members (
        user TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (user, number)
    ) WITHOUT ROWID;
    CREATE TABLE creations (
        user TEXT NOT NULL,
        request TEXT NOT NULL,
        hash BLOB NOT NULL,
        id TEXT NOT NULL,
        PRIMARY KEY (user, request)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        number INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        snapshot BLOB NOT NULL
    );
    CREATE TABLE entries (
        number INTEGER NOT NULL,
        version INTEGER NOT NULL,
        entry BLOB NOT NULL,
        PRIMARY KEY (number, version)
    ) WITHOUT ROWID;
    CREATE TABLE replies (
        number INTEGER NOT NULL,
        user TEXT NOT NULL,
        request TEXT NOT NULL,
        hash BLOB NOT NULL,
        reply BLOB NOT NULL,
        PRIMARY KEY (number, user, request)
    ) WITHOUT ROWID;
    PRAGMA user_version = 1;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TABLE revocations (
        subject TEXT PRIMARY KEY,
        until INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX revocations_until ON revocations (until);
    PRAGMA user_version = 2;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    ALTER TABLE tables ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    UPDATE tables SET changed = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
    CREATE INDEX tables_changed ON tables (changed);
    CREATE INDEX creations_table ON creations (id);
    PRAGMA user_version = 3;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TABLE house (
        seen INTEGER NOT NULL,
        closed INTEGER NOT NULL
    );
    PRAGMA user_version = 4;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TABLE notes (
        key TEXT PRIMARY KEY,
        value BLOB NOT NULL,
        until INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX notes_until ON notes (until);
    PRAGMA user_version = 5;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    ALTER TABLE tables ADD COLUMN stage TEXT NOT NULL DEFAULT 'begun';
    DROP INDEX tables_changed;
    CREATE INDEX tables_changed ON tables (stage, changed);
    PRAGMA user_version = 6;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TEMP TABLE chain (
        number INTEGER NOT NULL,
        version INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (number, version)
    ) WITHOUT ROWID;
    WITH RECURSIVE linked (number, version, hash) AS (
        SELECT number, 0, chain_origin(id) FROM tables
        UNION ALL
        SELECT linked.number, entries.version, chain_link(linked.hash, entries.version, entry)
        FROM linked JOIN entries ON entries.number = linked.number AND entries.version = linked.version + 1
    )
    INSERT INTO chain SELECT number, version, hash FROM linked;
    ALTER TABLE entries ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
    UPDATE entries SET hash = ifnull(
        (SELECT hash FROM chain WHERE chain.number = entries.number AND chain.version = entries.version), x'');
    ALTER TABLE snapshots ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
    ALTER TABLE snapshots ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
    UPDATE snapshots SET hash = ifnull(
        (SELECT hash FROM chain WHERE chain.number = snapshots.number AND chain.version = snapshots.version), x'');
    UPDATE snapshots SET seal = chain_seal(hash, snapshot);
    DROP TABLE chain;
    PRAGMA user_version = 7;
    COMMIT;
    """,
    # Until then, replies were stored as the client got them. One that names no version is an invitation, and the entry
    # of its request is the first that holds it.
    """
    BEGIN IMMEDIATE;
    CREATE TABLE requests (
        number INTEGER NOT NULL,
        user TEXT NOT NULL,
        request TEXT NOT NULL,
        version INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (number, user, request)
    ) WITHOUT ROWID;
    INSERT INTO requests SELECT number, user, request, coalesce(
        reply_version(reply),
        (SELECT min(version) FROM entries
            WHERE entries.number = replies.number AND instr(entry, reply_invitation(reply)) > 0),
        0), hash FROM replies;
    DROP TABLE replies;
    PRAGMA user_version = 8;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TABLE archive (
        id TEXT PRIMARY KEY,
        ended INTEGER NOT NULL,
        until INTEGER NOT NULL,
        row BLOB NOT NULL,
        record BLOB NOT NULL
    );
    CREATE INDEX archive_until ON archive (until);
    CREATE TABLE archive_users (
        user TEXT NOT NULL,
        ended INTEGER NOT NULL,
        id TEXT NOT NULL,
        PRIMARY KEY (user, ended, id)
    ) WITHOUT ROWID;
    CREATE INDEX archive_users_id ON archive_users (id);
    CREATE INDEX tables_finished ON tables (number) WHERE visibility = 'finished';
    PRAGMA user_version = 9;
    COMMIT;
    """,
)
