"""What goes into the image is built, installed and run. `make image` builds the image itself and plays in it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import httpx
import pytest
from deploy.files import DEPLOY, ROOT, VARIABLES, dockerfile, image_environment, read, words_of
from server_fixture import running
from store import redis_servers
from store.redis_servers import free_port

BIN = Path(sys.executable).parent
COMMAND = "from palatine_client.cli.main import main; main()"  # what the script `palatine` does
PAGES = (
    *("/healthz", "/readyz", "/v1/games", "/docs", "/docs/RECORD.md", "/docs/FAIRNESS.md", "/docs/CHANCE.md"),
    *("/docs/asyncapi.yaml", "/docs/schema.json", "/docs/vectors/messages.json"),
)


def test_the_dockerfile_is_as_a_linter_likes_it() -> None:
    done = subprocess.run([BIN / "hadolint", "--no-color", DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_image_runs_as_nobody_special() -> None:
    (user,) = words_of("USER")
    assert user == "10001:10001"
    order = [word for word, _ in dockerfile()]
    assert order.index("USER") < order.index("ENTRYPOINT")


def test_the_image_sets_only_what_the_server_reads() -> None:
    ours = {name for name in image_environment() if name.startswith("PALATINE_")}
    assert ours <= VARIABLES
    assert ours


def test_the_ports_of_the_image_are_those_it_serves() -> None:
    (exposed,) = words_of("EXPOSE")
    environment = image_environment()
    assert exposed.split() == [environment["PALATINE_PORT"], environment["PALATINE_METRICS_PORT"]]


def test_what_is_copied_is_not_ignored() -> None:
    let_in = {line[1:] for line in read("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    assert {*copied()} == let_in


def copied() -> list[str]:
    """What the first stage copies from the repository."""
    return [word for words in words_of("COPY") if "--from" not in words for word in words.split()[:-1]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the package as the image has it: from the copied files only; what it needs is borrowed.

    It is compiled as there, but by tcc, which needs a second where gcc needs minutes.
    """
    place = tmp_path_factory.mktemp("image")
    source, environment = place / "src", place / "palatine"
    for name in copied():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    venv.create(environment, with_pip=False)
    words = shlex.split(" ".join(words_of("RUN")))
    assert [word for word in words if word.startswith((".[", "PALATINE_"))] == ["PALATINE_COMPILED=1", ".[server]"]
    target = environment / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    pip = [BIN / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    compiling = {**os.environ, "PALATINE_COMPILED": "1", "MYPYC_OPT_LEVEL": "0", "CC": str(quick_compiler(place))}
    subprocess.run([*pip, "--target", target, source], check=True, capture_output=True, env=compiling)
    borrowed = next(path for path in sys.path if path.endswith("site-packages"))
    (target / "borrowed.pth").write_text(borrowed)  # the lines of other .pth files there are not read
    return environment


def quick_compiler(folder: Path) -> Path:
    """Write a command that calls tcc, and lets pass what is a warning of tcc alone."""
    command = folder / "quick-cc"
    command.write_text(f'#!/bin/sh\nexec {BIN.parent / "tcc"} "$@" -w -Wno-error\n')
    command.chmod(0o755)
    return command


def health_check(port: int) -> list[str]:
    """The command that says whether the container is well, for another port."""
    (words,) = words_of("HEALTHCHECK")
    command: list[str] = json.loads(words[words.index("[") :])
    assert image_environment()["PALATINE_PORT"] in command[-1]
    return [str(BIN / command[0]), *(word.replace("8080", str(port)) for word in command[1:])]


async def test_what_is_installed_serves_and_writes_nothing_but_its_data(installed: Path, tmp_path: Path) -> None:
    port, metrics = free_port(), free_port()
    environment = {
        **image_environment(),
        "PATH": os.environ["PATH"],
        "PALATINE_PORT": str(port),
        "PALATINE_METRICS_PORT": str(metrics),
        "PALATINE_HOST": "127.0.0.1",
        "PALATINE_DATA": str(tmp_path / "data"),
    }
    before = {*installed.rglob("*")}
    palatine = [installed / "bin" / "python", "-c", COMMAND, *json.loads("".join(words_of("CMD")))]
    with subprocess.Popen(palatine, env=environment, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stderr
        greeting = json.loads(process.stderr.readline())
        assert greeting["url"] == f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=greeting["url"]) as client:
            answers = [await client.get(page) for page in PAGES]
        well = subprocess.run(health_check(port), capture_output=True)
        process.terminate()
        assert process.wait(20) == 0
        said = process.stderr.read()
    assert [answer.status_code for answer in answers] == [200] * len(PAGES)
    assert well.returncode == 0
    assert subprocess.run(health_check(port), capture_output=True).returncode != 0
    assert said == ""
    assert {*installed.rglob("*")} == before
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def compiled() -> list[str]:
    """What is to be compiled, as it is imported."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    modules = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["modules"]
    paths = (re.sub(r".*(palatine_\w+/.*)\.(py|c)", r"\1", module) for module in modules)
    return [path.removesuffix("/__init__").replace("/", ".") for path in paths]


def test_what_is_pure_and_hot_is_compiled(installed: Path) -> None:
    ask = f"from importlib import import_module\nfor name in {compiled()}: print(import_module(name).__file__)"
    told = subprocess.run([installed / "bin" / "python", "-c", ask], capture_output=True, text=True, check=True)
    files = told.stdout.split()
    assert len(files) == len(compiled())
    assert all(file.startswith(str(installed)) and file.endswith(".so") for file in files), files


def test_what_is_compiled_does_what_it_does_in_a_checkout(installed: Path) -> None:
    """Whole games through real sockets on compiled tables; tests that put a hand into a class cannot run with it."""
    (place,) = installed.glob("lib/*/site-packages")
    names = "test_table_lifecycle.py", "test_play.py", "test_two_nodes.py"
    lives = [ROOT / "tests" / "gateway" / name for name in names]
    done = subprocess.run(
        [BIN / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *lives],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]


async def test_a_node_with_a_redis_and_a_secret_needs_no_disk_at_all(tmp_path: Path) -> None:
    """As in compose and Kubernetes, where the root is read-only."""
    with redis_servers.running(redis_servers.one_server) as redis, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PALATINE_SECRET", "0" * 64)
        async with running(tmp_path / "nowhere", store=redis.url) as house, house.peer("Anna"):
            pass
    assert not (tmp_path / "nowhere").exists()
