"""Games of the arena: forfeits, records, and secrets that no contender is told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from arena.arena_fixture import BOTS, make_run, play, process

from palatine_client.bots.line_protocol import write_message
from palatine_server.arena.arena_table import ArenaTable
from palatine_server.arena.contenders import Contender
from palatine_server.arena.players import build_question
from palatine_server.arena.schedule import ArenaGame
from palatine_server.games.kit import Recorder, at_random
from palatine_server.games.registry import GAMES
from palatine_server.records import decode_record
from palatine_server.records.verdict import judge_record


@pytest.mark.parametrize(
    ("contender", "kind"),
    [
        (f"{BOTS}:Sleepy", "late"),
        (f"{BOTS}:Raising", "crashed"),
        (f"{BOTS}:Illegal", "nonsense"),
        (process("silent"), "late"),
        (process("crash"), "crashed"),
        (process("illegal"), "nonsense"),
        (process("garbage"), "nonsense"),
    ],
)
def test_a_contender_that_does_not_decide_forfeits_the_move_and_the_game_goes_on(contender: str, kind: str) -> None:
    report, (result, *_) = play(make_run([contender, "greedy"], seconds=0.2 if kind == "late" else 20.0, games=1))
    bad, good = report.contenders
    assert {**bad.forfeits} == {kind: bad.moves}
    assert bad.moves > 0
    assert bad.why
    assert not good.forfeits
    assert sum(seat.rank for seat in result.seats) == 3


def test_a_contender_that_never_gets_ready_is_started_three_times_and_no_more(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    report, _ = play(make_run([f"bad=sh -c 'echo start >> {starts}; echo no module >&2; exit 1'", "greedy"], games=10))
    bad = report.contenders[0]
    assert bad.forfeits == {"crashed": bad.moves}
    assert bad.why == "it did not get ready: the process ended with exit code 1: no module"
    assert starts.read_text().split() == ["start"] * 3


def test_every_kind_of_contender_plays_and_forfeits_nothing() -> None:
    report, _ = play(make_run([f"{BOTS}:first", process("good"), "random"], players=3, games=3))
    assert [each.forfeits for each in report.contenders] == [{}, {}, {}]
    assert all(each.moves > 0 for each in report.contenders)


def test_a_bot_in_process_and_as_a_process_decides_the_same() -> None:
    one, other = (play(make_run([bot, "greedy"], games=2, seed=4))[0] for bot in (f"{BOTS}:first", process("good")))
    assert [each.score for each in one.contenders] == [each.score for each in other.contenders]
    assert one.digest == other.digest


@pytest.mark.parametrize("game", GAMES)
def test_records_of_every_game_verify(game: str, tmp_path: Path) -> None:
    players = GAMES[game].players[0]
    play(make_run(["random", f"{BOTS}:first"], game, players, games=1, records=tmp_path))
    files = sorted(tmp_path.glob("*.palatine"))
    assert len(files) == players
    for finding in judge_record(decode_record(files[0].read_bytes()), GAMES):
        assert finding.is_right, finding


def test_rotations_of_a_deal_begin_with_the_same_deal(tmp_path: Path) -> None:
    play(make_run(["random"], "between_two_castles", 3, games=1, records=tmp_path))
    files = sorted(tmp_path.iterdir())
    begins = {msgspec.json.encode(decode_record(file.read_bytes()).entries[0].hands) for file in files}
    assert len(begins) == 1
    assert len(files) == 3


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.secrets])
def test_law_3_a_contender_is_sent_the_same_bytes_in_two_worlds_that_differ_in_secrets(game: str) -> None:
    chosen, rng = GAMES[game], Random(3)
    players, contender = chosen.players[-1], Contender(name="bot", kind="bot", what="")
    for seed in range(4):
        planned = ArenaGame(deal=0, rotation=0, lineup=[0] * players, seed=f"{seed:064x}")
        table = ArenaTable(chosen, planned, [contender], {})
        for _ in range(rng.randrange(5, 60)):
            seat = rng.choice(table.play.waiting_for())
            table.act(seat, at_random(table.play, seat, rng.randrange))
        viewer, zones = rng.randrange(players), table.state.require_begun().zones
        news = table.take_news(viewer)
        here = ask(table, zones.document(), viewer, news)
        swapped = chosen.secrets.swap(msgspec.json.decode(msgspec.json.encode(zones.document())), viewer, rng)
        assert swapped != zones.document()
        assert ask(table, swapped, viewer, news) == here


def ask(table: ArenaTable, document: object, viewer: int, news: list[object]) -> bytes:
    """What a bot process is sent at this moment of a world."""
    table.state.recorder = Recorder(table.play.game.resume(document))
    question = build_question(table, viewer)
    question.news = news
    return write_message(question)
