"""Lists: so many at a time, and where to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from commonroom.store import BoundPattern, Store

T = TypeVar("T")
V = TypeVar("V")

MAX_CURSOR = 10_000
"""What the longest keys come to; a server takes addresses of 64 KB."""


class Paging(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a list."""

    limit: Annotated[int, Meta(ge=1, le=100, description="Maximum number of items.")] = 50
    cursor: (
        Annotated[
            str,
            Meta(
                max_length=MAX_CURSOR,
                pattern="^[A-Za-z0-9_-]*$",
                description="The `next_cursor` of the previous page.",
            ),
        ]
        | None
    ) = None


class PagedList(Struct, Generic[T], frozen=True):
    """Part of a list."""

    items: list[T]
    next_cursor: (
        Annotated[
            str,
            Meta(description="Cursor of the next page; null at the end, however short a page is."),
        ]
        | None
    )


async def paged(
    store: Store, pattern: BoundPattern[T], paging: Paging, view: Callable[[T], V | None]
) -> PagedList[V]:
    """Returns a page of an access pattern, as it is shown; what has no view is left out."""
    page = await store.page(pattern, limit=paging.limit, cursor=paging.cursor)
    views = [viewed for item in page.items if (viewed := view(item)) is not None]
    return PagedList(views, page.cursor)


async def paged_as(
    store: Store, pattern: BoundPattern[Any], paging: Paging, view: type[V]
) -> PagedList[V]:
    """A page of an access pattern, of each thing the fields that the view has: all in one go."""
    page = await store.page(pattern, limit=paging.limit, cursor=paging.cursor)
    views: list[V] = msgspec.convert(page.items, list[view], from_attributes=True)  # type: ignore[valid-type] # it is one
    return PagedList(views, page.cursor)
