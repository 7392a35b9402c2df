"""A server of a later version: its tables have one more list, and perhaps another format number.

It reads its settings and the format number from the environment. It copies chat messages to the additional list, so
that snapshots and entries contain it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from server.process import ServerProcess, greet

from palatine_server.log_format import configure_logging
from palatine_server.settings import Settings, read_environment
from palatine_server.tables import model, state
from palatine_server.tables.storage import compatibility
from palatine_server.web.server import create_server

FORMAT = "UPGRADE_FORMAT"
REMARKS = "UPGRADE_REMARKS"  # "all": one remark for every entry, not only for chat messages
MOST_REMARKS = 10


class Secrets(model.Secrets, kw_only=True):
    """The secrets of a table, as a later version stores them."""

    remarks: list[str] = []


def extend_stored_types(number: int) -> None:
    """Become the later version: replace the stored type in all modules, and add remarks."""
    compatibility.FORMAT = number
    old, write_entry = model.Secrets, state.TableState.entry
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("palatine_server") and getattr(module, "Secrets", None) is old:
            module.Secrets = Secrets  # type: ignore[attr-defined]
    state.CHANGING.append("remarks")
    state.PLAYED.append("remarks")
    notes_all = os.environ.get(REMARKS) == "all"

    def write_with_remarks(
        self: state.TableState, now: int, user: str, did: dict[str, Any], *rest: Any
    ) -> model.LogEntry:
        if notes_all or did["do"] == "say":
            text = self.secrets.talk[-1].text if did["do"] == "say" else did["do"]
            self.secrets.remarks = [*self.secrets.remarks, text][-MOST_REMARKS:]  # type: ignore[attr-defined]
        return write_entry(self, now, user, did, *rest)

    state.TableState.entry = write_with_remarks  # type: ignore[method-assign, assignment]


class NewerProcess(ServerProcess):
    """A server of the later version in a process of its own."""

    def __init__(self, data: Path, format: int) -> None:  # noqa: A002
        super().__init__(data)
        self.environment = {FORMAT: str(format), "PYTHONPATH": str(Path(__file__).parent.parent)}

    def _command(self) -> list[str]:
        return [sys.executable, __file__, str(self.data), str(self.port)]


if __name__ == "__main__":
    configure_logging("json")
    extend_stored_types(int(os.environ[FORMAT]))
    chosen = {**read_environment(os.environ), "data": Path(sys.argv[1]), "port": int(sys.argv[2])}
    create_server(Settings(**chosen), greet).run()
