"""What an import does for rows, as writes, and what is kept of it so that it can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.imports.kinds import pack_part, unpack
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Entity,
    Ref,
    Write,
    absent,
    check,
    create,
    put,
    stored,
    update,
)
from commonroom.titles.genres import genre_named
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import (
    Stored,
    claim_of,
    facts_of,
    id_of,
    load_title,
    store_title,
)
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType, TitleFacts, TitleId
from commonroom.watchlists.rules.formats import (
    CatalogueMatch,
    ItemRead,
    Known,
    OpinionRead,
    TitleRead,
    WatchlistRow,
)
from commonroom.watchlists.rules.imports import (
    REVIEWS,
    RowEffects,
    WatchlistImportChoices,
    effects_of,
    made_title,
)
from commonroom.watchlists.rules.matching import has_other_ids
from commonroom.watchlists.rules.seen import days_of
from commonroom.watchlists.service.access import (
    editable_list,
    item_ref,
    not_suspended,
    still_there,
)
from commonroom.watchlists.service.items import add_writes, new_item
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.service.ratings import Opinion, opinion_refs, rating_writes
from commonroom.watchlists.service.titles import stored_titles
from commonroom.watchlists.tables import (
    ImportStep,
    MadeTitle,
    OwnTitle,
    Profile,
    Rating,
    Seen,
    SeenSource,
    Watchlist,
    WatchlistImport,
    WatchlistItem,
)

GENRE_ALIASES = {"sci-fi": "Science Fiction", "science-fiction": "Science Fiction"}


class RatingBefore(Struct, frozen=True, omit_defaults=True):
    """A rating whose place another took."""

    rating: int | None
    review: str | None
    rated_at: str


class MarkBefore(Struct, frozen=True, omit_defaults=True):
    """A mark that was there, as it was before days were added to it."""

    own: SeenSource | None = None
    seen_on: str | None = None
    other_days: list[str] = []


class ImportAction(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that was done for a row."""

    number: int
    file: str | None = None
    title: str
    content_type: ContentType | None = None
    content_id: str | None = None
    list_id: str | None = None
    """The list that was made or, with a title, that it was put on."""
    text: str | None = None
    """The note, or what the list is called: what was changed since is wanted."""
    rating_version: int | None = None
    before: RatingBefore | None = None
    seen_version: int | None = None
    mark_before: MarkBefore | None = None

    @property
    def of(self) -> TitleId | None:
        """The title that it is about."""
        if self.content_type is None or self.content_id is None:
            return None
        return TitleId(self.content_type, self.content_id)


_actions = msgspec.json.Decoder(list[ImportAction])


def unpack_actions(packed: bytes) -> list[ImportAction]:
    """Returns stored actions."""
    return _actions.decode(unpack(packed))


def step_writes(
    record: WatchlistImport, part: int, place: int, actions: Sequence[ImportAction]
) -> list[Write]:
    """Returns what is kept of actions so that they can be undone, where there are any."""
    if not actions:
        return []
    whose = {"import_id": record.import_id, "account_id": record.account_id}
    return [put(ImportStep(**whose, part=part, place=place, deeds=pack_part(actions)))]


class ImportPlan(Struct):
    """What is to be written for rows, and what of them brings nothing new."""

    writes: list[Write] = field(default_factory=list)
    actions: list[ImportAction] = field(default_factory=list)
    skipped: int = 0

    @property
    def added(self) -> int:
        """How many rows bring something: a list that is made besides is none."""
        return sum(action.of is not None for action in self.actions)

    def join(self, other: ImportPlan) -> None:
        """Takes what another plan has."""
        self.writes += other.writes
        self.actions += other.actions
        self.skipped += other.skipped


Placed: TypeAlias = Sequence[tuple[WatchlistRow, Stored]]
"""Rows with the titles that they are about."""


async def ensure_titles(
    ctx: Context,
    titles: Titles,
    wanted: Sequence[tuple[WatchlistRow, CatalogueMatch]],
    *,
    is_chosen: bool = False,
) -> list[Stored]:
    """Returns the titles of rows as they are stored; those that the catalogue lacks are made.

    What a file knows of their ids is kept with them, unless they were chosen by hand.
    """
    for row, match in wanted:
        if row.match is None and row.of is not None:
            await _ensure_made(ctx, row.of, match)
    ids = [TitleId.of(match) for _, match in wanted]
    try:
        found = await stored_titles(ctx.store, titles, ids, ctx.now)
    except NotFound:
        if is_chosen:
            raise
        await _make_again(ctx, titles, wanted)
        found = await stored_titles(ctx.store, titles, ids, ctx.now)
    if is_chosen:
        return found
    rows = [row for row, _ in wanted]
    return [await _with_ids(ctx, *one) for one in zip(rows, found, strict=True)]


