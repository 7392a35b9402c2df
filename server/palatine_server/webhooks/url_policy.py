"""The URL policy: it decides which hosts a webhook may reach. The operator must allow private networks explicitly.

Each attempt resolves the host once, checks every address, and connects to a checked address. So DNS rebinding between
check and connection has no effect.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Awaitable, Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from socket import SOCK_STREAM, getaddrinfo
from typing import NamedTuple
from urllib.parse import urlsplit

from ..games.kit import Refused

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Awaitable[Collection[str]]]

LONGEST = 1024  # characters of a URL
PORTS = {"https": (443, 8443), "http": (80,)}
MOST_LOOKUPS = 8  # lookups at a time, in separate threads, so that a silent DNS server delays nothing else
NAT64 = IPv6Network("64:ff9b::/96")
GLOBAL_UNICAST = IPv6Network("2000::/3")  # IANA assigns public IPv6 addresses from no other block
# IANA's special-purpose registries, as far as not every version of Python refuses these blocks by itself.
SPECIAL_PURPOSE = (
    IPv4Network("192.0.0.0/24"),  # IETF protocol assignments
    IPv4Network("192.31.196.0/24"),  # AS112, anycast: the nearest host answers, perhaps one in our own network
    IPv4Network("192.52.193.0/24"),  # AMT, anycast
    IPv4Network("192.88.99.0/24"),  # 6to4 relays, anycast
    IPv4Network("192.175.48.0/24"),  # AS112, anycast
    IPv6Network("2001::/23"),  # IETF protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, DRIP
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2620:4f:8000::/48"),  # AS112, anycast
    IPv6Network("3fff::/20"),  # documentation
)
ISATAP = 0x5EFE  # bits 64 to 95 of an address that embeds an IPv4 address, but for the two bits of the next line
ISATAP_FLAGS = 0x0300_0000  # universal or local, group or individual

_lookups = ThreadPoolExecutor(MOST_LOOKUPS, "palatine-names")


class ForbiddenUrl(Exception):  # noqa: N818 (not an error of ours)
    """The policy does not allow this URL."""


class Target(NamedTuple):
    """The parts of a URL."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return the host for the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme][0] else f"{host}:{self.port}"


class UrlPolicy:
    """The schemes, ports and networks that the operator allows for webhooks."""

    def __init__(self, schemes: Collection[str], networks: Collection[str], resolve: Resolve | None = None) -> None:
        self._schemes, self._resolve = schemes, resolve or look_up_host
        self._networks: list[Network] = [ip_network(network) for network in networks]

    def check_url(self, url: str) -> None:
        """Refuse a URL that is never allowed; host names are not resolved here, so that users cannot probe DNS."""
        try:
            target = self.parse_url(url)
            if not self._may_use(target) or any(not self.is_allowed(ip, target) for ip in _literal(target.host)):
                raise ForbiddenUrl
        except ForbiddenUrl:
            raise Refused("bad_webhook", f"The URL must name a public host with {self._describe()}.") from None

    def _describe(self) -> str:
        ports = [str(port) for scheme in self._schemes for port in PORTS[scheme]]
        return f"{' or '.join(f'{scheme}://' for scheme in self._schemes)} and port {' or '.join(ports)}"

    def _may_use(self, target: Target) -> bool:
        return bool(self._networks) or target.port in PORTS[target.scheme]

    def parse_url(self, url: str) -> Target:
        """Return the parts of a URL, or raise ForbiddenUrl."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise ForbiddenUrl from None
        is_plain = len(url) <= LONGEST and url.isascii() and url.isprintable() and " " not in url
        if not is_plain or not host or parts.username is not None or parts.scheme not in self._schemes:
            raise ForbiddenUrl
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(parts.scheme, host, PORTS[parts.scheme][0] if port is None else port, path)

    async def resolve(self, target: Target) -> list[Address]:
        """Return the addresses of a host; raise ForbiddenUrl if any of them is not allowed."""
        found = [ip_address(address) for address in await self._resolve(target.host, target.port)]
        if not found or not all(self.is_allowed(address, target) for address in found):
            raise ForbiddenUrl
        return found

    def is_allowed(self, address: Address, target: Target) -> bool:
        """Return whether a webhook may connect: to any port in an allowed network, or to a standard port elsewhere.

        An ISATAP address is allowed only if both the address and the embedded IPv4 host are in allowed networks.
        """
        if embedded := embedded_by_isatap(address):
            return self._is_in_allowed_network(address) and self._is_in_allowed_network(embedded)
        if self._is_in_allowed_network(address):
            return True
        are_all_public = all(is_public(form) or self._is_in_allowed_network(form) for form in expand_address(address))
        return are_all_public and target.port in PORTS[target.scheme]

    def _is_in_allowed_network(self, address: Address) -> bool:
        plain = getattr(address, "ipv4_mapped", None) or address
        return any(plain in network for network in self._networks)


def expand_address(address: Address) -> Iterator[Address]:
    """Yield the addresses that packets to this address reach: itself, the translated address, or both for a tunnel."""
    if isinstance(address, IPv4Address):
        yield address
    elif address.ipv4_mapped or address in NAT64:
        yield IPv4Address(int(address) & 0xFFFF_FFFF)
    else:
        yield address
        yield from filter(None, (address.sixtofour, *(address.teredo or ())))


def embedded_by_isatap(address: Address) -> IPv4Address | None:
    """Return the IPv4 host that an ISATAP router sends the packets to, whatever the prefix of the address is."""
    if isinstance(address, IPv4Address) or (int(address) >> 32) & 0xFFFF_FFFF & ~ISATAP_FLAGS != ISATAP:
        return None
    return IPv4Address(int(address) & 0xFFFF_FFFF)


def is_public(address: Address) -> bool:
    """Return whether an address belongs to one host of the public Internet."""
    odd = address.is_private or address.is_multicast or address.is_reserved or address.is_unspecified
    is_assigned = isinstance(address, IPv4Address) or address in GLOBAL_UNICAST
    return address.is_global and is_assigned and not odd and not any(address in block for block in SPECIAL_PURPOSE)


def _literal(host: str) -> list[Address]:
    try:
        return [ip_address(host)]
    except ValueError:
        return []


async def look_up_host(host: str, port: int) -> list[str]:
    """Return all addresses of a host, best first."""
    ask = partial(getaddrinfo, host, port, type=SOCK_STREAM)
    found = await get_running_loop().run_in_executor(_lookups, ask)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
