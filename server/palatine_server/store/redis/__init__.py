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
    replicas=n   All replicas that might become primary have the entry, and at least n of them. The entry survives the
                 crash, pause or isolation of any one server, and the failover that follows. While fewer than n replicas
                 are in step, or at most half of the sentinels answer, no entry is acknowledged. The entry does not
                 survive if all servers that have it fail at once, unless they also sync their disks as above.

Both need `appendonly yes`, and `maxmemory-policy noeviction` if there is a `maxmemory`. A node checks these settings if
it is permitted to read them; otherwise it logs a warning.

For replicas, name all sentinels in the URL, and do not set their `down-after-milliseconds` below 1000: a node looks up
once a second which replicas might become primary. Sentinels ping a primary only once a second, and so notice up to a
second late that it hangs. The command `SENTINEL DEBUG ping-period 200 ask-period 200` avoids most of that delay; it
must be sent after each start, because the configuration file has no such option. If the sentinels cannot agree on a
leader, they try again after twice their `failover-timeout`. Its default is three minutes; set it to 2000.
`palatine chaos --store sentinel --faults failover` shows how long a failover takes.

`rights()` returns the permissions that a Redis user needs, as rules for ACL SETUSER; a user of the sentinels needs
`+sentinel|get-master-addr-by-name +sentinel|master +sentinel|replicas`. All keys and channels begin with a prefix, so
that several installations can share one Redis.
"""

from ..contract import Damaged
from .server_setup import rights
from .store import RedisStore

__all__ = ["Damaged", "RedisStore", "rights"]
