"""What all tables of a node share: the store, the clock, the metrics, and the parts of the directory they call."""

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
    closed_for: Callable[[], int | None]  # milliseconds in which no node ran, altogether, as far as is known
    doubt_time: Callable[[], None]  # another node knows more of that
    changed: Callable[[str, TableState], None]  # a table was opened, or has changed
    answers: Answers
    descriptions: Descriptions | None
    bots: BotScheduler
    start_task: Callable[..., object]  # of the node: an async function and its arguments
    resubmit: Callable[[TableRequest], None]  # brings a request to the table that takes the place of a closed one
    forget: Callable[[Table], None]  # the table is closed
