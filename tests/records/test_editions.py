"""Records of another edition of the rules: they are not wrong because the installed rules lead elsewhere."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from records.game_fixtures import record_of
from typer.testing import CliRunner

from palatine_client.cli import main
from palatine_server.games.kit import Drawing, Game, Refused
from palatine_server.games.registry import GAMES
from palatine_server.records import Record, RecordEntry, encode_record
from palatine_server.records.consistency import ConsistencyCheck, Inconsistency
from palatine_server.records.importer import prepare_import
from palatine_server.records.verify import Finding, check_record

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def of_other_rules(game: Game) -> Record:
    """A game with an action that the installed rules refuse."""
    record = msgspec.convert(msgspec.to_builtins(record_of(game)), Record)
    acted = [entry for entry in record.entries if "action" in entry.did and not is_sealed(entry)]
    entry = next((entry for entry in acted if not entry.news), acted[0])
    entry.did["action"] = {"do": "something_else"}
    return record


def is_sealed(entry: RecordEntry) -> bool:
    """Return whether the record has a seal of this choice, which would show that it was changed."""
    return any(item.news["news"] == "choice_sealed" for item in entry.news)


def play_of(record: Record) -> Finding:
    return next(finding for finding in check_record(record, GAMES) if finding.what == "play")


@every_game
def test_the_same_edition_is_wrong_and_another_edition_is_another_edition(game: Game):
    record = of_other_rules(game)
    assert not play_of(record).is_right
    record.header.edition = "0" * 12
    play = play_of(record)
    assert play.is_right
    assert play.is_open
    assert play.more.startswith("other edition")


@every_game
def test_another_edition_whose_rules_lead_to_the_same_is_verified(game: Game):
    record = record_of(game)
    header = msgspec.structs.replace(record.header, edition="0" * 12)
    assert not any(finding.is_open for finding in check_record(Record(header, record.entries), GAMES))


@every_game
def test_another_edition_is_wrong_if_its_own_drawings_do_not_fit(game: Game):
    record = of_other_rules(game)
    record.header.edition = "0" * 12
    entry = next(entry for entry in record.entries if entry.drawings)
    drawing = entry.drawings[0]
    forged = [place + 1 for place in drawing.result]
    entry.drawings[0] = Drawing(drawing.number, drawing.label, drawing.kind, drawing.of, forged)
    play = play_of(record)
    assert (play.is_right, play.more) == (False, f"entry {entry.version}: other drawings")


@every_game
def test_another_edition_is_wrong_if_its_own_digests_do_not_fit(game: Game):
    record = of_other_rules(game)
    record.header.edition = "0" * 12
    record.entries[-1].digests[0] ^= 1
    play = play_of(record)
    assert (play.is_right, play.more) == (False, f"entry {len(record.entries)}: other digests")


def test_consistency_a_seal_that_does_not_fit_its_choice_is_found():
    record = msgspec.convert(msgspec.to_builtins(record_of(GAMES["between_two_castles"])), Record)
    opened = (item.news for entry in record.entries for item in entry.news if item.news["news"] == "choices_opened")
    next(opened)["choices"][0]["salt"] = "00" * 16
    with pytest.raises(Inconsistency, match="a seal does not fit"):
        ConsistencyCheck(record).run()


def test_consistency_a_drawing_of_too_many_items_is_refused_and_not_made():
    record = of_other_rules(GAMES["palais_royal"])
    entry = next(entry for entry in record.entries if entry.drawings)
    entry.drawings[0] = msgspec.structs.replace(entry.drawings[0], of=10**12)
    with pytest.raises(Inconsistency, match="cannot be followed"):
        ConsistencyCheck(record).run()


def test_import_takes_in_no_record_whose_rules_cannot_be_checked():
    record = of_other_rules(GAMES["palais_royal"])
    record.header.edition = "0" * 12
    with pytest.raises(Refused, match="other edition"):
        prepare_import(encode_record(record), GAMES)


def test_commands_verify_and_replay_say_that_it_is_another_edition(tmp_path: Path):
    record = of_other_rules(GAMES["palais_royal"])
    record.header.edition = "0" * 12
    file = tmp_path / "game.palatine"
    file.write_bytes(encode_record(record))
    verify = CliRunner().invoke(main.build_app(), ["verify", str(file)], env={"COLUMNS": "200"})
    assert verify.exit_code == 0
    assert "? " in verify.output
    assert "other edition" in verify.output
    replay = CliRunner().invoke(
        main.build_app(), ["replay", str(file), "--at", "3", "--lang", "en"], env={"COLUMNS": "200"}
    )
    assert "other edition" in replay.output
    file.write_bytes(encode_record(record_of(GAMES["palais_royal"])))
    replay = CliRunner().invoke(
        main.build_app(), ["replay", str(file), "--at", "3", "--lang", "en"], env={"COLUMNS": "200"}
    )
    assert "other edition" not in replay.output
