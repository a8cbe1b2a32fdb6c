"""What guests try who want to fill the disk: bounded, over plain HTTP, against a real server."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.attacks.guessing import ask

WIDE = "\N{GRINNING FACE}"
"""Of the largest kind: four bytes."""
LIST: dict[str, Any] = {"name": "Shopping", "items": [{"name": "Milk"}], "ticks_shared": True}


async def tick_flood(host: str, port: int, data_file: Path, ticks: int = 200) -> dict[str, Any]:
    """Ticks and unticks an item of the largest list: how much each writes, and what stays of it."""
    created = await _ask(host, port, "POST", "/api/v1/shareables/checklists", largest_list())
    made = created[1]
    path = f"/api/v1/shareables/{made['page']['short_id']}/ticks"
    item = made["page"]["items"][0]["checklist_item_id"]
    written, kept = _size(data_file), _kept(data_file)
    statuses: Counter[int] = Counter()
    for number in range(ticks):
        body: dict[str, str] | None
        verb, body = ("PUT", {}) if number % 2 == 0 else ("DELETE", None)
        status, _ = await _ask(host, port, verb, f"{path}/{item}", body)
        statuses[status] += 1
    stored = statuses[204]
    return {
        "ticks": ticks,
        "stored": stored,
        "refused_429": statuses[429],
        "page_bytes": len(json.dumps(made["page"], ensure_ascii=False).encode()),
        "written_per_tick": round((_size(data_file) - written) / max(1, stored)),
        "kept_per_tick": round((_kept(data_file) - kept) / max(1, stored)),
    }


async def page_flood(host: str, port: int, pages: int = 80) -> dict[str, Any]:
    """Makes pages without an account, one after the other, until it is refused."""
    statuses: Counter[int] = Counter()
    passed = 0
    for _ in range(pages):
        status, _ = await _ask(host, port, "POST", "/api/v1/shareables/checklists", LIST)
        statuses[status] += 1
        passed += status == 201 and not statuses[429]
    return {"tried": pages, "made_before_429": passed, "refused_429": statuses[429]}


async def storage_flood(host: str, port: int, pages: int = 60) -> dict[str, Any]:
    """Makes the largest pages without an account, until there is no room for them."""
    statuses: Counter[int] = Counter()
    for _ in range(pages):
        status, _ = await _ask(host, port, "POST", "/api/v1/shareables/checklists", largest_list())
        statuses[status] += 1
    return {
        "tried": pages,
        "made": statuses[201],
        "refused_507": statuses[507],
        "refused_429": statuses[429],
    }


async def answer_flood(host: str, port: int, answers: int = 100) -> dict[str, Any]:
    """Answers one event of the largest kind, many at once."""
    event = {
        "name": "Party",
        "start_time": in_a_year(),
        "is_rsvp_required": True,
        "description": WIDE * 10_000,
    }
    _, made = await _ask(host, port, "POST", "/api/v1/shareables/events", event)
    path = f"/api/v1/shareables/{made['page']['short_id']}/rsvps"
    going = {"name": WIDE * 60, "response": "going"}
    answered = await asyncio.gather(
        *(_ask(host, port, "POST", path, going) for _ in range(answers))
    )
    statuses = Counter(status for status, _ in answered)
    return {
        "tried": answers,
        "stored": statuses[201],
        "refused_429": statuses[429],
        "others": sum(statuses.values()) - statuses[201] - statuses[429],
    }


def far_events(host: str, port: int) -> dict[str, Any]:
    """Makes events that would stay for centuries, and answers one that is over."""

    def event(year: int, **more: Any) -> int:
        typed = {
            "name": "Party",
            "time_zone": "Europe/Berlin",
            "start_time": "2020-01-01T12:00:00+01:00",
            "end_time": f"{year}-01-01T12:00:00+01:00",
            "is_rsvp_required": True,
            "confirm_past": True,
        }
        status, _, answer = ask(host, port, "/shareables/events", typed | more)
        made.append(answer)
        return status

    made: list[Any] = []
    this_year = datetime.now(UTC).year
    figures: dict[str, Any] = {
        "until 2999": event(2999),
        "for five years": event(this_year + 5),
        "for a year": event(this_year + 1),
        "over": event(2021),
    }
    over = made[-1]["page"]["short_id"]
    answer = {"name": "Ben", "response": "going"}
    figures["an answer to one that is over"] = ask(host, port, f"/shareables/{over}/rsvps", answer)[
        0
    ]
    return figures


def in_a_year() -> str:
    """A day that an event may have."""
    return (datetime.now(UTC) + timedelta(days=365)).isoformat()


def largest_list() -> dict[str, Any]:
    """As much as a page holds, all of it of the largest kind."""
    items = [{"name": WIDE * 150, "note": WIDE * 40} for _ in range(200)]
    return {**LIST, "items": items}


def _size(data_file: Path) -> int:
    """What the data file and the log beside it take; the log is used again once it has 4 MB."""
    beside = data_file.with_name(f"{data_file.name}-wal")
    return sum(one.stat().st_size for one in (data_file, beside) if one.exists())


def _kept(data_file: Path) -> int:
    """What everything that is stored takes, also what is still in the log."""
    with closing(sqlite3.connect(f"file:{data_file}?mode=ro", uri=True)) as connection:
        (count,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int((count - free) * size)


async def _ask(host: str, port: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """One request on a connection of its own; status, and what was answered."""
    sent = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    reader, writer = await asyncio.open_connection(host, port)
    try:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        )
        writer.write(head.encode() + sent)
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()
    status_line, _, rest = answer.partition(b"\r\n")
    payload = rest.partition(b"\r\n\r\n")[2]
    status = int(status_line.split(b" ")[1])
    return status, json.loads(payload) if payload.startswith(b"{") else None
