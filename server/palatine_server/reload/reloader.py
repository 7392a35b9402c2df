"""The reloader: it runs the server in a worker process, and replaces the process when the files of a game change.

    WATCHING   files changed                          -> CHECKING
    CHECKING   the rules cannot be loaded             -> WATCHING, the old process goes on
    CHECKING   they can; live tables were replayed    -> REPLACING
    REPLACING  the old process has stopped, a new one serves -> WATCHING

A new process instead of a new import: modules, caches, structs and the processes of bots cannot mix old rules with new
ones. The socket stays open meanwhile, so that connections wait instead of being refused. A file of SQLite belongs to
one process, so the old one stops first; clients come back by themselves, as after any restart.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence

import anyio
import msgspec
from anyio import to_thread
from anyio.abc import Process

from ..settings import Settings, encode_settings
from ..store import milliseconds
from ..web.develop.rules_report import RulesReport, write_report
from ..web.supervisor import EXIT_WITHIN, STOP, Worker, open_listener
from .file_watch import Stamps, list_changed, read_stamps

LOOK_EVERY = 0.3  # seconds between two looks at the files
CHECK_WITHIN = 120.0  # seconds for the check of the rules
RECONNECT_WITHIN = 100  # milliseconds; the few clients of an author need not be spread

OnReport = Callable[[RulesReport], None]


class Reloader:
    """Keeps one worker process running, with the newest rules that can be loaded."""

    def __init__(self, settings: Settings, on_ready: Callable[[str], None], on_report: OnReport) -> None:
        self._settings = msgspec.structs.replace(settings, reconnect_within=RECONNECT_WITHIN)
        self._listener = open_listener(settings.host, settings.port)
        self._on_ready, self._on_report = on_ready, on_report
        self._known_troubles: set[str] = set()  # of installed games that could not be used from the beginning
        self._worker: Worker | None = None
        self._tasks = anyio.create_task_group()
        self.failure = ""  # why the reloader gave up

    async def run(self) -> None:
        """Serve until a signal to stop, or until it gives up."""
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # two edits in one second would leave bytecode of the first
        try:
            with anyio.open_signal_receiver(*STOP) as signals:
                async with self._tasks:
                    self._tasks.start_soon(self._serve)
                    async for _ in signals:
                        break
                    self._tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                self._listener.close()
                await self._stop_worker()

    async def _serve(self) -> None:
        report = await self._check()
        self._known_troubles = set(report.troubles)
        self._publish(report)
        await self._start_worker()
        self._tasks.start_soon(self._watch_worker)
        host, port = self._listener.getsockname()[:2]
        self._on_ready(f"http://{host}:{port}")
        await self._watch_files(report.folders)

    # Watching

    async def _watch_files(self, folders: Sequence[str]) -> None:
        known = await to_thread.run_sync(read_stamps, folders)
        while True:
            await anyio.sleep(LOOK_EVERY)
            now = await self._wait_for_rest(folders)
            if now != known:
                folders = await self._handle_change(list_changed(known, now)) or folders
                known = now

    async def _wait_for_rest(self, folders: Sequence[str]) -> Stamps:
        """Return the stamps when two looks agree; an editor may write several files one after the other."""
        seen = await to_thread.run_sync(read_stamps, folders)
        while True:
            await anyio.sleep(LOOK_EVERY / 3)
            again = await to_thread.run_sync(read_stamps, folders)
            if again == seen:
                return seen
            seen = again

    async def _handle_change(self, changed: list[str]) -> list[str]:
        """Check the rules; replace the worker if they can be loaded. Return the folders to watch."""
        report = msgspec.structs.replace(await self._check(), changed=changed)
        if report.error:
            self._publish(report)
            return []
        await self._stop_worker()
        self._publish(report)
        await self._start_worker()
        return report.folders

    def _publish(self, report: RulesReport) -> None:
        """Show the report in the terminal, and keep it for the developer page."""
        write_report(report, self._settings.data)
        self._on_report(report)

    # The check of the rules

    async def _check(self) -> RulesReport:
        """Let another process load the rules and replay the tables with them; return its report."""
        command = [sys.executable, "-m", f"{__package__}.rules_check"]
        async with await anyio.open_process(command, stderr=None, start_new_session=True) as process:
            with anyio.move_on_after(CHECK_WITHIN):
                return self._read_report(await self._ask(process))
            process.kill()
        return RulesReport(at=milliseconds(), error=f"the check of the rules took longer than {CHECK_WITHIN:.0f} s")

    async def _ask(self, process: Process) -> bytes:
        assert process.stdin
        assert process.stdout
        await process.stdin.send(encode_settings(self._settings))
        return b"".join([part async for part in process.stdout])

    def _read_report(self, written: bytes) -> RulesReport:
        try:
            report = msgspec.json.decode(written, type=RulesReport)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return RulesReport(at=milliseconds(), error="the check of the rules broke; its error is above")
        new = [trouble for trouble in report.troubles if trouble not in self._known_troubles]
        is_first = self._worker is None
        return report if is_first or report.error else msgspec.structs.replace(report, error="; ".join(new))

    # The worker

    async def _start_worker(self) -> None:
        worker = await Worker.start(self._listener, self._settings)
        self._worker = worker
        if not await worker.wait_until_ready():
            self._give_up("the server did not start; its log says why")

    async def _watch_worker(self) -> None:
        while True:
            worker = self._worker
            if worker is not None and worker.process.returncode is not None and not worker.is_stopping:
                self._give_up(f"the server process ended by itself with code {worker.process.returncode}")
            await anyio.sleep(LOOK_EVERY)

    def _give_up(self, why: str) -> None:
        self.failure = why
        self._tasks.cancel_scope.cancel()

    async def _stop_worker(self) -> None:
        if self._worker is not None:
            self._worker.stop(signal.SIGTERM)
            await self._worker.wait_for_exit(EXIT_WITHIN + self._settings.drain_notice + self._settings.drain)


def run_reloader(settings: Settings, on_ready: Callable[[str], None], on_report: OnReport) -> str:
    """Serve until a signal to stop, and reload changed rules; return a sentence if something went wrong."""

    async def run() -> str:
        reloader = Reloader(settings, on_ready, on_report)
        await reloader.run()
        return reloader.failure

    return anyio.run(run)
