"""Reference clients: command line and bots."""
