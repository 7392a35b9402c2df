"""HTTP routes: their handlers and the files they serve."""
