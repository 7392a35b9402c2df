"""The services that all tables of a node share: store, clock, metrics, and the functions of the directory they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..bots.turns import BotScheduler
from ..metrics import Metrics
from ..settings import Settings
from ..store import Store
from .queries.answers import Answers
from .queries.descriptions import Descriptions
from .requests import TableRequest
from .state import TableState

if TYPE_CHECKING:
    from .table import Table

Clock = Callable[[], int]


class TableServices(NamedTuple):
    """The dependencies of a table."""

    store: Store
    settings: Settings
    clock: Clock
    metrics: Metrics
    closed_for: Callable[[], int | None]  # the total downtime in milliseconds; None: not known yet
    doubt_time: Callable[[], None]  # called when another node knows of more downtime
    changed: Callable[[str, TableState], None]  # called when a table was opened, or has changed
    answers: Answers
    descriptions: Descriptions | None
    bots: BotScheduler
    start_task: Callable[..., object]  # of the node: an async function and its arguments
    resubmit: Callable[[TableRequest], None]  # brings a request to the table that takes the place of a closed one
    forget: Callable[[Table], None]  # called when the table is closed
