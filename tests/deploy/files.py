"""The files of deploy/, read by machines as far as machines can read them here."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from palatine_server.gateway.tokens import SECRET_VARIABLE
from palatine_server.settings import Settings, name_variable

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
VARIABLES = {SECRET_VARIABLE, *map(name_variable, Settings.__struct_fields__)}  # all that the server reads


def read(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def documents(name: str) -> list[dict[str, Any]]:
    """The parts of a YAML file."""
    return list(yaml.safe_load_all(read(name)))


def prepared(directory: Path) -> Path:
    """A copy of deploy/ with the secrets that ./prepare makes."""
    copy = directory / "deploy"
    shutil.copytree(DEPLOY, copy, ignore=shutil.ignore_patterns(".env", "users.acl", "secret.yaml"))
    subprocess.run([copy / "prepare"], check=True, capture_output=True)
    return copy


def env_of(directory: Path) -> dict[str, str]:
    """What .env says."""
    lines = (directory / ".env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def dockerfile() -> list[tuple[str, str]]:
    """Every instruction of the Dockerfile with its words, in order."""
    lines = (line for line in read("Dockerfile").replace("\\\n", " ").splitlines() if line and not line.startswith("#"))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def words_of(instruction: str) -> Iterator[str]:
    yield from (rest for word, rest in dockerfile() if word == instruction)


def image_environment() -> dict[str, str]:
    """What the image sets."""
    (words,) = words_of("ENV")
    return dict(word.split("=", 1) for word in words.split())
