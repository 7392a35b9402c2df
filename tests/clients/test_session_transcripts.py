"""Transcripts of sessions: what the Python session sends and tells in its own tests, for sessions in other languages.

`python tests/clients/test_session_transcripts.py` writes protocol/vectors/sessions.json anew.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # when this file runs as a program

from clients import test_session  # noqa: E402
from clients.test_session import Server, Talk  # noqa: E402

from palatine_client.events import (  # noqa: E402
    ByeReceived,
    Event,
    HelloRefused,
    PartnerPointed,
    Postponed,
    Problem,
    Replied,
    TableChanged,
    TableLost,
    Welcomed,
)
from palatine_client.session import Session  # noqa: E402
from palatine_protocol.codec import JSON, for_server  # noqa: E402
from palatine_protocol.messages import AnyRequest, Watch  # noqa: E402

VECTORS = HERE.parents[1] / "protocol" / "vectors" / "sessions.json"
ODD = "test_replies_of_the_wrong_kind_do_not_raise"  # other sessions may treat them as unreadable


class OutOfScope(Exception):  # noqa: N818
    """A test does something that is not part of every session: the list of tables, ids of its own, binary frames."""


class RecordingSession(Session):
    """A session that keeps what is done to it."""

    def __init__(self) -> None:
        super().__init__("secret", prefix="p", client="test", subprotocol=JSON)
        self.steps: list[dict[str, Any]] = []
        self._noted: dict[str, Any] = {}

    def _note(self, step: dict[str, Any], events: list[Event] | None = None) -> None:
        tables = {
            table: {"version": view.version, "seat": view.seat, "current": view.is_current}
            for table, view in self.tables.items()
        }
        changed = {table: state for table, state in tables.items() if self._noted.get(table) != state}
        gone = [table for table in self._noted if table not in tables]
        told = {"events": [tell(event, self) for event in events or []], "tables": changed, "gone": gone}
        self.steps.append({**step, **{key: value for key, value in told.items() if value}})
        self._noted = tables

    def connection_made(self) -> None:
        super().connection_made()
        self._note({"do": "connection_made"})

    def connection_lost(self) -> None:
        super().connection_lost()
        if inspect.stack()[1].function != "connection_made":
            self._note({"do": "connection_lost"})

    def beat(self) -> None:
        super().beat()
        self._note({"do": "beat"})

    def resend(self, request_id: str) -> None:
        super().resend(request_id)
        if inspect.stack()[1].filename.endswith("test_session.py"):
            self._note({"do": "resend", "id": request_id})

    def request(self, request: AnyRequest) -> AnyRequest:
        if request.id or (isinstance(request, Watch) and request.since not in (None, self._held(request.table))):
            raise OutOfScope
        made = super().request(request)
        self._note({"do": "request", "request": shorten(request)})
        return made

    def _held(self, table: str) -> int | None:
        return self.tables[table].version if table in self.tables else None

    def forget_request(self, request_id: str) -> None:
        super().forget_request(request_id)
        self._note({"do": "forget", "id": request_id})

    def follow_list(self, table_list: Any) -> None:
        raise OutOfScope

    def take_frames(self) -> list[bytes | str]:
        frames = super().take_frames()
        self.steps.append({"do": "take_frames", "frames": [drop_empty(json.loads(frame)) for frame in frames]})
        return frames

    def receive(self, frame: bytes | str) -> list[Event]:
        if isinstance(frame, bytes):
            raise OutOfScope
        events = super().receive(frame)
        self._note({"do": "receive", "frame": json.loads(frame)}, events)
        return events


def shorten(request: AnyRequest) -> dict[str, Any]:
    """Return a request as a caller would write it: without an id and without defaults."""
    made = drop_empty(msgspec.json.decode(msgspec.json.encode(request)))
    return {key: value for key, value in made.items() if key not in ("id", "from", "fork")}


def drop_empty(message: dict[str, Any]) -> dict[str, Any]:
    """Leave out what may be absent from a request: null, false, and empty strings, maps and lists."""
    return {key: value for key, value in message.items() if value or (value == 0 and value is not False)}


def tell(event: Event, session: Session) -> dict[str, Any]:
    """Return an event in words that every language can compare."""
    match event:
        case Welcomed():
            return {"type": "welcomed"}
        case HelloRefused(refused, final):
            return {"type": "hello_refused", "code": refused.code, "final": final}
        case Replied(request, reply):
            return {"type": "replied", "id": request.id, "reply": type(reply).__name__.lower()}
        case Postponed(request_id, after, times):
            return {"type": "postponed", "id": request_id, "after": after, "times": times}
        case TableChanged(table, version, news, snapshot):
            return {"type": "changed", "table": table, "version": version, "news": news, "snapshot": snapshot}
        case PartnerPointed(table, seat):
            view = session.tables[table]
            return {"type": "pointed", "table": table, "seat": seat, "action": view.pointed.get(seat)}
        case TableLost(table, refused):
            return {"type": "lost", "table": table, "code": refused.code}
        case ByeReceived(bye):
            return {"type": "bye", "code": bye.code}
        case Problem(kind, _, table):
            return {"type": "problem", "kind": str(kind), "table": table}
    raise OutOfScope


class RecordingTalk(Talk):
    def __init__(self) -> None:
        self.codec = for_server(JSON)
        self.session: RecordingSession = RecordingSession()


def build_fixtures() -> tuple[RecordingTalk, Server, dict[str, Any]]:
    talk, server = RecordingTalk(), Server(JSON)
    return talk, server, {"talk": talk, "watching": talk, "server": server}


def record(name: str, test: Callable[..., None]) -> dict[str, Any] | None:
    """Run a test on a recording session and return the transcript; None if it needs anything else."""
    wanted = list(inspect.signature(test).parameters)
    talk, server, known = build_fixtures()
    if not wanted or any(each not in known for each in wanted) or name == ODD:
        return None
    talk.connect()
    if "watching" in wanted:
        talk.watch(server)
    try:
        test(**{each: known[each] for each in wanted})
    except OutOfScope:
        return None
    return {"name": name.removeprefix("test_").replace("_", " "), "steps": talk.session.steps}


def transcripts() -> Iterator[dict[str, Any]]:
    for name, test in inspect.getmembers(test_session, inspect.isfunction):
        if name.startswith("test_") and not getattr(test, "hypothesis", None) and (made := record(name, test)):
            yield made
    for seed in range(12):
        yield {"name": f"anything may be lost, doubled, delayed or cut ({seed})", "steps": stumble(Random(seed))}


def stumble(rng: Random) -> list[dict[str, Any]]:
    """A session on a line that loses, doubles, delays and cuts, but keeps the order, and then heals."""
    talk, server, _ = build_fixtures()
    talk.connect()
    talk.watch(server)
    late: list[Any] = []
    for _ in range(12):
        pushed: list[Any] = [server.move(), *(each for request in talk.sent() for each in server.answer(request))]
        for message in pushed:
            match rng.choice(["pass", "pass", "pass", "lose", "double", "delay", "cut"]):
                case "pass":
                    talk.hears(*late, message)
                    late.clear()
                case "double":
                    talk.hears(*late, message, message)
                    late.clear()
                case "delay":
                    late.append(message)
                case "cut":  # whatever was under way on this connection is gone
                    late.clear()
                    talk.session.connection_made()
                    break
    talk.session.connection_made()
    for request in talk.sent():
        talk.hears(*server.answer(request))
    test_session.healed(talk, server)
    assert talk.agrees_with(server)
    return talk.session.steps


def written() -> str:
    return "[\n" + ",\n".join(json.dumps(each) for each in transcripts()) + "\n]\n"


def test_transcripts_are_up_to_date() -> None:
    assert VECTORS.read_text("utf-8") == written(), "stale: run `python tests/clients/test_session_transcripts.py`"


def test_transcripts_cover_what_a_session_does() -> None:
    made = json.loads(VECTORS.read_text("utf-8"))
    events = {event["kind"] if event["type"] == "problem" else event["type"] for each in made for step in each["steps"]
              for event in step.get("events", [])}  # fmt: skip
    expected = "welcomed replied postponed changed pointed lost bye gap wrong_digest went_back unasked"
    assert {*expected.split()} <= events
    assert len(made) > 40


if __name__ == "__main__":
    VECTORS.write_text(written(), "utf-8")
