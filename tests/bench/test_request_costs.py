"""The bench of `make fairness`, in short: its parts run; how long strangers wait needs a quiet machine."""

from pathlib import Path

from bench.request_costs import get_record, long_game, measure, plant_long_game, served_with

ENTRIES = 1_100


def test_bench_the_long_game_is_over_and_as_long_as_it_should_be() -> None:
    book, entries = long_game(ENTRIES)
    assert (book.info.status, len(entries), book.version) == ("over", ENTRIES, ENTRIES)


async def test_bench_strangers_play_beside_a_guest_who_does_everything(tmp_path: Path) -> None:
    await plant_long_game(tmp_path / "data", ENTRIES)
    async with served_with(tmp_path / "data") as served:
        assert await get_record(served) > 100_000
    run = await measure(tmp_path / "data", is_busy=True, strangers=2, seconds=0.5)
    assert run.p50 > 0
    assert run.served > 50
