"""What all renderings of Between Two Castles share: theme, translations, names of pieces and players."""
