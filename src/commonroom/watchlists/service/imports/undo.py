"""Undoing an import: what it did is taken back step by step, the last first.

Each step was kept with what it did, in one transaction; it goes in one transaction with what is
taken back. So nothing is counted twice, however often the process ends or two work at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.imports.files import Note
from commonroom.imports.kinds import pack_part
from commonroom.imports.worker import undo_in_steps
from commonroom.store import Condition, Write, add, as_read, check, delete, equal, update
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import Editable, item_ref
from commonroom.watchlists.service.imports.actions import ImportAction, unpack_actions
from commonroom.watchlists.service.imports.lifecycle import IMPORTS
from commonroom.watchlists.service.items import remove_writes
from commonroom.watchlists.service.lists import delete_writes
from commonroom.watchlists.service.ratings import (
    Opinion,
    load_opinion,
    rating_writes,
    removal,
    unmark,
)
from commonroom.watchlists.service.unused_titles import look_for_unused
from commonroom.watchlists.tables import (
    ImportStep,
    Seen,
    Watchlist,
    WatchlistImport,
    WatchlistItem,
    import_steps,
    unmatched_rows,
)

TOGETHER = 12
"""How many actions are taken back at once: six writes for a rating, and the rest, fit."""
MAX_ROWS = 50
EDITED = "It was edited since, so it stays."


class Taking(Struct):
    """What takes actions back, and what of them stays."""

    writes: list[Write] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    removed: int = 0

    def keep(self, action: ImportAction, why: str = EDITED) -> None:
        """Leaves what came of a row, and says so."""
        self.kept.append(Note(action.number, None, action.title, why, action.file))

    def remove(self, *writes: Write) -> None:
        """Takes what came of a row back."""
        self.writes += writes
        self.removed += 1


@undo_in_steps
async def undo_import(ctx: Context, kept: WatchlistImport) -> bool:
    """Takes the last actions back; says whether there may be more."""
    steps = await ctx.store.page(import_steps(import_id=kept.import_id), limit=1)
    if steps.items:
        await _take_back(ctx, kept, steps.items[0])
        return True
    rows = await ctx.store.page(unmatched_rows(import_id=kept.import_id), limit=MAX_ROWS)
    if rows.items:
        await ctx.store.write(check(kept, if_=_still(kept)), *map(delete, rows.items))
        return True
    await ctx.store.write(update(kept.ref, state="undone", if_=_still(kept)))
    return False


async def _take_back(ctx: Context, kept: WatchlistImport, step: ImportStep) -> None:
    actions = unpack_actions(step.deeds)
    left, some = _last(actions)
    taking = await _taking(ctx, some)
    unchanged = as_read(step, "deeds")
    await ctx.store.write(
        update(step.ref, deeds=pack_part(left), if_=unchanged)
        if left
        else delete(step, if_=unchanged),
        *taking.writes,
        update(kept.ref, removed=add(taking.removed), kept=add(len(taking.kept)), if_=_still(kept)),
        *IMPORTS.kept_notes(kept, taking.kept),
        *look_for_unused(ctx, [action.of for action in some if action.of is not None]),
    )


def _last(actions: Sequence[ImportAction]) -> tuple[Sequence[ImportAction], Sequence[ImportAction]]:
    """Returns the actions without the last ones, and those; a list goes after all that is on it."""
    start = max(0, len(actions) - TOGETHER)
    made = [index for index in range(start, len(actions) - 1) if actions[index].of is None]
    start = made[-1] + 1 if made else start
    return actions[:start], actions[start:]


async def _taking(ctx: Context, actions: Sequence[ImportAction]) -> Taking:
    taking = Taking()
    listed = [one for one in actions if one.list_id is not None and one.of is not None]
    for list_id in dict.fromkeys(one.list_id for one in listed):
        await _take_items(ctx, taking, [one for one in listed if one.list_id == list_id])
    for action in actions:
        if action.list_id is not None:
            if action.of is None:
                await _take_list(ctx, taking, action)
        elif action.of is not None:
            opinion = await load_opinion(ctx.store, ctx.person.user_id, action.of)
            if action.rating_version is not None:
                await _take_rating(ctx, taking, action, opinion)
            else:
                _take_mark(taking, action, opinion)
    return taking


async def _take_items(ctx: Context, taking: Taking, actions: Sequence[ImportAction]) -> None:
    """Takes titles off the list that they were put on."""
    list_id = actions[0].list_id or ""
    found = await ctx.store.get(Watchlist.at(watchlist_id=list_id))
    places = [one.of for one in actions if one.of is not None]
    items = await ctx.store.batch_get([item_ref(list_id, of) for of in places])
    gone: list[WatchlistItem] = []
    for action, item in zip(actions, items, strict=True):
        if found is None or item is None:
            continue
        if item.curator_note != action.text or item.added_by != ctx.person.user_id:
            taking.keep(action)
        else:
            gone.append(item)
    if found is not None and gone:
        taking.writes += remove_writes(ctx, Editable(found, ctx.person.user_id), gone)
        taking.removed += len(gone)


async def _take_list(ctx: Context, taking: Taking, action: ImportAction) -> None:
    """Deletes a list that was made, where nothing is on it and nobody gave it another name."""
    found = await ctx.store.get(Watchlist.at(watchlist_id=action.list_id))
    if found is None or found.item_count or found.collaborator_ids or found.title != action.text:
        return
    # Adding something in this moment raises the revision, and this is tried again.
    taking.writes += delete_writes(found, "revision")


async def _take_rating(
    ctx: Context, taking: Taking, action: ImportAction, opinion: Opinion
) -> None:
    if opinion.rating is None:
        return
    if opinion.rating.version != action.rating_version:
        taking.keep(action)
        return
    rated = await load_title(ctx.store, TitleId.of(opinion.rating))
    mark = _mark_before(action, opinion.seen)
    if action.before is None or rated is None:
        taking.remove(*removal(opinion.rating, opinion.seen, rated))
        if mark is not None and opinion.seen is not None and opinion.seen.own != "rating":
            taking.writes.append(update(opinion.seen, **mark))
        return
    version = opinion.rating.version + 1
    restored = replace(opinion.rating, **asdict(action.before), version=version)
    taking.remove(*rating_writes(ctx.now, rated, opinion, restored, mark=mark))


def _mark_before(action: ImportAction, seen: Seen | None) -> dict[str, Any] | None:
    """Returns what a mark was before days were added to it, unless it was changed since."""
    if action.mark_before is None or seen is None or seen.version != action.seen_version:
        return None
    return asdict(action.mark_before)


def _take_mark(taking: Taking, action: ImportAction, opinion: Opinion) -> None:
    seen = opinion.seen
    if seen is None:
        return
    mark = _mark_before(action, seen)
    if seen.version != action.seen_version or (mark is None and opinion.rating is not None):
        taking.keep(action)
        return
    taking.remove(unmark(seen) if mark is None else update(seen, **mark))


def _still(kept: WatchlistImport) -> Condition:
    return equal(import_id=kept.import_id, state="undoing")
