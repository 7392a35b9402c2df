"""Lines to Redis: who is primary for a key, one connection to each primary, and one more that listens for hints.

A line sends everything that waits for it together and reads all replies before it takes what has come meanwhile.
Nothing is ever sent twice: when a line fails, whoever waited on it is told Unavailable, the connection is dropped, and
the next one to ask looks up anew who is primary. With `replicas` an answer is given only when that many replicas have
confirmed a mark written after it; so what is read is as safe as what is written.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from asyncio import Event, Future, Task, TaskGroup, create_task, gather, get_running_loop, shield, timeout
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import batched
from pathlib import Path
from random import sample
from typing import Any, NamedTuple, cast
