"""What all renderings of Noblemen share: theme, translations, names, the model of an estate, derived values."""
