"""Titles on a list: added, noted, moved, removed."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.titles.titles import FOLDERS, ContentType, TitleId
from commonroom.watchlists.api import list_views as views
from commonroom.watchlists.api import lists
from commonroom.watchlists.api.fields import TitleBody
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.rules.lists import MAX_NOTE
from commonroom.watchlists.service import items
from commonroom.watchlists.service.items import NewWatchlistItem
from commonroom.watchlists.service.moves import Target, move_item

ALL = f"{lists.ONE}/items"
ONE = f"{ALL}/{{folder:str}}/{{content_id:str}}"
KINDS: dict[str, ContentType] = {folder: kind for kind, folder in FOLDERS.items()}

Note: TypeAlias = Annotated[
    str,
    Meta(
        max_length=10_000,
        description=f"Why it is on the list; at most {MAX_NOTE} characters.",
    ),
]


api = Operations("Watchlists: titles on a list", errors=(403, 404, 409))


class NewListItem(TitleBody):
    """A title to be added."""

    note: Note | None = None


class NewListItems(Body):
    """Titles to be added at the end, in this order."""

    items: Annotated[
        list[NewListItem],
        Meta(
            min_length=1,
            max_length=items.MAX_AT_ONCE,
            description=f"1 to {items.MAX_AT_ONCE}; all of them are added, or none.",
        ),
    ]


class NoteChange(Body):
    """Why a title is on a list."""

    note: Annotated[Note | None, Meta(description="Null removes it.")]


class ItemPositionBody(Body):
    """Where an item goes: one of these."""

    place: (
        Annotated[int, Meta(ge=1, le=10_000, description="From 1; beyond the last is the last.")]
        | None
    ) = None
    before: TitleBody | None = None
    after: TitleBody | None = None


@api.post(ALL, Need.NOT_ACTING)
async def add_watchlist_items(
    ctx: Ctx, titles: Catalogue, watchlist_id: str, new: NewListItems
) -> PagedList[views.ListItem]:
    """Add one or several titles at the end of a list.

    One that is there already is 409 and named by `content_type` and `content_id`; none is added
    then.
    """
    wanted = [NewWatchlistItem(one.content_type, one.content_id, one.note) for one in new.items]
    made = await items.add_items(ctx, titles, watchlist_id, wanted)
    return PagedList(views.items(made), None)


@api.patch(ONE, Need.NOT_ACTING)
async def change_watchlist_note(
    ctx: Ctx, watchlist_id: str, folder: str, content_id: str, change: NoteChange
) -> views.ListItem:
    """Say why a title is on a list."""
    title = _title(folder, content_id)
    changed = await items.change_note(ctx, watchlist_id, title, change.note)
    return views.items([changed])[0]


@api.put(f"{ONE}/position", Need.NOT_ACTING)
async def move_watchlist_item(
    ctx: Ctx, watchlist_id: str, folder: str, content_id: str, to: ItemPositionBody
) -> PagedList[views.ListItem]:
    """Move a title on a list; all are given in their new order."""
    before = None if to.before is None else to.before.id
    target = Target(to.place, before, None if to.after is None else to.after.id)
    moved = await move_item(ctx, watchlist_id, _title(folder, content_id), target)
    return PagedList(views.items(moved), None)


@api.delete(ONE, Need.NOT_ACTING)
async def remove_watchlist_item(ctx: Ctx, watchlist_id: str, folder: str, content_id: str) -> None:
    """Remove a title from a list."""
    await items.remove_item(ctx, watchlist_id, _title(folder, content_id))


def _title(folder: str, content_id: str) -> TitleId:
    if folder not in KINDS:
        raise NotFound("This title is not on the list.")
    return TitleId(KINDS[folder], content_id)
