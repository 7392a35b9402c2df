"""The work of `palatine check`: run the checks behind a progress bar, and print the findings."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import closing

import msgspec
import typer
from msgspec import Struct
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from palatine_client.render.translations import Lang
from palatine_client.screen_console import ScreenConsole
from palatine_client.screen_text import screen_json

from ..checks.check_list import CheckPlan
from ..checks.findings import CheckFinding
from ..checks.random_games import list_all_options
from ..checks.runner import CheckUnit, keep_first, plan_units, run_units
from ..games.kit import Game
from .check_texts import name_check, translate

CLEAN, FOUND = 0, 1
SIGNS = {"right": Text("✓", "green"), "wrong": Text("✗", "red"), "warning": Text("!", "yellow")}


class CheckReport(Struct, kw_only=True):
    """The result of `palatine check`, as --json prints it."""

    game: str
    checks: int
    games: int  # that were played
    left_out: int  # games that were not played, because others showed that games do not end
    findings: list[CheckFinding]
    warnings: list[CheckFinding]


class GameCheck:
    """Checks one game, and prints the result."""

    def __init__(self, game: Game, source: str, plan: CheckPlan, lang: Lang) -> None:
        self._game, self._source, self._plan, self._lang = game, source or game.name, plan, lang
        self._out = ScreenConsole(highlight=False, soft_wrap=True)
        self._err = ScreenConsole(stderr=True, highlight=False)

    def run(self, jobs: int, *, as_json: bool, is_strict: bool) -> int:
        """Run all checks; print the findings; return the exit code."""
        units = plan_units(self._game, self._source, self._plan)
        played, found = self._find(units, jobs)
        findings = keep_first(found)
        wrong = [finding for finding in findings if not finding.is_warning]
        report = CheckReport(
            game=self._game.name,
            checks=len({unit.check for unit in played}),
            games=sum(unit.players is not None for unit in played),
            left_out=len(units) - len(played),
            findings=wrong,
            warnings=[finding for finding in findings if finding.is_warning],
        )
        if as_json:
            typer.echo(screen_json(msgspec.json.format(msgspec.json.encode(report))))
        else:
            self._print(played, report, is_strict=is_strict)
        return FOUND if wrong or (is_strict and findings) else CLEAN

    def _find(self, units: Sequence[CheckUnit], jobs: int) -> tuple[list[CheckUnit], list[CheckFinding]]:
        """Return the units that were not left out, and their findings."""
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        done: list[CheckUnit] = []
        found: list[CheckFinding] = []
        with (
            Progress(*columns, console=self._err, transient=True, disable=not self._err.is_terminal) as progress,
            closing(run_units(units, self._plan, jobs)) as running,
        ):
            bar = progress.add_task("", total=len(units))
            for unit, findings in zip(units, running, strict=True):
                if findings is not None:
                    done.append(unit)
                    found += findings
                progress.update(bar, advance=1, description=name_check(self._lang, unit.check))
        return done, found

    # Output

    def _print(self, units: Sequence[CheckUnit], report: CheckReport, *, is_strict: bool) -> None:
        by_check: dict[str, list[CheckFinding]] = {}
        for finding in [*report.findings, *report.warnings]:
            by_check.setdefault(finding.check, []).append(finding)
        for check in dict.fromkeys(unit.check for unit in units):
            self._print_check(check, by_check.get(check, []))
        self._print_summary(report, is_strict=is_strict)

    def _print_check(self, check: str, findings: list[CheckFinding]) -> None:
        is_wrong = any(not finding.is_warning for finding in findings)
        sign = SIGNS["wrong" if is_wrong else "warning" if findings else "right"]
        self._out.print(sign, name_check(self._lang, check), Text(check, "dim"))
        for finding in findings:
            self._print_finding(finding)

    def _print_finding(self, finding: CheckFinding) -> None:
        for line in finding.sentence.splitlines():
            self._out.print(Text(f"    {line}"))
        if finding.place:
            self._out.print(Text(f"    {finding.place}", "dim"))
        if finding.seed is not None:
            where = translate(self._lang, "players and seed", players=finding.players, seed=finding.seed)
            options = "".join(f", {name}={value!r}" for name, value in finding.options.items())
            self._out.print(Text(f"    {where}{options}; {translate(self._lang, 'repeat')}", "dim"))
            self._out.print(Text(f"      {self._format_command(finding)}", "bold"))

    def _format_command(self, finding: CheckFinding) -> str:
        """Return the command that shows a finding again."""
        words = [
            "--only",
            finding.check,
            "--players",
            str(finding.players),
            "--seed",
            str(finding.seed),
            "--seeds",
            "1",
        ]
        return shlex.join(["palatine", "check", self._source, *words])

    def _print_summary(self, report: CheckReport, *, is_strict: bool) -> None:
        title = self._game.title.get(self._lang, self._game.title["en"])
        wrong, warnings = len(report.findings), len(report.warnings)
        key = "found" if wrong or warnings else "all right"
        values = {"title": title, "wrong": wrong, "warnings": warnings, "checks": report.checks, "games": report.games}
        self._out.print(Text(f"\n{translate(self._lang, key, **values)}", "bold"))
        if report.left_out:
            self._out.print(Text(translate(self._lang, "left out", count=report.left_out)))
        if (sets := len(list_all_options(self._game))) > self._plan.seeds and report.games:
            self._out.print(Text(translate(self._lang, "options", seeds=self._plan.seeds, sets=sets), "dim"))
        if warnings and not is_strict:
            self._out.print(Text(translate(self._lang, "strict"), "dim"))
