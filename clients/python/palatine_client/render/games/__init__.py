"""One package for each game, with its presentation and the names, themes and translations that its renderings share."""
