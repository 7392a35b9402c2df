"""A random player that needs only `websockets`: `python minimal.py ws://localhost:8080 [TABLE]`. It keeps no board."""

import json
import random
import sys
from urllib.request import urlopen

from websockets.sync.client import connect


def draw_value(field):
    if isinstance(field, dict) and field["kind"] == "pick":
        return random.sample(field["of"], random.randint(field["least"], min(field["most"], len(field["of"]))))
    return random.choice(field if isinstance(field, list) else range(field["low"], field["high"] + 1))


def is_known(choice):  # a later server may have other kinds of fields
    return all(isinstance(f, list) or f["kind"] in ("range", "pick") for f in choice.get("fields", {}).values())


def send(kind, **fields):
    socket.send(json.dumps({"type": kind, "id": f"{random.getrandbits(64):x}", **fields}))


url, *tables = sys.argv[1:]
token = json.load(urlopen(url.replace("ws", "http", 1) + "/v1/guests", b'{"name": "Minimal"}'))["token"]
with connect(f"{url}/v1/ws", subprotocols=["palatine.v1.json"]) as socket:
    inbox = (each for each in map(json.loads, socket) if each["type"] in ("created", "refused", "snapshot", "update"))
    send("hello", token=token)
    if not tables:
        send("create", game="between_two_castles", seats=3)
    table = tables[0] if tables else next(inbox)["table"]
    for kind in ("sit", "watch") if tables else ("sit", "add_bot", "add_bot", "start", "watch"):
        send(kind, table=table)
    known, answered = {"version": 0, "info": {"status": "unknown"}, "waiting": []}, None
    while known["info"]["status"] != "over":
        message = next(inbox)
        if message["type"] == "refused" or (message["type"] == "snapshot" and message["version"] < known["version"]):
            answered = None if "board" in known else sys.exit(message["sentence"])  # answer again: the offer changed
        if message["type"] == "update" and message.pop("info", None):
            send("watch", table=table)  # it applies no patches, and needs a snapshot to know that the game is over
        known |= message  # an update leaves out what stays as it was
        offer, waited_for = known.get("offer"), [waiting["seat"] for waiting in known["waiting"]]
        if offer and offer["id"] != answered and known["seat"] in waited_for:
            choice, answered = random.choice(list(filter(is_known, offer["choices"]))), offer["id"]
            action = {name: draw_value(field) for name, field in choice.get("fields", {}).items()}
            send("act", table=table, offer=answered, action={"do": choice["do"], **action})
names = [*(seat["name"] for seat in known["info"]["seats"]), "Ludwig"]  # whose seat has no player
for row in sorted(known["info"]["standings"], key=lambda row: row["rank"]):  # a name may contain control characters
    print(row["rank"], "".join(filter(str.isprintable, names[row["seat"]])), row["score"])
