"""What the API shows of people; never a password's hash, and a secret only when it is made."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from commonroom import moments
from commonroom.accounts import tables
from commonroom.accounts.tables import Ceiling, Scope, User
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.joins.rooms import preference_names
from commonroom.moments import iso

Moment: TypeAlias = moments.Moment
"""Rooms take it from here."""
Digest = Annotated[str, Meta(description="Identifies it; not a secret.")]


class ManagedMemberView(Struct, frozen=True):
    """A managed member: a person without a login, who belongs to an account."""

    user_id: str
    display_name: str
    avatar_key: str | None
    content_rating_ceiling: Ceiling | None
    created_at: Moment
    updated_at: Moment | None


class Me(Struct, frozen=True):
    """One's own account."""

    user_id: str
    email: str | None
    email_confirmed_at: Moment | None
    new_email: Annotated[str, Meta(description="The new address, once it is confirmed.")] | None
    display_name: str
    avatar_key: str | None
    is_admin: bool
    language: str | None
    time_zone: str | None
    notification_prefs: (
        Annotated[dict[str, bool], Meta(description="What they want to hear of, by name.")] | None
    )
    household_id: str | None
    created_at: Moment
    updated_at: Moment | None
    acting_as: ManagedMemberView | None = None
    """The managed member that the request was made for."""


class AccountView(Struct, frozen=True):
    """An account as administrators see it."""

    user_id: str
    email: str | None
    email_confirmed_at: Moment | None
    display_name: str
    avatar_key: str | None
    is_admin: bool
    disabled_at: Moment | None
    created_at: Moment
    last_active_at: Moment | None


class SessionView(Struct, frozen=True):
    """A browser that is signed in."""

    digest: Digest
    made_at: Moment
    seen_at: Moment
    expires_at: Moment
    browser: str
    address: str
    current: Annotated[bool, Meta(description="Whether it is the one making this request.")]


class Token(Struct, frozen=True):
    """A program that may act for a person."""

    digest: Digest
    name: str
    scopes: list[Scope]
    made_at: Moment
    used_at: Moment | None
    expires_at: Moment | None


class TokenWithSecret(Token, frozen=True):
    """A new token."""

    secret: Annotated[str, Meta(description="The token itself. It is shown only once.")]


class InvitationView(Struct, frozen=True):
    """An administrator's invitation to people who are not here yet."""

    digest: Digest
    note: str
    uses_left: int
    made_by: Annotated[str, Meta(description="The administrator's `user_id`.")]
    made_at: Moment
    expires_at: Moment


class InvitationWithSecret(InvitationView, frozen=True):
    """A new invitation."""

    secret: Annotated[str, Meta(description="It is shown only once.")]
    path: Annotated[str, Meta(description="Path of the sign-up page.")]


class ResetLinkView(Struct, frozen=True):
    """A link with which a person chooses a new password, once, within a day."""

    secret: Annotated[str, Meta(description="It is shown only once.")]
    path: Annotated[str, Meta(description="Path of the page to choose a new password.")]
    expires_at: Moment


class Export(Struct, frozen=True):
    """All that is stored of a person as such."""

    account: dict[str, Any]
    managed_members: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    api_tokens: list[dict[str, Any]]
    calendar_feed: dict[str, Any] | None
    kept_elsewhere: dict[str, dict[str, Any]]
    """What is kept beside the account, by where."""


def me(request: Request, user: User, acting_as: User | None = None) -> Me:
    """Returns an account as its person sees it."""
    view = msgspec.convert(user, Me, from_attributes=True)
    chosen = user.notification_prefs
    if chosen is not None:
        prefs = {name: chosen.get(name, True) for name in preference_names(request)}
        view = msgspec.structs.replace(view, notification_prefs=prefs)
    return view if acting_as is None else msgspec.structs.replace(view, acting_as=member(acting_as))


def _until(one: tables.Session | tables.ApiToken | tables.Invitation) -> str | None:
    return None if one.ttl is None else iso(one.ttl)


member = projection(User, ManagedMemberView)
person = projection(User, AccountView)
session = projection(
    tables.Session,
    SessionView,
    str,
    expires_at=_until,
    current=lambda one, current: one.digest == current,
)
"""Given the digest of the session that the request was made in."""
token = projection(tables.ApiToken, Token, expires_at=_until)
token_with_secret = projection(
    tables.ApiToken, TokenWithSecret, str, expires_at=_until, secret=lambda _, secret: secret
)
invitation = projection(tables.Invitation, InvitationView, expires_at=_until)
invitation_with_secret = projection(
    tables.Invitation,
    InvitationWithSecret,
    str,
    expires_at=_until,
    secret=lambda _, secret: secret,
    path=lambda _, secret: f"/sign-up?invitation={secret}",
)


class CalendarFeedView(Struct, frozen=True):
    """Whether one's calendar has an address for calendar programs."""

    made_at: Moment | None


class CalendarFeedAddress(Struct, frozen=True):
    """The address of one's calendar, shown once."""

    address: Annotated[str, Meta(description="Anybody who has it sees the calendar.")]
