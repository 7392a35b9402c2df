"""The marker that names the rules that a test covers: `@rule("B2C-PLACE-9")`."""

import pytest

rule = pytest.mark.rule
