"""Reports: verdicts with what was expected of them, for people, as JSON and as JUnit."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .checks import CHECKS, Check, Level
from .runner import ScenarioResult

PAGE = "protocol/README.md"


class Status(Enum):
    """The result of one check."""

    PASSED = "passed"
    FAILED = "failed"
    EXPECTED = "failed as expected"
    SURPRISE = "passed, but was expected to fail"


class Row(NamedTuple):
    """One line of a report."""

    scenario: str
    check: Check
    status: Status
    why: str

    @property
    def is_fatal(self) -> bool:
        """Whether the client does not conform because of this."""
        return self.status is Status.SURPRISE or (self.status is Status.FAILED and self.check.level is Level.MUST)


class BadExpectations(Exception):  # noqa: N818 (a mistake in a file)
    """The file of expected failures cannot be read."""


def read_expected(path: Path) -> frozenset[str]:
    """Return the ids in a file of expected failures: one in each line, with a comment after #."""
    try:
        lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadExpectations(f"{path} cannot be read: {error}") from None
    expected = frozenset(filter(None, lines))
    if unknown := sorted(expected - CHECKS.keys()):
        raise BadExpectations(
            f"{path} names checks that do not exist: {', '.join(unknown)}; see palatine conform --list"
        )
    return expected


def build_rows(result: ScenarioResult, expected: frozenset[str]) -> list[Row]:
    """Return the rows of one scenario."""
    return [
        Row(result.scenario.name, CHECKS[check], _find_status(bool(why), check in expected), why)
        for check, why in result.verdicts
    ]


def _find_status(has_failed: bool, is_expected: bool) -> Status:
    if has_failed:
        return Status.EXPECTED if is_expected else Status.FAILED
    return Status.PASSED


def settle_surprises(rows: list[Row], expected: frozenset[str]) -> list[Row]:
    """Mark checks that were expected to fail and passed in every scenario, so that the file stays true."""
    failed = {row.check.id for row in rows if row.status is Status.EXPECTED}
    surprises = expected - failed
    return [
        row._replace(status=Status.SURPRISE) if row.check.id in surprises and row.status is Status.PASSED else row
        for row in rows
    ]


def to_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows as plain data."""
    return [
        {
            "check": row.check.id,
            "level": row.check.level.value,
            "scenario": row.scenario,
            "status": row.status.name.lower(),
            "why": row.why,
            "sentence": row.check.sentence,
            "page": f"{PAGE}#{row.check.anchor}",
        }
        for row in rows
    ]


def to_junit(rows: list[Row]) -> bytes:
    """Return the rows as a JUnit file."""
    fatal = sum(row.is_fatal for row in rows)
    suite = Element("testsuite", name="palatine conform", tests=str(len(rows)), failures=str(fatal))
    for row in rows:
        case = SubElement(suite, "testcase", classname=row.scenario, name=row.check.id)
        if row.is_fatal:
            SubElement(case, "failure", message=row.why or row.status.value).text = row.check.sentence
        elif row.status is not Status.PASSED:
            SubElement(case, "skipped", message=f"{row.check.level.value}: {row.why}")
    indent(suite)
    content: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return content + b"\n"
