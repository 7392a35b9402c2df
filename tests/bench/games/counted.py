"""The path of an action as in_process.py has it, run under callgrind, which counts the instructions of the actions."""

from __future__ import annotations

import ctypes
import gc
import sys

from in_process import COUNTER, GAMES, WARM_UP, BenchTable


def play(name: str, players: int, tables: int, actions: int, library: str) -> None:
    """Carry out actions at many tables in turn; those after the warm-up are counted."""
    calls = ctypes.PyDLL(library)
    calls.counted_call.argtypes, calls.counted_call.restype = [ctypes.py_object, ctypes.py_object], ctypes.py_object
    game = COUNTER if name == COUNTER.name else GAMES[name]
    playing_tables = [BenchTable(game, players, number) for number in range(tables)]
    gc.collect()
    gc.freeze()
    gc.disable()
    unmeasured = int(WARM_UP * actions)
    for number in range(actions + unmeasured):
        table = playing_tables[number % tables]
        given = table.next_request()
        if number < unmeasured:
            table.carry_out(*given)
            continue
        if number == unmeasured:
            calls.start_counting()
        calls.counted_call(table.carry_out, given)


if __name__ == "__main__":
    game_name, seats, table_count, action_count, path = sys.argv[1:]
    play(game_name, int(seats), int(table_count), int(action_count), path)
