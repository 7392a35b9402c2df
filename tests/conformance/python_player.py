"""A player on the Python client, for the conformance kit: `python python_player.py URL TOKEN TABLE`."""

import asyncio
import sys

import palatine_client


async def main(url: str, token: str, table: str) -> None:
    async with palatine_client.connect(url, token=token) as client:
        await palatine_client.run_bot(client, table, palatine_client.choose_randomly)


asyncio.run(main(*sys.argv[1:]))
