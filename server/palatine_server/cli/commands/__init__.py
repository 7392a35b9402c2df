"""The server's commands: one module for each, with its options and its body.

`palatine --help` loads all of these modules. So each command imports its other modules only when it runs.
"""
