"""Records: whole games as files, checked by playing them again, and by a verifier that knows no rules."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
import typer
from anyio import to_thread
from house import Table, running
from house import opened as opened_table
from records.evenings import played, record_of
from typer.testing import CliRunner, Result

from palatine_protocol import messages
from palatine_server.games.kit import Game
from palatine_server.games.shelf import SHELF
from palatine_server.records import Record, Spoilt, read, recorded, written
from palatine_server.records.command import add_to
from palatine_server.records.verify import findings

every_game = pytest.mark.parametrize("game", SHELF.values(), ids=SHELF)
COMMANDS = typer.Typer()
add_to(COMMANDS)
VERIFIER = Path(__file__).with_name("verify.mjs")


def wrong(record: Record) -> list[str]:
    return [finding.what for finding in findings(record, SHELF) if not finding.is_right]


@every_game
def test_a_whole_game_is_verified(game: Game) -> None:
    record = read(written(record_of(game)))
    assert record == record_of(game)
    assert [finding.what for finding in findings(record, SHELF)] == ["rules", "commitment", "play", "seed", "result"]
    assert wrong(record) == []


@every_game
def test_a_verifier_from_the_documents_alone_agrees_on_every_drawing(game: Game, tmp_path: Path) -> None:
    record, path = record_of(game), tmp_path / "game.palatine"
    path.write_bytes(written(record))
    made = sum(len(entry.drawings) for entry in record.entries)
    checked = subprocess.run(["node", VERIFIER, path], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr, int(checked.stdout)) == (0, "", made)
    assert made > 0


@every_game
def test_one_flipped_bit_anywhere_is_found(game: Game) -> None:
    content, rng = written(record_of(game)), Random(7)
    for _ in range(200):
        at, bit = rng.randrange(len(content)), rng.randrange(8)
        flipped = bytearray(content)
        flipped[at] ^= 1 << bit
        with pytest.raises(Spoilt):
            read(bytes(flipped))


@every_game
def test_a_shortened_file_is_found(game: Game) -> None:
    content = written(record_of(game))
    for end in (0, 1, len(content) // 2, len(content) - 1):
        with pytest.raises(Spoilt):
            read(content[:end])


def forged(record: Record, change: Any) -> Record:
    """The record with a change, as somebody would write it who knows the format."""
    lines = [json.loads(line) for line in written(record).splitlines()[:-1]]
    change(lines)
    header, *entries = lines
    copy = msgspec.convert({"header": header, "entries": entries}, Record)
    return read(written(copy))


def other_seed(lines: Any) -> None:
    lines[0]["seed"] = "11" * 32


def other_entropy(lines: Any) -> None:
    lines[0]["entropy"][1] = "22" * 16


def other_drawing(lines: Any) -> None:
    drawings = [drawing for line in lines[1:] for drawing in line.get("drawings", [])]
    next(drawing for drawing in drawings if len(drawing["result"]) > 1)["result"].reverse()


def missing_drawing(lines: Any) -> None:
    entry = next(line for line in lines[1:] if line.get("drawings"))
    del entry["drawings"][0]


def other_action(lines: Any) -> None:
    acts = [line for line in lines[1:] if "action" in line["did"]]
    acts[3]["did"]["action"] = acts[9]["did"]["action"]


def other_result(lines: Any) -> None:
    op = next(op for op in lines[-1]["info"] if op[0][0] == "standings")
    op[1][0]["score"] += 1


def other_board(lines: Any) -> None:
    entry = next(line for line in reversed(lines) if line.get("board"))
    entry["board"] = entry["board"][:-1]


@every_game
@pytest.mark.parametrize(
    "change", [other_seed, other_entropy, other_drawing, missing_drawing, other_action, other_result, other_board]
)
def test_a_forged_record_is_found_though_its_checksum_is_right(game: Game, change: Any) -> None:
    assert wrong(forged(record_of(game), change))


def test_a_forged_seal_is_found() -> None:
    def other_seal(lines: Any) -> None:
        news = [item["news"] for line in lines[1:] for item in line.get("news", [])]
        next(item for item in news if item["news"] == "choice_sealed")["seal"] = "33" * 32

    assert wrong(forged(record_of(SHELF["between_two_castles"], 1), other_seal)) == ["play"]


@every_game
def test_a_record_names_nobody_and_only_games_that_are_over_have_one(game: Game) -> None:
    book, entries = played(game.name, 0)
    assert not any(f'"u{seat}"'.encode() in written(record_of(game)) for seat in range(4))
    page = book.page()
    page.info = {**page.info, "status": "playing"}
    with pytest.raises(Exception, match="not over"):
        recorded("t", page, entries)


# Over the wire, and from the command line


async def test_a_finished_game_is_downloaded_archived_and_verified(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, house.peer("Anna") as anna:
        table = await opened_table(anna, 2, "palais_royal", visibility="private")
        invitation = (await anna.do(messages.Invite, table=table)).invitation
        for _ in range(2):
            await anna.do(messages.AddBot, table=table, policy="random")
        await anna.do(messages.Watch, table=table)
        await anna.do(messages.Start, table=table)
        early = await to_thread.run_sync(httpx.get, f"{house.url}/v1/tables/{table}/record?invitation={invitation}")
        seen = Table(anna, table)
        while not seen.is_over:
            await anna.receive()
            seen.catch_up()
        stranger = await to_thread.run_sync(httpx.get, f"{house.url}/v1/tables/{table}/record")
        got = await to_thread.run_sync(httpx.get, f"{house.url}/v1/tables/{table}/record?invitation={invitation}")
    assert (early.status_code, early.json()["code"]) == (409, "not_over")
    assert (stranger.status_code, stranger.json()["code"]) == (404, "no_such_table")
    assert wrong(read(got.content)) == []
    path, archived = tmp_path / "game.palatine", tmp_path / "archive"
    path.write_bytes(got.content)
    data = "--data", str(tmp_path / "data")
    assert (await palatine("archive", str(archived), *data)).output.split()[:3] == ["1", "new", "records"]
    assert (archived / f"{table}.palatine").read_bytes() == got.content
    assert (await palatine("archive", str(archived), *data)).output.split()[:3] == ["0", "new", "records"]
    verified = await palatine("verify", str(path))
    assert (verified.exit_code, verified.output.count("✓")) == (0, 5)
    path.write_bytes(written(forged(read(got.content), other_seed)))
    assert (await palatine("verify", str(path))).exit_code == 1
    path.write_bytes(got.content[:-9])
    spoilt = await palatine("verify", str(path))
    assert (spoilt.exit_code, spoilt.output.count("\n")) == (2, 1)


async def palatine(*words: str) -> Result:
    return await to_thread.run_sync(CliRunner().invoke, COMMANDS, words)
