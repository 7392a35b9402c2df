"""The conformance kit: right clients pass, and each broken one fails exactly its check."""

import json
import re
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from conformance.client_commands import (
    BROWSERS_AT_ONCE,
    CLIENTS,
    MISTAKES,
    build_broken,
    find_failures,
    run_all,
    serve_browser_example,
)
from typer.testing import CliRunner

from palatine_client.cli.main import build_app
from palatine_client.conformance.checks import ALL, CHECKS
from palatine_client.conformance.runner import CannotStart
from palatine_client.conformance.scenarios import SCENARIOS

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "protocol" / "README.md").read_text(encoding="utf-8")
IN_BROWSER = {"well-behaved", "unknown-field-kinds", "damaged", "cut", "lost-request"}  # `make conform` runs all
QUICK = [scenario for scenario in SCENARIOS if scenario.name in {"well-behaved", "doubled"}]


# Clients


@pytest.mark.parametrize("name", CLIENTS)
async def test_a_right_client_passes_everything_that_it_does_not_leave_out_on_purpose(name: str) -> None:
    failed = find_failures(await run_all(CLIENTS[name].words, SCENARIOS))
    assert {check: why for check, why in failed.items() if check not in CLIENTS[name].left_out} == {}
    assert failed.keys() == CLIENTS[name].left_out


async def test_the_example_page_passes_in_a_real_browser() -> None:
    with serve_browser_example() as page:
        scenarios = [scenario for scenario in SCENARIOS if scenario.name in IN_BROWSER]
        results = await run_all(page.words, scenarios, BROWSERS_AT_ONCE)
    assert find_failures(results) == {}
    assert len(results) == len(IN_BROWSER)


@pytest.mark.parametrize("mistake", MISTAKES)
async def test_a_broken_client_fails_exactly_its_check(mistake: str) -> None:
    check = MISTAKES[mistake]
    judging = [scenario for scenario in SCENARIOS if check in scenario.judged and "400" not in scenario.name]
    results = await run_all(build_broken(mistake), [*judging, *(other for other in QUICK if other not in judging)])
    assert find_failures(results).keys() == {check}


async def test_a_program_that_is_no_client_fails_with_a_reason() -> None:
    results = await run_all([sys.executable, "-c", "print('I am no client')"], QUICK[:1])
    assert find_failures(results)["hello-first"] == "the client never connected"
    assert (results[0].output, results[0].exit_code) == ("I am no client\n", 0)


async def test_a_command_that_does_not_exist_is_named() -> None:
    with pytest.raises(CannotStart, match="no-such-client"):
        await run_all(["/no-such-client"], QUICK[:1])


# The checks and the page


def test_every_check_is_judged_and_every_mistake_has_a_check() -> None:
    judged = {check for scenario in SCENARIOS for check in scenario.judged}
    assert judged == CHECKS.keys()
    assert {*MISTAKES.values()} <= judged
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)


@pytest.mark.parametrize("check", ALL, ids=lambda check: check.id)
def test_every_check_is_a_sentence_of_its_chapter(check: object) -> None:
    sentence, anchor = " ".join(check.sentence.split()), check.anchor  # type: ignore[attr-defined]
    chapters = re.split(r"^#{2,3} ", PAGE, flags=re.MULTILINE)
    found = {re.sub(r"[^a-z0-9 -]", "", text.split("\n")[0].lower()).replace(" ", "-"): text for text in chapters}
    assert anchor in found
    assert sentence in " ".join(found[anchor].split())


# The command


def test_command_writes_reports_and_knows_expected_failures(tmp_path: Path) -> None:
    expected = tmp_path / "expected.txt"
    expected.write_text("damaged  # this client keeps no board\n")
    files = [tmp_path / "verdicts.json", tmp_path / "verdicts.xml"]
    options = ["--only", "damaged", "--only", "readable", "--json", str(files[0]), "--junit", str(files[1])]

    def run(mistake: str, *more: str) -> tuple[int, str]:
        result = CliRunner().invoke(build_app(), ["conform", *options, *more, "--", *build_broken(mistake)])
        return result.exit_code, result.output

    code, output = run("no_digest")
    assert (code, "does not conform: damaged" in output) == (1, True)
    rows = json.loads(files[0].read_text())
    assert [row["check"] for row in rows if row["status"] == "failed"] == ["damaged"]
    assert fromstring(files[1].read_bytes()).get("failures") == "1"
    assert run("no_digest", "--expected", str(expected))[0] == 0
    code, output = run("none", "--expected", str(expected))
    assert (code, "remove it from the expected failures" in output) == (1, True)
    expected.write_text("no-such-check\n")
    assert run("none", "--expected", str(expected))[0] == 2


def test_command_lists_its_checks_and_refuses_unknown_ones() -> None:
    listed = CliRunner().invoke(build_app(), ["conform", "--list"])
    assert all(check.id in listed.output for check in ALL)
    assert CliRunner().invoke(build_app(), ["conform", "--only", "nonsense", "--", "true"]).exit_code == 2
    assert CliRunner().invoke(build_app(), ["conform"]).exit_code == 2
