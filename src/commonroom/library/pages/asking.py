"""What a page of the library needs to know of a request."""

from __future__ import annotations

from commonroom.library.service.reach import Owned, Reach, own, readable
from commonroom.web.people.asking import AnyRequest, caller_in, person_in, store_of


async def reach_in(request: AnyRequest, library_id: str) -> Reach:
    """A library that whoever asks may look into: one request, or two."""
    return await readable(store_of(request), person_in(request), library_id)


async def owned_in(request: AnyRequest, library_id: str) -> Owned:
    """A library of whoever asks: one request."""
    return await own(store_of(request), person_in(request), library_id)


def may_change(request: AnyRequest, reach: Reach) -> bool:
    """Whether deeds are offered: to the owner, while not acting for somebody."""
    return reach.is_owner and caller_in(request).acting_as is None
