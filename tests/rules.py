"""The marker that names the rules a test rests on: `@rule("B2C-PLACE-9")`."""

import pytest

rule = pytest.mark.rule
