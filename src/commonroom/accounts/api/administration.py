"""What administrators do with accounts, and invitations to people who are not here yet."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from commonroom.accounts import secrets, sensitive_acts, tables
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import NewInvitation
from commonroom.accounts.service import administration, passwords
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, From
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging, paged
from commonroom.http.request import Request
from commonroom.moments import iso

ONE = "/people/{user_id:str}"


api = Operations("Administrators")


async def _person(request: Request) -> User:
    return await administration.person_by_id(request.store, request.path_params["user_id"])


Person: TypeAlias = Annotated[User, From(_person)]
"""Whom the path names."""


@api.get("/people", Need.ADMINISTRATOR)
async def list_people(request: Request, paging: Paging) -> PagedList[views.AccountView]:
    """List everybody with an account."""
    found = await administration.people(request.store, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.person(user) for user in found.items], found.cursor)


@api.post(f"{ONE}/reset-link", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_reset_link(request: Request, person: Person) -> views.ResetLinkView:
    """Make a link with which a person chooses a new password."""
    secret = await sensitive_acts.make_reset_link(request, person)
    expires_at = iso(int(request.now) + passwords.RESET_SECONDS)
    return views.ResetLinkView(secret, f"/reset/{secret}", expires_at)


@api.put(f"{ONE}/administrator", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_administrator(request: Request, person: Person) -> views.AccountView:
    """Let a person run the installation."""
    if not person.is_admin:
        await sensitive_acts.make_administrator(request, person)
    return views.person(await _person(request))


@api.delete(f"{ONE}/administrator", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_ordinary(request: Request, person: Person) -> views.AccountView:
    """Make an administrator an ordinary person again.

    Ends the person's sessions and tokens. At least one administrator must be left.
    """
    if person.is_admin:
        await sensitive_acts.make_ordinary(request, person)
    return views.person(await _person(request))


@api.put(f"{ONE}/disabled", Need.ADMINISTRATOR_RECENT_AUTH)
async def disable_person(request: Request, person: Person) -> views.AccountView:
    """Keep a person out, at once and everywhere.

    Nothing is deleted. An administrator has to be made an ordinary person first.
    """
    if person.disabled_at is None:
        await sensitive_acts.disable(request, person)
    return views.person(await _person(request))


@api.delete(f"{ONE}/disabled", Need.ADMINISTRATOR_RECENT_AUTH)
async def enable_person(request: Request, person: Person) -> views.AccountView:
    """Let a disabled person in again."""
    await sensitive_acts.enable(request, person)
    return views.person(await _person(request))


@api.get("/invitations", Need.ADMINISTRATOR)
async def list_invitations(ctx: Ctx, paging: Paging) -> PagedList[views.InvitationView]:
    """List the invitations that are out."""
    return await paged(ctx.store, tables.invitations(), paging, views.invitation)


@api.post("/invitations", Need.ADMINISTRATOR, errors=(NotFound,))
async def invite(ctx: Ctx, new: NewInvitation) -> views.InvitationWithSecret:
    """Invite people who are not here yet.

    The invitation is valid for a week. Its secret is shown this once.
    """
    secret = await administration.invite(ctx, note=new.note, uses=new.uses)
    made = await ctx.store.get(tables.Invitation.at(digest=secrets.digest(secret)))
    if made is None:
        raise NotFound("This invitation was revoked.")
    return views.invitation_with_secret(made, secret)


@api.delete("/invitations/{digest:str}", Need.ADMINISTRATOR)
async def revoke_invitation(ctx: Ctx, digest: str) -> None:
    """Revoke an invitation."""
    await administration.revoke_invitation(ctx.store, digest)
