"""Error codes of the platform, each with a sentence. A game adds its own codes, each with the rule behind it."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Code(StrEnum):
    """The reason why a request was refused. Codes are stable; sentences may be reworded."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Code:
        """Keep the sentence beside the code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member

    # Messages and connections
    MALFORMED = "malformed", "The message cannot be read; if there is a path, it names the mistake."
    UNKNOWN_REQUEST = "unknown_request", "There is no request of this type."
    REQUEST_ID_REUSED = "request_id_reused", "This request id was used before for another request; use a new one."
    TOO_FAST = "too_fast", "Too many messages; slow down."
    HELLO_FIRST = "hello_first", "The first message of a connection is hello."
    HELLO_ONCE = "hello_once", "This connection has said hello already."
    # Identity and rights
    BAD_TOKEN = "bad_token", "The token is not valid; get a new one."
    TOKEN_EXPIRED = "token_expired", "The token has expired; renew it."
    TOKEN_REVOKED = "token_revoked", "The token was revoked, or its user was shut out or erased."
    TOO_MANY_CONNECTIONS = "too_many_connections", "You have too many connections; close one first."
    NOT_ALLOWED = "not_allowed", "You may not do this."
    ALREADY_LINKED = "already_linked", "This account has games of its own already; log in without the guest's token."
    BAD_CODE = "bad_code", "This code is wrong, too old, or was used before; ask for a new one on the other device."
    NO_LOGIN = "no_login", "This server has no login; play as a guest."
    TOO_MANY_TABLES = "too_many_tables", "You sit at too many tables; leave one first."
    # Tables
    NO_SUCH_GAME = "no_such_game", "There is no game of this name."
    NO_SUCH_TABLE = "no_such_table", "There is no such table, or it is not open to you."
    TABLE_UNREADABLE = (
        "table_unreadable",
        "The server cannot read this table, and has told its operator; open another one.",
    )
    WRONG_NUMBER_OF_PLAYERS = "wrong_number_of_players", "The game is not for this number of players."
    BAD_OPTION = "bad_option", "An option has a value that it cannot have."
    ALREADY_SEATED = "already_seated", "You sit at this table already; leave your seat before you take another one."
    SEAT_TAKEN = "seat_taken", "This seat is taken."
    NO_SEAT_FREE = "no_seat_free", "No seat is free."
    NO_SUCH_SEAT = "no_such_seat", "There is no such seat."
    NOT_SEATED = "not_seated", "You do not sit at this table."
    NOT_THE_HOST = "not_the_host", "Only the host of the table may do this."
    NO_SUCH_POLICY = "no_such_policy", "House bots of this game do not know this policy."
    SEATS_EMPTY = "seats_empty", "Some seats are still empty; add bots or wait."
    ALREADY_STARTED = "already_started", "The game has started already."
    NOT_STARTED = "not_started", "The game has not started yet."
    NOT_READY = "not_ready", "Somebody is not ready yet."
    LOG_FULL = "log_full", "The log of this table is full; the game can only be played to its end."
    SEAT_RESERVED = "seat_reserved", "This seat is kept for somebody else."
    PAUSED = "paused", "The game is paused."
    NOT_OVER = "not_over", "The game is not over yet."
    NOT_SHOWN = "not_shown", "This seat does not let spectators look over its shoulder."
    # Chat
    HUSH = "hush", "Nobody may talk now."
    MUTED = "muted", "You may not speak at this table any more."
    NO_SUCH_LINE = "no_such_line", "There is no such line, or it is too old."
    # Actions
    STALE_OFFER = "stale_offer", "This offer was answered already, by you or by the clock."
    NO_SUCH_OFFER = "no_such_offer", "You have had no offer with this number yet; answer the newest one."
    NO_SUCH_ACTION = "no_such_action", "This game has no action with this verb."
    NOT_YOUR_TURN = "not_your_turn", "You have nothing to decide now."
    NOT_NOW = "not_now", "This kind of action is not possible now."
    NOT_OFFERED = "not_offered", "This action is not among those offered to you."
    CANNOT_UNDO = "cannot_undo", "Something was revealed, or somebody else acted, since your last action."
    NO_SUCH_VERSION = "no_such_version", "The game has no such earlier version."
    NOTHING_PROPOSED = "nothing_proposed", "Nobody has proposed to take anything back."
    WOULD_REVEAL = "would_reveal", "This would show you something hidden; it cannot be previewed."
    GAME_OVER = "game_over", "The game is over."
    NOT_EXPLAINED = "not_explained", "There is nothing to explain about this."
    # Only over HTTP
    BAD_NAME = "bad_name", "This name is too long; a name has at most 24 characters."
    BAD_WEBHOOK = "bad_webhook", "A webhook cannot lead there."
    NO_WEBHOOK = "no_webhook", "There is no webhook."
    BAD_RECORD = "bad_record", "The record cannot be read, or does not follow from its seed and the rules."
    TABLE_EXISTS = "table_exists", "There is another table with this id."
    ORIGIN_NOT_ALLOWED = "origin_not_allowed", "Pages of this origin may not use this server."
    UPGRADE_REQUIRED = "upgrade_required", "This address is for websockets; connect to it with a websocket client."
    NO_SUCH_ADDRESS = "no_such_address", "There is no websocket at this address; it is at /v1/ws."
    # The server
    TRY_AGAIN = "try_again", "This could not be stored now; send the same request again."
    SHUTTING_DOWN = (
        "shutting_down",
        "The server is about to restart; connect again and send the same request (reserved; not sent by this server).",
    )


# The HTTP status of each refusal; the default is 400.
STATUS: dict[str, int] = {
    Code.BAD_TOKEN: 401,
    Code.TOKEN_EXPIRED: 401,
    Code.TOKEN_REVOKED: 401,
    Code.NOT_ALLOWED: 403,
    Code.NOT_SEATED: 403,
    Code.NOT_THE_HOST: 403,
    Code.ORIGIN_NOT_ALLOWED: 403,
    Code.BAD_CODE: 403,
    Code.NO_LOGIN: 404,
    Code.NO_SUCH_GAME: 404,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_WEBHOOK: 404,
    Code.NO_SUCH_ADDRESS: 404,
    Code.NOT_STARTED: 409,
    Code.ALREADY_LINKED: 409,
    Code.NOT_OVER: 409,
    Code.GAME_OVER: 409,
    Code.TABLE_EXISTS: 409,
    Code.TABLE_UNREADABLE: 409,
    Code.UPGRADE_REQUIRED: 426,
    Code.TOO_FAST: 429,
    Code.TRY_AGAIN: 503,
}


class Close(IntEnum):
    """The close codes of the websocket, each with advice for the client."""

    advice: str

    def __new__(cls, code: int, advice: str) -> Close:
        """Keep the advice beside the code."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.advice = advice
        return member

    NORMAL = 1000, "The session is over."
    GOING_AWAY = 1001, "The other side leaves; connect again if you like."
    BROKEN = 1002, "A frame broke the rules of websockets; mend the client."
    NOT_TEXT = 1007, "A text frame was not UTF-8; mend the client."
    FORBIDDEN = 1008, "This origin may not connect; stop (reserved; this server answers the handshake with HTTP 403)."
    TOO_BIG = 1009, "A frame was too large; do not send it again."
    INTERNAL = 1011, "Something broke; connect again with backoff."
    RESTART = 1012, "The server restarts; connect again when `bye` says."
    OVERLOADED = 1013, "The server cannot take you in now; connect again with backoff."
    NO_HELLO = 4001, "No hello came in time, or something else before it; connect again and say hello first."
    BAD_TOKEN = 4002, "The token is not valid or has expired; get a new one."
    MALFORMED = 4005, "Too many messages could not be read; mend the client."
    TOO_FAST = 4008, "Too many messages; connect again more slowly."
    TOO_SLOW = (
        4009,
        "Messages were not read in time; connect again and watch from your last version"
        " (reserved; this server cuts you off without a code).",
    )
    REVOKED = 4010, "The token or its user was shut out; stop."
    CROWDED = 4012, "You have too many connections; close one, or connect again with backoff."
