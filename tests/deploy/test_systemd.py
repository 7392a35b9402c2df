"""The unit for systemd: read as systemd reads it, and by systemd itself where there is one."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from chaos.injector import RESTART_AFTER
from deploy.files import DEPLOY, VARIABLES, read

from palatine_server.settings import Settings
from palatine_server.web.preflight import EXIT_DAMAGED

UNIT = re.findall(r"(?m)^(\w+)=(.*)$", read("palatine.service"))
SETTINGS = dict(UNIT)
HARD = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "DynamicUser": "yes",
    "CapabilityBoundingSet": "",
}


def test_it_may_do_little() -> None:
    assert HARD.items() <= SETTINGS.items()


def test_it_sets_only_what_the_server_reads() -> None:
    given = dict(word.split("=", 1) for word in shlex.split(SETTINGS["Environment"]))
    assert {*given} <= VARIABLES
    assert given["PALATINE_DATA"] == f"%S/{SETTINGS['StateDirectory']}"


def test_it_has_time_to_say_goodbye_and_enough_files() -> None:
    assert int(SETTINGS["TimeoutStopSec"]) > Settings().drain + 10
    assert int(SETTINGS["LimitNOFILE"]) > Settings().most_connections


def test_it_comes_back_as_soon_as_chaos_tries() -> None:
    assert (SETTINGS["Restart"], float(SETTINGS["RestartSec"])) == ("always", RESTART_AFTER)


def test_it_does_not_start_again_on_a_damaged_file() -> None:
    assert int(SETTINGS["RestartPreventExitStatus"]) == EXIT_DAMAGED


def test_its_command_is_ours() -> None:
    program, *words = SETTINGS["ExecStart"].split()
    palatine = Path(sys.executable).with_name("palatine")
    assert Path(program).name == palatine.name
    assert subprocess.run([palatine, *words, "--help"], capture_output=True).returncode == 0


BOT_WORKER = {"setpriority", "sched_setscheduler", "setpgid", "setitimer", "rt_sigaction", "clone", "execve"}


def test_bot_workers_may_lower_their_priority() -> None:
    """A call that is filtered ends the process, and bots without workers move at random."""
    allowed = set[str]()
    for value in (value for name, value in UNIT if name == "SystemCallFilter"):
        calls = {call for word in value.removeprefix("~").split() for call in calls_of(word)}
        allowed = allowed - calls if value.startswith("~") else allowed | calls
    assert {"setpriority", "sched_setscheduler"} <= allowed
    if shutil.which("systemd-analyze"):
        assert allowed >= BOT_WORKER
        assert not {"reboot", "setrlimit", "sched_setaffinity", "mount"} & allowed


def calls_of(word: str) -> set[str]:
    """The system calls that systemd knows by a name; of a group only the name, where there is no systemd to ask."""
    analyze = shutil.which("systemd-analyze")
    if not word.startswith("@") or not analyze:
        return {word}
    said = subprocess.run([analyze, "syscall-filter", word], capture_output=True, text=True, check=True).stdout
    names = (line.strip() for line in said.splitlines()[1:] if line.strip() and not line.strip().startswith("#"))
    return {call for name in names for call in calls_of(name)}


def test_systemd_understands_it(tmp_path: Path) -> None:
    """On a machine without systemd there is nobody to ask, and the other tests must do."""
    known = {name for name, _ in UNIT}
    assert {"Description", "ExecStart", "WantedBy", "Restart"} <= known
    if analyze := shutil.which("systemd-analyze"):
        unit = tmp_path / "palatine.service"
        unit.write_text(read("palatine.service").replace("/opt/palatine/bin/palatine", sys.executable))
        done = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
        assert (done.stderr, done.returncode) == ("", 0)
    assert (DEPLOY / "palatine.service").exists()
