"""What shareables keep of a person, for their data export."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from commonroom.accounts.tables import User
from commonroom.moments import known
from commonroom.shareables.tables import (
    EventRsvp,
    PollVote,
    ShareableBookmark,
    answer_of,
    answers_of_account,
    kept_pages,
    shareable,
)
from commonroom.store import Store

SECRETS = frozenset(
    {"viewPasscode", "adminPasscode", "viewPasscodeVersion", "adminPasscodeVersion"}
    | {"creatorTokenVersion", "pk", "sk"}
)
"""What a page holds besides what its maker put there."""


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """The pages in a person's list, with all that is on those that they made, and their answers."""
    kept = [one async for one in store.all(kept_pages(user_id=person.user_id))]
    return {
        "pages": [await _page(store, one) for one in kept],
        "answers": await _answers(store, person.user_id),
    }


async def _page(store: Store, kept: ShareableBookmark) -> dict[str, Any]:
    listed = {"short_id": kept.short_id, "role": kept.role}
    page = await store.get(shareable(short_id=kept.short_id)) if kept.role == "made" else None
    if page is None or page.created_by != kept.user_id:
        return listed
    content = {name: value for name, value in page.to_item().items() if name not in SECRETS}
    return listed | {"content": content}


async def _answers(store: Store, account_id: str) -> list[dict[str, Any]]:
    pointers = [one async for one in store.all(answers_of_account(account_id=account_id))]
    found = await store.batch_get([answer_of(one) for one in pointers])
    return [_seen(one) for one in found if one is not None]


def _seen(answer: EventRsvp | PollVote) -> dict[str, Any]:
    fields = ("short_id", "name")
    said = ("response", "guest_count") if isinstance(answer, EventRsvp) else ("answers",)
    moments = {"created_at": known(answer.created_at), "updated_at": known(answer.updated_at)}
    return moments | {name: to_builtins(getattr(answer, name)) for name in (*fields, *said)}
