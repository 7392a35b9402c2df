"""`python tests/protocol/exchange.py` plays the opening of a game on a fresh server and writes it into the README.

Only the standard library and a websocket, as in any client.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from palatine_protocol.spec import README, between

WIDTH = 110
QUIET = 0.5  # seconds
TILES = 2  # of a hand, for the first choice
FAR = [9, 9]  # a cell that touches no castle
MOST_MESSAGES = 300  # until a castle earns a bonus
DECISION = ["castles", 0, "decision"]  # of the castle between Ada and the bot
LABELS = (
    *("verbs.place", "news.room_placed", "fields.cell", "options.takeback", "errors.not_adjacent"),
    *("zones.castles", "words.phase.choose", "units.tile", "figures.decoration", "seats"),
)
IDLE = {"take_back", "hold", "release", "tick", "untick"}  # verbs that go back or delay


@contextmanager
def server() -> Iterator[str]:
    """A server with an empty data directory, and where it is."""
    command = [str(Path(sys.executable).with_name("palatine")), "serve", "--port", "0", "--data"]
    with tempfile.TemporaryDirectory() as data:
        running = subprocess.Popen([*command, data], stderr=subprocess.PIPE, text=True)
        try:
            assert running.stderr is not None
            yield running.stderr.readline().split()[-1]
        finally:
            running.terminate()
            running.wait()
            assert running.stderr is not None
            running.stderr.close()


def guest(url: str, name: str) -> Any:
    request = urllib.request.Request(f"{url}/v1/guests", json.dumps({"name": name}).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


class Exchange:
    """A conversation that writes itself down."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.lines = socket, list[str]()
        self.heard = list[Any]()
        self.requests, self.table = 0, ""

    def tell(self, words: str) -> None:
        self.lines.append(f"{words}\n\n")

    def say(self, kind: str, **fields: Any) -> Any:
        """Send a request and return its reply, which is the next message."""
        self.requests += 1
        request = {"type": kind, "id": f"ada-{self.requests}", **fields}
        self.socket.send(json.dumps(request))
        self._note("You", request)
        return self.hear()

    def hear(self) -> Any:
        message = json.loads(self.socket.recv(timeout=10))
        self.heard.append(message)
        self._note("Server", message)
        return message

    def _note(self, who: str, message: Any) -> None:
        self.lines.append(f"{who}:\n\n```json\n{laid_out(message)}\n```\n\n")


