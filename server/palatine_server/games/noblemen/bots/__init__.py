"""The bots of Noblemen."""
