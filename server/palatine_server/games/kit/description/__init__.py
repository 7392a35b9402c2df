"""How a game describes itself: schemas, labels in two languages, and what values name."""
