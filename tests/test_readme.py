"""The documents are true: their Python runs, their links and commands lead somewhere, and the map is complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "server" / "palatine_server"
PAGES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "clients/README.md",
    "clients/DISCORD.md",
    "clients/ENVIRONMENTS.md",
    "clients/typescript/README.md",
    "deploy/README.md",
    "server/README.md",
    "server/palatine_server/games/README.md",
    "server/palatine_server/games/TUTORIAL.md",
    "server/palatine_server/tables/storage/STORED_TYPES.md",
    "tests/simulation/README.md",
]
TEXTS = {page: (ROOT / page).read_text("utf-8") for page in PAGES}
README, ARCHITECTURE, ALL = TEXTS["README.md"], TEXTS["server/README.md"], "\n".join(TEXTS.values())
LINKS = sorted({(page, link) for page in PAGES for link in re.findall(r"\]\((?!http)([^)]+)\)", TEXTS[page])})
COMMANDS = sorted({*re.findall(r"(?m)(?:^|`)palatine ([a-z][\w-]*)((?: --[\w-]+)*)", ALL)})
MODULES = sorted({*re.findall(r"(?<![\w./])(?:\w+/)+\w+\.py\b", ARCHITECTURE)})
FOLDERS = sorted({*re.findall(r"`(tests/[\w/.]+?)/?`", ALL)})


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_in_the_readme_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_links_lead_to_files_and_headings(page: str, link: str) -> None:
    name, _, heading = link.partition("#")
    target = (ROOT / page).parent / name if name else ROOT / page
    assert target.exists()
    if heading:
        assert heading in {slug(line) for line in re.findall(r"(?m)^#+ (.+)$", target.read_text("utf-8"))}


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize(("command", "options"), COMMANDS)
def test_commands_and_their_options_exist(command: str, options: str) -> None:
    palatine = Path(sys.executable).parent / "palatine"
    done = subprocess.run([palatine, command, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [option for option in options.split() if option not in done.stdout] == []


@pytest.mark.parametrize("target", sorted({*re.findall(r"(?m)(?:^|`)make (\w+)", ALL)}))
def test_make_targets_exist(target: str) -> None:
    assert re.search(rf"(?m)^{target}:", (ROOT / "Makefile").read_text("utf-8"))


def test_contributing_lists_every_make_target() -> None:
    targets = {*re.findall(r"(?m)^([a-z]+):.*##", (ROOT / "Makefile").read_text("utf-8"))} - {"clean"}
    assert targets <= {*re.findall(r"`make (\w+)`", TEXTS["CONTRIBUTING.md"])}


@pytest.mark.parametrize("folder", FOLDERS)
def test_tests_that_the_documents_name_exist(folder: str) -> None:
    assert (ROOT / folder).exists()


def test_contributing_names_every_folder_of_tests() -> None:
    named = {name.split("/")[1] for name in re.findall(r"`(tests/\w+)`", TEXTS["CONTRIBUTING.md"])}
    assert {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "_."} <= named


# The map of the server


@pytest.mark.parametrize("module", MODULES)
def test_modules_on_the_map_exist(module: str) -> None:
    assert any((place / module).exists() for place in (SERVER, ROOT, ROOT / "server", ROOT / "clients" / "python"))


def test_the_map_draws_three_paths() -> None:
    _, _, paths = ARCHITECTURE.partition("## Three paths through the modules")
    assert re.findall(r"(?m)^### (.+)$", paths) == ["An action", "A reconnect", "A deadline"]
    for path in re.findall(r"(?ms)^```\n(.*?)^```", paths)[:3]:
        assert [line for line in path.splitlines() if not re.match(r" *[\w/]+\.py  +\S", line)] == []


def test_every_package_is_on_the_map() -> None:
    _, _, parts = ARCHITECTURE.partition("## The parts")
    named = {name for row in re.findall(r"(?m)^\|(.*?)\|", parts) for name in re.findall(r"`(.*?)`", row)}
    packages = {str(path.parent.relative_to(SERVER)) for path in SERVER.rglob("*/__init__.py")}
    of_games = {package for package in packages if re.match(r"games/(?!kit)", package)}
    assert packages - of_games == named


def test_every_module_beside_the_packages_is_on_the_map() -> None:
    alone = {path.name for path in SERVER.glob("*.py")} - {"__init__.py"}
    assert alone <= {*re.findall(r"`(\w+\.py)`", ARCHITECTURE)}
