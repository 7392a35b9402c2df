"""Play and watch for programs: a JSON object per line, in both directions."""
