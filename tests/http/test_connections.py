"""A process makes room for connections, as far as the system allows it."""

from __future__ import annotations

import json
import subprocess
import sys

from commonroom.http.connections import connections_within, wanted_connections
from commonroom.settings import Settings
from tests.support.dynamodb_local import ROOT

RAISED = """
import json, logging, resource, sys
from commonroom.settings import Settings
from commonroom.http.connections import make_room_for_connections
logging.basicConfig(level="WARNING", format="%(message)s")
hard = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
held = make_room_for_connections(Settings())
print(json.dumps([held, resource.getrlimit(resource.RLIMIT_NOFILE)[0]]))
"""


def raised(hard: int) -> tuple[list[int], str]:
    """What a process holds that begins with few open files, its limit then, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", RAISED, str(hard)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout), done.stderr


def test_it_raises_its_limit_as_far_as_it_needs() -> None:
    assert raised(12_000) == ([10_000, 10_256], "")


def test_it_raises_its_limit_as_far_as_it_may_and_says_that_this_is_too_little() -> None:
    held, said = raised(1000)
    assert held == [744, 1000]
    assert "1000 files" in said
    assert "10256" in said


def test_there_is_room_for_more_than_ever_do_something() -> None:
    settings = Settings(most_live_pages=20_000, most_requests=5000)
    assert wanted_connections(settings) == 50_000
    assert connections_within(10, 50_000) == 1
