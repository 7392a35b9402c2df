"""The store for production and for several nodes: tables in Redis 7 or newer, or in Valkey.

Where it is, is said by a URL:

    redis://[user:password@]host[:6379][/db]                     one server
    rediss://…                                                   the same over TLS
    unix://[user:password@]/path/to/socket[?db=0]                one server on this machine
    redis+sentinel://[user:password@]host[:26379],host,…/service[/db][?sentinel_username=…&sentinel_password=…]
    redis+cluster://[user:password@]host[:6379],host,…           any nodes of the cluster, as a beginning
    rediss+sentinel://… and rediss+cluster://…                   the same over TLS

Options of redis-py may follow as a query: `?ssl_ca_certs=/etc/ca.pem`, `?ssl_cert_reqs=none`, …

What an acknowledgement promises is said by `durability`:

    fsync        the entry is on the disk of the primary; it survives a crash or power cut of it. It needs `appendonly
                 yes` and `appendfsync always`, which is checked. A failover to a replica can lose the last entries.
    replicas=n   n replicas have the entry as well; it survives a failover to one of them. With fewer than n replicas in
                 reach nothing is acknowledged. Not promised: that it survives when the primary and all who confirmed
                 fail together, or when a primary that was thought dead comes back in the middle of a failover and is
                 still followed by a replica; with n as large as the number of replicas the latter cannot happen.

What a user of Redis must be permitted is listed by `rights()`, as rules for ACL SETUSER; a sentinel's needs
`+sentinel|master`. Everything in Redis begins with a prefix, so that several houses can share one.
"""

from .chain import Damaged
from .primary import rights
from .store import RedisStore

__all__ = ["Damaged", "RedisStore", "rights"]
