"""A complete random player that needs only websockets and msgpack: `python minimal.py ws://localhost:8080 [TABLE]`.

It keeps no board: the server sends every legal choice, and the player picks one at random. A real client also applies
patches to keep the board, checks the digest of each update, and reconnects when the connection is lost.
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

REQUEST_IDS = itertools.count()  # a user may use each id once; this program is a new user in every run


def create_guest(url):
    request = urllib.request.Request(url.replace("ws", "http", 1) + "/v1/guests", b'{"name": "Minimal"}')
    with urllib.request.urlopen(request) as response:
        return json.load(response)["token"]


async def send(socket, kind, **fields):
    await socket.send(msgpack.packb({"type": kind, "id": str(next(REQUEST_IDS)), **fields}))


async def receive(socket):
    while True:
        try:
            return msgpack.unpackb(await asyncio.wait_for(socket.recv(), 15))
        except TimeoutError:
            await send(socket, "ping")  # the server closes connections that stay silent


async def ask(socket, kind, **fields):
    await send(socket, kind, **fields)
    reply = await receive(socket)  # before the first `watch`, only replies arrive
    return reply if reply["type"] != "refused" else sys.exit(reply["sentence"])


def draw_value(field):
    match field:
        case {"kind": "range", "low": low, "high": high}:
            return random.randint(low, high)
        case {"kind": "pick", "least": least, "most": most, "of": items}:
            return random.sample(items, random.randint(least, min(most, len(items))))
    return random.choice(field)  # a list of values


async def play(socket, table):
    await send(socket, "watch", table=table)
    known, answered = {"info": {"status": "unknown"}, "waiting": []}, None
    while known["info"]["status"] != "over":
        message = await receive(socket)
        went_back = message["type"] == "snapshot" and message["version"] < known.get("version", 0)
        if message["type"] == "refused" or went_back:
            answered = None  # the offer changed before our answer arrived, or the answer was lost: answer again
        if message["type"] == "update" and message.pop("info", None):
            await send(socket, "watch", table=table)  # this program applies no patches, so it asks for a snapshot
        known |= message  # an update leaves out what stays as it was
        offer, waited_for = known.get("offer"), [waiting["seat"] for waiting in known["waiting"]]
        if offer and offer["id"] != answered and known["seat"] in waited_for:
            choice, answered = random.choice(offer["choices"]), offer["id"]
            action = {name: draw_value(field) for name, field in choice.get("fields", {}).items()}
            await send(socket, "act", table=table, offer=answered, action={"do": choice["do"], **action})
    return known["info"]


async def main(url, table=None):
    async with connect(f"{url}/v1/ws", subprotocols=["palatine.v1.msgpack"]) as socket:
        await ask(socket, "hello", token=create_guest(url))
        if table:
            await ask(socket, "sit", table=table)
        else:
            table = (await ask(socket, "create", game="between_two_castles", seats=3))["table"]
            for request in ("sit", "add_bot", "add_bot", "start"):
                await ask(socket, request, table=table)
        info = await play(socket, table)
    for row in sorted(info["standings"], key=lambda row: row["rank"]):
        name = info["seats"][row["seat"]]["name"]  # may contain control characters
        print(row["rank"], "".join(filter(str.isprintable, name)), row["score"])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