def laid_out(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON on as few lines as fit the page."""
    whole = json.dumps(value, ensure_ascii=False)
    if indent + before + len(whole) < WIDTH or not isinstance(value, dict | list):
        return whole
    inner = indent + 2
    parts = [laid_out(item, inner) for item in value] if isinstance(value, list) else pairs(value, inner)
    lines = f",\n{' ' * inner}".join(packed(parts, WIDTH - inner))
    return f"{whole[0]}\n{' ' * inner}{lines}\n{' ' * indent}{whole[-1]}"


def pairs(value: dict[str, Any], indent: int) -> list[str]:
    return [f'"{key}": {laid_out(item, indent, len(key) + 4)}' for key, item in value.items()]


def packed(parts: list[str], width: int) -> list[str]:
    """Several short parts on a line; one that needs lines of its own stands alone."""
    lines = parts[:1]
    for part in parts[1:]:
        together = f"{lines[-1]}, {part}"
        if len(together) < width and "\n" not in together:
            lines[-1] = together
        else:
            lines.append(part)
    return lines


def play(exchange: Exchange, token: str) -> Any:
    """The opening: say hello, set a table up, decide twice; return the next offer."""
    exchange.tell("**Hello.** The first message says who you are.")
    exchange.say("hello", token=token)
    table = exchange.table = set_up(exchange)
    exchange.tell(
        "**The whole table.** The server answers `watch`, and then sends a snapshot. Two players play with Ludwig as a "
        "third, for whom no player acts: you drew two tiles for him and decide which goes where. "
        "The offer holds both actions."
    )
    exchange.say("watch", table=table)
    offer = exchange.hear()["offer"]
    return decide(exchange, table, offer)


def set_up(exchange: Exchange) -> str:
    exchange.tell("**A table.** You open a table, take a seat, ask for a bot and start the game.")
    table: str = exchange.say("create", game="between_two_castles", seats=2)["table"]
    exchange.say("sit", table=table)
    exchange.say("add_bot", table=table, policy="greedy")
    exchange.say("start", table=table)
    return table


def decide(exchange: Exchange, table: str, offer: Any) -> Any:
    """Make two decisions, and return the next offer."""
    (choice,) = offer["choices"]
    exchange.tell(
        "**An action.** Pick one from the offer and quote the offer's number. The reply comes first, then the update."
    )
    exchange.say(
        "act", table=table, offer=offer["id"], action={"do": choice["do"], "tile": choice["fields"]["tile"][0]}
    )
    choose = exchange.hear()["offer"]
    exchange.tell(
        "**Another player.** The bot has chosen. Its choice is secret, so the server sends you nothing of its hand."
    )
    exchange.hear()
    exchange.tell("**Another action.** Now `choose` offers a *pick*: any two tiles of your hand.")
    tiles = choose["choices"][0]["fields"]["tiles"]["of"][:TILES]
    exchange.say("act", table=table, offer=choose["id"], action={"do": "choose", "tiles": tiles})
    return exchange.hear()["offer"]


def find_placement(offer: Any) -> Any:
    """Return the first placement of an offer."""
    choice = next(choice for choice in offer["choices"] if choice["do"] == "place")
    return {"do": "place", **{name: values[0] for name, values in choice["fields"].items()}}


def fail(exchange: Exchange, offer: Any) -> str:
    """Try to place a room beside nothing, and return the refusal."""
    settle(exchange)
    action = {**find_placement(offer), "cell": FAR}
    refused = exchange.say("act", table=exchange.table, offer=offer["id"], action=action)
    return f"```json\n{laid_out(refused)}\n```\n"


def preview(exchange: Exchange, offer: Any) -> str:
    """Ask what a placement would change, and return the question and the answer."""
    start = len(exchange.lines)
    exchange.say("preview", table=exchange.table, action=find_placement(offer))
    return "".join(exchange.lines[start:]).removesuffix("\n")


def place(exchange: Exchange, offer: Any) -> None:
    """Place a room, and wait until the table is quiet."""
    exchange.say("act", table=exchange.table, offer=offer["id"], action=find_placement(offer))
    settle(exchange)


def settle(exchange: Exchange) -> None:
    """Wait until the table is quiet, so that the next message is a reply."""
    with suppress(TimeoutError):
        while True:
            exchange.socket.recv(timeout=QUIET)


def explain(exchange: Exchange) -> str:
    """Ask what each castle is worth, and return the question about the best one and its answer."""
    questions = exchange.say("explain", table=exchange.table)["questions"]
    castles = next(question["fields"]["castle"] for question in questions if question["do"] == "castle")
    asked = [ask(exchange, {"do": "castle", "castle": castle}) for castle in castles]
    return max(asked)[1]


def ask(exchange: Exchange, question: Any) -> tuple[int, str]:
    """Ask a question, and return the amount of the answer, and both as they are on the page."""
    start = len(exchange.lines)
    answer = exchange.say("explain", table=exchange.table, question=question)
    return answer["reason"]["amount"], "".join(exchange.lines[start:]).removesuffix("\n")


def find_decision(exchange: Exchange) -> str:
    """Play on until both partners of a castle decide, and return the patches with the decision and a proposal."""
    exchange.say("watch", table=exchange.table)
    view, answered = exchange.hear(), -1
    for _ in range(MOST_MESSAGES):
        action = find_action(view)
        if action and view["offer"]["id"] != answered:
            answered = view["offer"]["id"]
            heard = exchange.say("act", table=exchange.table, offer=answered, action=action)
        else:
            heard = exchange.hear()
        if heard["type"] == "refused":  # another player was quicker
            answered = -1
        if opened := find_operation(heard, DECISION):
            return show_patch(opened) + "\n" + show_patch(wait_for(exchange, [*DECISION, "proposals"]))
        view |= {name: heard[name] for name in ("offer", "waiting") if name in heard}
    raise LookupError("the castle earned no bonus; record again")


def find_operation(message: Any, path: list[Any]) -> Any:
    """Return the operation of an update that changes this place of the board."""
    operations = message.get("board") or []
    return next((each for each in operations if each[0][: len(path)] == path and each[1:] != [None]), None)


def wait_for(exchange: Exchange, path: list[Any]) -> Any:
    while (found := find_operation(exchange.hear(), path)) is None:
        pass
    return found


def show_patch(operation: Any) -> str:
    return f"```json\n{laid_out([operation])}\n```\n"


def find_action(view: Any) -> Any:
    """Return the first action that brings the game on, if the table waits for it."""
    choices = [choice for choice in (view["offer"] or {"choices": []})["choices"] if choice["do"] not in IDLE]
    if not choices or 0 not in [each["seat"] for each in view["waiting"]]:
        return None
    choices.sort(key=lambda choice: choice["do"] != "accept")
    return {"do": choices[0]["do"], **{name: first(of) for name, of in choices[0].get("fields", {}).items()}}


def first(field: Any) -> Any:
    """Return the first value of a field of an offer."""
    return field[0] if isinstance(field, list) else field["of"][: field["least"]]


def show_patches(exchange: Exchange) -> str:
    """Return the patches of the first update: together they set, splice and delete."""
    update = next(message for message in exchange.heard if message["type"] == "update")
    return "\n".join(f"```json\n{laid_out(update[zone])}\n```\n" for zone in ("board", "hand"))


def show_labels(url: str) -> str:
    """Return one line of each part of a game's labels."""
    with urllib.request.urlopen(f"{url}/v1/games/between_two_castles") as response:
        labels = json.load(response)["description"]["labels"]
    lines = "\n".join(f"{path} = {show_label(labels, path)}" for path in LABELS)
    return f"```text\n{lines}\n```\n"


def show_label(labels: Any, path: str) -> str:
    for key in path.split("."):
        labels = labels[key]
    return json.dumps(labels, ensure_ascii=False)


def record() -> dict[str, str]:
    """Return the texts between the markers of the README, recorded from a server."""
    with server() as url:
        ada = guest(url, "Ada")
        address = url.replace("http", "ws", 1) + "/v1/ws"
        with connect(address, subprotocols=[Subprotocol("palatine.v1.json")]) as socket:
            exchange = Exchange(socket)
            offer = play(exchange, ada["token"])
            played = "".join(exchange.lines).removesuffix("\n")
            asked = {"refusal": fail(exchange, offer), "preview": preview(exchange, offer)}
            place(exchange, offer)
            return {
                "exchange": played,
                "patches": show_patches(exchange),
                **asked,
                "explanation": explain(exchange),
                "decision": find_decision(exchange),
                "labels": show_labels(url),
            }


if __name__ == "__main__":
    page = README.read_text("utf-8")
    for name, text in record().items():
        page = between(name, page, text)
    README.write_text(page, "utf-8")
