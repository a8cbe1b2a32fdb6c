"""The gate opens a page to whoever may have it, and tells all others nothing."""

from __future__ import annotations

import pytest

from commonroom.errors import Forbidden, NotFound
from commonroom.shareables.errors import NeedsPasscode, PageClosed
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service.create import Passcodes
from commonroom.shareables.service.gate import ShareableVisitor, of_kind, open_page
from commonroom.shareables.service.passcodes import enter
from commonroom.shareables.tables import Checklist, Poll
from commonroom.store import Store, counting
from tests.accounts.people import DAY, Watch
from tests.shareables.furniture import (
    ADMIN,
    BIRTHDAY,
    PASSES,
    SHOPPING,
    SUMMER,
    VIEW,
    let_in,
    made,
    protected,
)

WANTS: tuple[Role, ...] = ("view", "admin")
COLUMNS = {
    "no passcode": Passcodes(),
    "view only": Passcodes(view=VIEW),
    "admin only": Passcodes(admin=ADMIN),
    "both": Passcodes(VIEW, ADMIN),
}
OPENS: dict[tuple[str, str], set[str]] = {
    ("view", "no passcode"): {"nothing", "creator"},
    ("view", "view only"): {"view", "creator"},
    ("view", "admin only"): {"nothing", "admin", "creator"},
    ("view", "both"): {"view", "admin", "creator"},
    ("admin", "no passcode"): {"creator"},
    ("admin", "view only"): {"creator"},
    ("admin", "admin only"): {"admin", "creator"},
    ("admin", "both"): {"admin", "creator"},
}
"""What opens a page, by what is wanted and what protects it."""


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("want", WANTS)
async def test_the_gate_opens_as_the_table_says(
    store: Store, clock: Watch, want: Role, column: str
) -> None:
    passcodes = COLUMNS[column]
    new = await made(store, clock, passcodes=passcodes)
    tokens = {"nothing": [], "creator": [new.token]}
    for role, typed in (("view", passcodes.view), ("admin", passcodes.admin)):
        if typed is not None:
            entered = await enter(
                ShareableVisitor(store, PASSES, clock(), address="here"), new.page.short_id, typed
            )
            assert entered.role == role
            tokens[role] = [entered.token]
    for holds, shown in tokens.items():
        if holds in OPENS[want, column]:
            gate = await let_in(store, clock, new.page, *shown, want=want)
            assert gate.page == new.page
        else:
            with pytest.raises((NeedsPasscode, Forbidden)):
                await let_in(store, clock, new.page, *shown, want=want)


class TestTheGate:
    async def test_finds_a_page_however_its_id_is_typed_with_one_request(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        typed = new.page.short_id.upper().replace("-", " ")
        with counting() as tally:
            gate = await open_page(ShareableVisitor(store, PASSES, clock()), typed, want="view")
        assert gate.page == new.page
        assert tally.requests == 1

    @pytest.mark.parametrize("typed", ["zzz-zzz-99999", "nonsense", "", "#" * 500])
    async def test_says_of_what_is_not_there_that_it_is_not(
        self, store: Store, clock: Watch, typed: str
    ) -> None:
        with pytest.raises(NotFound):
            await open_page(ShareableVisitor(store, PASSES, clock()), typed, want="view")

    async def test_says_the_same_of_every_page_that_is_shut(
        self, store: Store, clock: Watch
    ) -> None:
        said = set()
        for typed in (SHOPPING, BIRTHDAY, SUMMER):
            new = await protected(store, clock, typed)
            for days in (0, 8):
                clock.forward(days * DAY)
                for want in WANTS:
                    with pytest.raises(NeedsPasscode) as refused:
                        await let_in(store, clock, new.page, want=want)
                    said.add((refused.value.detail, refused.value.title, *refused.value.extensions))
        assert len(said) == 1
        assert not any(word in str(said) for word in ("Shopping", "Birthday", "Summer", "poll"))

    async def test_looks_at_only_so_many_tokens(self, store: Store, clock: Watch) -> None:
        new = await protected(store, clock)
        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, new.page, *["x"] * 1000, new.token)

    async def test_takes_no_pass_of_another_page(self, store: Store, clock: Watch) -> None:
        new, other = await protected(store, clock), await protected(store, clock)
        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, new.page, other.token)

    async def test_gives_no_page_of_another_kind(self, store: Store, clock: Watch) -> None:
        gate = await let_in(store, clock, (await made(store, clock)).page)
        assert of_kind(gate, Checklist).page == gate.page
        with pytest.raises(NotFound):
            of_kind(gate, Poll)


class TestAPageWhoseTimeIsOver:
    async def test_is_closed_to_viewers_and_open_to_its_admin(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, passcodes=Passcodes(admin=ADMIN))
        clock.forward(7 * DAY - 1)
        assert not (await let_in(store, clock, new.page)).is_closed
        clock.forward(1)
        with pytest.raises(PageClosed):
            await let_in(store, clock, new.page)
        gate = await let_in(store, clock, new.page, new.token)
        assert gate.is_closed

    async def test_lets_an_admin_come_in_by_the_passcode(self, store: Store, clock: Watch) -> None:
        new = await protected(store, clock)
        clock.forward(100 * DAY)
        right = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), new.page.short_id, ADMIN
        )
        assert (await let_in(store, clock, new.page, right.token, want="admin")).is_closed
        seen = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), new.page.short_id, VIEW
        )
        with pytest.raises(PageClosed):
            await let_in(store, clock, new.page, seen.token)
