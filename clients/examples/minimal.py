"""A complete random player with nothing but websockets and msgpack: `python minimal.py ws://localhost:8080 [TABLE]`.

It needs no board: the server says what is legal, and a random player only has to draw from it. A real client keeps
the board by applying patches, checks the digest of each update, and comes back when the connection is lost.
"""
# ruff: noqa: S310, S311, T201

import asyncio
import itertools
import json
import random
import sys
import urllib.request

import msgpack
from websockets.asyncio.client import connect


def new_guest(url):
    request = urllib.request.Request(url.replace("ws", "http", 1) + "/v1/guests", b'{"name": "Minimal"}')
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]


def drawn(field):
    """One value of a field: an integer of a range, a pick of some items, or one of a list."""
    match field:
        case {"kind": "range", "low": low, "high": high}:
            return random.randint(low, high)
        case {"kind": "pick", "least": least, "most": most, "of": items}:
            return random.sample(items, random.randint(least, min(most, len(items))))
    return random.choice(field)


async def play(url, table=None):
    async with connect(f"{url}/v1/ws", subprotocols=["palatine.v1.msgpack"]) as socket:
        numbers = itertools.count()  # request ids must differ for one user; we are a new one

        async def send(kind, **fields):
            await socket.send(msgpack.packb({"type": kind, "id": str(next(numbers)), **fields}))

        async def ask(kind, **fields):  # nothing but the reply arrives as long as no table is watched
            await send(kind, **fields)
            return msgpack.unpackb(await socket.recv())

        heartbeat = (await ask("hello", token=new_guest(url)))["heartbeat"]
        if table:
            await ask("sit", table=table)
        else:
            table = (await ask("create", game="between_two_castles", seats=3))["table"]
            for step in ("sit", "add_bot", "add_bot", "start"):
                await ask(step, table=table)
        await send("watch", table=table)

        known, answered = {}, None
        while known.get("info", {}).get("status") != "over":
            try:
                message = msgpack.unpackb(await asyncio.wait_for(socket.recv(), heartbeat / 2))
            except TimeoutError:
                await send("ping")
                continue
            if message["type"] == "refused":
                answered = None  # the offer changed before our answer arrived: look again
            if message["type"] == "update" and message.pop("info", None):
                await send("watch", table=table)  # we do not apply patches; have it all shown anew
            known |= message  # what an update does not name stays as it was
            is_waited_for = any(waiting["seat"] == known["seat"] for waiting in known.get("waiting", ()))
            if is_waited_for and known["offer"]["id"] != answered:
                choice = random.choice(known["offer"]["choices"])
                action = {"do": choice["do"]} | {name: drawn(field) for name, field in choice.get("fields", {}).items()}
                answered = known["offer"]["id"]
                await send("act", table=table, offer=answered, action=action)

        for row in sorted(known["info"]["standings"], key=lambda row: row["rank"]):
            seat = known["info"]["seats"][row["seat"]] if row["seat"] < len(known["info"]["seats"]) else None
            print(row["rank"], seat["name"] if seat else "the game itself", row["score"])


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
