"""Checks of a game by itself: its laws in played games, its rules, words, catalog and description, and its secrets."""
