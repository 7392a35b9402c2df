"""The web: HTTP routes and the websocket as one Starlette application, and the server that runs it."""
