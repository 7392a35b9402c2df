"""Between Two Castles: one module per chapter of the rulebook."""
