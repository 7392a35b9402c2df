"""Tables in chat rooms: a core without I/O that any chat network can use, and the Discord app on it.

The core takes events (a command, a click, a selection, a form) and returns messages with buttons, selections and
pictures. It knows no game: everything comes from offers and from the game's description of itself. It keeps no state:
the id of a button says what a click on it means, and the server checks every action.
"""
