"""Network namespaces on one bridge; each can be cut off from all others or from some."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from store.redis_servers import Host

NETWORK = f"10.213.{os.getpid() % 250 + 1}"  # a private network that no packet leaves


def ip(*words: str, check: bool = True) -> None:
    subprocess.run(["ip", *words], check=check, capture_output=True)


class Machine(Host):
    """A namespace that can be cut off."""

    @property
    def name(self) -> str:
        return self.enter[3]

    def cut_off(self) -> None:
        """Cut the namespace off from all others."""
        ip("-n", self.name, "link", "set", "eth0", "down")

    def cut_off_from(self, others: list[Host]) -> None:
        """Cut the namespace off from these hosts only."""
        for other in others:
            ip("-n", self.name, "route", "add", "blackhole", f"{other.address}/32")

    def heal(self) -> None:
        ip("-n", self.name, "link", "set", "eth0", "up")
        ip("-n", self.name, "route", "flush", "type", "blackhole")


@contextmanager
def temporary_machines(number: int) -> Iterator[list[Machine]]:
    """Create machines on one bridge that this process reaches; yield none where that is not allowed."""
    bridge = f"pal{os.getpid()}"
    try:
        yield add_machines(bridge, number) if can_create_machines() else []
    finally:
        if can_create_machines():
            for index in range(number):
                remove_machine(bridge, index)
            ip("link", "del", bridge, check=False)


def can_create_machines() -> bool:
    return os.geteuid() == 0 and shutil.which("ip") is not None


def add_machines(bridge: str, number: int) -> list[Machine]:
    try:
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", f"{NETWORK}.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        return [add_machine(bridge, index) for index in range(number)]
    except subprocess.CalledProcessError:  # the container lacks the right
        return []


def add_machine(bridge: str, index: int) -> Machine:
    name, ours, address = f"{bridge}-{index}", f"{bridge}v{index}", f"{NETWORK}.{10 + index}"
    ip("netns", "add", name)
    ip("link", "add", ours, "master", bridge, "type", "veth", "peer", "name", "eth0", "netns", name)
    ip("link", "set", ours, "up")
    ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
    for link in ("lo", "eth0"):
        ip("-n", name, "link", "set", link, "up")
    return Machine(address, ("ip", "netns", "exec", name))


def remove_machine(bridge: str, index: int) -> None:
    """Remove the link too: open connections keep it for minutes, and its name is needed again."""
    ip("link", "del", f"{bridge}v{index}", check=False)
    ip("netns", "del", f"{bridge}-{index}", check=False)
