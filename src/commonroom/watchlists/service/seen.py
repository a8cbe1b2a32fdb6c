"""What people have seen: marked by themselves, by a rating, or by an evening spent together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.joins.watched_titles import Gone, Marks
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Store,
    Write,
    absent,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
)
from commonroom.titles.builtin import known_title
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import id_of, store_title
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.rules import seen as rules
from commonroom.watchlists.service.access import retry, still_there
from commonroom.watchlists.service.ratings import load_opinion
from commonroom.watchlists.tables import Rating, Seen


@retry
async def mark_seen(
    ctx: Context, titles: Titles, title: TitleId, seen_on: str | None = None
) -> Seen:
    """Marks a title as seen; the day may be given, changed and left out."""
    day = rules.seen_day(seen_on, ctx.now)

    kept = await titles.ensure_stored(ctx.store, title, ctx.now)
    ref = _ref(ctx.person.user_id, id_of(kept))
    before = await ctx.store.get(ref)
    if before is not None and (before.own, before.seen_on) == ("hand", day):
        return before
    marked: dict[str, Any] = {"own": "hand", "seen_on": day, "marked_at": iso(ctx.now)}
    if before is not None:
        marked["other_days"] = [one for one in before.other_days if one != day]
    await ctx.store.write(
        create(Seen(**ref.fields, **marked)) if before is None else update(before, **marked),
        check(kept.ref, if_=stored & absent("removed_at")),
        still_there(ctx.person),
    )
    return await ctx.store.get(ref) or Seen(**ref.fields, **marked)


@retry
async def unmark_seen(ctx: Context, titles: Titles, title: TitleId) -> None:
    """Takes a mark back, wherever it is from; who has rated or reviewed a title has seen it."""
    found = await titles.find_here(ctx.store, title)
    of = title if found is None else found.facts.id
    opinion = await load_opinion(ctx.store, ctx.person.user_id, of)
    if opinion.rating is not None:
        is_rated = opinion.rating.rating is not None
        raise Conflict(
            "You have rated this. Remove your rating first."
            if is_rated
            else "You have reviewed this. Remove your review first."
        )
    seen = opinion.seen
    if seen is None or not seen.is_seen:
        return
    left = rules.dismissed(seen)
    away = delete(seen, if_=equal(version=seen.version)) if left is None else update(seen, **left)
    unrated = check(Rating.at(user_id=seen.user_id, **TitleId.of(seen).key), if_=new)
    await ctx.store.write(away, unrated)


async def follow_evenings(
    store: Store, at: float, facts: TitleFacts, added: Marks, gone: Gone
) -> None:
    """Marks a title for those who watched it together, and takes that back where they did not."""
    kept = await store_title(store, known_title(facts.id) or facts, at) if added else None
    of = facts.id if kept is None else id_of(kept)
    for user_id in dict.fromkeys([*added, *gone]):
        await _follow(store, at, _ref(user_id, of), added.get(user_id, {}), gone.get(user_id, ()))


async def missing_marks(store: Store, facts: TitleFacts, marks: Marks) -> list[Write]:
    """What would mark a title for those who watched it together and have not been marked yet."""
    refs = [_ref(user_id, facts.id) for user_id in marks]
    there = await store.batch_get(refs)
    people = await store.batch_get([User.at(user_id=user_id) for user_id in marks])
    writes: list[Write] = []
    for ref, before, person, added in zip(refs, there, people, marks.values(), strict=True):
        if person is None:
            continue
        if before is None:
            made = Seen(**ref.fields, marked_at=max(added.values()), evenings=added)
            writes += [create(made), still_there(person)]
        elif (evenings := rules.with_evenings(before, added, ())) != before.evenings:
            writes.append(update(before, evenings=evenings))
    return writes


@retry
async def _follow(
    store: Store, now: float, ref: Ref[Seen], added: dict[str, str], gone: Iterable[str]
) -> None:
    before = await store.get(ref)
    if before is None:
        person = User.at(user_id=ref.fields["user_id"])
        if added and await store.get(person) is not None:
            mark = Seen(**ref.fields, marked_at=iso(now), evenings=added)
            await store.write(create(mark), check(person, if_=stored))
        return
    evenings = rules.with_evenings(before, added, frozenset(gone))
    if evenings == before.evenings:
        return
    if not evenings and before.own is None and not before.dismissed:
        await store.write(delete(before, if_=equal(version=before.version)))
    else:
        await store.write(update(before, evenings=evenings))


def _ref(user_id: str, title: TitleId) -> Ref[Seen]:
    return Seen.at(user_id=user_id, **title.key)
