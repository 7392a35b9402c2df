"""Fairness: nobody, the server included, can choose the chance of a game; FAIRNESS.md says how to check it.

The server publishes a commitment to its part of the seed when the table is opened. Every seat may add entropy before
the game starts. The seed of the game follows from both, and is opened when the game is over. Secret choices of
simultaneous phases are sealed when they are made and opened when they are revealed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from palatine_protocol import digest

from .model import SealedChoice


def compute_commitment(seed: str) -> str:
    """What is published of the server's part of the seed."""
    return hashlib.sha256(b"palatine seed " + bytes.fromhex(seed)).hexdigest()


def derive_game_seed(seed: str, entropy: Sequence[str]) -> str:
    """The seed of a game, from the server's part and what each seat added, which may be nothing."""
    return hmac.digest(bytes.fromhex(seed), f"palatine game {','.join(entropy)}".encode(), "sha256").hex()


def seal_choice(seed: str, choice: SealedChoice) -> str:
    """What is published of a secret choice when it is made."""
    return compute_seal(_derive_salt(seed, choice.version), choice.seat, choice.action)


def open_choice(seed: str, choice: SealedChoice) -> dict[str, Any]:
    """What is published of it when it is revealed."""
    salt = _derive_salt(seed, choice.version)
    return {"version": choice.version, "seat": choice.seat, "action": choice.action, "salt": salt}


def compute_seal(salt: str, seat: int, action: Any) -> str:
    """The seal of a choice; without the salt nobody can guess what is sealed."""
    return hashlib.sha256(bytes.fromhex(salt) + digest.canonical([seat, action])).hexdigest()


def _derive_salt(seed: str, version: int) -> str:
    return hmac.digest(bytes.fromhex(seed), f"palatine salt {version}".encode(), "sha256").hex()
