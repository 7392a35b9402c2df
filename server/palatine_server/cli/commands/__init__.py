"""The server's commands: one module for each, with its options and its body.

`palatine --help` loads all of these modules. So they import what a command needs only when it runs.
"""
