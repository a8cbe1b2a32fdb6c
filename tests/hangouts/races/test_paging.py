"""Cursors are right at every boundary: same seconds, moved, cancelled and deleted hangouts."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.listing import Scope, group_scope, own_scope
from commonroom.hangouts.service.lists import stretch
from commonroom.hangouts.service.pointers import edit_writes, new_pointers
from commonroom.hangouts.service.timeline import Partitions, TimelinePosition, seal
from commonroom.hangouts.tables import FriendGroup, Hangout
from commonroom.moments import iso
from commonroom.store import Store, create, delete
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.friends import TABLES, group_of, somebody
from tests.support.budget import examples

MAX_ROWS = 40
SECONDS = st.integers(-6, 0)
"""So few that many start in the same one."""
CHANGES = st.lists(
    st.tuples(st.sampled_from(["move", "cancel", "delete", "add"]), st.integers(0, 99), SECONDS),
    max_size=3,
)


class Past:
    """A group's past, in which things change while somebody pages through it."""

    def __init__(self, store: Store, clock: Watch, ada: User, groups: list[FriendGroup]) -> None:
        self.store, self.clock, self.ada, self.groups = store, clock, ada, groups
        self.there: dict[str, Hangout] = {}
        self.untouched: set[str] = set()
        self.number = 0

    async def add(self, second: int) -> str:
        """One more hangout that started then, in one of the groups, or in both."""
        self.number += 1
        ids = [one.group_id for one in self.groups]
        start = int(self.clock()) + second
        made = Hangout(
            # Ids are in no order here: they are what is compared last.
            hangout_id=f"{self.number * 7919 % 1000:03}",
            title="X",
            created_by=self.ada.user_id,
            created_at=iso(self.clock()),
            updated_at=iso(self.clock()),
            group_ids=[ids, ids[:1], ids[1:] or ids][self.number % 3],
            start_timestamp=start,
            end_timestamp=start,
        )
        await self.store.write(create(made), *map(create, new_pointers(made)))
        self.there[made.hangout_id] = made
        return made.hangout_id

    async def change(self, what: str, which: int, second: int) -> None:
        """Something that happens between two pages."""
        if what == "add":
            await self.add(second)
            return
        if not self.there:
            return
        one = self.there[sorted(self.there)[which % len(self.there)]]
        if what != "cancel":  # what is cancelled stays where it is
            self.untouched.discard(one.hangout_id)
        if what == "delete":
            gone = [delete(pointer) for pointer in new_pointers(one)]
            await self.store.write(delete(one), *gone)
            del self.there[one.hangout_id]
            return
        start = int(self.clock()) + second
        moved = {"start_timestamp": start, "end_timestamp": start}
        changes: dict[str, Any] = moved if what == "move" else {"cancelled_at": iso(self.clock())}
        after = replace(one, **changes)
        if after != one:
            changed, writes = edit_writes(one, after)
            await self.store.write(*writes)
            self.there[one.hangout_id] = changed

    @property
    def in_order(self) -> list[tuple[int, str]]:
        """All of them, as they are to be listed."""
        return sorted((one.start_timestamp or 0, one.hangout_id) for one in self.there.values())


async def scope_of(ctx: Context, group_id: str | None) -> Scope:
    """A group's timeline, or one's own."""
    return await (own_scope(ctx) if group_id is None else group_scope(ctx, group_id))


async def page_through(
    past: Past, group_id: str | None, limit: int, changes: list[list[tuple[str, int, int]]]
) -> None:
    """Pages to the beginning and back, while things change between the pages."""
    ctx = Context(past.store, past.ada, past.clock())
    mine = [one.group_id for one in past.groups]
    of = Partitions((group_id,)) if group_id else Partitions(mine, past.ada.user_id)
    scope = await scope_of(ctx, group_id)
    for is_back, place in (
        (True, TimelinePosition(int(ctx.now) + 1, "")),
        (False, TimelinePosition(0, "")),
    ):
        past.untouched = {
            one.hangout_id
            for one in past.there.values()
            if group_id is None or group_id in one.group_ids
        }
        seen: list[str] = []
        cursor, number = seal(past.store, of, place), 0
        while cursor is not None:
            asked = {"before": cursor} if is_back else {"after": cursor}
            page = await stretch(ctx, past.ada, scope, limit=limit, **asked)
            rows = [(one.row.start_timestamp, one.row.hangout_id) for one in page.items]
            assert len(rows) <= limit
            assert rows == sorted(rows), "in the order of time"
            seen += [one for _, one in rows]
            cursor = page.earlier if is_back else page.later
            for change in changes[number] if number < len(changes) else ():
                await past.change(*change)
            number += 1
            assert number < 200, "the pages end"
        for one in past.untouched:
            assert seen.count(one) == 1, "whatever happens to others, each is seen once"


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(SECONDS, max_size=MAX_ROWS),
    st.integers(1, 7),
    st.booleans(),
    st.lists(CHANGES, max_size=6),
)
def test_each_hangout_is_seen_once_whatever_changes_between_pages(
    seconds: list[int], limit: int, of_group: bool, changes: list[list[tuple[str, int, int]]]
) -> None:
    async def run(folder: Path) -> None:
        clock = Watch()
        store = Store(EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock))
        ada = await somebody(store, clock, "Ada")
        groups = [await group_of(store, clock, ada, name=name) for name in ("A", "B")]
        past = Past(store, clock, ada, groups)
        for second in seconds:
            await past.add(second)
        group_id = groups[0].group_id if of_group else None
        await page_through(past, group_id, limit, changes)
        await store.close()

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(run(Path(name)))


async def both_ways(past: Past, group_id: str | None, limit: int) -> None:
    """To the beginning page by page, and back by the cursors of the other side."""
    ctx = Context(past.store, past.ada, past.clock())
    expected = [
        one for _, one in past.in_order if group_id is None or group_id in past.there[one].group_ids
    ]
    pages = []
    cursor: str | None = None
    scope = await scope_of(ctx, group_id)
    while True:
        page = await stretch(ctx, past.ada, scope, limit=limit, before=cursor)
        pages.append(page)
        cursor = page.earlier
        if cursor is None:
            break
    back = [one.row.hangout_id for page in reversed(pages) for one in page.items]
    assert back == expected
    # From any page, its later side is the page that led to it.
    for page in pages[1:]:
        later = await stretch(ctx, past.ada, scope, limit=limit, after=page.later)
        ids = [one.row.hangout_id for one in page.items]
        after = expected[expected.index(ids[-1]) + 1 :] if ids else expected
        assert [one.row.hangout_id for one in later.items] == after[:limit]
        again = await stretch(ctx, past.ada, scope, limit=limit, before=later.earlier)
        assert [one.row.hangout_id for one in again.items][-len(ids) :] == ids


async def test_pages_of_one_second_go_both_ways(store: Store, clock: Watch) -> None:
    ada = await somebody(store, clock, "Ada")
    groups = [await group_of(store, clock, ada, name=name) for name in ("A", "B")]
    past = Past(store, clock, ada, groups)
    for second in [-5] * 9 + [-4] * 2 + [-3] * 7 + [-1]:
        await past.add(second)
    for group_id in (None, groups[0].group_id):
        for limit in (1, 3, 7, 50):
            await both_ways(past, group_id, limit)
