"""What holds for all tests."""

import os

from hypothesis import settings

# How long an example takes says nothing on a machine that is shared.
settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")

# House bots of the least priority would wait for all other tests.
os.environ.setdefault("PALATINE_BOT_NICENESS", "0")
