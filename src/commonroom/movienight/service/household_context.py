"""Household contexts: who acts, for whom, in which household, and what rooms know of films."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.tables import Household, group_by_id
from commonroom.store import Entity, Ref, Store, Write, equal, update
from commonroom.titles.films import Film, NamedFilm

E = TypeVar("E", bound=Entity)

FilmsFrom: TypeAlias = Literal["shelves", "lists"]
"""Where all films of a shortlist may have to come from."""
Copies: TypeAlias = Mapping[int, bool]
"""Films that a person has on a shelf, by number, and whether they are there now."""


async def _no_copies(films: Sequence[Film]) -> Copies:  # noqa: ARG001 - whichever they are
    return {}


async def _no_films(*_people: Sequence[str]) -> Sequence[NamedFilm]:
    return ()


class FilmSources(Struct, frozen=True):
    """Shelves and lists that the caller may know of; nothing where no room has any."""

    find_copies: Callable[[Sequence[Film]], Coroutine[Any, Any, Copies]] = _no_copies
    list_shelved: Callable[[], Coroutine[Any, Any, Sequence[NamedFilm]]] = _no_films
    list_listed: Callable[[Sequence[str]], Coroutine[Any, Any, Sequence[NamedFilm]]] = _no_films
    """From lists of these people, and those that they follow."""


class HouseholdContext(Struct, frozen=True):
    """A person acting in their household, for the length of one request.

    It says how things were when it was taken: what must still hold when something is written is a
    condition of that write.
    """

    store: Store
    group: Household
    person: User
    """The account at the screen."""
    member: User
    """Whom the request is for: the person, or the managed member that is acted for."""
    now: float
    """The moment of the request: whatever it writes happened then."""
    sources: FilmSources = FilmSources()
    """Where films can come from besides the catalogue, for the caller."""

    @property
    def group_id(self) -> str:
        """The household."""
        return self.group.group_id

    @property
    def member_id(self) -> str:
        """Whom the request is for."""
        return self.member.user_id

    @property
    def is_acting(self) -> bool:
        """Whether the person acts for a managed member."""
        return self.member.user_id != self.person.user_id

    @property
    def is_creator(self) -> bool:
        """Whether the household's creator asks, for themselves."""
        return self.member.user_id == self.group.created_by


def no_such_household() -> NotFound:
    """Returns the refusal for a household that is not there, or not theirs."""
    return NotFound("This household does not exist, or you are not in it.")


async def get_household_context(ctx: Context, member: User, group_id: str) -> HouseholdContext:
    """Returns the context in a household that is theirs: one request."""
    is_theirs = ctx.person.household_id == group_id
    found = await find_household_context(ctx, member) if is_theirs else None
    if found is None:
        raise no_such_household()
    return found


async def find_household_context(ctx: Context, member: User) -> HouseholdContext | None:
    """Returns the context in whichever household is theirs, if any: at most one request."""
    group_id = find_household_id(ctx, member)
    group = None if group_id is None else await ctx.store.get(group_by_id(group_id=group_id))
    return None if group is None else context_in(ctx, member, group)


async def find_household_context_and(
    ctx: Context, member: User, ref: Ref[E]
) -> tuple[HouseholdContext | None, E | None]:
    """Returns the context in whichever household is theirs, and something read along with it."""
    group_id = find_household_id(ctx, member)
    if group_id is None:
        return None, None
    refs: list[Ref[Any]] = [Household.at(group_id=group_id), ref]
    group, found = await ctx.store.batch_get(refs)
    return None if group is None else context_in(ctx, member, group), found


def context_in(ctx: Context, member: User, group: Household) -> HouseholdContext:
    """Returns the context in a household that was read."""
    return HouseholdContext(ctx.store, group, ctx.person, member, ctx.now)


def household_of(person: User, member: User) -> str | None:
    """Returns the household of a person; None where they act for a member who is not in it."""
    return person.household_id if person.household_id == member.household_id else None


def find_household_id(ctx: Context, member: User) -> str | None:
    """Returns the household that is theirs, for what needs nothing else of it; no request."""
    group_id = ctx.person.household_id
    if group_id is not None and member.household_id != group_id:
        raise Forbidden("This member is not in the household. Add them first.")
    return group_id


def touch_household(ctx: HouseholdContext, *, by_creator: bool = False) -> Write:
    """That something changed in the household, which pages that show it watch for.

    With `by_creator`, only where the caller is still its creator.
    """
    still = equal(created_by=ctx.member_id) if by_creator else None
    return update(ctx.group.ref, updated_at=iso(ctx.now), if_=still)
