"""The command line of the server: its commands, and what they share."""
