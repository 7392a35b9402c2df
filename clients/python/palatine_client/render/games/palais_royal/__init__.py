"""What all renderings of Palais Royal share: theme, translations, names of pieces and players, derived values."""
