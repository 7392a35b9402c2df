"""The load tool: many tables at once, whose players choose at random from what they are offered.

The coordinator process plans and reports, worker processes play, and one more process probes the server on connections
of its own. One worker runs all players and spectators of a table, so that one clock measures the time from an action
to its last viewer. Each worker measures its own pauses too, and the report says when these pauses, and not the server,
explain its figures.
"""
