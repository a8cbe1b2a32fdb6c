"""The gate: the one access check; whatever is done with a page is done with what it gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.shareables.errors import GuestStorageFull, NeedsPasscode, PageClosed, TryAgain
from commonroom.shareables.rules.access import RANK, Pass, Role, Standing, standing_of
from commonroom.shareables.rules.limits import USUAL, ShareableLimits
from commonroom.shareables.rules.short_ids import read_short_id
from commonroom.shareables.service import guest_storage
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import Checklist, Event, GuestPage, GuestStorage, Poll, shareable
from commonroom.store import ConditionFailed, Ref, Store, Write

Page: TypeAlias = Checklist | Event | Poll
P = TypeVar("P", bound=Page)

MAX_TOKENS = 8
TRIES = 12


class ShareableVisitor(Struct, frozen=True):
    """A visitor: what a request shows of them, and when and where they come."""

    store: Store
    passes: Passes
    now: float
    tokens: tuple[str, ...] = ()
    account_id: str | None = None
    address: str = ""
    """Where they ask from."""
    limits: ShareableLimits = USUAL
    is_let_in: Callable[[Page, str], Awaitable[bool]] | None = None
    """Whether a plan lets them into a page now; None where nobody can say."""

    @property
    def known_passes(self) -> tuple[Pass, ...]:
        """Those of their tokens that are passes of this installation."""
        found = (self.passes.open(token) for token in self.tokens[:MAX_TOKENS])
        return tuple(one for one in found if one is not None)


class ShareableCaller(Struct, frozen=True):
    """A visitor once their tokens are read."""

    passes: tuple[Pass, ...] = ()
    account_id: str | None = None
    address: str = ""
    limits: ShareableLimits = USUAL
    account_code: str | None = None
    """The code of their account's answer on this page, whether there is one or not."""
    network: str | None = None
    """What this page's answers call the network that they ask from."""


class PageAccess(Struct, Generic[P], frozen=True):
    """A page that a visitor may have, for the length of one request. Only the gate makes these.

    It is the context of whatever is done with the page: services take it first. It says how things
    were when it was opened: whatever is written holds the page's version, and where that has
    changed, the gate is asked again.
    """

    page: P
    standing: Standing
    want: Role
    is_closed: bool
    """Whether its time is over: an admin can look, clone and delete, and nothing else."""
    caller: ShareableCaller
    store: Store
    passes: Passes
    now: float
    """The moment of the request: whatever it writes happened then."""

    @property
    def is_admin(self) -> bool:
        """Whether they may administer it, whatever they came for."""
        return RANK[self.standing] >= RANK["admin"]


async def open_page(visitor: ShareableVisitor, typed: str, *, want: Role) -> PageAccess[Page]:
    """Opens a page to a visitor who may have it: one request, two where a plan lets them in."""
    page = await find_page(visitor.store, typed)
    keys, short_id, account_id = visitor.passes.answer_keys, page.short_id, visitor.account_id
    caller = ShareableCaller(
        passes=await _passes_for(visitor, page),
        account_id=account_id,
        address=visitor.address,
        limits=visitor.limits,
        account_code=None if account_id is None else keys.account_code(short_id, account_id),
        network=keys.network_digest(short_id, visitor.address),
    )
    standing, is_closed = _check_access(visitor.now, page, want, caller)
    return PageAccess(
        page, standing, want, is_closed, caller, visitor.store, visitor.passes, visitor.now
    )


async def _passes_for(visitor: ShareableVisitor, page: Page) -> tuple[Pass, ...]:
    """Their passes; one that a plan gave counts while the plan carries the page and has them."""
    own = [one for one in visitor.known_passes if not one.plan_id]
    given = {one.plan_id: one for one in visitor.known_passes if one.plan_id}
    if not given or visitor.is_let_in is None or standing_of(page, own, visitor.account_id):
        return tuple(own)
    return (*own, *[one for plan, one in given.items() if await visitor.is_let_in(page, plan)])


