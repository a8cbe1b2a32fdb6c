"""What the doctor says of the machine."""

from __future__ import annotations

import resource

from commonroom.doctor.machine import check_connections, examine_connections
from commonroom.settings import Settings


def test_it_says_how_many_connections_are_held() -> None:
    finding = check_connections(Settings(), 20_000)
    assert finding.level == "ok"
    assert "10,000 at a time" in finding.detail
    assert "2,500" in finding.detail
    assert check_connections(Settings(), resource.RLIM_INFINITY) == finding


def test_it_warns_where_the_system_allows_too_few_open_files() -> None:
    finding = check_connections(Settings(), 1024)
    assert finding.level == "warning"
    assert "768 at a time" in finding.detail
    assert "10,256 files" in finding.repair


def test_it_looks_at_this_machine() -> None:
    assert examine_connections(Settings()).about == "connections"
