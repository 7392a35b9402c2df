"""Renderings of games as text and for the terminal, in every language."""
