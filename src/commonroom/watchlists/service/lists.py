"""Lists: made, changed, published, deleted, and the owner's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden, InvalidField, PreconditionFailed
from commonroom.moments import iso
from commonroom.picture_addresses import picture_address
from commonroom.store import (
    Page,
    Ref,
    Write,
    amend,
    as_read,
    check,
    insert,
    remove,
    stored,
)
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.rules.curators import WhoPublishes, may_publish, publishes_by_default
from commonroom.watchlists.service.access import (
    find_item,
    item_ref,
    load_lists,
    not_suspended,
    own_list,
    retry,
    still_there,
    write_unless_suspended,
)
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import (
    Profile,
    Seen,
    Watchlist,
    WatchlistItem,
    collaborations,
    watchlists_of_curator,
)

ListsByTitle: TypeAlias = tuple[list[Watchlist], list[Watchlist]]
"""Lists that hold a title, and lists that do not."""
LISTS_LOOKED_AT = 9
"""Of how many lists it is said which titles of several they hold: with “seen” ten keys each."""


CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "title": rules.title,
    "description": rules.description,
    "tags": rules.tags,
    "is_numbered": bool,
    "cover_image_url": partial(picture_address, "cover_image_url"),
}


class ListDraft(Struct, frozen=True, kw_only=True):
    """What is said of a new list; None for `is_public` is what is usual."""

    title: str
    description: str | None = None
    tags: Sequence[str] = ()
    is_public: bool | None = None
    is_numbered: bool = False


class ListChange(Struct, frozen=True, kw_only=True):
    """Changes of a list; what is left out stays as it is."""

    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    tags: Sequence[str] | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET
    is_numbered: bool | UnsetType = UNSET
    cover: TitleId | UnsetType | None = UNSET
    """A title on the list; None lets the cover be drawn from the first ones."""
    cover_image_url: str | UnsetType | None = UNSET
    """The address of a picture that stands for the list; None leaves that to its titles."""


@retry
async def create_list(
    ctx: Context,
    draft: ListDraft,
    *,
    who_publishes: WhoPublishes = "curators",
    watchlist_id: str | None = None,
) -> Watchlist:
    """Creates a list; public at once where its maker publishes and does not say otherwise."""
    fields = _checked(draft)
    new_id = watchlist_id or rules.new_id()
    profile = await ensure_profile(ctx)
    is_public = draft.is_public
    if is_public is None:
        is_public = publishes_by_default(profile.curator_status, who_publishes)
    if is_public and not may_publish(profile.curator_status, who_publishes):
        raise may_not_publish()
    made = new_list(ctx, profile, new_id, is_public=is_public, **fields)
    await ctx.store.write(*list_writes(ctx, profile, made))
    return made


def new_list(
    ctx: Context, profile: Profile, watchlist_id: str, *, is_public: bool, **fields: Any
) -> Watchlist:
    """Returns a person's list as it is when it is made."""
    now = iso(ctx.now)
    return Watchlist(
        **fields,
        watchlist_id=watchlist_id,
        curator_id=profile.user_id,
        curator_name=profile.username,
        curator_status=profile.curator_status,
        curator_avatar_key=profile.avatar_key,
        curator_avatar_url=profile.avatar_url,
        is_public=is_public,
        begun_at=now,
        published_at=now if is_public else None,
        created_at=now,
        updated_at=now,
    )


def list_writes(ctx: Context, profile: Profile, made: Watchlist) -> list[Write]:
    """What makes a list, on condition that its maker still is who they were and has room for it."""
    same = as_read(profile, "username", "curator_status", "avatar_key", "avatar_url")
    return [
        *insert(made, on=[profile]),
        check(profile, if_=same),
        still_there(ctx.person),
    ]


@retry
async def change_list(
    ctx: Context,
    watchlist_id: str,
    change: ListChange,
    *,
    who_publishes: WhoPublishes = "curators",
    version: int | None = None,
) -> Watchlist:
    """Changes what is given and leaves the rest; only the owner can."""
    changes = _checked(change)
    before = await own_list(ctx, watchlist_id)
    if version not in (None, before.version):
        raise PreconditionFailed("The list was changed since you opened it.")
    fields: dict[str, Any] = {**changes, "updated_at": iso(ctx.now)}
    beside: list[Write] = []
    if change.is_public is not UNSET and change.is_public is not before.is_public:
        fields |= _visibility(before, change.is_public, iso(ctx.now))
        beside.append(await _may_change_visibility(ctx, change.is_public, who_publishes))
    if change.cover is not UNSET or change.cover_image_url is not UNSET:
        chosen = await _cover(ctx, before, change.cover)
        fields |= _cover_fields(before, chosen, fields)
        beside += [] if chosen is None else [check(chosen, if_=stored)]
    if before.is_public and fields.get("is_public", True):
        beside.append(not_suspended(ctx.person.user_id))  # what turns private is nobody's matter
    await write_unless_suspended(ctx.store, *amend(before, **fields), *beside)
    return replace(before, **fields, version=before.version + 1)


