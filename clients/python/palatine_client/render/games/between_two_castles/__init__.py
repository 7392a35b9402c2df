"""The shared parts of all renderings of Between Two Castles: theme, translations, names of pieces and players."""
