"""The load tool: many tables at once, played by programs that choose at random from what they are offered.

The coordinator process plans and reports, worker processes play, and one more process probes the server on connections
of its own. A table belongs to one worker, with everybody who sits there or looks on, so that the time from an action to
the last of its viewers is measured on one clock. Each worker measures its own pauses too, and the report says when they
and not the server explain its figures.
"""
