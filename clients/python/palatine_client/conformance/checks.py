"""The checks: sentences of the protocol page, where each stands, and whether a client must or should follow it."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Level(Enum):
    """How binding a check is: a client that fails a MUST does not conform."""

    MUST = "MUST"
    SHOULD = "SHOULD"


class Check(NamedTuple):
    """One thing that a client does, in the words of the protocol page."""

    id: str
    level: Level
    anchor: str  # of the chapter of the protocol page that holds the sentence
    sentence: str


MUST, SHOULD = Level.MUST, Level.SHOULD
ALL: Final = (
    Check("hello-first", MUST, "connecting", "Send `hello` within five seconds."),
    Check("id-form", MUST, "requests-and-replies", "An id is 1 to 64 visible ASCII characters."),
    Check("id-unique", MUST, "requests-and-replies", "So never reuse an id."),
    Check("readable", MUST, "requests-and-replies", "Every message is a map with a `type`."),
    Check("plays", MUST, "offers", "An offer is everything you may do now, and nothing else is legal."),
    Check("offer-number", MUST, "acting", "Send the action with the number of the offer it answers:"),
    Check("unknown-keys", MUST, "what-may-change", "The server ignores unknown keys, and so should you."),
    Check("unknown-messages", MUST, "what-may-change", "Ignore a message whose type you do not know."),
    Check(
        "unknown-field-kinds", MUST, "what-may-change", "Leave out a choice that has a field of a kind you do not know."
    ),
    Check("unknown-codes", MUST, "what-may-change", "after an unknown close code, connect again with backoff."),
    Check("applies-patches", SHOULD, "versions-and-gaps", "apply it and compare the digest"),
    Check("gap", MUST, "versions-and-gaps", "you missed updates: ignore it, and `watch` with `from`: *v*"),
    Check("doubled", MUST, "versions-and-gaps", "ignore it: you had it already"),
    Check("damaged", MUST, "versions-and-gaps", "your document is wrong: discard it and `watch` without `from`."),
    Check("snapshot-any-time", MUST, "when-a-table-goes-back", "Take every snapshot"),
    Check("large-snapshot", MUST, "snapshots-and-updates", "Let your library accept frames of at least 1 MiB."),
    Check("reconnects", MUST, "coming-back", "Connect, and send `hello` with the tables you follow"),
    Check("resume-version", MUST, "coming-back", "the last good version of each"),
    Check("resume-fork", SHOULD, "when-a-table-goes-back", "Keep the fork of the version you hold."),
    Check("resend-same-id", MUST, "coming-back", "Send again every request that got no reply, with its old id."),
    Check("resend-unchanged", MUST, "requests-and-replies", "same request again, unchanged, with the same id"),
    Check("retry-later", MUST, "costs", "says in how many milliseconds the"),
    Check("stale-offer", MUST, "acting", "The newest offer is in your newest update."),
    Check("bye-waits", MUST, "coming-back", "After `bye` with `reconnect_in_ms`, wait that long"),
    Check("bye-elsewhere", SHOULD, "coming-back", "then try the address in `reconnect_to` once, if there is one."),
    Check("backs-off", MUST, "coming-back", "The random part matters"),
    Check("stays-away", MUST, "coming-back", "Do not connect again after 4002"),
    Check("answers-pings", MUST, "heartbeat", "The server pings"),
    Check("slow-line", SHOULD, "heartbeat", "the connection is dead: connect again"),
)
CHECKS: Final = {check.id: check for check in ALL}
