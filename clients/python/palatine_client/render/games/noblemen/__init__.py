"""The shared parts of all renderings of Noblemen: theme, translations, names, estate model, derived values."""
