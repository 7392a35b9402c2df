"""A log carried out again with the installed rules: the same requests, the same seed, and new entries."""

from __future__ import annotations

from typing import Any

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Act, Start, Undo
from palatine_protocol.patch import PatchError

from ...games.kit import Game, Refused, refuse
from ...games.named_games import name_cause
from ...tables.handlers import play, rollback
from ...tables.model import LogEntry, TableSnapshot, apply_entry
from ...tables.state import Requester, TableState
from ...tables.storage.persistence import copy_snapshot

GAME = "game"  # the part of the hidden zone that belongs to the rules


class ReplayedLog:
    """Carries out the entries of a log on a table that begins like the old one."""

    def __init__(self, game: Game, first: TableSnapshot) -> None:
        self.game, self.entries = game, list[LogEntry]()
        self.state = TableState.read(game, copy_snapshot(first))
        self._snapshots: dict[int, TableSnapshot] = {}  # of versions to which the game may go back
        self.stopped = ""  # why not all entries could be carried out

    def play_all(self, entries: list[LogEntry]) -> None:
        """Carry out the entries, up to the first that the rules refuse."""
        wanted = {entry.did["to"] for entry in entries if entry.did["do"] == "take_back"}
        for entry in entries:
            try:
                self.entries.append(self._carry_out(entry))
            except Refused as why:
                self.stopped = f"{why.sentence} ({why.code})"
            except PatchError as why:
                self.stopped = str(why)
            except Exception as error:  # rules that are being written may raise anything
                self.stopped = name_cause(error)
            if self.stopped:
                return
            if entry.version in wanted:
                self._snapshots[entry.version] = copy_snapshot(self.state.take_snapshot())

    def _carry_out(self, entry: LogEntry) -> LogEntry:
        state, did, now = self.state, entry.did, entry.at
        who = Requester(entry.user, "")
        match did["do"]:
            case "start":
                return play.start(state, Requester(state.secrets.host, ""), Start(id="", table=""), now)
            case "act":
                offer = state.secrets.answers[state.own_seat(who.user)]
                return play.act(state, who, Act(id="", table="", offer=offer, action=did["action"]), now)
            case "undo":
                return play.undo(state, who, Undo(id="", table=""), now)
            case "take_back":
                return self._go_back(entry)
            case "bot" | "overdue" | "lapse" as why if entry.seat is not None:
                return play.play_for(state, entry.seat, self.game.read_action(did["action"]), why, now)
        return self._copy(entry)

    def _go_back(self, entry: LogEntry) -> LogEntry:
        earlier = self._snapshots.get(entry.did["to"])
        if earlier is None:
            raise refuse(Code.NO_SUCH_VERSION)
        rollback.go_back(self.state, earlier, entry.at)
        return self.state.entry(entry.at, entry.user, entry.did, entry.seat, entry.news)

    def _copy(self, entry: LogEntry) -> LogEntry:
        """Take over an entry that no rule made: a player came, the host paused, a line of chat."""
        hidden = [op for op in entry.hidden if op[0][:1] != [GAME]]
        hands: list[Any] = [[] for _ in entry.hands]
        copied = msgspec.structs.replace(entry, board=[], hands=hands, hidden=hidden)
        recorder = self.state.recorder
        self.state = TableState.read(self.game, apply_entry(copy_snapshot(self.state.take_snapshot()), copied))
        self.state.recorder = recorder or self.state.recorder  # it knows which actions can be undone
        copied.digests = self.state.digests()
        return copied
