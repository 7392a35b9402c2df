"""The conformance kit: a scripted server plays scenarios with a client, and judges what it sees on the wire.

checks.py           what a client must do, each a sentence of the protocol page
socket_server.py    HTTP and websockets on one port, with full control over every byte
lantern_game.py     a game that no client knows
scripted_server.py  a server that keeps one table of it; scenarios change single parts
scenarios/          one class for each situation, with its verdicts
runner.py           starts the client once for each scenario
reports.py          the verdicts for people, as JSON and as JUnit; expected failures
"""
