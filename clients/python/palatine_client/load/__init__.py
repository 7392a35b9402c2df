"""The load tool: many tables at once, played by programs that choose at random from what they are offered.

One process plans and reports (`conducting`), others play (`working`). A table belongs to one process, with everybody
who sits there or looks on, so that the time from an action to the last of its viewers is measured on one clock.
"""
