"""The JSON mode of `play` and `watch`: one JSON object per line, in both directions."""
