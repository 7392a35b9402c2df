"""The command line of the server: its commands, and the modules they share."""
