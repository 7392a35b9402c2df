"""Names and chat: under salted hashes in all that is signed, and erased without breaking anything."""

import json
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from records.chat_game import LINES, NAMES, SECRET_LINE, SIGNER, SPECTATOR, play_chatty_game, talkative_record
from records.record_commands import COMMANDS
from records.test_records import checked_by_node, plain_lines
from typer.testing import CliRunner

from palatine_server.games.registry import GAMES
from palatine_server.records import BadRecord, Record, build_record, decode_record, encode_record, erase_texts
from palatine_server.records.file_format import count_erased, encode_body
from palatine_server.records.record import add_salts, change_texts
from palatine_server.records.texts import IN_NEWS, ErasedText, PersonalText, hash_text
from palatine_server.records.verdict import judge_record
from palatine_server.tables.creation import create_rematch
from palatine_server.tables.storage.persistence import copy_snapshot


def wrong(record: Record) -> list[str]:
    return [finding.what for finding in judge_record(record, GAMES) if not finding.is_right]


def test_nothing_that_is_signed_holds_a_name_or_a_line() -> None:
    record = talkative_record()
    body, whole = encode_body(record).decode(), encode_record(record).decode()
    for text in (*NAMES, *LINES):
        assert json.dumps(text, ensure_ascii=False) in whole
        for form in (text, json.dumps(text), text.split()[0]):
            assert form not in body
    assert SECRET_LINE not in whole
    assert SPECTATOR not in whole


def test_every_kind_of_news_that_names_somebody_is_in_the_game() -> None:
    news = {heard.news["news"] for entry in play_chatty_game()[1] for heard in entry.news}
    assert news >= IN_NEWS.keys()


def test_people_who_sit_from_the_beginning_are_hidden_too() -> None:
    state = create_rematch(play_chatty_game()[0], 1)
    page = copy_snapshot(state.take_snapshot())
    page.info["status"] = "over"
    body = encode_body(build_record("t", page, [])).decode()
    assert body.count('"name_hash"') == 1 + len(state.info.seats)
    assert not [name for name in NAMES if name in body]


def test_a_record_is_read_as_it_was_written() -> None:
    record = talkative_record()
    assert decode_record(encode_record(record)) == record
    assert wrong(record) == []


def test_the_same_table_has_the_same_record_and_another_one_other_salts() -> None:
    assert encode_record(talkative_record()) == encode_record(talkative_record())
    state, entries = play_chatty_game()
    page = copy_snapshot(state.take_snapshot())
    page.hidden["opening"]["text_secret"] = "77" * 32
    assert not {*build_record("t", page, entries).salts} & {*talkative_record().salts}


def test_every_text_has_a_salt_of_its_own_that_does_not_follow_from_what_is_published() -> None:
    record = talkative_record()
    assert len({*record.salts}) == len(record.salts)
    secret = play_chatty_game()[0].secrets.opening["text_secret"]
    assert len(bytes.fromhex(secret)) == 32
    assert secret.encode() not in encode_record(record)
    copy = add_salts(record, bytes.fromhex(record.header.seed))
    assert not {*copy.salts} & {*record.salts}


def test_a_table_that_was_opened_before_there_were_salts_has_the_same_record_each_time() -> None:
    state, entries = play_chatty_game()
    page = copy_snapshot(state.take_snapshot())
    del page.hidden["opening"]["text_secret"]
    first, second = (build_record("t", copy_snapshot(page), entries) for _ in range(2))
    assert encode_record(first) == encode_record(second)
    assert not {*first.salts} & {*talkative_record().salts}


@pytest.mark.parametrize(
    ("kinds", "gone", "kept"),
    [(["name"], NAMES, LINES), (["chat"], LINES, NAMES), (["name", "chat"], [*NAMES, *LINES], [])],
)
def test_an_erased_record_still_verifies_and_says_what_was_erased(kinds: list, gone: list, kept: list) -> None:
    record = talkative_record()
    content = encode_record(erase_texts(record, kinds))
    for text in gone:
        assert text.encode() not in content
    for text in kept:
        assert text.encode() in content
    copy = decode_record(content)
    assert encode_body(copy) == encode_body(record)
    assert wrong(copy) == []
    (told,) = [finding for finding in judge_record(copy, GAMES) if finding.what == "erased"]
    assert ("names" in told.more, "chat lines" in told.more) == ("name" in kinds, "chat" in kinds)
    assert {*count_erased(copy)} == {*kinds}


def test_what_is_left_of_an_erased_text_is_a_hash_and_no_salt() -> None:
    record = talkative_record()
    content = encode_record(erase_texts(record, ["name", "chat"]))
    assert not [salt for salt in record.salts if str(salt).encode() in content]
    assert all(isinstance(salt, ErasedText) for salt in decode_record(content).salts)


