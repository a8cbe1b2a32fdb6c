"""Pages that are made and used by HTTP alone, as any program can."""

from __future__ import annotations

from typing import Any

from tests.accounts.api.calling import V1, Client, given
from tests.shareables.furniture import YEAR

PAGES: dict[str, dict[str, Any]] = {
    "checklist": {
        "name": "Shopping",
        "items": [{"name": "Milk"}, {"name": "Bread", "note": "the dark one"}],
        "ticks_shared": True,
    },
    "event": {
        "name": "Birthday",
        "start_time": f"{YEAR}-12-01T18:00:00.000Z",
        "is_rsvp_required": True,
    },
    "poll": {
        "name": "Summer",
        "questions": [
            {
                "title": "Where to?",
                "is_required": True,
                "options": [{"label": "The sea"}, {"label": "The hills"}],
            },
        ],
    },
}


async def shared(client: Client, kind: str, **more: Any) -> dict[str, Any]:
    """A new page, with its pass."""
    made = await client.post(f"{V1}/shareables/{kind}s", json=PAGES[kind] | more)
    answer: dict[str, Any] = given(made, 201)
    return answer


def held(got: dict[str, Any]) -> dict[str, str]:
    """The header with a pass that was got."""
    return {"X-Shareable-Pass": got["pass"]}


def code(shown: str) -> dict[str, str]:
    """The header with the code or the receipt of an answer."""
    return {"X-Answer-Code": shown}
