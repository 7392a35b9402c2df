"""How a game is shown: as text, and as pictures for the terminal, in every language."""
