"""A bot process that misbehaves in one way, which its first argument names."""

import json
import os
import sys
import time


def say(value):
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value)) + "\n")
    sys.stdout.flush()


def answer(turn, mode):
    offer, first = turn["offer"]["id"], pick(turn["offer"]["choices"][0])
    act = {"type": "act", "offer": offer, "action": first}
    strange = {
        "garbage": "this is no JSON",
        "wrong_type": {"type": "act", "offer": "x", "action": 7},
        "future": {**act, "offer": offer + 9},
        "illegal": {**act, "action": {"do": "no_such_verb"}},
    }
    misbehave(mode, offer)
    if mode != "silent":
        say(strange.get(mode, act))


def misbehave(mode, offer):
    """Do something before the answer, or instead of it."""
    if mode == "crash":
        sys.stderr.write("I fell over")
        sys.stderr.flush()
        os._exit(3)
    if mode == "late_once" and offer == 0:
        time.sleep(1.0)
    if mode == "long_line":
        sys.stdout.write("x" * 10_000_000)
    if mode == "flood":
        for _ in range(100_000):
            say({"type": "act", "offer": -5, "action": {}})
    if mode == "loud":
        sys.stderr.write("noise " * 100_000)
        sys.stderr.flush()


def pick(choice):
    """The first action of a choice."""
    return {"do": choice["do"], **{name: first(field) for name, field in choice.get("fields", {}).items()}}


def first(field):
    if isinstance(field, list):
        return field[0]
    return field["low"] if field["kind"] == "range" else field["of"][: field["least"]]


def main():
    mode = sys.argv[1]
    for line in sys.stdin:
        order = json.loads(line)
        if order["type"] == "hello" and mode != "never_ready":
            say({"type": "ready"})
        elif order["type"] == "turn":
            answer(order, mode)
        if mode == "stops_reading":
            time.sleep(60)


main()
