"""The zones that a seat may not see: drawn anew for a search, swapped for a test, and left out of its view."""
