"""A complete random player that needs only `websockets`: `python minimal.py ws://localhost:8080 [TABLE]`.

It keeps no board: the server sends every legal choice, and the player picks one at random. A real client also applies
patches to keep the board, checks the digest of each update, and reconnects when the connection is lost.
"""
# ruff: noqa: S310, S311, T201

import asyncio
import json
import random
import sys
import urllib.request

from websockets.asyncio.client import connect


async def send(socket, kind, **fields):
    await socket.send(json.dumps({"type": kind, "id": f"{random.getrandbits(64):x}", **fields}))


async def ask(socket, kind, **fields):
    await send(socket, kind, **fields)
    reply = json.loads(await socket.recv())  # before the first `watch`, only replies arrive
    return reply if reply["type"] != "refused" else sys.exit(reply["sentence"])


def is_known(choice):  # a later server may have other kinds of fields
    return all(isinstance(f, list) or f["kind"] in ("range", "pick") for f in choice.get("fields", {}).values())


def draw_value(field):
    if isinstance(field, list):
        return random.choice(field)
    if field["kind"] == "range":
        return random.randint(field["low"], field["high"])
    return random.sample(field["of"], random.randint(field["least"], min(field["most"], len(field["of"]))))


async def play(socket, table):
    await send(socket, "watch", table=table)
    known, answered = {"version": 0, "info": {"status": "unknown"}, "waiting": []}, None
    while known["info"]["status"] != "over":
        message = json.loads(await socket.recv())
        if message["type"] == "refused" or (message["type"] == "snapshot" and message["version"] < known["version"]):
            answered = None  # the offer changed before our answer arrived, or the answer was lost: answer again
        if message["type"] == "update" and message.pop("info", None):
            await send(socket, "watch", table=table)  # this program applies no patches, so it asks for a snapshot
        known |= message  # an update leaves out what stays as it was
        offer, waited_for = known.get("offer"), [waiting["seat"] for waiting in known["waiting"]]
        if offer and offer["id"] != answered and known["seat"] in waited_for:
            choice, answered = random.choice(list(filter(is_known, offer["choices"]))), offer["id"]
            action = {name: draw_value(field) for name, field in choice.get("fields", {}).items()}
            await send(socket, "act", table=table, offer=answered, action={"do": choice["do"], **action})
    names = [*(seat["name"] for seat in known["info"]["seats"]), "Ludwig"]  # whose seat has no player
    for row in sorted(known["info"]["standings"], key=lambda row: row["rank"]):  # a name may contain control characters
        print(row["rank"], "".join(filter(str.isprintable, names[row["seat"]])), row["score"])


async def main(url, table=None):
    with urllib.request.urlopen(url.replace("ws", "http", 1) + "/v1/guests", b'{"name": "Minimal"}') as response:
        token = json.load(response)["token"]
    async with connect(f"{url}/v1/ws", subprotocols=["palatine.v1.json"]) as socket:
        await ask(socket, "hello", token=token)
        new = None if table else await ask(socket, "create", game="between_two_castles", seats=3)
        table = table or new["table"]
        for request in ("sit", "add_bot", "add_bot", "start") if new else ("sit",):
            await ask(socket, request, table=table)
        await play(socket, table)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
