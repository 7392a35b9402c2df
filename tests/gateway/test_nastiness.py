"""`palatine serve --nasty`: real games against a nasty server, to their end and without a mistake."""

from pathlib import Path

import anyio
import pytest
import typer
from server_fixture import running

import palatine_client
from palatine_protocol.codec import JSON, MSGPACK
from palatine_server.cli.commands import serve
from palatine_server.gateway.nastiness import Nastiness


async def test_python_client_plays_to_the_end_on_a_nasty_server(tmp_path: Path) -> None:
    """A game for each wire, both at once; with a short heartbeat, clients soon ask for what was lost."""
    async with running(tmp_path, nasty=7, heartbeat=1) as house:
        with anyio.fail_after(120):
            async with anyio.create_task_group() as games:
                for wire in (JSON, MSGPACK):
                    games.start_soon(play, house.socket.removesuffix("/v1/ws"), wire)


async def play(server: str, wire: str) -> None:
    """Play a whole game of two at random, with a bot."""
    async with palatine_client.connect(server, name="Ada", subprotocol=wire) as ada:
        table = await ada.create("palais_royal", seats=2)
        await table.sit()
        await table.fill()
        await table.start()
        standings = await palatine_client.run_bot(ada, table, palatine_client.choose_randomly)
    assert len(standings) == 2


@pytest.mark.parametrize(
    ("words", "seeds"),
    [
        (["--nasty"], range(10_000)),
        (["--nasty", "--log", "json"], range(10_000)),
        (["--nasty", "7"], [7]),
        (["--nasty=7"], [7]),
        ([], [None]),
    ],
)
def test_command_takes_a_seed_or_picks_one(words: list[str], seeds: list[int | None]) -> None:
    app = typer.Typer()
    serve.add_to(app)
    context = typer.main.get_command(app).make_context("serve", words)
    assert context.params["nasty"] in seeds


class Line:
    """A connection that notes what happens to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.ends = 0

    def cut(self) -> None:
        self.ends += 1

    def end_soon(self, code: int, reconnect_in_ms: int | None = None) -> None:
        self.ends += 1


async def send_many(seed: int) -> Line:
    line = Line()
    send = Nastiness(seed).wrap(line, line.sent.append, is_text=True)
    for version in range(2_000):
        send(b'{"type":"update","table":"T","version":%d,"digest":1}' % version)
    await anyio.sleep(0.2)  # longer than the longest delay
    return line


async def test_nastiness_follows_from_the_seed_and_does_all_it_says() -> None:
    first, again, other = await send_many(1), await send_many(1), await send_many(2)
    assert first.sent == again.sent != other.sent
    updates = [frame for frame in first.sent if b'"type":"update"' in frame]
    assert len(set(updates)) < 2_000 < len(first.sent)
    assert len(updates) > len(set(updates))
    assert all(b"key_of_tomorrow" in frame for frame in updates)
    assert any(b"message_of_tomorrow" in frame for frame in first.sent)
    assert first.ends > 0
