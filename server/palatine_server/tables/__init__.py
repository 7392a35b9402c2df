"""Tables: their state, the requests that change it, and the viewers that see it."""