def test_names_and_chat_can_be_erased_one_after_the_other() -> None:
    record = talkative_record()
    both = erase_texts(record, ["name", "chat"])
    assert erase_texts(erase_texts(record, ["chat"]), ["name"]) == both == erase_texts(both, ["name"])


def test_node_agrees_on_texts_and_on_what_was_erased(tmp_path: Path) -> None:
    record = talkative_record()
    names = sum(found["kind"] == "name" for found in texts_in(encode_record(record)))
    code, errors, found = checked_by_node(erase_texts(record, ["name"]), tmp_path)
    assert (code, errors) == (0, "")
    assert (found["erased"], found["texts"]) == ({"name": names, "chat": 0}, len(record.salts) - names)


def texts_in(content: bytes) -> list[dict]:
    return [json.loads(line) for line in content.splitlines() if line.startswith(b'{"kind"')]


def resealed(content: bytes) -> bytes:
    """The file with a checksum that fits."""
    lines = content.splitlines(keepends=True)[:-1]
    return b"".join([*lines, b'{"sha256":"%b"}\n' % sha256(b"".join(lines)).hexdigest().encode()])


def test_a_text_that_does_not_fit_its_hash_is_found() -> None:
    content = encode_record(talkative_record())
    for text in (*NAMES, *LINES):
        forged = resealed(content.replace(text.encode(), b"Somebody else"))
        with pytest.raises(BadRecord, match="does not fit its hash"):
            decode_record(forged)


@pytest.mark.parametrize("change", ["swap", "repeat", "other kind"])
def test_texts_stand_in_one_order_only(change: str) -> None:
    lines = encode_record(talkative_record()).splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"kind"'))
    if change == "swap":
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    elif change == "repeat":
        lines.insert(at, lines[at])
    else:
        lines[at] = lines[at].replace(b'"name"', b'"chat"')
    with pytest.raises(BadRecord):
        decode_record(resealed(b"".join(lines)))


def test_a_name_that_is_not_under_its_hash_is_no_record() -> None:
    header, *others = encode_body(talkative_record()).splitlines(keepends=True)
    plain = json.loads(header)
    plain["opening"]["host"] = "Anna"
    forged = json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    with pytest.raises(BadRecord, match="under its hash"):
        decode_record(resealed(b"".join([forged, *others, b"{}\n"])))


def test_the_hash_of_a_text_is_as_documented() -> None:
    salt = "01" * 32
    assert hash_text("name", salt, "Anna") == sha256(b"palatine name " + b"\x01" * 32 + b"Anna").hexdigest()
    assert msgspec.json.encode(PersonalText("name", salt, "Anna")) == b'{"kind":"name","salt":"%b","text":"Anna"}' % (
        b"01" * 32
    )


def test_walking_through_the_texts_changes_nothing_else() -> None:
    record = talkative_record()
    assert plain_lines(record) == msgspec.to_builtins([record.header, *record.entries])
    marked = change_texts(record, lambda kind, text: kind)
    assert json.dumps(marked).count('"chat"') == len(LINES)


# The commands


def test_the_command_erases_in_place_or_into_another_file(tmp_path: Path) -> None:
    file, other = tmp_path / "game.palatine", tmp_path / "other.palatine"
    file.write_bytes(encode_record(talkative_record()))
    assert CliRunner().invoke(COMMANDS, ["erase", str(file)]).exit_code == 2
    done = CliRunner().invoke(COMMANDS, ["erase", str(file), "--chat", "--out", str(other)])
    assert done.exit_code == 0, done.output
    assert file.read_bytes() == encode_record(talkative_record())
    assert other.read_bytes() == encode_record(erase_texts(talkative_record(), ["chat"]))
    assert CliRunner().invoke(COMMANDS, ["erase", str(file), "--names", "--chat"]).exit_code == 0
    verified = CliRunner().invoke(COMMANDS, ["verify", str(file)])
    assert verified.exit_code == 0
    assert "names and 2 chat lines were erased" in " ".join(verified.output.split())


def test_a_record_of_version_1_becomes_one_of_version_2(tmp_path: Path) -> None:
    state, entries = play_chatty_game()
    record = build_record("t", copy_snapshot(state.take_snapshot()), entries)
    record.header.record, record.salts = 1, []
    copy = erase_texts(decode_record(encode_record(record)), ["name"])
    assert (copy.header.record, copy.signature) == (2, None)
    assert wrong(copy) == []
    assert not [name for name in NAMES if name.encode() in encode_record(copy)]
    assert SIGNER.public.encode() not in encode_record(copy)
