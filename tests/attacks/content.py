"""Attacks by what is typed: a description that costs far more to show than to write."""

from __future__ import annotations

import http.client
import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.attacks.guests import in_a_year

# Nine kilobytes that meant sixty-five thousand cells.
TABLE = "a|" * 100 + "\n" + "-|" * 100 + "\n" + "a|\n" * 3000
MAX_LENGTH = 10_000
SECONDS = 60


def costly_markdown(host: str, port: int, pid: int, views: int = 20) -> dict[str, Any]:
    """Makes an event with such a description, and looks at it; what does a view cost the server?"""
    event: dict[str, Any] = {
        "name": "Party",
        "expires_after": 1,
        "start_time": in_a_year(),
        "description": TABLE[:MAX_LENGTH].rstrip("\n"),
    }
    with closing(http.client.HTTPConnection(host, port, timeout=SECONDS)) as connection:
        made = _ask(connection, "POST", "/api/v1/shareables/events", json.dumps(event))
        short_id = json.loads(made)["page"]["short_id"]
        first = cpu_seconds(pid)
        largest = len(_ask(connection, "GET", f"/s/{short_id}"))
        once = cpu_seconds(pid)
        for _ in range(views):
            _ask(connection, "GET", f"/s/{short_id}")
        again = cpu_seconds(pid)
    return {
        "description_bytes": len(event["description"]),
        "page_bytes": largest,
        "first_view_cpu_ms": round(1000 * (once - first)),
        "further_views_cpu_ms": round(1000 * (again - once) / views),
    }


def _ask(connection: http.client.HTTPConnection, method: str, path: str, body: str = "") -> bytes:
    headers = {"Content-Type": "application/json", "Accept": "text/html, application/json"}
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status < 300, (path, answer.status, text[:300])
    return text


def cpu_seconds(pid: int) -> float:
    """How many seconds a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
