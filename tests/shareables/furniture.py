"""What the tests of shareables share: their tables, and pages to try things on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar
from uuid import uuid4

from msgspec.structs import replace

from commonroom.accounts.tables import tables as accounts
from commonroom.notifications.tables import tables as notify
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.rules.polls import TypedPollPage, TypedPollPageOption, TypedQuestion
from commonroom.shareables.service.create import Created, Passcodes, create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import (
    P,
    Page,
    PageAccess,
    ShareableVisitor,
    of_kind,
    open_page,
)
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import tables as shareables
from commonroom.shareables.tables.pool import PooledId
from commonroom.store import Entity, Store, create
from commonroom.store.engine import Engine
from commonroom.store.streams.tables import tables as streams
from commonroom.store.values import Item
from commonroom.timers.tables import tables as timers
from tests.accounts.people import Watch

E = TypeVar("E", bound=Entity)

PASSES = Passes(bytes(32))
VIEW, ADMIN = "the view passcode", "the admin passcode"

COMMON: dict[str, Any] = {
    "short_id": "abc-def-12345",
    "expires_after": 7,
    "created_at": "",
    "updated_at": "",
    "expires_at": "",
    "ttl": 1,
}
"""What a page needs besides what somebody types."""
SHOPPING = TypedChecklist(
    name="Shopping",
    note="For Saturday",
    items=[TypedChecklistItem(name="Milk"), TypedChecklistItem(name="Bread", note="the dark one")],
    ticks_shared=True,
)
BIRTHDAY = TypedEvent(
    name="Birthday",
    start_time="2286-12-01T18:00:00+01:00",
    location="The garden",
    description="Bring a *cake*.",
    is_rsvp_required=True,
)
YEAR = datetime.now(UTC).year + 1
"""In which things are that come up, where the time is the machine's own."""
CLOCKS_GO_FORWARD, CLOCKS_GO_BACK = (
    max(
        day
        for day in (date(YEAR, month, 31) - timedelta(days=n) for n in range(7))
        if day.weekday() == 6
    )
    for month in (3, 10)
)
"""The last Sundays of March and October, in the night of which clocks change in Europe."""
WEEKDAY = f"{date(YEAR, 12, 1):%A}"
"""Of the birthday."""
NEXT_BIRTHDAY = replace(BIRTHDAY, start_time=f"{YEAR}-12-01T18:00:00+01:00")
SUMMER = TypedPollPage(
    name="Summer",
    questions=[
        TypedQuestion(
            title="Where to?",
            is_required=True,
            options=[TypedPollPageOption(label="The sea"), TypedPollPageOption(label="The hills")],
        ),
        TypedQuestion(
            title="When?",
            is_multiple=True,
            options=[TypedPollPageOption(label=month) for month in ("June", "July", "August")],
        ),
    ],
)

TABLES = [*shareables, *accounts, *notify, *timers, *streams]


async def everything_of(engine: Engine, kind: type[E]) -> list[E]:
    """All things of a kind."""
    table = kind.schema.table
    found: list[E] = []
    start: Item | None = None
    while True:
        rows = await engine.scan(table, limit=1000, start=start)
        found += [
            kind.from_item(item)
            for item in rows.items
            if table.discriminator is None or item[table.discriminator] == kind.schema.kind
        ]
        start = rows.next
        if start is None:
            return found


async def made(store: Store, clock: Watch, typed: Typed = SHOPPING, **options: Any) -> Created:
    """A new page, from an address of its own."""
    return await create_page_with(
        ShareableVisitor(store, PASSES, clock(), address=str(uuid4())), typed, **options
    )


async def create_page_with(
    visitor: ShareableVisitor, typed: Typed, *, expires_after: Days = 7, **options: Any
) -> Created:
    """A new page; what is said of its creator is taken for the visitor."""
    about = {
        name: options.pop(name) for name in ("account_id", "address", "limits") if name in options
    }
    return await create_page(
        replace(visitor, **about), typed, expires_after=expires_after, **options
    )


async def protected(store: Store, clock: Watch, typed: Typed = SHOPPING, **options: Any) -> Created:
    """A new page with both passcodes."""
    return await made(store, clock, typed, passcodes=Passcodes(VIEW, ADMIN), **options)


async def let_in(
    store: Store, clock: Watch, page: Page, *tokens: str, want: Role = "view", **shown: Any
) -> PageAccess[Page]:
    """A page, opened to whoever shows these tokens."""
    visitor = ShareableVisitor(store, PASSES, clock(), tokens=tokens, **shown)
    return await open_page(visitor, page.short_id, want=want)


async def let_in_to(
    kind: type[P], store: Store, clock: Watch, made: Created, *, want: Role = "view", **shown: Any
) -> PageAccess[P]:
    """A page of a kind, opened to its creator or, to view it, to anybody."""
    tokens = (made.token,) if want == "admin" else ()
    return of_kind(await let_in(store, clock, made.page, *tokens, want=want, **shown), kind)


async def stocked(store: Store, ids: list[str], partitions: int) -> None:
    """A pool of these ids, spread over its first partitions."""
    for number, short_id in enumerate(ids):
        place, slot = number % partitions, number // partitions
        await store.write(create(PooledId(partition=place, slot=slot, id=short_id)))
