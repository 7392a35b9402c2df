"""The store for production and for several nodes: tables in Redis 7 or newer, or in Valkey.

A URL says where it is:

    redis://[user:password@]host[:6379][/db]                     one server
    rediss://…                                                   the same over TLS
    unix://[user:password@]/path/to/socket[?db=0]                one server on this machine
    redis+sentinel://[user:password@]host[:26379],host,…/service[/db][?sentinel_username=…&sentinel_password=…]
    redis+cluster://[user:password@]host[:6379],host,…           any nodes of the cluster, to start with
    rediss+sentinel://… and rediss+cluster://…                   the same over TLS

Options of redis-py may follow as a query: `?ssl_ca_certs=/etc/ca.pem`, `?ssl_cert_reqs=none`, …

`durability` says what an acknowledgement promises:

    fsync        The entry is on the disk of the primary and survives a crash or a power cut there. It needs
                 `appendfsync always`. A failover to a replica can lose the last entries.
    replicas=n   All replicas that might take the primary's place have the entry, and at least n. It survives that any
                 one server dies, stops for a while or is cut off, and the failover that follows. While fewer than n
                 replicas are in step, or no more than half of the sentinels in reach, nothing is acknowledged. It does
                 not survive that all servers that have it fail at once, unless they also sync their disks as above.

Both need `appendonly yes`, and `maxmemory-policy noeviction` if there is a `maxmemory`. This is checked where we are
permitted to ask for it; otherwise a warning is logged.

For replicas, name all sentinels in the URL, and do not set their `down-after-milliseconds` below 1000: who might take a
primary's place is looked up once a second. Sentinels ask only once a second whether a primary lives, and notice up to
a second late that one stands still. `SENTINEL DEBUG ping-period 200 ask-period 200` at each start, for which there is
no line in their file, spares most of that. If they cannot agree who is to act, they try again after twice their
`failover-timeout`, which is three minutes unless it is set: 2000 is enough. How long a failover takes, all in all, is
shown by `palatine chaos --store sentinel --faults failover`.

What a user of Redis must be permitted is listed by `rights()`, as rules for ACL SETUSER; a user of the sentinels needs
`+sentinel|get-master-addr-by-name +sentinel|master +sentinel|replicas`. Everything in Redis begins with a prefix, so
that several installations can share one.
"""

from ..contract import Damaged
from .server_setup import rights
from .store import RedisStore

__all__ = ["Damaged", "RedisStore", "rights"]