async def _make_again(
    ctx: Context, titles: Titles, wanted: Sequence[tuple[WatchlistRow, CatalogueMatch]]
) -> None:
    """Makes titles that were found and are gone since, because nobody used them any more."""
    for row, match in wanted:
        title = TitleId.of(match)
        if row.of is not None and await titles.find(ctx.store, title) is None:
            await _ensure_made(ctx, row.of, match)


async def _with_ids(ctx: Context, row: WatchlistRow, title: Stored) -> Stored:
    """A title that imports have made, with the ids that a row knows; another where they differ."""
    of, own = row.of, id_of(title)
    if of is None or own.tmdb_id is not None or title.made_by is not None:
        return title
    if of.content_id != own.content_id and has_other_ids(of, facts_of(title)):
        made = made_title(of, ctx.person.user_id)
        await _ensure_made(ctx, of, made)
        other = await load_title(ctx.store, TitleId.of(made))
        return title if other is None else other
    told = {"imdb_id": of.imdb_id, "tmdb_id": None if of.tmdb_id is None else str(of.tmdb_id)}
    new_ids: dict[str, Any] = {
        name: one for name, one in told.items() if one is not None and getattr(title, name) is None
    }
    if not new_ids:
        return title
    with suppress(ConditionFailed):  # it was just changed, or another title has this id
        claim = claim_of(replace(title, **new_ids)) if "tmdb_id" in new_ids else []
        ways = [put(way) for way in imdb_ways(own, title.title, new_ids.get("imdb_id"), of.year)]
        await ctx.store.write(update(title, **new_ids, updated_at=iso(ctx.now)), *claim, *ways)
    return await load_title(ctx.store, own) or title


async def _ensure_made(ctx: Context, of: TitleRead, match: CatalogueMatch) -> None:
    """Stores a title with what a file says of it, unless it is there.

    One that others know, too, is found by its name; another is its importer's own.
    """
    title = TitleId.of(match)
    if await load_title(ctx.store, title) is not None:
        return
    pointers: list[Entity] = [OwnTitle(user_id=ctx.person.user_id, **title.key)]
    if of.is_common:
        pointers = [
            MadeTitle(name=squashed(of.title), title=of.title, year=of.year, **title.key),
            *imdb_ways(title, of.title, of.imdb_id, of.year),
        ]
    await store_title(
        ctx.store,
        facts_read(of, match),
        ctx.now,
        is_unlisted=not of.is_common,
        also=[*map(put, pointers), still_there(ctx.person)],
    )


def imdb_ways(of: TitleId, title: str, imdb_id: str | None, year: int | None) -> list[MadeTitle]:
    """Returns the way to a title by IMDb's id, where it has one."""
    if imdb_id is None:
        return []
    return [MadeTitle(name=imdb_id, title=title, year=year, **of.key)]


def facts_read(of: TitleRead, match: CatalogueMatch) -> TitleFacts:
    """Returns what a file says of a title."""
    names = [GENRE_ALIASES.get(name.casefold(), name) for name in of.genres]
    return TitleFacts(
        **TitleId.of(match).key,
        title=of.title,
        other_titles=() if of.original_title is None else (of.original_title,),
        year=of.year,
        genres=tuple(genre for name in names if (genre := genre_named(name))),
        runtime=of.runtime if match.content_type == "MOVIE" else None,
        makers=tuple(of.makers),
        tmdb_id=of.tmdb_id,
        imdb_id=of.imdb_id,
    )


async def plan_items(
    ctx: Context, list_id: str, placed: Placed, choices: WatchlistImportChoices
) -> ImportPlan:
    """Returns what puts titles on a list, behind all that is there: two requests.

    Nothing where it is public and its importer was suspended meanwhile.
    """
    access = await editable_list(ctx, list_id)
    refs: list[Ref[Any]] = [item_ref(list_id, id_of(title)) for _, title in placed]
    *there, profile = await ctx.store.batch_get([*refs, Profile.at(user_id=ctx.person.user_id)])
    if access.held and profile is not None and profile.curator_status == "suspended":
        return ImportPlan(skipped=len(placed))
    wanted = [
        (row, row.item, title)
        for (row, title), item in zip(placed, there, strict=True)
        if row.item and effects_of(row, Known(is_listed=item is not None), choices).listed
    ]
    made = [
        item_of(ctx, access.watchlist, number, row, title)
        for number, (row, _, title) in enumerate(wanted)
    ]
    return ImportPlan(
        add_writes(access, made, [title for *_, title in wanted]) if made else [],
        [
            action_of(row, id_of(title), list_id=list_id, text=item.note)
            for row, item, title in wanted
        ],
        len(placed) - len(wanted),
    )


