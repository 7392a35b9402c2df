"""Records: whole games as files, checked by playing them again, and by a verifier that knows no rules."""

import ast
import json
import lzma
import subprocess
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from anyio import to_thread
from records.game_fixtures import play_game, rare_records, record_of
from records.record_commands import COMMANDS
from server_fixture import Table, running
from server_fixture import opened as opened_table
from typer.testing import CliRunner, Result

from palatine_protocol import messages
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.records import BadRecord, Record, build_record, decode_record, encode_record, erase_texts
from palatine_server.records.file_format import count_erased
from palatine_server.records.record import add_salts, change_texts
from palatine_server.records.verdict import check_signature
from palatine_server.records.verify import check_record, compute_info, derive_game_seed
from palatine_server.tables.rules_replay import RulesReplay

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
VERIFIER = Path(__file__).with_name("verify.mjs")


def wrong(record: Record) -> list[str]:
    return [finding.what for finding in check_record(record, GAMES) if not finding.is_right]


@every_game
def test_a_whole_game_is_verified(game: Game) -> None:
    record = decode_record(encode_record(record_of(game)))
    assert record == record_of(game)
    assert [finding.what for finding in check_record(record, GAMES)] == [
        "rules",
        "commitment",
        "play",
        "seed",
        "result",
    ]
    assert wrong(record) == []


@every_game
def test_a_game_played_again_keeps_what_did_not_change_only_once(game: Game) -> None:
    record, seen = record_of(game), dict[int, bytes]()
    replay = RulesReplay(game, len(record.header.opening["seats"]), derive_game_seed(record))
    options = compute_info(record, len(record.entries))["options"]
    for entry in record.entries:
        replay.play(entry.version, entry.seat, entry.did, options)
        if replay.recorder:
            seen[entry.version] = msgspec.msgpack.encode(replay.recorder.zones)
    assert {version: msgspec.msgpack.encode(zones) for version, zones in replay.past.items()} == seen
    hands = [id(hand) for zones in replay.past.values() for hand in zones.hands]
    assert len(set(hands)) < len(hands) / 2


@every_game
def test_a_verifier_from_the_documents_alone_agrees_on_every_drawing(game: Game, tmp_path: Path) -> None:
    labels = set()
    for record in (record_of(game), *rare_records(game)):
        made = [drawing for entry in record.entries for drawing in entry.drawings]
        code, errors, found = checked_by_node(record, tmp_path)
        assert (code, errors, found["drawings"]) == (0, "", len(made))
        assert (found["texts"], found["erased"]) == (len(record.salts), {"name": 0, "chat": 0})
        assert wrong(record) == []
        labels |= {drawing.label for drawing in made}
    assert labels == labels_in_the_rules(game)


def checked_by_node(record: Record, folder: Path, keys: Path | None = None) -> tuple[int, str, Any]:
    """What the verifier says that was written from the documents alone."""
    path = folder / "game.palatine"
    path.write_bytes(encode_record(record))
    command = ["node", VERIFIER, path, *([keys] if keys else [])]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    return checked.returncode, checked.stderr, json.loads(checked.stdout or "null")


def labels_in_the_rules(game: Game) -> set[str]:
    """The labels of all drawings for which there is a line in the rules."""
    calls = [node for path in game.folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))]
    return {label for call in calls if isinstance(call, ast.Call) for label in label_of(call)}


