"""Tables: one table's life, from the first seat to the last entry."""
