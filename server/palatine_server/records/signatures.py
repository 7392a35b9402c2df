"""Signatures of records: Ed25519, over the hash of the lines that are never erased and the name of the server."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from typing import Annotated

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct

PublicKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
PrivateKey = PublicKey
ServerUrl = Annotated[str, Meta(max_length=200, pattern=r"^(https?://[!-~]+)?$(?!\n)")]


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """A signature; the server's address in it is a claim that only its published keys can prove."""

    public: PublicKey
    server: ServerUrl
    value: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]


class Signer:
    """A private key, and the server address written into every record that it signs."""

    def __init__(self, private: PrivateKey, server: str = "") -> None:
        self._key, self._server = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)), server
        self.public: PublicKey = self._key.public_key().public_bytes_raw().hex()

    def sign(self, body: bytes) -> Signature:
        """Sign the lines of a record that are never erased."""
        return Signature(self.public, self._server, self._key.sign(encode_message(body, self._server)).hex())


def encode_message(body: bytes, server: str) -> bytes:
    """Return the bytes that are signed."""
    return f"palatine record 2\n{hashlib.sha256(body).hexdigest()}\n{server}\n".encode()


def is_valid(signature: Signature, body: bytes) -> bool:
    """Return whether the holder of the named key has signed these lines."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.public))
        key.verify(bytes.fromhex(signature.value), encode_message(body, signature.server))
    except (InvalidSignature, ValueError):
        return False
    return True


def encode_public_key(public: PublicKey) -> str:
    """Return the key as a JSON Web Key writes it."""
    return urlsafe_b64encode(bytes.fromhex(public)).decode().rstrip("=")


def key_id(public: PublicKey) -> str:
    """Return the fingerprint of a key: its JWK thumbprint (RFC 7638)."""
    members = f'{{"crv":"Ed25519","kty":"OKP","x":"{encode_public_key(public)}"}}'
    return urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).decode().rstrip("=")
