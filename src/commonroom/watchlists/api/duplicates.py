"""Duplicates for programs: what merging two titles would do, and doing it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.projections import projection
from commonroom.titles.request import MAX_ID, TitleInPath
from commonroom.titles.service import FoundTitle
from commonroom.titles.stored_titles import facts_of, id_of
from commonroom.titles.titles import TitleId
from commonroom.titles.views import TitleView, title_view
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.service import title_merging

MERGE = "/titles/{kind:str}/{title_id:str}/merge"


api = Operations("Films and shows")


class MergeBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which title of the same kind a duplicate is."""

    into: Annotated[
        str, Meta(min_length=1, max_length=MAX_ID, description="The id of the title that stays.")
    ]


class MergeView(Struct, frozen=True):
    """What merging a duplicate would move; numbers stop at 1000."""

    duplicate_id: str
    into_id: str
    lists: int
    opinions: int
    seen: int


merge_view = projection(
    title_merging.MergePreview,
    MergeView,
    duplicate_id=lambda one: id_of(one.source).content_id,
    into_id=lambda one: id_of(one.target).content_id,
)


@api.get(MERGE, Need.ADMINISTRATOR, errors=(404, 409))
async def preview_title_merge(
    ctx: Ctx, titles: Catalogue, title: TitleInPath, asked: MergeBody
) -> MergeView:
    """Say what merging a duplicate into another title would do; 409 where they are not one."""
    target = TitleId(title.content_type, asked.into)
    return merge_view(await title_merging.preview_merge(ctx, titles, title, target))


@api.post(MERGE, Need.ADMINISTRATOR, errors=(404, 409, 422))
async def merge_title(
    ctx: Ctx, titles: Catalogue, title: TitleInPath, body: MergeBody
) -> TitleView:
    """Merge a duplicate into another title.

    Lists, ratings, reviews and marks move within a minute; its address leads to the other title.
    Two titles with different IMDb or TMDB IDs are never merged.
    """
    target = TitleId(title.content_type, body.into)
    kept = await title_merging.merge_titles(ctx, titles, title, target)
    return title_view(FoundTitle(facts_of(kept), kept))
