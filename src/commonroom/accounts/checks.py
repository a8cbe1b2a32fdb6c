"""What can drift among people: addresses are reserved for who has them, blocks are listed.

Whose an address is stands in `Users`; that nobody else can have it rests on the claim.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from commonroom.accounts.relations import RELATIONS, claim_of, has_claimed
from commonroom.accounts.service.administration import people
from commonroom.accounts.tables import AddressClaim, Block, Installation, User, managed_members
from commonroom.store import (
    Entity,
    Store,
    Write,
    as_read,
    check,
    create,
    discard,
    equal,
    new,
    put,
    update,
)
from commonroom.store.checking import Check, Problem, StoredEntity
from commonroom.store.checking.each import find_each, read_originals
from commonroom.store.checking.related import RelatedCheck, RelatedItems, RelatedProblem, Rule
from commonroom.store.checking.relations import find_miscounted, rules_of


async def _check_user(one: User, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.email is not None:
        claim = await found.at(AddressClaim.at(address=one.email))
        if claim is None:
            detail = "Its e-mail address is not reserved for it."
            yield RelatedProblem(
                "addresses", detail, [_same(one), create(claim_of(one, one.email))]
            )
        elif isinstance(claim, AddressClaim) and claim.user_id != one.user_id:
            yield await _check_taken(found, one, one.email, claim)
    parent = None if one.parent_user_id is None else User.at(user_id=one.parent_user_id)
    if parent is not None and await found.at(parent) is None:
        # Accounts may still be to come, as from another provider.
        yield RelatedProblem("orphans", "This member's manager has no account.")
    blocks = [Block.at(blocked_id=it, user_id=one.user_id) for it in one.blocked]
    for missing in await found.missing(blocks):
        blocked_id = missing.fields["blocked_id"]
        yield _unlisted_block(one, blocked_id, await found.at(User.at(user_id=blocked_id)))


def _unlisted_block(one: User, blocked_id: str, blocked: object) -> RelatedProblem:
    """Reports a block that its owner's list lacks; one of a person who left is deleted."""
    same = as_read(one, "blocked")
    if not isinstance(blocked, User):
        gone = check(User.at(user_id=blocked_id), if_=new)
        unlisting = update(one.ref, blocked=discard(blocked_id), if_=same)
        return RelatedProblem(
            "blocks", "It blocks a person who has no account any more.", [gone, unlisting]
        )
    listed = Block(
        blocked_id=blocked_id,
        user_id=one.user_id,
        name=blocked.display_name,
        made_at=one.blocked[blocked_id],
    )
    repair = [check(one, if_=same), create(listed)]
    return RelatedProblem("blocks", "It blocks a person whom it does not list.", repair)


async def _check_taken(
    found: RelatedItems, one: User, email: str, claim: AddressClaim
) -> RelatedProblem:
    """Reports an address that is reserved for another person, who may have it or not."""
    ref = User.at(user_id=claim.user_id)
    other = await found.at(ref)
    if other is None or (isinstance(other, User) and not has_claimed(other, claim)):
        held = check(ref, if_=new) if other is None else _same(other)
        mine = put(claim_of(one, email), if_=equal(user_id=claim.user_id))
        detail = "Its e-mail address is reserved for a person who does not have it."
        return RelatedProblem("addresses", detail, [held, _same(one), mine])
    return RelatedProblem(
        "addresses", "Another account has the same e-mail address; change one of them."
    )


def _same(user: Any) -> Write:
    return check(user, if_=as_read(user, "email"))


RULES: dict[type[Entity], Rule] = {
    User: _check_user,
}


class CountCheck:
    """Counts the members whom each person manages, and the administrators."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields which of these people, and whether the installation, count wrong."""
        found = [it.entity for it in things if isinstance(it.entity, User | Installation)]
        async for problem in find_each(store, _count, found):
            yield problem


async def _count(store: Store, one: User | Installation) -> list[Problem]:
    if isinstance(one, Installation):
        return [*find_miscounted(one, {"administrators": await _count_administrators(store)})]
    if one.is_managed:
        return []
    return [*find_miscounted(one, {"managed_count": await _count_managed(store, one)})]


async def _count_managed(store: Store, parent: User) -> int:
    """Returns how many a person manages, as it is now: the index only says where to look."""
    asked = managed_members(parent_user_id=parent.user_id)
    known = [one async for one in read_originals(store, asked, lambda it: it.ref)]
    return sum(one.parent_user_id == parent.user_id for one in known)


async def _count_administrators(store: Store) -> int:
    found: set[str] = set()
    cursor, is_first = None, True
    while is_first or cursor is not None:
        page = await people(store, cursor=cursor)
        found |= {one.user_id for one in page.items if one.is_admin}
        cursor, is_first = page.cursor, False
    return len(found)


def checks() -> list[Check]:
    """Returns everything that is looked at of people besides keys and copies."""
    return [RelatedCheck(rules_of(RELATIONS, RULES)), CountCheck()]