def _checked(given: ListDraft | ListChange) -> dict[str, Any]:
    """Returns what is given, each as its rule has it; visibility and cover are no such fields."""
    typed = asdict(given)
    return {
        name: check(typed[name])
        for name, check in CHECKS.items()
        if typed.get(name, UNSET) is not UNSET
    }


def _visibility(before: Watchlist, is_public: bool, now: str) -> dict[str, Any]:
    """Returns the changes of a first publication: the list is new from now on."""
    if not is_public or before.published_at is not None:
        return {"is_public": is_public}
    return {"is_public": True, "published_at": now, "created_at": now}


async def _may_change_visibility(ctx: Context, is_public: bool, who: WhoPublishes) -> Write:
    profile = await ensure_profile(ctx)
    if is_public and not may_publish(profile.curator_status, who):
        raise may_not_publish()
    # A suspension in this moment comes before, and this is refused, or after, and finds the list.
    same = as_read(profile, "curator_status")
    return check(profile, if_=same)


async def _cover(
    ctx: Context, of: Watchlist, wanted: TitleId | UnsetType | None
) -> WatchlistItem | None:
    """Returns the title that is chosen for the cover now, or was before."""
    if wanted is UNSET:
        wanted = None if of.cover_title is None else TitleId.parse(of.cover_title)
    if wanted is None:
        return None
    found = await find_item(ctx.store, of.watchlist_id, wanted)
    if found is None:
        raise InvalidField("cover", "Choose a title that is on the list.")
    return found


def _cover_fields(
    before: Watchlist, chosen: WatchlistItem | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The cover: the title that is chosen for it, and the picture that stands for the list."""
    key = None if chosen is None else TitleId.of(chosen).text
    after = replace(before, cover_image_url=given.get("cover_image_url", before.cover_image_url))
    poster = None if chosen is None else chosen.poster_url
    return {"cover_title": key, "cover_image_url": rules.cover_image(after, poster)}


@retry
async def delete_list(ctx: Context, watchlist_id: str) -> None:
    """Deletes a list: nobody sees it from now on; everything of it is cleared up after that."""
    found = await own_list(ctx, watchlist_id)
    await ctx.store.write(*delete_writes(found))


def delete_writes(found: Watchlist, *unchanged: str) -> list[Write]:
    """Returns what makes a list gone, while these fields are as they were read."""
    # Joining or publishing in this moment raises the version.
    return remove(found, if_=as_read(found, "version", *unchanged))


async def my_lists(ctx: Context, *, limit: int = 50, cursor: str | None = None) -> Page[Watchlist]:
    """Returns a person's own lists, private ones included, newest first: one request."""
    asked = watchlists_of_curator(curator_id=ctx.person.user_id)
    return await ctx.store.page(asked, limit=limit, cursor=cursor)


async def own_lists_by(ctx: Context, title: TitleId, *, limit: int = 50) -> ListsByTitle:
    """A person's newest lists: those that hold a title, and those that do not. Two requests."""
    mine = (await my_lists(ctx, limit=limit)).items
    held = await ctx.store.batch_get([item_ref(one.watchlist_id, title) for one in mine])
    pairs = list(zip(mine, held, strict=True))
    return [one for one, item in pairs if item], [one for one, item in pairs if not item]


async def own_lists_with(
    ctx: Context, titles: Sequence[TitleId]
) -> tuple[dict[TitleId, list[Watchlist]], set[TitleId]]:
    """Which of a person's newest lists hold some titles, and which of these the person has seen.

    One request for the lists, and one for every ten titles.
    """
    mine = (await my_lists(ctx, limit=LISTS_LOOKED_AT)).items
    refs: list[Ref[Any]] = [Seen.at(user_id=ctx.person.user_id, **one.key) for one in titles]
    refs += [item_ref(one.watchlist_id, title) for title in titles for one in mine]
    found = iter(await ctx.store.batch_get(refs))
    # Of both there are as many as were asked for, in the order asked.
    seen = {title for title in titles if (mark := next(found)) is not None and mark.is_seen}
    lists = {title: [one for one in mine if next(found) is not None] for title in titles}
    return lists, seen


async def shared_lists(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[Watchlist]:
    """Returns the lists that a person collaborates on: two requests."""
    me = ctx.person.user_id
    page = await ctx.store.page(collaborations(user_id=me), limit=limit, cursor=cursor)
    found = await load_lists(ctx.store, [one.watchlist_id for one in page.items])
    # A pointer alone opens nothing: the list itself must still say so.
    return Page([one for one in found if me in one.collaborator_ids], page.seal)


def may_not_publish() -> Forbidden:
    """Returns the refusal for a person who may keep private lists only."""
    return Forbidden("Only approved curators can publish lists. You can keep it private.")
