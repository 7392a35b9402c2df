"""The commands of somebody who runs a server."""
