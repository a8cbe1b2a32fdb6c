"""Recipients: the people of a hangout, a hundred at a time, for notifications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import Ballot, Hangout, Rsvp, answers_from, members_from
from commonroom.store import Ref, Store

ANSWERS = "answers"
"""Those who go or are interested."""
INVITED = "invited"
"""Those who were invited directly."""
BATCH = 100
FIRST = " "
"""Where a list begins: before all ids."""


class Recipients(Struct, frozen=True):
    """Some people of a list."""

    people: Sequence[User]
    next_start: str | None = None
    """Where the next ones begin; None behind the last."""
    group_name: str = ""


def group_list(group_id: str) -> str:
    """Returns the name of the list of a group's members."""
    return f"group/{group_id}"


async def read_recipients(
    store: Store,
    hangout: Hangout,
    people: str,
    *,
    start: str = FIRST,
    unless_declined: bool = False,
    unless_waiting: bool = False,
) -> Recipients:
    """Returns the next people of a list: three requests at most, and one for parents."""
    if people == ANSWERS:
        return await _who_replied(store, hangout, start, unless_waiting=unless_waiting)
    if people == INVITED:
        found = Recipients(await accounts_of(store, hangout.invited_user_ids))
    else:
        found = await _members(store, people.removeprefix(group_list("")), start)
    if not unless_declined:
        return found
    declined = await _who_declined(store, hangout, found.people)
    left = [one for one in found.people if one.user_id not in declined]
    return Recipients(left, found.next_start, found.group_name)


async def _who_replied(
    store: Store, hangout: Hangout, start: str, *, unless_waiting: bool
) -> Recipients:
    asked = answers_from(hangout_id=hangout.hangout_id, user_id=start)
    page = await store.page(asked, limit=BATCH)
    waiting = {one.answer_id for one in hangout.waiting} if unless_waiting else set()
    coming = [
        one.user_id
        for one in page.items
        if isinstance(one, Rsvp) and one.status != "NOT_GOING" and one.user_id not in waiting
    ]
    last = page.items[-1] if page.cursor is not None else None
    # Guests come behind everybody with an account, and are told nothing.
    following = last.user_id if isinstance(last, Rsvp) else None
    return Recipients(await accounts_of(store, coming), following)


async def _members(store: Store, group_id: str, start: str) -> Recipients:
    page = await store.page(members_from(group_id=group_id, user_id=start), limit=BATCH)
    people = await accounts_of(store, [one.user_id for one in page.items])
    name = page.items[0].group_name if page.items else ""
    return Recipients(people, page.items[-1].user_id if page.cursor is not None else None, name)


async def _who_declined(store: Store, hangout: Hangout, people: Iterable[User]) -> set[str]:
    refs = [Rsvp.at(hangout_id=hangout.hangout_id, user_id=one.user_id) for one in people]
    answers = await store.batch_get(refs) if refs else []
    return {one.user_id for one in answers if one is not None and one.status == "NOT_GOING"}


async def who_voted(
    store: Store, hangout_id: str, poll_id: str, people: Iterable[User]
) -> set[str]:
    """Returns those of some people who have voted in a poll: one request, or none."""
    key = {"hangout_id": hangout_id, "poll_id": poll_id}
    refs = [Ballot.at(**key, user_id=one.user_id) for one in people]
    found = await store.batch_get(refs) if refs else []
    return {one.user_id for one in found if one is not None}


async def accounts_of(store: Store, user_ids: Sequence[str]) -> list[User]:
    """These people; for a managed member, the account that manages them."""
    found = [one for one in await store.batch_get(_users(user_ids)) if one is not None]
    parents = {one.parent_user_id for one in found if one.is_managed and one.parent_user_id}
    more = sorted(parents - {one.user_id for one in found})
    managing = [one for one in await store.batch_get(_users(more)) if one is not None]
    return [one for one in [*found, *managing] if not one.is_managed]


def _users(user_ids: Iterable[str]) -> list[Ref[User]]:
    return [User.at(user_id=one) for one in user_ids]
