"""Pointers of hangouts: every edit writes the canonical record and all of them at once."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.hangouts.service.access import HangoutAccess
from commonroom.hangouts.tables import (
    Hangout,
    HangoutPointer,
    HangoutPoll,
    InvitationPointer,
    SeriesPointer,
)
from commonroom.hangouts.tables.patterns import (
    IN_LISTS,
    group_pointers,
    invitation_pointers,
    series_pointers,
)
from commonroom.store import (
    Ref,
    Write,
    as_read,
    copied_fields,
    create,
    delete,
    discard,
    equal,
    update,
    update_with_copies,
)

TOGETHER = ("time", "start_timestamp", "end_timestamp")
"""Keys are made of these, so they are written together."""
UNVERSIONED = sorted(Hangout.unversioned & IN_LISTS.keys())
"""What pointers copy, and no version holds."""
DECIDED_BY = {"time": "time_poll_id", "place": "place_poll_id"}
"""The poll that decides a field, as long as it is open."""


def new_pointers(hangout: Hangout) -> list[HangoutPointer | InvitationPointer | SeriesPointer]:
    """A hangout's pointers in feeds, lists and its series, as they are when they are made."""
    in_feeds = [
        HangoutPointer(group_id=one, **copied_fields(hangout, HangoutPointer))
        for one in hangout.group_ids
    ]
    in_lists = [
        InvitationPointer(user_id=one, **copied_fields(hangout, InvitationPointer))
        for one in hangout.invited_user_ids
    ]
    in_series = [
        SeriesPointer(**copied_fields(hangout, SeriesPointer), series_id=one)
        for one in (hangout.series_id,)
        if one is not None
    ]
    return [*in_feeds, *in_lists, *in_series]


def pointer_refs(hangout: Hangout) -> list[Ref[Any]]:
    """Returns where all pointers of a hangout are."""
    return [
        *group_pointers(hangout),
        *invitation_pointers(hangout),
        *series_pointers(hangout),
    ]


def deletion_writes(hangout: Hangout) -> list[Write]:
    """Returns what deletes a hangout with all its pointers; its version says where they are."""
    return [
        delete(hangout, if_=equal(version=hangout.version)),
        *(delete(one) for one in pointer_refs(hangout)),
    ]


def edit_writes(
    before: Hangout, after: Hangout, *, by: str | None = None
) -> tuple[Hangout, list[Write]]:
    """Returns what makes one version of a hangout another, with its pointers, and the new version.

    `by` is who acts: everybody else is notified.
    What answers change meanwhile is held too: a pointer that is new must not copy what was. A time
    or place that is set closes the poll about it.
    """
    after, overruled = _overrule_polls(before, replace(after, changed_by=by))
    changes = _changes(before, after)
    kept = replace(
        before,
        group_ids=[one for one in before.group_ids if one in after.group_ids],
        invited_user_ids=[one for one in before.invited_user_ids if one in after.invited_user_ids],
    )
    after = replace(after, version=before.version + 1)
    known = {one.key for one in pointer_refs(before)}
    left = {one.key for one in pointer_refs(after)}
    return after, [
        *update_with_copies(kept, if_=as_read(before, *UNVERSIONED), **changes),
        *overruled,
        *(create(one) for one in new_pointers(after) if one.ref.key not in known),
        *(delete(one) for one in pointer_refs(before) if one.key not in left),
    ]


async def save_edit(ctx: Context, access: HangoutAccess, after: Hangout, *also: Write) -> Hangout:
    """Writes an edit, with what else belongs to it, as long as the caller still may."""
    changed, writes = edit_writes(access.hangout, after, by=ctx.person.user_id)
    await ctx.store.write(*writes, *also, *access.still_allowed)
    return changed


def _overrule_polls(before: Hangout, after: Hangout) -> tuple[Hangout, list[Write]]:
    """Returns the hangout without open polls about what is set now, and what closes them.

    That they are still open is held with what pointers copy.
    """
    writes: list[Write] = []
    for name, named in DECIDED_BY.items():
        poll_id, value = getattr(after, named), getattr(after, name)
        if poll_id is None or value is None or value == getattr(before, name):
            continue
        left = {one: about for one, about in after.open_polls.items() if one != poll_id}
        after = replace(after, open_polls=left, decided_poll_id=poll_id, **{named: None})
        poll = HangoutPoll.at(hangout_id=after.hangout_id, poll_id=poll_id)
        closed: dict[str, Any] = {"closed_at": after.updated_at, "closed_by": after.changed_by}
        writes.append(update(poll, outcome="OVERRULED", overdue_at=None, **closed))
    return after, writes


def _changes(before: Hangout, after: Hangout) -> dict[str, Any]:
    names = {
        name for name in Hangout.__struct_fields__ if getattr(before, name) != getattr(after, name)
    }
    if not names.isdisjoint(TOGETHER):
        names.update(TOGETHER)
    changes = {name: getattr(after, name) for name in sorted(names)}
    if "open_polls" in changes:
        # Nothing holds them: another may be opened meanwhile.
        changes["open_polls"] = discard(*(before.open_polls.keys() - after.open_polls.keys()))
    return changes
