"""The processes of a pool end with their parent."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from palatine_server.job_pool import open_job_pool

def spin():
    print("at work", flush=True)
    while True:
        pass

if __name__ == "__main__":
    with open_job_pool(1) as pool:
        pool.submit(spin).result()
"""


def test_a_process_of_a_pool_ends_with_its_parent_though_it_is_at_work(tmp_path: Path) -> None:
    script = tmp_path / "spinning.py"
    script.write_text(SCRIPT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"at work\n"
        parent.kill()
        rest, _ = parent.communicate(timeout=60)  # until no process has the pipe any more
    assert rest == b""
