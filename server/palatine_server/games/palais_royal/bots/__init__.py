"""The bots of Palais Royal."""
