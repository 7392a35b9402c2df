"""The conformance kit: right clients pass, and each broken one fails exactly its check."""

import asyncio
import json
import re
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from typer.testing import CliRunner

from palatine_client.cli.main import build_app
from palatine_client.conformance.checks import ALL, CHECKS
from palatine_client.conformance.runner import CannotStart, ScenarioResult, run_scenario
from palatine_client.conformance.scenarios import SCENARIOS
from palatine_client.conformance.scripted_server import ScriptedServer

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "protocol" / "README.md").read_text(encoding="utf-8")
PYTHON_PLAYER = [sys.executable, str(HERE / "python_player.py"), "{url}", "{token}", "{table}"]
AT_ONCE = 6  # clients; most of them wait most of the time
MISTAKES = {
    "talks_first": "hello-first",
    "long_ids": "id-form",
    "reuses_ids": "id-unique",
    "speaks_nonsense": "readable",
    "miscounts": "offer-number",
    "strict_keys": "unknown-keys",
    "strict_types": "unknown-messages",
    "any_kind": "unknown-field-kinds",
    "knows_all_codes": "unknown-codes",
    "ignores_gaps": "gap",
    "takes_doubles": "doubled",
    "no_digest": "damaged",
    "keeps_newer": "snapshot-any-time",
    "small_frames": "large-snapshot",
    "resumes_too_early": "resume-version",
    "new_ids": "resend-same-id",
    "changes_requests": "resend-unchanged",
    "impatient": "retry-later",
    "stubborn": "stale-offer",
    "hurried": "bye-waits",
    "hot_loop": "backs-off",
    "comes_back": "stays-away",
}
QUICK = [scenario for scenario in SCENARIOS if scenario.name in {"well-behaved", "doubled"}]


def broken(mistake: str) -> list[str]:
    return [sys.executable, str(HERE / "broken_player.py"), mistake, "{url}", "{token}", "{table}"]


async def run_all(command: list[str], scenarios: list[type[ScriptedServer]]) -> list[ScenarioResult]:
    limit = asyncio.Semaphore(AT_ONCE)

    async def run_one(scenario: type[ScriptedServer]) -> ScenarioResult:
        async with limit:
            return await run_scenario(command, scenario)

    return await asyncio.gather(*map(run_one, scenarios))


def failures(results: list[ScenarioResult]) -> dict[str, str]:
    return {verdict.check: verdict.why_not for result in results for verdict in result.verdicts if verdict.why_not}


# Clients


@pytest.mark.parametrize("command", [PYTHON_PLAYER, broken("none")], ids=["python client", "small player"])
async def test_a_right_client_passes_everything(command: list[str]) -> None:
    assert failures(await run_all(command, list(SCENARIOS))) == {}


@pytest.mark.parametrize("mistake", MISTAKES)
async def test_a_broken_client_fails_exactly_its_check(mistake: str) -> None:
    check = MISTAKES[mistake]
    judging = [scenario for scenario in SCENARIOS if check in scenario.judged and "400" not in scenario.name]
    results = await run_all(broken(mistake), [*judging, *(other for other in QUICK if other not in judging)])
    assert failures(results).keys() == {check}


async def test_a_program_that_is_no_client_fails_with_a_reason() -> None:
    results = await run_all([sys.executable, "-c", "print('I am no client')"], QUICK[:1])
    assert failures(results)["hello-first"] == "the client never connected"
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
        result = CliRunner().invoke(build_app(), ["conform", *options, *more, "--", *broken(mistake)])
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
