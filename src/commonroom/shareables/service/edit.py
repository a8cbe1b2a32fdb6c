"""Editing a page with the version that was seen, extending its life, and deleting it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import asdict, replace

from commonroom.moments import iso
from commonroom.shareables.errors import DropsAnswers, EditConflict
from commonroom.shareables.rules.checklists import TypedChecklist, checklist_fields, removed_items
from commonroom.shareables.rules.events import TypedEvent, event_fields
from commonroom.shareables.rules.lifecycle import Days, check_dates, lifetime, lifetime_after_edit
from commonroom.shareables.rules.limits import check_length, page_bytes
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    become_single,
    drops_votes,
    poll_fields,
    removed_options,
)
from commonroom.shareables.service.gate import P, Page, PageAccess, as_admin, carry_out, of_kind
from commonroom.shareables.service.guest_storage import count_change, stop_counting
from commonroom.shareables.service.listing import creator_entries
from commonroom.shareables.tables import Checklist, Event, Poll, PollQuestion, Shareable
from commonroom.store import Condition, Write, check, delete, discard, equal, merge, put, update

Typed: TypeAlias = TypedChecklist | TypedEvent | TypedPollPage
TYPED: Mapping[type[Page], type[Typed]] = {
    Checklist: TypedChecklist,
    Event: TypedEvent,
    Poll: TypedPollPage,
}


_UNSEEN = {"ttl", "view_passcode_version", "admin_passcode_version", "creator_token_version"}
"""What changes together with something that people know by name."""


def edit(now: float, page: Shareable, *, if_: Condition | None = None, **changes: Any) -> Write:
    """An edit of a page as it was read, which says what it changed to those who come too late."""
    edited = changes.keys() - page.unversioned - _UNSEEN
    return update(
        page,
        if_=if_,
        **changes,
        updated_at=iso(now),
        changed_in=merge(dict.fromkeys(sorted(edited), page.version + 1)),
    )


async def save(
    gate: PageAccess[P],
    version: int,
    typed: Typed,
    *,
    confirm: bool = False,
    confirm_past: bool = False,
) -> int:
    """Saves what an admin has edited; gives the page's new version.

    Where another person has saved since this version, it is stale and says what they changed.
    With `confirm`, options that people have chosen may be removed; with `confirm_past`, dates may
    be set that are over.
    """
    as_admin(gate)
    of_kind(gate, kind_of(typed))

    saved = version

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        nonlocal saved
        page = gate.page
        check_version(page, version)
        fields = fields_of(typed, page)
        changes = {name: value for name, value in fields.items() if getattr(page, name) != value}
        is_guests = page.is_counted
        check_dates(gate.now, changes, page, is_guests=is_guests, confirm_past=confirm_past)
        saved = version + 1 if changes else version
        if not changes:
            return [check(page, if_=equal(version=version))]
        grown = page_bytes(fields) - page_bytes(asdict(page))
        return [
            *_saved(gate.now, page, fields, changes, confirm=confirm),
            *count_change(page, grown, gate.caller.limits),
        ]

    await carry_out(gate, step)
    return saved


def check_version(page: Shareable, version: int) -> None:
    """Refuses an edit of an earlier version, and says what changed since."""
    if page.version != version:
        changed = sorted(name for name, at in page.changed_in.items() if at > version)
        raise EditConflict(changed, page.version)


def kind_of(typed: Typed) -> type[Page]:
    """Returns the kind of page that this is typed for."""
    match typed:
        case TypedChecklist():
            return Checklist
        case TypedEvent():
            return Event
        case TypedPollPage():
            return Poll


def fields_of(typed: Typed, before: Page | None = None) -> dict[str, Any]:
    """Returns the fields to store of what was typed; refused where that is too much in all."""
    match typed:
        case TypedChecklist():
            rows = "items"
            fields = checklist_fields(typed, before if isinstance(before, Checklist) else None)
        case TypedEvent():
            rows = "description"
            fields = event_fields(typed)
        case TypedPollPage():
            rows = "questions"
            fields = poll_fields(typed, before if isinstance(before, Poll) else None)
    check_length(rows, fields, before)
    return fields


def typed_from(page: Page) -> Typed:
    """Returns a page as it could have been typed."""
    found: Typed = TYPED[type(page)](**content_of(page))
    return found


def content_of(page: Page) -> dict[str, Any]:
    """Returns what was typed of a page, as it is stored."""
    return {name: getattr(page, name) for name in TYPED[type(page)].__struct_fields__}


def _saved(
    now: float, page: Page, fields: dict[str, Any], changes: dict[str, Any], *, confirm: bool
) -> list[Write]:
    match page:
        case Checklist():
            # Ticks that are items of their own go with a consumer; until then they do not count.
            gone = [one for one in removed_items(page, fields["items"]) if one in page.ticks]
            if gone:
                changes["ticks"] = discard(*gone)
            return [edit(now, page, **changes)]
        case Event():
            later = lifetime_after_edit(page.expires_at, fields)
            pointers = creator_entries(replace(page, **later)) if later else []
            return [edit(now, page, **changes, **later), *map(put, pointers)]
        case Poll():
            return [_saved_poll(now, page, changes, fields["questions"], confirm=confirm)]


def _saved_poll(
    now: float,
    poll: Poll,
    changes: dict[str, Any],
    questions: Sequence[PollQuestion],
    *,
    confirm: bool,
) -> Write:
    removed = removed_options(poll, questions)
    if not confirm and drops_votes(poll, removed):
        raise DropsAnswers(
            "People have already chosen what you are removing. Confirm to delete their answers."
        )
    if removed:
        changes["tally"] = discard(*removed)
    # What was decided by the votes so far must still hold: a vote raises no version.
    decided = (removed and not confirm) or become_single(poll, questions)
    return edit(now, poll, **changes, if_=equal(tally=poll.tally) if decided else None)


async def extend(gate: PageAccess[P], days: Days) -> str:
    """Lets a page live so many days from now, if that is longer; gives when it closes.

    What people left on it goes along: a consumer carries its new end to them.
    """
    as_admin(gate)

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        later = _later(gate.now, gate.page, days)
        if gate.page.expires_at >= later["expires_at"]:
            return [check(gate.page, if_=equal(version=gate.page.version))]
        return [
            edit(gate.now, gate.page, **later),
            *map(put, creator_entries(replace(gate.page, **later))),
        ]

    page = (await carry_out(gate, step)).page
    closes: str = max(page.expires_at, _later(gate.now, page, days)["expires_at"])
    return closes


def _later(now: float, page: Page, days: Days) -> dict[str, Any]:
    return lifetime(now, days, asdict(page))


async def delete_page(
    gate: PageAccess[P],
    *,
    check_seen: Callable[[Page], None] = lambda _: None,
) -> None:
    """Deletes a page at once; nothing on it can be reached from then on, and it is cleared up.

    `check_seen` refuses where it was seen otherwise.
    """
    as_admin(gate)

    async def step(gate: PageAccess[P]) -> Sequence[Write]:
        check_seen(gate.page)
        mine = [delete(one) for one in creator_entries(gate.page)]
        counted = await stop_counting(gate.store, gate.page.short_id)
        return [delete(gate.page, if_=equal(version=gate.page.version)), *mine, *counted]

    await carry_out(gate, step, also_closed=True)
