"""The commands of an operator whose Redis acknowledges with replicas: the environment says so to each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from records.game_fixtures import record_of
from store.redis_servers import Followed, running
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.games.registry import GAMES
from palatine_server.records import decode_record, encode_record

GAME = GAMES["palais_royal"]


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Followed]:
    with running(Followed) as servers:
        monkeypatch.setenv("PALATINE_STORE", servers.url)
        monkeypatch.setenv("PALATINE_DURABILITY", "replicas=1")
        monkeypatch.setenv("PALATINE_DATA", str(tmp_path / "data"))
        yield servers


def palatine(*words: str) -> Result:
    result = CliRunner().invoke(main.build_app(), words, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result


def test_records_are_brought_and_fetched(followed: Followed, tmp_path: Path) -> None:
    file, again, folder = tmp_path / "game.palatine", tmp_path / "again.palatine", tmp_path / "all"
    file.write_bytes(encode_record(record_of(GAME)))
    table = palatine("import", str(file)).output.partition(": table ")[2].split()[0].rstrip(",")
    palatine("record", table, "--out", str(again))
    assert decode_record(again.read_bytes()).entries == record_of(GAME).entries
    assert palatine("archive", str(folder)).output.split()[:3] == ["1", "new", "records"]
    assert (folder / f"{table}.palatine").read_bytes() == again.read_bytes()
    assert "0 live tables" in palatine("shadow").output


def test_users_are_revoked_and_the_replica_knows(followed: Followed) -> None:
    palatine("revoke", "eve")
    assert followed.replica.ask("ZRANGE", "palatine:{index}:revoked", 0, -1) == [b"eve"]
