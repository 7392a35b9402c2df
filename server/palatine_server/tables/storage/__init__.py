"""Storage of tables: their logs and snapshots, and the code that writes and reads them."""
