"""Settings for all tests."""

import logging
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# No deadline: the time of an example means nothing on a shared machine.
settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")

# Bots with the lowest priority would wait for all other tests.
os.environ.setdefault("PALATINE_BOT_NICENESS", "0")


class _Alarm(logging.Handler):
    """Raises what is logged: a presentation that fails is replaced by the generic one, and no test would notice."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage()) from (record.exc_info[1] if record.exc_info else None)


@pytest.fixture(autouse=True)
def no_presentation_fails(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail if a presentation fails, unless the test is about that."""
    log, alarm = logging.getLogger("palatine.presentations"), _Alarm(logging.ERROR)
    if "broken_presentation" not in request.keywords:
        log.addHandler(alarm)
    yield
    log.removeHandler(alarm)
