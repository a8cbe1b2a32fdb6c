"""Passcodes: what one gives, and setting, changing and removing them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from commonroom.http.access import Need
from commonroom.http.arguments import From
from commonroom.http.operations import Operations
from commonroom.shareables.api.bodies import ONE, PasscodeTyped
from commonroom.shareables.api.views import HeldPass, ShortId
from commonroom.shareables.request import PASS, PageAdmin, visitor_of
from commonroom.shareables.rules.access import Role, role_named
from commonroom.shareables.rules.short_ids import format_short_id, recovery_address
from commonroom.shareables.service.gate import Page, PageAccess, ShareableVisitor
from commonroom.shareables.service.passcodes import change_passcode, enter, renew_creator_pass

PASSCODE = f"{ONE}/passcodes/{{role:str}}"


api = Operations("Shareables: passcodes", errors=(410, 429))


class PagePass(Struct, frozen=True):
    """A pass for a page."""

    short_id: ShortId
    role: Role
    pass_: HeldPass = field(name="pass")


class CreatorPass(Struct, frozen=True):
    """The creator's new pass, and the private edit link that holds it."""

    short_id: ShortId
    pass_: HeldPass = field(name="pass")
    recovery_path: Annotated[str, Meta(description="Shown once; the previous one no longer works.")]


@api.post(f"{ONE}/passes", Need.ANYONE, errors=(429,))
async def create_pass(
    visitor: Annotated[ShareableVisitor, From(visitor_of, headers=(PASS,))],
    short_id: str,
    known: PasscodeTyped,
) -> PagePass:
    """Get a pass for a page with one of its passcodes.

    Wrong ones are slowed down more and more. Callers with an account or a pass that they had for
    the page before does not wait for what strangers guess.
    """
    entered = await enter(visitor, short_id, known.passcode)
    return PagePass(format_short_id(entered.short_id), entered.role, entered.token)


@api.put(PASSCODE, Need.ANYONE)
async def set_passcode(gate: PageAdmin, role: str, chosen: PasscodeTyped) -> PagePass:
    """Set or change the passcode of a role, `view` or `admin`; an admin may.

    Every earlier pass of that role ends, never the creator's. The caller gets a new one.
    """
    return await _change(gate, role, chosen.passcode)


@api.delete(PASSCODE, Need.ANYONE)
async def remove_passcode(gate: PageAdmin, role: str) -> PagePass:
    """Remove the passcode of a role, `view` or `admin`; an admin may, the latter the creator.

    Every earlier pass of that role ends, never the creator's. The caller gets a new one.
    """
    return await _change(gate, role, None)


@api.post(f"{ONE}/recovery", Need.ANYONE)
async def renew_recovery(gate: PageAdmin) -> CreatorPass:
    """Issue the private edit link anew; the creator may. The pass and link before end."""
    token, short_id = await renew_creator_pass(gate), gate.page.short_id
    return CreatorPass(format_short_id(short_id), token, recovery_address(short_id, token))


async def _change(gate: PageAccess[Page], role: str, typed: str | None) -> PagePass:
    token = await change_passcode(gate, role_named(role), typed=typed)
    return PagePass(format_short_id(gate.page.short_id), "admin", token)
