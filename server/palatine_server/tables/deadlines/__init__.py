"""Deadlines: the clocks of a table, the store's time, and what happens when a player's time is up."""