def label_of(call: ast.Call) -> list[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    is_drawing = name in {"shuffle", "draw", "below", "shuffled"} and call.args
    label = call.args[-1] if is_drawing else None
    return [label.value] if isinstance(label, ast.Constant) and isinstance(label.value, str) else []


@every_game
def test_the_verifier_finds_a_drawing_that_does_not_follow(game: Game, tmp_path: Path) -> None:
    drawings = [drawing for entry in record_of(game).entries for drawing in entry.drawings]
    changes = [other_seed, other_entropy]
    changes += [other_drawing] if any(len(drawing.result) > 1 for drawing in drawings) else []
    changes += [missing_drawing] if len(drawings) > 1 else []  # the number of the next one shows that it is missing
    for change in changes:
        assert checked_by_node(forged(record_of(game), change), tmp_path)[0] == 1


@every_game
def test_one_flipped_bit_anywhere_is_found(game: Game) -> None:
    content, rng = encode_record(record_of(game)), Random(7)
    checksum = range(content.rindex(b"\n", 0, -1), len(content))
    for at in (*checksum, *rng.sample(range(len(content)), 120)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[at] ^= 1 << bit
            with pytest.raises(BadRecord):
                decode_record(bytes(flipped))


@every_game
def test_a_shortened_file_is_found(game: Game) -> None:
    content = encode_record(record_of(game))
    for end in (0, 1, len(content) // 2, len(content) - 1):
        with pytest.raises(BadRecord):
            decode_record(content[:end])


def plain_lines(record: Record) -> list[Any]:
    """The header and the entries of a record with their texts, as plain data."""
    return msgspec.json.decode(msgspec.json.encode(change_texts(record, lambda kind, text: text)))


def forgery(record: Record, change: Any) -> bytes:
    """The file with a change, as somebody would write it who knows the format; its signature stays as it was."""
    lines = plain_lines(record)
    change(lines)
    header, *entries = lines
    copy = msgspec.convert({"header": header, "entries": entries}, Record)
    return encode_record(msgspec.structs.replace(add_salts(copy, b"another secret"), signature=record.signature))


def forged(record: Record, change: Any) -> Record:
    return decode_record(forgery(record, change))


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


def other_news(lines: Any) -> None:
    news = [line["news"] for line in lines[1:] if line.get("news") and "action" in line["did"]]
    next(items for items in reversed(news) if len(items) > 1).reverse()


CHANGES = other_seed, other_entropy, other_drawing, missing_drawing, other_action, other_result, other_board, other_news


@every_game
@pytest.mark.parametrize("change", CHANGES)
def test_a_forged_record_is_found_though_its_checksum_is_right(game: Game, change: Any) -> None:
    assert wrong(forged(record_of(game), change))


@every_game
def test_whatever_is_changed_of_what_the_rules_decide_is_found(game: Game) -> None:
    record, rng = record_of(game), Random(5)
    lines = plain_lines(record)
    fields = "board", "hands", "box", "digests", "drawings"
    ruled = [place for place in places(lines) if place[0] and place[1] in fields]
    for place in rng.sample(ruled, 8):
        assert wrong(forged(record, bending(place))), place


@every_game
def test_whatever_is_changed_a_verdict_is_given(game: Game) -> None:
    record, rng = record_of(game), Random(6)
    lines = plain_lines(record)
    for place in rng.sample(list(places(lines)), 8):
        try:
            copy = forged(record, bending(place))
        except (BadRecord, msgspec.ValidationError):  # it is no record any more
            continue
        assert {finding.what for finding in check_record(copy, GAMES)} >= {"rules"}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all leaves."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))
    else:
        yield path


def bending(place: tuple[Any, ...]) -> Any:
    """A change of the leaf there."""

    def change(lines: Any) -> None:
        holder = reduce(lambda value, key: value[key], place[:-1], lines)
        old = holder[place[-1]]
        holder[place[-1]] = f"{old}x" if isinstance(old, str) else not old if isinstance(old, bool) else (old or 0) + 1

    return change


def test_a_forged_seal_is_found() -> None:
    def other_seal(lines: Any) -> None:
        news = [item["news"] for line in lines[1:] for item in line.get("news", [])]
        next(item for item in news if item["news"] == "choice_sealed")["seal"] = "33" * 32

    assert wrong(forged(record_of(GAMES["between_two_castles"], 1), other_seal)) == ["play"]


@every_game
def test_a_record_names_nobody_and_only_games_that_are_over_have_one(game: Game) -> None:
    state, entries = play_game(game.name, 0)
    assert not any(f'"u{seat}"'.encode() in encode_record(record_of(game)) for seat in range(4))
    page = state.take_snapshot()
    page.info = {**page.info, "status": "playing"}
    with pytest.raises(Exception, match="not over"):
        build_record("t", page, entries)


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
    assert wrong(decode_record(got.content)) == []
    path, archived = tmp_path / "game.palatine", tmp_path / "archive"
    path.write_bytes(got.content)
    data = "--data", str(tmp_path / "data")
    assert (await palatine("archive", str(archived), *data)).output.split()[:3] == ["1", "new", "records"]
    assert (archived / f"{table}.palatine").read_bytes() == got.content
    assert (await palatine("archive", str(archived), *data)).output.split()[:3] == ["0", "new", "records"]
    named, out = f"{table}#{invitation}", tmp_path / "named.palatine"
    assert (await palatine("record", named, "--out", str(out), *data)).exit_code == 0
    assert out.read_bytes() == got.content
    verified = await palatine("verify", str(path))
    assert (verified.exit_code, verified.output.count("✓"), verified.output.count("?")) == (0, 6, 1)
    path.write_bytes(encode_record(forged(decode_record(got.content), other_seed)))
    assert (await palatine("verify", str(path))).exit_code == 1
    path.write_bytes(got.content[:-9])
    spoilt = await palatine("verify", str(path))
    assert (spoilt.exit_code, spoilt.output.count("\n")) == (2, 1)


async def palatine(*words: str) -> Result:
    return await to_thread.run_sync(CliRunner().invoke, COMMANDS, words)


# Records of earlier versions


OLD_RECORDS = sorted((Path(__file__).parents[1] / "fixtures" / "stored").glob("*/*.palatine.xz"))


@pytest.mark.parametrize("path", OLD_RECORDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_record_of_version_1_is_read_as_before_and_nobody_signed_it(path: Path) -> None:
    content = lzma.decompress(path.read_bytes())
    record = decode_record(content)
    if record.header.record == 1:
        assert encode_record(record) == content
        assert check_signature(record, None).more == "nobody signed this record"
    copy = erase_texts(record, ["name", "chat"])
    assert (copy.header.record, {*count_erased(copy)} >= {"name"}) == (2, True)
    assert decode_record(encode_record(copy)) == copy


def test_there_are_records_of_earlier_versions() -> None:
    assert len(OLD_RECORDS) >= 4
