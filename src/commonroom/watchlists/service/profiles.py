"""Profiles: made when an account first needs one, changed, found by username."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from commonroom.accounts import rules as account_rules
from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound, PreconditionFailed
from commonroom.moments import iso
from commonroom.picture_addresses import picture_address
from commonroom.store import (
    ConditionFailed,
    Entity,
    Ref,
    Store,
    Write,
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    put,
    update,
)
from commonroom.watchlists.rules import profiles as rules
from commonroom.watchlists.rules.lists import is_id
from commonroom.watchlists.service.access import ListVisitor, retry
from commonroom.watchlists.tables import EmailClaim, Profile, UsernameClaim

Claim = TypeVar("Claim", UsernameClaim, EmailClaim)


async def load_profile(store: Store, user_id: str) -> Profile | None:
    """Returns a person's profile, if they have needed one: one request."""
    return await store.get(Profile.at(user_id=user_id)) if is_id(user_id) else None


async def load_profiles(store: Store, user_ids: Iterable[str]) -> dict[str, Profile | None]:
    """Returns the profiles of people by their ids: one request for every hundred."""
    ids = list(dict.fromkeys(user_ids))
    found = await store.batch_get([Profile.at(user_id=one) for one in ids])
    return dict(zip(ids, found, strict=True))


async def my_profile(ctx: Context) -> Profile | None:
    """Returns the caller's profile, if they have needed one: one request."""
    return await load_profile(ctx.store, ctx.person.user_id)


async def existing_profile(ctx: Context) -> Profile:
    """Returns a person's profile; refused where they have not needed one yet: one request."""
    found = await my_profile(ctx)
    if found is None:
        raise NotFound("You have no profile yet. It is made with your first list.")
    return found


async def ensure_profile(ctx: Context) -> Profile:
    """Returns a person's profile: one request, or three and a write where it is made now."""
    return await my_profile(ctx) or await _make_profile(ctx)


@retry
async def _make_profile(ctx: Context) -> Profile:
    refs: list[Ref[Entity]] = [Profile.at(user_id=ctx.person.user_id), ctx.person.ref]
    profile, person = await ctx.store.batch_get(refs)
    if isinstance(profile, Profile):
        return profile
    if not isinstance(person, User):
        raise NotFound("This account does not exist.")
    made = Profile(
        user_id=person.user_id,
        email=person.email,
        username=await _free_username(ctx.store, person.display_name),
        avatar_key=person.avatar_key,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
    )
    email = await _email_claim(ctx.store, made)
    if email is None:
        # Another person had the address before, and it is still on its way to this person.
        made = replace(made, email=None)
    same = check(person, if_=as_read(person, "display_name", "email", "avatar_key"))
    claims = [create(UsernameClaim(username=made.username, user_id=made.user_id))]
    await ctx.store.write(create(made), *claims, *([email] if email else []), same)
    return made


async def _free_username(store: Store, display_name: str) -> str:
    names = list(rules.suggested_usernames(display_name))
    found = await store.batch_get([UsernameClaim.at(username=name) for name in names])
    for name, claim in zip(names, found, strict=True):
        if claim is None:
            return name
    raise Conflict("Please choose a username first.")


async def _email_claim(store: Store, profile: Profile) -> Write | None:
    """The claim to a profile's address; None where it has none, or another profile claims it."""
    if profile.email is None:
        return None
    claim = EmailClaim(address=profile.email, user_id=profile.user_id)
    there = await store.get(claim.ref)
    if there is not None and there.user_id != claim.user_id:
        return None
    return put(claim, if_=new | equal(user_id=profile.user_id))


@retry
async def change_profile(
    ctx: Context,
    *,
    username: str | None = None,
    bio: str | UnsetType | None = UNSET,
    avatar_key: str | UnsetType | None = UNSET,
    avatar_url: str | UnsetType | None = UNSET,
    version: int | None = None,
) -> Profile:
    """Changes what is given and leaves the rest; lists have a new name after a moment."""
    changes: dict[str, Any] = {"updated_at": iso(ctx.now)}
    if username is not None:
        changes["username"] = rules.username(username)
    if bio is not UNSET:
        changes["bio"] = rules.bio(bio)
    if avatar_key is not UNSET:
        changes["avatar_key"] = account_rules.avatar(avatar_key) if avatar_key else None
    if avatar_url is not UNSET:
        changes["avatar_url"] = picture_address("avatar_url", avatar_url)
    before = await ensure_profile(ctx)
    if version not in (None, before.version):
        raise PreconditionFailed("Your profile was changed since you opened it.")
    after = replace(before, **changes, version=before.version + 1)
    claims = exchange_claims(
        UsernameClaim(username=before.username, user_id=before.user_id),
        UsernameClaim(username=after.username, user_id=after.user_id),
    )
    try:
        await ctx.store.write(*claims, update(before, **changes))
    except ConditionFailed as failed:
        if claims and failed.index == 0:
            raise Conflict("This username is taken.", field="username") from None
        raise
    return after


def exchange_claims(old: Claim | None, new_claim: Claim | None) -> list[Write]:
    """What gives a profile another name or address; the new claim first: it may be another's."""
    if old == new_claim:
        return []
    writes: list[Write] = []
    if new_claim is not None:
        writes.append(put(new_claim, if_=new | equal(user_id=new_claim.user_id)))
    if old is not None and (new_claim is None or old.ref.key != new_claim.ref.key):
        writes.append(delete(old, if_=new | equal(user_id=old.user_id)))
    return writes


async def find_profile(store: Store, username: str) -> Profile:
    """Returns whose username it is, however it is typed: two requests."""
    name = username.strip()
    claim = None
    if rules.is_username(name):
        claim = await store.get(UsernameClaim.at(username=name))
    profile = None if claim is None else await store.get(Profile.at(user_id=claim.user_id))
    if profile is None:
        raise no_such_curator()
    return profile


async def public_profile(visitor: ListVisitor, username: str) -> Profile:
    """The profile behind a public page; one's own and, for an administrator, all: two requests."""
    found = await find_profile(visitor.store, username)
    if rules.is_shown(found) or visitor.is_admin or visitor.user_id == found.user_id:
        return found
    raise no_such_curator()


def no_such_curator() -> NotFound:
    """Returns the refusal for a page that is not there, or not shown."""
    return NotFound("Nobody here publishes lists under this name.")
