"""A reader of the nodes' metrics, summed over the restarts of each node."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

import httpx
from chaos.nodes import NodeProcess

EVERY = 0.5  # seconds; a killed node loses what it counted after the last read
FIGURES = {
    "stale": re.compile(r'^palatine_commits_total\{outcome="stale"\} (\S+)', re.MULTILINE),
    "rollbacks": re.compile(r"^palatine_store_rollbacks_total(?:\{\})? (\S+)", re.MULTILINE),
    "broken": re.compile(r"^palatine_broken_tables_total(?:\{\})? (\S+)", re.MULTILINE),
}


class NodeMetrics:
    """The counters of one node."""

    def __init__(self, node: NodeProcess) -> None:
        self._node = node
        self._earlier: Counter[str] = Counter()  # before its last restart
        self._now: Counter[str] = Counter()

    async def read(self, client: httpx.AsyncClient) -> None:
        try:
            answer = await client.get(f"http://127.0.0.1:{self._node.metrics}/metrics")
        except httpx.HTTPError:
            return
        self._add(answer.text)

    def _add(self, text: str) -> None:
        found = Counter({name: int(float(hit[1])) for name, line in FIGURES.items() if (hit := line.search(text))})
        if any(found[name] < self._now[name] for name in self._now):
            self._earlier += self._now
        self._now = found

    @property
    def total(self) -> Counter[str]:
        return self._earlier + self._now


class MetricsReader:
    """The counters of all nodes."""

    def __init__(self, nodes: list[NodeProcess]) -> None:
        self._nodes = [NodeMetrics(node) for node in nodes]

    async def watch(self) -> None:
        """Read the metrics of all nodes again and again."""
        async with httpx.AsyncClient(timeout=1.0) as client:
            while True:
                await asyncio.gather(*(node.read(client) for node in self._nodes))
                await asyncio.sleep(EVERY)

    @property
    def total(self) -> Counter[str]:
        return sum((node.total for node in self._nodes), Counter[str]())
