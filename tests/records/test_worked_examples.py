"""The worked examples of FAIRNESS.md and RECORD.md are up to date, and follow from the pages with other code."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from records.worked_examples import EXAMPLES, FAIRNESS, RECORD

from palatine_protocol.spec import between
from palatine_server.games.kit import record_draws
from palatine_server.games.registry import GAMES

SEED = "5e" * 32


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.name)
def test_up_to_date_run_the_module_if_this_fails(page: Path) -> None:
    assert page.read_text("utf-8") == between("example", page.read_text("utf-8"), EXAMPLES[page]())


def values_on(page: Path) -> dict[str, str]:
    """Return the values of the example on a page, by their names."""
    example = page.read_text("utf-8").split("(example)")[1].split("(end)")[0]
    return dict(re.findall(r"^\| (.+?) \| `(.*)` \|$", example, re.MULTILINE))


def sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_fairness_follows_from_the_page() -> None:
    values = values_on(FAIRNESS)
    seed, game_seed = bytes.fromhex(values["the server's seed"]), bytes.fromhex(values["the seed of the game"])
    assert values["`info.commitment`"] == sha256(b"palatine seed ", seed)
    message = values["the message of point 3, as text"].encode()
    assert hmac.new(seed, message, "sha256").digest() == game_seed
    block = next(value for name, value in values.items() if name.startswith("block 0"))
    number = next(name for name in values if name.startswith("drawing")).split()[1].rstrip(",")
    assert hmac.new(game_seed, f"{number}/rooms/0".encode(), "sha256").hexdigest() == block
    top = values["the pile from its top: these places in the catalog"]
    assert top == values["the hand of the first player begins with"]
    choice = values["a sealed choice, as canonical text"].encode()
    assert values["its seal"] == sha256(bytes.fromhex(values["its salt"]), choice)


def test_record_follows_from_the_page() -> None:
    values = values_on(RECORD)
    assert values["its hash"] == sha256(bytes.fromhex(values["the bytes that are hashed, in hexadecimal digits"]))
    signed = json.loads(values["the signed bytes, as a JSON string"])
    assert values["`body`"] in signed
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(values["`public`"]))
    key.verify(bytes.fromhex(values["`value`"]), signed.encode())


# Which pieces


def begun(name: str, players: int, **options: Any) -> tuple[Any, dict[str, list[int]]]:
    with record_draws() as drawings:
        play = GAMES[name].begin(players, SEED, options)
    return play, {drawing.label: drawing.result for drawing in drawings}


def shuffled(name: str, section: str, copies: str, places: list[int]) -> list[str]:
    """Return the pieces of a section in their order after a shuffle, as FAIRNESS.md says."""
    pieces = [piece["id"] for piece in GAMES[name].catalog[section] for _ in range(piece.get(copies, 1))]
    return [pieces[place] for place in places]


def test_pieces_between_two_castles_lie_in_the_order_of_the_catalog() -> None:
    game, places = begun("between_two_castles", 4)
    rooms = shuffled("between_two_castles", "room", "", places["rooms"])
    hands = [tile for hand in game.hands for tile in hand.tiles]
    assert rooms[: len(game.box.supply)] == game.box.supply
    assert rooms[: len(game.box.supply) - 1 : -1] == hands
    assert shuffled("between_two_castles", "bonus_card", "", places["bonus cards"]) == game.box.deck
    thrones = shuffled("between_two_castles", "throne", "", places["thrones"])
    assert [castle.throne for castle in game.board.castles] == thrones[:4]
    tokens = shuffled("between_two_castles", "castle_token", "", places["castle tokens"])
    assert [castle.token for castle in game.board.castles] == tokens[:4]


def test_pieces_of_palais_royal_lie_in_the_order_of_the_catalog() -> None:
    game, places = begun("palais_royal", 3)
    nobles = shuffled("palais_royal", "nobles", "", places["nobles"])
    assert list(game.board.park.values()) == nobles[: len(game.board.park)]
    assert shuffled("palais_royal", "privileges", "copies", places["privileges"]) == game.box.deck


def test_pieces_of_noblemen_lie_in_the_order_of_the_catalog() -> None:
    game, places = begun("noblemen", 4)
    cards = shuffled("noblemen", "card", "count", places["scandal cards"])
    dealt = [card for hand in game.hands for card in hand.cards]
    assert cards[: len(game.box.deck)] == game.box.deck
    assert sorted(cards[len(game.box.deck) :]) == sorted(dealt)
