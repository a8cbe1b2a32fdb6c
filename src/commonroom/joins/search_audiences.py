"""Audiences: the tokens by which the caller finds what is not for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.store import Entity

if TYPE_CHECKING:
    from commonroom.http.request import Request


class AudienceSource(Struct, frozen=True, kw_only=True, eq=False):
    """What a room knows of a person that decides what they may find: a room's declaration."""

    entity: type[Entity]
    """What is stored of a person by their `user_id`, where it is always the newest."""
    tokens: Callable[[Any], Iterable[str]]
    """Returns a person's tokens, such as `group#…`."""
    people_page: Callable[[str], str | None]
    """The page of those who have a token; None for one of another room."""


def person_token(user_id: str) -> str:
    """Returns what only one person has."""
    return f"user#{user_id}"


async def audience_of(request: Request) -> frozenset[str]:
    """Returns the caller's tokens, as they are at this moment: one request, none for guests.

    An account that a child may use shows it what both may see: nothing of their own, and
    only a household that is the child's too.
    """
    account, child = request.caller.account, request.caller.acting_as
    if account is None or not request.caller.may("read"):
        return frozenset()
    sources = audience_sources(request)
    refs = [one.entity.at(user_id=account.user_id) for one in sources]
    stored = await request.store.batch_get(refs) if refs else []
    found = set() if child is not None else {person_token(account.user_id)}
    for source, thing in zip(sources, stored, strict=True):
        tokens = set() if thing is None else set(source.tokens(thing))
        if child is not None and source.entity is User:
            tokens &= set(source.tokens(child))
        found |= tokens
    return frozenset(found)


def audience_sources(request: Request) -> Sequence[AudienceSource]:
    """Returns what the open rooms declare."""
    sources: Sequence[AudienceSource] = request.app.state.search_audiences
    return sources
