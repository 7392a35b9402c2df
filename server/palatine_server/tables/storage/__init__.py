"""How a table is kept in the store: its log, its snapshots, and how they are read."""
