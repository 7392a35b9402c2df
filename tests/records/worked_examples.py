"""The worked examples of FAIRNESS.md and RECORD.md.

`PYTHONPATH=tests python tests/records/worked_examples.py` writes them into the pages.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from palatine_protocol import digest
from palatine_protocol.spec import README, between
from palatine_server.games.kit import Drawing, plain, record_draws
from palatine_server.games.registry import GAMES
from palatine_server.tables import fairness
from palatine_server.tables.model import SealedChoice

FAIRNESS, RECORD = README.with_name("FAIRNESS.md"), README.with_name("RECORD.md")
VECTORS = README.parent / "vectors" / "records.json"
SEED = bytes(range(32)).hex()
ENTROPY = ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "", "00112233445566778899aabbccddeeff"]
GAME = GAMES["between_two_castles"]
SEALED = 7  # the version of the sealed choice
SHOWN = 4  # places at each end of a shuffle


def build_fairness_example() -> str:
    """Return the example of FAIRNESS.md: from the seeds to the first hand, and a sealed choice."""
    seed = fairness.derive_game_seed(SEED, ENTROPY)
    with record_draws() as drawings:
        play = GAME.begin(len(ENTROPY), seed)
    rooms = next(drawing for drawing in drawings if drawing.label == "rooms")
    return join_rows(
        [*show_seeds(seed), *show_shuffle(seed, rooms, play.hands[0].tiles), *show_seal(play.hands[0].tiles)]
    )


def show_seeds(seed: str) -> list[tuple[str, Any]]:
    return [
        ("the server's seed", SEED),
        ("`info.commitment`", fairness.compute_commitment(SEED)),
        ("the entropy of the seats", ", ".join(each or "none" for each in ENTROPY)),
        ("the message of point 3, as text", f"palatine game {','.join(ENTROPY)}"),
        ("the seed of the game", seed),
    ]


def show_shuffle(seed: str, rooms: Drawing, hand: list[str]) -> list[tuple[str, Any]]:
    """Return the first block of a shuffle, its result, and the pieces at the top of the pile."""
    message, result = f"{rooms.number}/{rooms.label}/0", rooms.result
    block = hmac.digest(bytes.fromhex(seed), message.encode(), "sha256").hex()
    ends = f"{join(result[:SHOWN])}, …, {join(result[-SHOWN:])}"
    catalog = [room["id"] for room in GAME.catalog["room"]]
    top = [catalog[place] for place in result[: -SHOWN - 1 : -1]]
    return [
        (f"drawing {rooms.number}, `{rooms.label}`: a shuffle of", f"{rooms.of} tiles"),
        (f'block 0, `HMAC-SHA-256(seed of the game, "{message}")`', block),
        ("its first word", int(block[:16], 16)),
        (f"the first number: that word modulo {rooms.of}", int(block[:16], 16) % rooms.of),
        ("the result: old places in the new order", ends),
        ("the pile from its top: these places in the catalog", join(top)),
        ("the hand of the first player begins with", join(hand[:SHOWN])),
    ]


def show_seal(hand: list[str]) -> list[tuple[str, Any]]:
    """Return a sealed choice of two tiles, and what opens it."""
    choice = SealedChoice(SEALED, 0, {"do": "choose", "tiles": hand[:2]})
    opened = fairness.open_choice(SEED, choice)
    return [
        ("a sealed choice, as canonical text", digest.canonical([choice.seat, choice.action]).decode()),
        ("its salt", opened["salt"]),
        ("its seal", fairness.seal_choice(SEED, choice)),
    ]


def build_record_example() -> str:
    """Return the example of RECORD.md: a text and its hash, the signed message, and the checksum."""
    lines = json.loads(VECTORS.read_text("utf-8"))["records"][0]["file"].splitlines(keepends=True)
    parts = [json.loads(line) for line in lines]
    text = next(part for part in parts if "kind" in part)
    body = "".join(line for line, part in zip(lines, parts, strict=True) if "record" in part or "version" in part)
    signature = next(part["signature"] for part in parts if "signature" in part)
    hashed = f"palatine {text['kind']} ".encode() + bytes.fromhex(text["salt"]) + text["text"].encode()
    body_hash = hashlib.sha256(body.encode()).hexdigest()
    return join_rows(
        [
            ("a text", f"{text['kind']}: {text['text']}"),
            ("its salt", text["salt"]),
            ("the bytes that are hashed, in hexadecimal digits", hashed.hex()),
            ("its hash", hashlib.sha256(hashed).hexdigest()),
            ("header and entries", f"{len(body.encode())} bytes, with the line feeds"),
            ("`body`", body_hash),
            (
                "the signed bytes, as a JSON string",
                json.dumps(f"palatine record 2\n{body_hash}\n{signature['server']}\n"),
            ),
            ("`public`", signature["public"]),
            ("`value`", signature["value"]),
            ("`sha256` of the last line", parts[-1]["sha256"]),
        ]
    )


def join(items: list[Any]) -> str:
    return ", ".join(map(str, items))


def join_rows(rows: list[tuple[str, Any]]) -> str:
    lines = ["| what | value |", "|---|---|", *(f"| {name} | `{plain(value)}` |" for name, value in rows)]
    return "".join(f"{line}\n" for line in lines)


EXAMPLES = {FAIRNESS: build_fairness_example, RECORD: build_record_example}


if __name__ == "__main__":
    for page, build in EXAMPLES.items():
        page.write_text(between("example", page.read_text("utf-8"), build()), "utf-8")