def readable_by(now: float, page: Page, account_id: str) -> bool:
    """Returns whether an account alone opens a page, so that a list may name it."""
    try:
        _check_access(now, page, "view", ShareableCaller(account_id=account_id))
    except (NeedsPasscode, PageClosed):
        return False
    return True


def readable_via_plan(now: float, page: Page, attached_by: str | None) -> bool:
    """Returns whether a page is open to the people of a plan that it is attached to.

    Only its maker lets others in; once its time is over, nobody is.
    """
    is_theirs = attached_by is not None and attached_by == page.created_by
    return is_theirs and page.expires_at > iso(now)


async def find_page(store: Store, typed: str) -> Page:
    """The page of an id, however it is typed; for the gate and for those who bring a passcode."""
    short_id = read_short_id(typed)
    page: Page | None = None if short_id is None else await store.get(shareable(short_id=short_id))
    if page is None:
        raise no_such_page()
    return page


def of_kind(gate: PageAccess[Any], kind: type[P]) -> PageAccess[P]:
    """Returns the access if the page is of this kind."""
    if not isinstance(gate.page, kind):
        raise NotFound(f"This page is not a {kind.__name__.lower()}.")
    return gate


def as_admin(gate: PageAccess[P]) -> PageAccess[P]:
    """Returns the access if the caller may administer the page."""
    if gate.want != "admin":
        raise Forbidden("Only people who can edit this page can do that.")
    return gate


def as_guest(gate: PageAccess[P]) -> PageAccess[P]:
    """Returns the access of another person at the device of a signed-in one."""
    return replace(gate, caller=replace(gate.caller, account_code=None))


def no_such_page() -> NotFound:
    """Returns the refusal for an id that has no page."""
    return NotFound(
        "This page does not exist. The code may be incomplete, or the page was deleted."
    )


async def carry_out(
    gate: PageAccess[P],
    step: Callable[[PageAccess[P]], Awaitable[Sequence[Write]]],
    *,
    also_closed: bool = False,
) -> PageAccess[P]:
    """Writes a step, made anew and let in anew each time that the page has changed meanwhile.

    Every step holds the version of the page that it was made from. Gives what it was made from.
    """
    for _ in range(TRIES):
        if gate.is_closed and not also_closed:
            raise PageClosed
        try:
            await gate.store.write(*await step(gate))
        except ConditionFailed as failed:
            gate = _open_again(gate, await _page_after(gate, failed))
        else:
            return gate
    raise TryAgain


async def _page_after(gate: PageAccess[P], failed: ConditionFailed) -> P | None:
    """Returns the page to make a step from again; raises where that would not help."""
    kind = failed.operation.entity_type
    if kind is type(gate.page):
        page: P | None = failed.entity
    elif kind is GuestPage:  # it has an owner by now, or more was left on it meanwhile
        page = await gate.store.get(cast("Ref[P]", gate.page.ref))
    elif kind is GuestStorage and failed.entity is None:
        await guest_storage.begin(gate.store, guest_storage.shard_of(gate.page.short_id))
        page = gate.page
    else:
        raise GuestStorageFull if kind is GuestStorage else failed
    return page


def _open_again(gate: PageAccess[P], page: P | None) -> PageAccess[P]:
    if page is None or type(page) is not type(gate.page):
        raise no_such_page()
    standing, is_closed = _check_access(gate.now, page, gate.want, gate.caller)
    return replace(gate, page=page, standing=standing, is_closed=is_closed)


def _check_access(
    now: float, page: Page, want: Role, caller: ShareableCaller
) -> tuple[Standing, bool]:
    """Returns what a visitor is to a page, and whether it is over; refuses who may not have it."""
    standing = standing_of(page, caller.passes, caller.account_id)
    # One refusal for every page that is shut, also for one that is closed.
    if standing is None:
        raise NeedsPasscode
    is_admin = RANK[standing] >= RANK["admin"]
    is_closed = page.expires_at <= iso(now)
    if want == "admin" and not is_admin:
        if page.admin_passcode is not None:
            raise NeedsPasscode
        raise Forbidden("Only the page’s creator can do that.")
    if is_closed and not is_admin:
        raise PageClosed
    return standing, is_closed
