"""The components, read from catalog.toml."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
SPICES = {spice["id"]: spice for spice in tomllib.loads((FOLDER / "catalog.toml").read_text("utf-8"))["spices"]}
CELLS = [(x, y) for y in range(3) for x in range(3)]
