"""Passcodes: entering, setting and removing them, and how often they and codes may be guessed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.secrets import hash_password, is_password
from commonroom.accounts.service import throttle
from commonroom.accounts.service.throttle import GuessLimits, Limit, failures_logged
from commonroom.errors import Forbidden, InvalidField, RateLimited
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.shareables.rules.access import (
    MAX_PASSCODE,
    Role,
    next_version,
    pass_for,
    passcode,
)
from commonroom.shareables.service.edit import edit
from commonroom.shareables.service.gate import (
    P,
    Page,
    PageAccess,
    ShareableVisitor,
    as_admin,
    carry_out,
    find_page,
)
from commonroom.store import Store, Write, put, unmarked
from commonroom.timers import timer

Group: TypeAlias = Literal["guest", "visitor", "account"]
"""Who guesses: a stranger, a device that has had a pass for the page, a signed-in person.

Each group has a budget of its own for a page, so that strangers, however many, use up nobody's but
their own.
"""

QUARTER = 15 * 60
OF_PAGE = (2000, 2000 * 36)
"""A hundred an hour by one group, from all networks together: what a passcode must withstand."""

OF_LIFE = (100_000, 100_000 * 410)
"""Nine an hour by one group, once so many were wrong: what holds for pages that live for years."""
PASSCODES_IN_LIFE = Limit("shareable-passcode-life", *OF_LIFE)
CODES_IN_LIFE = Limit("shareable-code-life", *OF_LIFE)
TELL_GUESSED = "shareables.tell-guessed"


def _guess_limits(what: str) -> GuessLimits:
    return GuessLimits(
        from_network=Limit(f"shareable-{what}-network", 10, 10 * QUARTER, first_wait=15),
        from_neighbourhood=Limit(f"shareable-{what}-around", 30, 30 * QUARTER, first_wait=15),
        overall=Limit(f"shareable-{what}", *OF_PAGE),
        at_anything=Limit(f"shareable-{what}-address", 40, 40 * 60, first_wait=2),
    )


PASSCODES, CODES = _guess_limits("passcode"), _guess_limits("code")


class Entered(Struct, frozen=True):
    """What a right passcode gives."""

    short_id: str
    role: Role
    token: str


async def enter(visitor: ShareableVisitor, typed_id: str, typed: str) -> Entered:
    """Returns the highest pass that a passcode of the page is good for.

    A pass that they had before may be worthless by now; it still shows that they were let in once.
    """
    store, address = visitor.store, visitor.address
    page = await find_page(store, typed_id)
    had_pass = any(one.short_id == page.short_id for one in visitor.known_passes)
    group = group_of(visitor.account_id, had_pass=had_pass)
    tried = Tried(page.short_id, group, passcodes_of(page))
    async with guessing(store, visitor.now, PASSCODES, tried, address=address):
        role = await _role_by(page, typed)
        if role is None:
            raise WrongPasscode
    return Entered(page.short_id, role, visitor.passes.seal(pass_for(page, role)))


async def change_passcode(gate: PageAccess[P], role: Role, *, typed: str | None) -> str:
    """Sets, changes or (None) removes a passcode, which ends every earlier pass of that role.

    Never the creator's, which comes from no passcode. The caller gets a pass that is
    good for what they were to the page; so only its creator can remove the way in of the others.
    """
    as_admin(gate)
    if role == "admin" and typed is None:
        as_creator(gate)
    hashed = None if typed is None else await hash_password(passcode(typed))

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        if typed is not None and await is_password(_other(gate.page, role), passcode(typed)):
            raise InvalidField("passcode", "The two passcodes must be different.")
        return [edit(gate.now, gate.page, **_changes(gate.now, gate.page, role, hashed))]

    gate = await carry_out(gate, step)
    changed = replace(gate.page, **_changes(gate.now, gate.page, role, hashed))
    return gate.passes.seal(pass_for(changed, gate.standing))


async def renew_creator_pass(gate: PageAccess[P]) -> str:
    """A new pass for the creator, which is also the private edit link; the one before ends."""
    as_admin(gate)

    def raised(page: Page) -> dict[str, Any]:
        return {"creator_token_version": next_version(gate.now, page.creator_token_version)}

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        page = as_creator(gate).page
        return [edit(gate.now, page, **raised(page))]

    page = (await carry_out(gate, step)).page
    return gate.passes.seal(pass_for(replace(page, **raised(page)), "creator"))


def as_creator(gate: PageAccess[P]) -> PageAccess[P]:
    """Returns the access if the caller made the page."""
    if gate.standing != "creator":
        raise Forbidden("Only the page’s creator can do that.")
    return gate


def group_of(account_id: str | None, *, had_pass: bool) -> Group:
    """Returns which budget of a page the guesses come from."""
    if account_id is not None:
        return "account"
    return "visitor" if had_pass else "guest"


def passcodes_of(page: Page) -> str:
    """Returns which passcodes a page has: guesses at earlier ones count no more."""
    return f"{page.view_passcode_version}.{page.admin_passcode_version}"


class Tried(Struct, frozen=True):
    """What is guessed at, and by whom."""

    short_id: str
    group: Group
    passcodes: str = ""

    @property
    def in_life(self) -> str:
        """Whose guesses are counted for as long as there is anything to guess."""
        return f"{self.short_id} {self.group} {self.passcodes}"


@asynccontextmanager
async def guessing(
    store: Store, now: float, limits: GuessLimits, tried: Tried, *, address: str
) -> AsyncIterator[None]:
    """A guess at a passcode or a code, which counts unless it turns out to be right."""
    counted = limits.of(tried.short_id, address, group=tried.group)
    wrong = (WrongPasscode, WrongCode)
    with failures_logged("passcode" if limits is PASSCODES else "code", address, wrong):
        async with throttle.guessing(store, now, *counted, wrong=wrong):
            in_life = await _count_in_life(store, now, limits, tried)
            async with throttle.guessing(store, now, wrong=wrong, counted=[in_life]):
                yield


async def _count_in_life(
    store: Store, now: float, limits: GuessLimits, tried: Tried
) -> throttle.Counted:
    """Counts one of all guesses ever; lets the maker be told once they are very many."""
    limit = PASSCODES_IN_LIFE if limits is PASSCODES else CODES_IN_LIFE
    try:
        await throttle.count_try(store, now, limit, tried.in_life)
    except RateLimited:
        if limits is PASSCODES:
            about = {"short_id": tried.short_id, "passcodes": tried.passcodes}
            with unmarked():  # it is no part of what was asked for
                await store.write(put(timer(TELL_GUESSED, now, about)))
        raise
    return limit, tried.in_life


async def _role_by(page: Page, typed: str) -> Role | None:
    if len(typed) > 4 * MAX_PASSCODE:
        return None
    # Both, always: how long it takes says nothing about which passcodes there are.
    is_admin = await is_password(page.admin_passcode, typed)
    is_viewer = await is_password(page.view_passcode, typed)
    return "admin" if is_admin else "view" if is_viewer else None


def _other(page: Page, role: Role) -> str | None:
    return page.admin_passcode if role == "view" else page.view_passcode


def _changes(now: float, page: Page, role: Role, hashed: str | None) -> dict[str, Any]:
    version = f"{role}_passcode_version"
    return {f"{role}_passcode": hashed, version: next_version(now, getattr(page, version))}
