"""Titles that administrators make, change and remove."""

from __future__ import annotations

from uuid import uuid4

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField, PreconditionFailed
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Write, create, delete, equal, unmarked, update
from commonroom.titles.builtin import known_title
from commonroom.titles.service import Titles, no_such_title
from commonroom.titles.stored_titles import (
    Stored,
    claim_of,
    id_of,
    load_title,
    own_poster,
    retry,
    store_title,
    stored_fields,
    title_of,
)
from commonroom.titles.tables import TmdbClaim
from commonroom.titles.title_fields import TitleDraft, check_draft
from commonroom.titles.titles import ContentType, TitleId

OF_SOURCES = frozenset({"source_rating", "source_votes", "popularity"})
"""What nobody writes by hand."""


async def make_title(ctx: Context, content_type: ContentType, draft: TitleDraft) -> Stored:
    """Makes a title that no source knows, or one that has a TMDB id before anybody uses it."""
    own = str(uuid4()) if draft.tmdb_id is None else str(draft.tmdb_id)
    facts = check_draft(content_type, own, draft)
    made = title_of(facts, ctx.now, made_by=ctx.person.user_id)
    try:
        await ctx.store.write(create(made), *claim_of(made))
    except ConditionFailed:
        raise Conflict("This title is in the catalogue already.") from None
    return made


async def edit_stored(
    ctx: Context, titles: Titles, title: TitleId, draft: TitleDraft, version: int | None
) -> Stored:
    """Stores a title if it is not, and writes it as edited; what is refused stores nothing."""
    check_draft(title.content_type, title.content_id, draft)
    stored = await titles.ensure_stored(ctx.store, title, ctx.now)
    return await change_title(ctx, id_of(stored), draft, version)


@retry
async def change_title(
    ctx: Context, title: TitleId, draft: TitleDraft, version: int | None = None
) -> Stored:
    """Writes an edited title, unless it was changed since `version`; sources change it no more."""
    check_draft(title.content_type, title.content_id, draft)

    before = await _get(ctx, title)
    if version is not None and before.version != version:
        raise PreconditionFailed("This was changed since you loaded it. Reload it first.")
    facts = check_draft(title.content_type, id_of(before).content_id, draft)
    after = {name: value for name, value in stored_fields(facts).items() if name not in OF_SOURCES}
    if facts.poster_url is None and own_poster(before) is None:
        after["poster_url"] = before.poster_url  # a source's stays
    claims = _exchange_claims(before, after["tmdb_id"])
    after |= {"is_unlisted": False, "updated_at": iso(ctx.now)}
    edit = update(before, **after, made_by=ctx.person.user_id)
    try:
        await ctx.store.write(edit, *claims)
    except ConditionFailed as failed:
        if failed.operation.entity_type is TmdbClaim:
            raise InvalidField("tmdb_id", "Another title has this TMDB ID.") from None
        raise
    return await ctx.store.get(before.ref) or before


@retry
async def remove_title(ctx: Context, title: TitleId) -> None:
    """Takes a title out of sight at once; what people said of it and the rest follow.

    One that a source knows would be there again with the next look.
    """
    if title.tmdb_id is not None:
        raise Conflict("Only titles that were made here can be removed.")

    before = await _get(ctx, title)
    await ctx.store.write(update(before, removed_at=iso(ctx.now)))


async def _get(ctx: Context, title: TitleId) -> Stored:
    """Returns a stored title; one that only comes with Commonroom is stored now, to be changed."""
    found = await load_title(ctx.store, title)
    if found is not None:
        return found
    known = known_title(title)
    if known is None:
        raise no_such_title(title.content_type)
    with unmarked():
        return await store_title(ctx.store, known, ctx.now)


def _exchange_claims(before: Stored, tmdb_id: str | None) -> list[Write]:
    if before.tmdb_id == tmdb_id:
        return []
    of = id_of(before)
    if of.content_id == before.tmdb_id:
        raise InvalidField("tmdb_id", "The TMDB ID of this title cannot change.")
    kind = of.content_type
    writes: list[Write] = []
    if before.tmdb_id is not None:
        last = TmdbClaim.at(content_type=kind, tmdb_id=before.tmdb_id)
        writes.append(delete(last, if_=equal(content_id=of.content_id)))
    if tmdb_id is not None:
        claim = TmdbClaim(content_type=kind, tmdb_id=tmdb_id, content_id=of.content_id)
        writes.append(create(claim))
    return writes
