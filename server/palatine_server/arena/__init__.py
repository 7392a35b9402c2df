"""The arena: contenders play many games with duplicate deals, and a report says how strong each of them is."""
