"""Presence: which of the players that a table waits for are connected, to this node or to any other."""
