"""The developer page: an author of a game looks into every zone of a local table, steps through it and forks it."""
