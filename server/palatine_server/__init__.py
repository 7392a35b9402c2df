"""The server: a shelf of pure games and what carries them to the world."""