def item_of(
    ctx: Context, to: Watchlist, number: int, row: WatchlistRow, title: Stored
) -> WatchlistItem:
    """Returns a title on a list, as a row has it there; `number` counts those that come with it."""
    item = row.item or ItemRead()
    now = item.added_at or iso(ctx.now)
    return new_item(to, number, title, by=ctx.person.user_id, now=now, note=item.note)


async def plan_opinions(
    ctx: Context, placed: Placed, choices: WatchlistImportChoices
) -> ImportPlan:
    """Returns what rates titles and marks them as seen: one request.

    Reviews are left out while their importer is suspended as a curator.
    """
    plan, reviews, me = ImportPlan(), 0, ctx.person.user_id
    refs = [ref for _, title in placed for ref in opinion_refs(me, id_of(title))]
    *there, profile = await ctx.store.batch_get([*refs, Profile.at(user_id=me)])
    if profile is not None and profile.curator_status == "suspended":
        choices = replace(choices, without=choices.without | {REVIEWS})
    for number, (row, title) in enumerate(placed):
        before = Opinion(*there[2 * number : 2 * number + 2])
        known = known_of_opinion(before)
        effects = effects_of(row, known, choices)
        if effects.reviewed:
            reviews += 1
            await ensure_profile(ctx)  # others see a name
        if row.opinion is not None and effects.is_any:
            writes, kept = _opinion_writes(ctx, title, before, row.opinion, effects)
            plan.writes += writes
            plan.actions.append(action_of(row, id_of(title), **kept))
        else:
            plan.skipped += 1
    if plan.writes:
        plan.writes.append(still_there(ctx.person))
    if reviews:
        plan.writes.append(not_suspended(me))
    return plan


def known_of_opinion(before: Opinion) -> Known:
    """Returns what a person has said of a title already."""
    last = before.rating
    return Known(
        is_rated=last is not None and last.rating is not None,
        is_reviewed=last is not None and last.review is not None,
        is_seen=before.has_seen,
        **asdict(days_of(before.seen)),
    )


def _opinion_writes(
    ctx: Context, title: Stored, before: Opinion, said: OpinionRead, effects: RowEffects
) -> tuple[list[Write], dict[str, Any]]:
    """Returns what is written of an opinion, and what is kept of it so that it can be undone."""
    last, seen, kept = before.rating, before.seen, dict[str, Any]()
    key = {"user_id": ctx.person.user_id, **id_of(title).key}
    if effects.rated or effects.reviewed:
        after = _rating_after(ctx, key, effects, said, last)
        days = said.days if effects.seen or effects.dated else []
        writes = rating_writes(ctx.now, title, before, after, days=days)
        kept["rating_version"] = after.version
        kept["before"] = last and RatingBefore(last.rating, last.review, last.rated_at)
    else:
        writes = _seen_writes(ctx, title, seen, key, said)
    if effects.seen or effects.dated:
        kept["seen_version"] = 1 if seen is None else seen.version + 1
    if effects.dated and seen is not None:
        kept["mark_before"] = MarkBefore(own=seen.own, **asdict(days_of(seen)))
    return writes, kept


def _rating_after(
    ctx: Context, key: dict[str, Any], effects: RowEffects, said: OpinionRead, last: Rating | None
) -> Rating:
    """Returns a person's new opinion of a title; what a file does not say stays as it was."""
    said_at = said.rated_at or iso(ctx.now)
    before = last or Rating(**key, rated_at=said_at, version=0)
    return replace(
        before,
        rating=said.rating if effects.rated else before.rating,
        review=said.review if effects.reviewed else before.review,
        rated_at=said_at if effects.rated or before.rating is None else before.rated_at,
        version=before.version + 1,
    )


def _seen_writes(
    ctx: Context, title: Stored, before: Seen | None, key: dict[str, Any], said: OpinionRead
) -> list[Write]:
    marked: dict[str, Any] = {
        "own": (before and before.own) or "hand",
        "marked_at": iso(ctx.now),
        **asdict(days_of(before).with_more(said.days)),
    }
    mark = create(Seen(**key, **marked)) if before is None else update(before, **marked)
    return [mark, check(title.ref, if_=stored & absent("removed_at"))]


def action_of(row: WatchlistRow, of: TitleId, **more: Any) -> ImportAction:
    """Returns what was done for a row about a title."""
    return ImportAction(
        number=row.number,
        file=row.file,
        title=row.title,
        **of.key,
        **more,
    )
