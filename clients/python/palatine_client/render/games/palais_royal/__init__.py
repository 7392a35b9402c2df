"""The shared parts of all renderings of Palais Royal: theme, translations, names, derived values."""
