"""Fairness: neither a player nor the server can choose the random draws of a game; FAIRNESS.md says how to check that.

The server publishes a commitment to its part of the seed when the table is created. Every seat may add entropy before
the game starts. The seed of the game follows from both; the server publishes its part when the game is over. It seals
the secret choices of simultaneous phases when players make them, and opens them when the rules reveal them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from palatine_protocol import digest

from .model import SealedChoice


def compute_commitment(seed: str) -> str:
    """Return the commitment that the server publishes to its part of the seed."""
    return hashlib.sha256(b"palatine seed " + bytes.fromhex(seed)).hexdigest()


def derive_game_seed(seed: str, entropy: Sequence[str]) -> str:
    """Return the seed of a game, from the server's part and each seat's entropy, which may be empty."""
    return hmac.digest(bytes.fromhex(seed), f"palatine game {','.join(entropy)}".encode(), "sha256").hex()


def seal_choice(seed: str, choice: SealedChoice) -> str:
    """Return the seal that the server publishes when a player makes a secret choice."""
    return compute_seal(_derive_salt(seed, choice.version), choice.seat, choice.action)


def open_choice(seed: str, choice: SealedChoice) -> dict[str, Any]:
    """Return what the server publishes when the choice is revealed: the choice and the salt of its seal."""
    salt = _derive_salt(seed, choice.version)
    return {"version": choice.version, "seat": choice.seat, "action": choice.action, "salt": salt}


def compute_seal(salt: str, seat: int, action: Any) -> str:
    """Return the seal of a choice; the salt keeps a viewer from guessing the choice."""
    return hashlib.sha256(bytes.fromhex(salt) + digest.canonical([seat, action])).hexdigest()


def _derive_salt(seed: str, version: int) -> str:
    return hmac.digest(bytes.fromhex(seed), f"palatine salt {version}".encode(), "sha256").hex()
