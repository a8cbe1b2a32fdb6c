"""Profiles: each has its claims and its place among curators; who follows is known to both."""

from __future__ import annotations

from collections.abc import AsyncIterator

from commonroom.accounts.tables import User
from commonroom.store import (
    Entity,
    add,
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    put,
    remove,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule
from commonroom.watchlists.relations import Claim, claims_of, curator_entry_of, follower_of
from commonroom.watchlists.service.profiles import exchange_claims
from commonroom.watchlists.tables import (
    CuratorEntry,
    EmailClaim,
    Following,
    Profile,
    UsernameClaim,
)


async def _check_profile(one: Profile, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    account = await found.at(User.at(user_id=one.user_id))
    if account is None:
        # Accounts may still be to come, as from another provider.
        yield RelatedProblem("orphans", f"The account of “{one.username}” does not exist.")
        return
    if isinstance(account, User) and account.email != one.email:
        yield _other_address(one, account)
    else:
        for claim in claims_of(one):
            problem = _check_claimed(one, claim, await found.at(claim.ref))
            if problem is not None:
                yield problem
    async for problem in _check_status(one, found):
        yield problem


async def _check_status(one: Profile, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """Those with a status are found among those who have it, since when they have it."""
    entry = curator_entry_of(one)
    held = as_read(one, "curator_status", "curator_since", "is_curator")
    if one.curator_status is None and one.is_curator:
        yield RelatedProblem("curators", "It is a curator’s, and does not say of which status.")
    elif one.is_curator is not (one.curator_status == "approved"):
        follows = update(one.ref, is_curator=one.curator_status == "approved", if_=held)
        yield RelatedProblem(
            "curators", "It is a curator’s, or not, against its status.", [follows]
        )
    if one.curator_status is not None and one.curator_since is None:
        since = update(one.ref, curator_since=one.updated_at, if_=held)
        new_entry = CuratorEntry(
            status=one.curator_status, since=one.updated_at, user_id=one.user_id
        )
        detail = "It does not say since when it has its status."
        yield RelatedProblem("curators", detail, [since, put(new_entry)])
    elif entry is not None and await found.at(entry.ref) is None:
        same = check(one, if_=as_read(one, "curator_status", "curator_since"))
        detail = "It is missing from the curators of its status."
        yield RelatedProblem("curators", detail, [same, create(entry)])


def _other_address(one: Profile, account: User) -> RelatedProblem:
    old = None if one.email is None else EmailClaim(address=one.email, user_id=one.user_id)
    wanted = account.email
    claim = None if wanted is None else EmailClaim(address=wanted, user_id=one.user_id)
    same = check(account, if_=as_read(account, "email"))
    repair = [*exchange_claims(old, claim), update(one, email=account.email), same]
    return RelatedProblem("claims", "It has another e-mail address than its account.", repair)


def _check_claimed(one: Profile, claim: Claim, there: object) -> RelatedProblem | None:
    field = "username" if isinstance(claim, UsernameClaim) else "email"
    named = check(one, if_=as_read(one, field))
    if there is None:
        return RelatedProblem(
            "claims", f"Its {field} is not reserved for it.", [named, create(claim)]
        )
    if isinstance(there, UsernameClaim | EmailClaim) and there.user_id != one.user_id:
        # Where the other has no right to it, their claim is reported and goes.
        return RelatedProblem("claims", f"Its {field} is reserved for somebody else.")
    if there != claim:
        mine = equal(user_id=one.user_id)
        detail = f"Its {field} is reserved in a different spelling."
        return RelatedProblem("claims", detail, [named, put(claim, if_=mine)])
    return None


async def _check_following(one: Following, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    curator, person = Profile.at(user_id=one.curator_id), User.at(user_id=one.user_id)
    if await found.at(person) is None:
        known = (
            await found.at(follower_of(one).ref) is not None and await found.at(curator) is not None
        )
        left = [delete(one, if_=as_read(one, "followed_at")), delete(follower_of(one))]
        repair = [check(person, if_=new), *(remove(one) if known else left)]
        yield RelatedProblem("orphans", "Whoever follows has no account any more.", repair)
    elif await found.at(curator) is None:
        gone = check(curator, if_=new)
        detail = "It follows a curator who is not there."
        yield RelatedProblem("followers", detail, [gone, delete(one), delete(follower_of(one))])
    elif await found.at(follower_of(one).ref) is None:
        repair = [
            check(one, if_=as_read(one, "followed_at")),
            create(follower_of(one)),
            update(curator, follower_count=add(1)),
        ]
        yield RelatedProblem("followers", "The curator does not know of this follower.", repair)


RULES: dict[type[Entity], Rule] = {
    Profile: _check_profile,
    Following: _check_following,
}
