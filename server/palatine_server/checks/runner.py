"""The runner of checks: it splits them into units, which several processes can run, and yields their findings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..games.kit import Game
from ..games.named_games import load_game
from ..games.registry import GAMES
from ..job_pool import open_job_pool
from .check_list import PLAYED, STATIC, WARNINGS, CheckPlan
from .findings import CheckFinding, describe_error
from .random_games import EndlessGame, choose_options

SWAPPED = "secrets_can_be_swapped"
ENDS = "pieces_are_conserved"  # the check whose first games show whether games end
MORE_SWAPS = 8  # times as many games for swapped secrets: each looks at one moment only


class CheckUnit(NamedTuple):
    """One check of a game, and the game that it plays, if it plays one."""

    source: str  # the name of the game, or package.module:GAME
    check: str
    players: int | None = None
    seed: int | None = None


def plan_units(game: Game, source: str, plan: CheckPlan) -> list[CheckUnit]:
    """Return all units of a plan, the quick ones first."""
    units = [CheckUnit(source, name) for name in STATIC if _is_wanted(name, plan)]
    for name in PLAYED:
        if _is_wanted(name, plan):
            units += [CheckUnit(source, name, *table) for table in _list_tables(game, name, plan)]
    return units


def _is_wanted(name: str, plan: CheckPlan) -> bool:
    if name == "tests" and plan.tests is None:
        return False
    return not plan.only or name in plan.only


def _list_tables(game: Game, name: str, plan: CheckPlan) -> Iterator[tuple[int, int]]:
    count = plan.seeds * (MORE_SWAPS if name == SWAPPED and not plan.only else 1)
    seeds = range(plan.first_seed, plan.first_seed + min(count, PLAYED[name].games or count))
    for players in game.players if plan.players is None else [plan.players]:
        yield from ((players, seed) for seed in seeds)


def run_unit(unit: CheckUnit, plan: CheckPlan) -> list[CheckFinding]:
    """Run one unit in any process."""
    return list(find_in_unit(load_game(unit.source, GAMES), unit, plan))


def find_in_unit(game: Game, unit: CheckUnit, plan: CheckPlan) -> Iterator[CheckFinding]:
    """Yield the findings of one unit; an error of the game is one too."""
    try:
        if unit.check in STATIC:
            check = STATIC[unit.check]
            for sentence in check.find(game, plan):
                yield CheckFinding(check=unit.check, sentence=sentence, is_warning=check.is_warning)
        else:
            assert unit.players is not None
            assert unit.seed is not None
            PLAYED[unit.check].run(game, unit.players, unit.seed)
    except (Exception, SystemExit) as error:  # whatever another author's game does
        yield _report_error(game, unit, error)


def _report_error(game: Game, unit: CheckUnit, error: BaseException) -> CheckFinding:
    sentence, place = describe_error(error, game)
    return CheckFinding(
        check=unit.check,
        sentence=sentence,
        is_warning=unit.check in WARNINGS,
        players=unit.players,
        seed=unit.seed,
        options={} if unit.players is None or unit.seed is None else choose_options(game, unit.players, unit.seed),
        place=place,
        is_endless=isinstance(error, EndlessGame),
    )


def check_game(game: Game, plan: CheckPlan) -> Iterator[CheckFinding]:
    """Yield all findings of a plan, in this process."""
    for unit in plan_units(game, game.name, plan):
        yield from find_in_unit(game, unit, plan)


def run_units(
    units: Sequence[CheckUnit], plan: CheckPlan, jobs: int
) -> Generator[list[CheckFinding] | None, None, None]:
    """Yield the findings of each unit in order, found by this process or by `jobs` others.

    The first games show whether games end. If one does not, all other units that play yield None: each of them would
    play for minutes, and find the same.
    """
    with _open_runner(plan, jobs) as run:
        first = [unit for unit in units if unit.check == ENDS and unit.seed == plan.first_seed]
        known = dict(zip(first, run(first), strict=True))
        games_end = not any(finding.is_endless for found in known.values() for finding in found)
        others = [unit for unit in units if unit not in known and (games_end or unit.players is None)]
        rest = iter(run(others))
        wanted = {*others}
        for unit in units:
            yield known[unit] if unit in known else next(rest) if unit in wanted else None


@contextmanager
def _open_runner(plan: CheckPlan, jobs: int) -> Iterator[Callable[[Sequence[CheckUnit]], Iterable[list[CheckFinding]]]]:
    """Yield a function that runs units in order."""
    if jobs == 1:
        yield lambda units: (run_unit(unit, plan) for unit in units)
        return
    with open_job_pool(jobs) as pool:
        yield lambda units: pool.map(run_unit, units, [plan] * len(units))


def keep_first(findings: Sequence[CheckFinding]) -> list[CheckFinding]:
    """Return the first finding of each kind: other seeds and numbers of players mostly show the same."""
    kept: dict[tuple[str, str], CheckFinding] = {}
    for finding in findings:
        same = finding.sentence if finding.seed is None else finding.place
        kept.setdefault((finding.check, same), finding)
    return list(kept.values())
