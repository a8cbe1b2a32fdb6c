"""Following cursors to the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from commonroom.store import BoundPattern, Store

T = TypeVar("T")

MANY = 500
"""No test pages this often: whoever does goes round in circles."""


async def every_page(
    store: Store, asked: BoundPattern[T], *, limit: int | None = None
) -> list[list[T]]:
    """All pages of a pattern."""
    pages: list[list[T]] = []
    cursor: str | None = None
    for _ in range(MANY):
        page = (
            await store.page(asked, cursor=cursor)
            if limit is None
            else await store.page(asked, limit=limit, cursor=cursor)
        )
        pages.append(page.items)
        cursor = page.cursor
        if cursor is None:
            return pages
    raise AssertionError("the pages do not end")


async def every_merged_page(
    store: Store, asked: Sequence[BoundPattern[T]], *, limit: int
) -> list[list[T]]:
    """All pages of several partitions."""
    pages: list[list[T]] = []
    cursor: str | None = None
    for _ in range(MANY):
        page = await store.merged(asked, limit=limit, cursor=cursor)
        pages.append(page.items)
        cursor = page.cursor
        if cursor is None:
            return pages
    raise AssertionError("the pages do not end")
