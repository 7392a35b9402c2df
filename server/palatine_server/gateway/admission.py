"""Admission: which clients may connect, how many at once, and how often. All connections of a node share it.

Limits by address do not apply to connections from this machine, nor to its requests with a token: they may come from
a proxy that does not forward client addresses, or from a load test. The limit on new guests and the budget of requests
without a token do apply. At a limit, new connections are refused; existing ones are never evicted.

Every request has a cost (palatine_protocol.costs) and is charged to the budget of its user and of its address, over all
their connections to this node and over HTTP.

Received bytes have a budget for each user and each address too, over all their connections. The connection that
exceeds it is closed; that is hardly ever one that sends little.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address, ip_network

from palatine_protocol.errors import Close, Code

from ..games.kit import refuse
from ..settings import Settings
from .rate_limits import FRAMES_AT_ONCE, FRAMES_PER_SECOND, Buckets, Budget, ConnectionCounter, TokenBucket
from .tokens import TokenSigner, User

IPV6_NETWORK_BITS = 64  # bits of an IPv6 address that name the network of one customer
THIS_MACHINE = ""
MOST_BUDGETS = 32_768  # users, and as many addresses, whose budgets are remembered; an unused budget is soon full again

# The close code of a connection after a refused hello.
ENDS: dict[str, Close] = {
    Code.BAD_TOKEN: Close.BAD_TOKEN,
    Code.TOKEN_EXPIRED: Close.BAD_TOKEN,
    Code.TOKEN_REVOKED: Close.REVOKED,
    Code.NOT_ALLOWED: Close.BAD_TOKEN,
    Code.TOO_MANY_CONNECTIONS: Close.CROWDED,
    Code.TOO_FAST: Close.TOO_FAST,
    Code.TRY_AGAIN: Close.OVERLOADED,
}


class Admission:
    """Decides which users may connect, and keeps the budgets for their requests and bytes."""

    def __init__(self, settings: Settings, token_signer: TokenSigner, now: Callable[[], float]) -> None:
        self.token_signer = token_signer
        self.revoked: frozenset[str] | None = None  # users and tokens; None until the store has answered
        self.new_guests = Buckets(settings.guests_per_minute, now)
        within, of_address = settings.burst / settings.rate, settings.budgets_per_address * settings.burst
        self._budgets_of_users = Buckets(settings.burst, now, within, MOST_BUDGETS)
        self._budgets_of_addresses = Buckets(of_address, now, within, MOST_BUDGETS) if of_address else None
        self._addresses = ConnectionCounter(settings.connections_per_address)
        self._users = ConnectionCounter(settings.connections_per_user)
        self._joins = Buckets(settings.joins_per_minute, now)
        of_one, within = FRAMES_AT_ONCE * settings.largest_frame, FRAMES_AT_ONCE / FRAMES_PER_SECOND
        self._bytes_of_addresses = Buckets(settings.byte_budgets_per_address * of_one, now, within)
        self._bytes_of_users = Buckets(settings.byte_budgets_per_user * of_one, now, within)

    # By address

    def refusal(self, address_key: str) -> Close | None:
        """Return the reason to refuse a new connection from this address now, if there is one."""
        if address_key == THIS_MACHINE:
            return None
        if self._joins.take(address_key):
            return Close.TOO_FAST
        return Close.CROWDED if self._addresses.is_full(address_key) else None

    def enter(self, address_key: str) -> None:
        self._addresses.enter(address_key)

    def leave(self, address_key: str, user: User | None) -> None:
        """Note that a connection from this address, and of this user if they were admitted, is closed."""
        self._addresses.leave(address_key)
        if user is not None:
            self._users.leave(user.id)

    def budget(self, address_key: str, user: str) -> Budget:
        """Return the budget for requests from this address, and of this user if they are known."""
        of_user = self._budgets_of_users.of(user) if user else None
        return Budget(of_user, self._budget_of_address(address_key, is_known=bool(user)))

    def _budget_of_address(self, address_key: str, *, is_known: bool) -> TokenBucket | None:
        is_exempt = address_key == THIS_MACHINE and is_known
        return None if is_exempt or self._budgets_of_addresses is None else self._budgets_of_addresses.of(address_key)

    def charge(self, address_key: str, user: str, size: int) -> float:
        """Count bytes from this address, and of this user if known; return the part of the budget left, or a debt."""
        of_address = 1.0 if address_key == THIS_MACHINE else self._bytes_of_addresses.spend(address_key, size)
        return min(of_address, self._bytes_of_users.spend(user, size)) if user else of_address

    # By token

    def known(self, token: str) -> User:
        """Return the user of a token, or refuse."""
        user = self.token_signer.read(token)
        if not self.list_revoked().isdisjoint((user.id, user.token)):
            raise refuse(Code.TOKEN_REVOKED)
        return user

    def list_revoked(self) -> frozenset[str]:
        """Return the users and tokens that are revoked; refuse before they are known."""
        if self.revoked is None:
            raise refuse(Code.TRY_AGAIN)
        return self.revoked

    def admit(self, token: str) -> User:
        """Admit the user of a `hello`, or refuse."""
        user = self.known(token)
        if user.kind == "service":  # it speaks for users, and plays itself under none of their names
            raise refuse(Code.NOT_ALLOWED)
        if self._joins.take(user.id):
            raise refuse(Code.TOO_FAST)
        if self._users.is_full(user.id):
            raise refuse(Code.TOO_MANY_CONNECTIONS)
        self._users.enter(user.id)
        return user

    def must_go(self, user: User) -> Close | None:
        """Return the reason to disconnect an admitted user, if there is one."""
        if self._is_revoked(user):
            return Close.REVOKED
        return Close.BAD_TOKEN if self.token_signer.is_expired(user) else None

    def _is_revoked(self, user: User) -> bool:
        return self.revoked is not None and not self.revoked.isdisjoint((user.id, user.token))


def find_address_key(address: str) -> str:
    """Return the key of limits by address: the address, or the network of an IPv6 address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if ip.is_loopback:
        return THIS_MACHINE
    return str(ip) if ip.version == 4 else str(ip_network((ip, IPV6_NETWORK_BITS), strict=False))
