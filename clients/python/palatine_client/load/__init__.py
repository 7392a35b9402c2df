"""The load tool: it plays many tables at once, with players that choose at random from their offers.

The coordinator process plans and reports, worker processes play, and a probe process measures the server on separate
connections. One worker runs all players and spectators of a table, so that one clock measures the time from an action
to its last viewer. Each worker measures its own pauses too, and the report says when these pauses, and not the server,
explain its figures.
"""
