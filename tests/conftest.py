"""Settings for all tests."""

import os

from hypothesis import settings

# No deadline: the time of an example means nothing on a shared machine.
settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")

# Bots with the lowest priority would wait for all other tests.
os.environ.setdefault("PALATINE_BOT_NICENESS", "0")
