"""Viewers: the messages that a table sends to each of them, live or delayed."""
