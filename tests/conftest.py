"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says nothing on a machine that is shared.
settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")
