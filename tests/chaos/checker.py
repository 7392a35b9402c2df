"""The checker: compares what the players observed with what the log holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from time import monotonic

import msgspec
from chaos.arrivals import count_due, find_arrival, measure_delays
from chaos.observations import NONE, Ack, FinalView, Observations, UnknownOutcome

from palatine_protocol import digest
from palatine_server.games.registry import GAMES
from palatine_server.rules_comparison import judge_table
from palatine_server.store import Store, Unavailable
from palatine_server.tables.model import LogEntry, TableSnapshot, apply_entry
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_opening_snapshot, encode, fold

FAR = 10**9
MOST_EXAMPLES = 20
UNSURE = 1_500  # milliseconds of error that a node's estimate of the store's time may have
LOST, TWICE, REFUSED, DIVERGED, BROKEN, SEEN, EARLY, UNTIMELY = (
    "acknowledged and lost",
    "applied twice or unasked",
    "applied though refused",
    "clients unlike the log",
    "tables unreadable",
    "problems of clients",
    "turns taken early",
    "entries not at the store's time",
)
ILLEGAL = "entries that the rules refuse"
ALL = LOST, TWICE, REFUSED, DIVERGED, ILLEGAL, BROKEN, SEEN, EARLY, UNTIMELY
entries, pages = msgspec.msgpack.Decoder(LogEntry), msgspec.msgpack.Decoder(TableSnapshot)


class CheckResult(msgspec.Struct, kw_only=True):
    """The number of violations of each kind, with examples."""

    tables: int = 0
    acks: int = 0
    violations: dict[str, int] = {}
    lost: int = 0  # acknowledged entries that the injected fault itself lost
    delay: float = 0.0  # seconds until the last client held what the store holds; see arrivals.py
    examples: list[str] = []


class Vanished(LookupError):  # noqa: N818 (an expected state, not an error)
    """The store has no such table."""


class HistoryChecker:
    """Checks every table once; clients have `within` seconds after the fault and after later entries."""

    def __init__(
        self,
        store: Store,
        observations: Iterable[Observations],
        *,
        may_lose: bool = False,
        since: float = 0.0,
        within: float = 0.0,
    ) -> None:
        self._store, self._may_lose, self._lost = store, may_lose, 0
        self._since, self._within, self._delay = since, within, 0.0
        self._offset = 0.0  # the store's time minus the monotonic clock
        self._acks: dict[str, list[Ack]] = defaultdict(list)
        self._ends: dict[str, list[FinalView]] = defaultdict(list)
        self._maybe: list[UnknownOutcome] = []
        self._refused: list[UnknownOutcome] = []
        self._found: Counter[str] = Counter(dict.fromkeys(ALL, 0))
        self._examples: list[str] = []
        for observed in observations:
            self._take(observed)

    def _take(self, observed: Observations) -> None:
        for ack in observed.acks:
            self._acks[ack.table].append(ack)
        for end in observed.ends:
            self._ends[end.table].append(end)
        self._maybe += observed.maybe
        self._refused += observed.refused
        for problem in observed.problems:
            self._note(SEEN, problem)

    def _note(self, kind: str, example: str) -> None:
        self._found[kind] += 1
        if len(self._examples) < MOST_EXAMPLES:
            self._examples.append(f"{kind}: {example}")

    async def check(self) -> CheckResult:
        """Read and check all tables that a player observed."""
        self._offset = await self._store.now() / 1000 - monotonic()
        tables = self._acks.keys() | self._ends.keys()
        for table in sorted(tables):
            await self._look_at(table)
        acks = sum(map(len, self._acks.values()))
        return CheckResult(
            tables=len(tables),
            acks=acks,
            violations=dict(self._found),
            lost=self._lost,
            delay=self._delay,
            examples=self._examples,
        )

    async def _look_at(self, table: str) -> None:
        try:
            log = [entries.decode(entry) for entry in (await self._store.read(table, 0, FAR)).entries]
            page = await self._page(table)
        except Vanished:
            self._take_for_lost(table)
            return
        except (Unavailable, msgspec.DecodeError, LookupError) as error:
            self._note(BROKEN, f"{table}: {error}")
            self._found[LOST] += len(self._acks[table])
            return
        self._compare_acks(table, {entry.version: entry for entry in log})
        self._compare_ends(table, log, page)
        await self._compare_times(table, log, page)
        if self._may_lose:
            self._play_again(table, log, page)

    def _take_for_lost(self, table: str) -> None:
        """Accept a table that the rollback lost, if all its clients were told that it is gone."""
        ends = self._ends[table]
        if self._may_lose and all(end.version == NONE for end in ends):
            self._lost += len(self._acks[table])
            self._delay = max([self._delay, *(find_arrival(end.held, NONE) - self._since for end in ends)])
            return
        self._note(BROKEN, f"{table}: the store has no such table")
        self._found[LOST] += len(self._acks[table])

    def _play_again(self, table: str, log: list[LogEntry], page: TableSnapshot) -> None:
        """Check that every entry follows from the one before by the rules."""
        verdict = judge_table(table, GAMES, page, log)
        if verdict.at is not None:
            self._note(ILLEGAL, f"{table}, version {verdict.at}: {verdict.how}")

    async def _page(self, table: str) -> TableSnapshot:
        """Return the table as a node would load it: the newest snapshot and the entries after it."""
        stored = await self._store.load(table)
        if stored is None:
            raise Vanished("the store has no such table")
        page = pages.decode(stored.snapshot)
        for entry in stored.entries:
            page = apply_entry(page, entries.decode(entry))
        return page

    # Acknowledgements

    def _compare_acks(self, table: str, log: dict[int, LogEntry]) -> None:
        acks = {ack.version: ack for ack in self._acks[table]}
        if self._may_lose:  # a version may be acknowledged twice, once for a lost entry
            kept = [ack for ack in self._acks[table] if is_kept(log.get(ack.version), ack)]
            self._lost += len(self._acks[table]) - len(kept)
            acks = {ack.version: ack for ack in kept}
        for version, ack in acks.items():
            if not is_kept(log.get(version), ack):
                self._note(LOST, f"{table}, version {version}: {ack.did} of {ack.user}; the log has {log.get(version)}")
        for version, entry in log.items():
            if entry.user and version not in acks:
                self._look_into(table, entry)
        if [*log] != [*range(1, len(log) + 1)]:
            self._note(BROKEN, f"{table}: its versions are {[*log]}")

    def _look_into(self, table: str, entry: LogEntry) -> None:
        """Check an entry that nobody got an acknowledgement for: each request with an unknown outcome explains one."""
        maybe = UnknownOutcome(table, entry.user, entry.did["do"], entry.did.get("action"))
        if maybe in self._maybe:
            self._maybe.remove(maybe)
        else:
            self._note(REFUSED if maybe in self._refused else TWICE, f"{table}, version {entry.version}: {entry.did}")

    # Times

    async def _compare_times(self, table: str, log: list[LogEntry], page: TableSnapshot) -> None:
        """Check that times do not go backwards or lie in the future, and that no deadline was enforced early."""
        now = await self._store.now()
        for earlier, entry in pairwise([*log, *log[-1:]]):
            if entry.at < earlier.at - UNSURE or entry.at > now + UNSURE:
                self._note(UNTIMELY, f"{table}, version {entry.version}: {entry.at} after {earlier.at}")
        for entry in (entry for entry in log if entry.did["do"] == "overdue"):
            until = until_before(entry, log, page)
            if until is None or entry.at < until:
                self._note(EARLY, f"{table}, version {entry.version}: {entry.at}, seat {entry.seat} had until {until}")

    # Documents

    def _compare_ends(self, table: str, log: list[LogEntry], page: TableSnapshot) -> None:
        ends = self._ends[table]
        for end in ends:
            due = count_due(log, end.at, self._moment, self._within)
            for sentence in differences(end, log, page, due):
                self._note(DIVERGED, f"{table}: {sentence}")
        self._delay = max([self._delay, *measure_delays(ends, log, self._since, self._moment)])

    def _moment(self, entry: LogEntry) -> float:
        """Return when an entry was committed, on the monotonic clock."""
        return entry.at / 1000 - self._offset


def until_before(entry: LogEntry, log: list[LogEntry], newest: TableSnapshot) -> int | None:
    """Return the deadline of the seat before this entry, which enforced it."""
    game = GAMES[newest.info["game"]]
    page = fold(encode(build_opening_snapshot(newest)), log[: entry.version - 1])
    return TableState.read(game, page).until(entry.seat or 0)


def is_kept(entry: LogEntry | None, ack: Ack) -> bool:
    """Say whether the log entry is the one that was acknowledged."""
    if entry is None or (entry.user, entry.did["do"]) != (ack.user, ack.did):
        return False
    return ack.action is None or entry.did.get("action") == ack.action


def differences(end: FinalView, log: list[LogEntry], page: TableSnapshot, due: int) -> Iterator[str]:
    """Yield each difference between a client's last view, the log, and the newest snapshot with its entries."""
    if page.version != len(log):
        yield f"a node would load version {page.version}, but the log ends at {len(log)}"
    own = digest.of_viewer(digest.of_board(page.board), None if end.seat is None else page.hands[end.seat])
    if digest_told(log, len(log), end, own) != own:
        yield f"the table of {end.user} has digest {own}, and the log another one"
    told = digest_told(log, end.version, end, own)
    if not due <= end.version <= len(log) or end.digest != told:
        yield f"{end.user} holds version {end.version} of {len(log)}, digest {end.digest}, not {told}"
    elif end.info and end.version == len(log) and end.info != digest.of_board(page.info):
        yield f"{end.user} holds version {end.version} with another info"


def digest_told(log: list[LogEntry], version: int, end: FinalView, opening: int) -> int | None:
    """Return the digest that the log has for a client at a version; `opening` for an empty log."""
    if not log:
        return opening
    return log[version - 1].digests[-1 if end.seat is None else end.seat] if 0 < version <= len(log) else None
