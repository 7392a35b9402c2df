"""One package for each game, with everything that its text, terminal and later SVG renderings share."""
