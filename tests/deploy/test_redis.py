"""redis.conf and users.acl start a real server; a game is played on it as the user they make, who may do no more."""

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from deploy.files import env_of, prepared, read
from redis.exceptions import AuthenticationError, NoPermissionError
from server_fixture import Table, running, seated
from store import redis_servers
from store.redis_servers import Server, program, until

from palatine_protocol import messages
from palatine_server.store.redis import rights


class Configured(Server):
    """A server with the configuration and the users of deploy/; only where things lie is changed."""

    def __init__(self, directory: Path, deploy: Path) -> None:
        super().__init__(directory, bind="127.0.0.1", aclfile=str(deploy / "users.acl"))
        self.env, self._file = env_of(deploy), deploy / "redis.conf"

    def _command(self) -> list[str]:
        return [program(), str(self._file), *super()._command()[1:]]

    def ask(self, *command: Any, **more: Any) -> Any:
        """As whoever is named, or as the one who looks whether it lives."""
        return super().ask(*command, **{"username": "probe", "password": "anything", **more})

    @property
    def url(self) -> str:
        return f"redis://palatine:{self.env['REDIS_PASSWORD']}@127.0.0.1:{self.port}"

    def as_palatine(self, *command: Any) -> Any:
        return self.ask(*command, username="palatine", password=self.env["REDIS_PASSWORD"])

    def as_keeper(self, *command: Any) -> Any:
        return self.ask(*command, username="keeper", password=self.env["KEEPER_PASSWORD"])


@pytest.fixture
def deploy(tmp_path: Path) -> Path:
    return prepared(tmp_path)


@pytest.fixture
def redis(deploy: Path) -> Iterator[Configured]:
    with redis_servers.running(lambda directory: Configured(directory, deploy)) as server:
        yield server


def test_the_secrets_are_made_once_and_for_our_eyes_only(deploy: Path) -> None:
    env = env_of(deploy)
    made = {env[name] for name in ("PALATINE_SECRET", "REDIS_PASSWORD", "KEEPER_PASSWORD")}
    assert len(made) == 3
    assert all(len(secret) == 64 for secret in made)
    assert (deploy / ".env").stat().st_mode & 0o77 == 0
    assert (deploy / "kubernetes" / "secret.yaml").stat().st_mode & 0o77 == 0
    assert not any(secret in (deploy / "users.acl").read_text() for secret in made)
    assert hashlib.sha256(env["REDIS_PASSWORD"].encode()).hexdigest() in (deploy / "users.acl").read_text()


def test_the_users_of_redis_may_do_what_the_code_says_and_no_more() -> None:
    users = {words[1]: words[2:] for words in map(str.split, read("users.acl.example").splitlines())}
    assert {*users} == {"default", "probe", "keeper", "palatine"}
    assert users["default"][0] == "off"
    given = [word for word in users["palatine"] if word not in {"#REDIS_SHA256", "sanitize-payload", "-@all"}]
    assert given == rights()


async def test_a_game_is_played_as_the_user_that_may_do_little(redis: Configured, tmp_path: Path) -> None:
    async with running(tmp_path / "data", store=redis.url) as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], game="palais_royal", bots=1)
        await table.play(Random(1).randrange, until=lambda table: table.version >= 40)


@pytest.mark.parametrize(
    "command", ["FLUSHALL", "CONFIG SET appendonly no", "KEYS *", "SHUTDOWN", "ACL LIST", "EVAL return 0", "MONITOR"]
)
def test_the_server_may_not_do_harm(redis: Configured, command: str) -> None:
    with pytest.raises(NoPermissionError):
        redis.as_palatine(*command.split())


def test_the_server_may_not_touch_what_is_not_its_own(redis: Configured) -> None:
    with pytest.raises(NoPermissionError):
        redis.as_palatine("SET", "other", "1")


def test_nobody_comes_in_without_a_name(redis: Configured) -> None:
    with pytest.raises(AuthenticationError):
        redis.ask("PING", username=None, password=None)
    with pytest.raises(NoPermissionError):
        redis.ask("GET", "palatine:x")


def test_what_is_written_is_synced_and_never_thrown_away(redis: Configured) -> None:
    names = "appendonly", "appendfsync", "maxmemory-policy", "no-appendfsync-on-rewrite", "save"
    found = redis.as_palatine("CONFIG", "GET", *names)
    assert dict(zip(found[::2], found[1::2], strict=True)) == {
        b"appendonly": b"yes",
        b"appendfsync": b"always",
        b"maxmemory-policy": b"noeviction",
        b"no-appendfsync-on-rewrite": b"no",
        b"save": b"",
    }


async def test_a_backup_is_made_while_it_runs_and_restored(redis: Configured, tmp_path: Path, deploy: Path) -> None:
    async with running(tmp_path / "data", store=redis.url) as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], game="palais_royal", bots=1)
        await table.play(Random(1).randrange, until=lambda table: table.version >= 20 and table.is_waited_for)
        assert b"started" in redis.as_keeper("BGSAVE")
        until((redis.directory / "backup.rdb").exists, "the backup")
        token, board, version = anna.token, table.board, table.version

    def restored(directory: Path) -> Configured:
        other = Configured(directory, deploy)
        subprocess.run([deploy / "restore", redis.directory / "backup.rdb", other.directory], check=True)
        return other

    with redis_servers.running(restored) as other:
        async with running(tmp_path / "data", store=other.url) as house, house.peer(token=token) as anna:
            await anna.do(messages.Watch, table=table.id)
            again = Table(anna, table.id)
            await again.until_version(version)
            assert again.board == board
            await again.play(Random(1).randrange, until=lambda table: table.version >= version + 10)
