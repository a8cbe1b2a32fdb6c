"""Each thing that can drift, broken by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from commonroom.store import create, delete, update
from commonroom.watchlists.rules.facets import entry
from commonroom.watchlists.service import comments, items
from commonroom.watchlists.tables import (
    Collaboration,
    CuratorEntry,
    DaySaves,
    EmailClaim,
    Follower,
    Following,
    ListUpdate,
    OwnedList,
    SavedWatchlist,
    Saver,
    TitleOnList,
    UserComment,
    UsernameClaim,
)
from tests.watchlists.checks.example import House
from tests.watchlists.examples import LONG_AGO

Break: TypeAlias = Callable[[House], Awaitable[Any]]
BREAKS: dict[Break, tuple[str, str]] = {}


def fault(check: str, sentence: str) -> Callable[[Break], Break]:
    """Says by which check a fault is found, and what is said of it."""

    def declare(breaks: Break) -> Break:
        BREAKS[breaks] = (check, sentence)
        return breaks

    return declare


@fault("counts", "item_count is 7, not 3")
async def items_of_list(house: House) -> None:
    await house.load(house.hers, itemCount=7)


@fault("counts", "save_count is 0, not 1")
async def saves_of_list(house: House) -> None:
    await house.load(house.hers, saveCount=0)


@fault("counts", "comment_count is 5, not 1")
async def comments_of_list(house: House) -> None:
    await house.load(house.hers, commentCount=5)


@fault("counts", "added_count is 0, not 3")
async def additions_of_list(house: House) -> None:
    await house.load(house.hers, addedCount=0)


@fault("counts", "item_count is 0, not 3")
async def a_list_from_elsewhere_that_counts_nothing(house: House) -> None:
    nothing = dict.fromkeys(
        ("itemCount", "saveCount", "commentCount", "addedCount", "version", "revision")
    )
    await house.load(house.hers, **nothing)


@fault("curators", "It does not say since when it has its status.")
async def a_curator_who_is_not_found_among_curators(house: House) -> None:
    since = house.profile.curator_since
    at = {"status": "approved", "since": since, "user_id": house.ada.user_id}
    await house.store.write(delete(CuratorEntry.at(**at)))
    await house.load(house.profile, curatorSince=None, updatedAt=since)


@fault("curators", "against its status")
async def a_curator_who_is_said_to_be_none(house: House) -> None:
    await house.load(house.profile, isCurator=False)


@fault("counts", "follower_count is 9, not 1")
async def followers_of_profile(house: House) -> None:
    await house.load(house.profile, followerCount=9)


@fault("counts", "list_count is 0, not 1, public_list_count is 4, not 1")
async def lists_of_profile(house: House) -> None:
    await house.load(house.profile, listCount=0, publicListCount=4)


@fault("positions", "stands at the same place as another")
async def two_items_at_one_place(house: House) -> None:
    await house.load(replace(house.heat, position=house.alien.position))


@fault("positions", "does not know its last place")
async def a_list_that_does_not_know_its_last_place(house: House) -> None:
    await house.load(house.hers, lastPosition=1)


@fault("facets", "not found under what suits it")
async def a_list_that_is_found_nowhere(house: House) -> None:
    kept = await house.facets()
    entries = [entry(one, kept.listed_at, kept.watchlist_id) for one in kept.facets]
    await house.store.write(delete(kept), *map(delete, entries))


@fault("facets", "It is missing under")
async def an_entry_that_is_lost(house: House) -> None:
    kept = await house.facets()
    await house.store.write(delete(entry("tag#noir", kept.listed_at, kept.watchlist_id)))


@fault("facets", "that does not belong here")
async def an_entry_that_does_not_belong(house: House) -> None:
    await house.load(entry("tag#other", house.hers.created_at, house.hers.watchlist_id))


@fault("facets", "A list is found here that is not there")
async def an_entry_of_no_list(house: House) -> None:
    await house.load(entry("tag#noir", LONG_AGO, "gone"))


@fault("facets", "not found under what suits it")
async def a_private_list_that_can_be_found(house: House) -> None:
    kept = await house.facets()
    other = sorted([*kept.facets, "tag#left-over"])
    await house.load(replace(kept, facets=other))
    await house.load(entry("tag#left-over", kept.listed_at, kept.watchlist_id))


@fault("orphans", "The list that is found under these was deleted")
async def facets_of_no_list(house: House) -> None:
    await house.load(replace(await house.facets(), watchlist_id="gone"))


@fault("facets", "Its card does not show its first titles")
async def a_card_of_other_titles(house: House) -> None:
    await house.load(house.hers, posters=[])


@fault("copies", "curator_name is 'somebody'")
async def a_list_by_another_name(house: House) -> None:
    await house.load(house.hers, curatorName="somebody")


@fault("titles", "has changed since it was added")
async def an_item_with_an_old_title(house: House) -> None:
    await house.load(replace(house.matrix, title="Matrix"))


@fault("orphans", "was on was deleted")
async def an_item_of_no_list(house: House) -> None:
    lost = replace(house.matrix, watchlist_id="gone")
    await house.load(lost)
    await house.load(items.pointer_of(lost))


@fault("pointers", "does not know that it is on the list")
async def an_item_without_its_pointer(house: House) -> None:
    await house.store.write(delete(items.pointer_of(house.matrix)))


@fault("pointers", "It leads to a list without this title")
async def a_title_that_is_on_no_list(house: House) -> None:
    await house.load(TitleOnList(content_type="MOVIE", content_id="603", watchlist_id="gone"))


@fault("pointers", "It is missing from its owner’s lists")
async def a_list_without_its_pointer(house: House) -> None:
    await house.store.write(
        delete(OwnedList.at(user_id=house.ada.user_id, watchlist_id=house.hers.watchlist_id))
    )


@fault("pointers", "It leads to a list that was deleted")
async def a_pointer_to_no_list(house: House) -> None:
    await house.load(OwnedList(user_id=house.ada.user_id, watchlist_id="gone"))


@fault("pointers", "It leads to somebody else’s list")
async def a_pointer_to_anothers_list(house: House) -> None:
    await house.load(OwnedList(user_id=house.ben.user_id, watchlist_id=house.hers.watchlist_id))


@fault("collaborators", "it is missing from their lists")
async def a_collaborator_without_the_list(house: House) -> None:
    await house.store.write(
        delete(Collaboration.at(user_id=house.ben.user_id, watchlist_id=house.hers.watchlist_id))
    )


@fault("collaborators", "that they do not collaborate on")
async def a_list_without_the_collaborator(house: House) -> None:
    await house.load(
        Collaboration(
            user_id=house.ada.user_id, watchlist_id=house.hers.watchlist_id, joined_at=LONG_AGO
        )
    )


@fault("collaborators", "It leads to a list that was deleted")
async def a_collaborator_of_no_list(house: House) -> None:
    await house.load(
        Collaboration(user_id=house.ben.user_id, watchlist_id="gone", joined_at=LONG_AGO)
    )


@fault("savers", "The list does not know that somebody follows it")
async def a_follower_without_the_other_side(house: House) -> None:
    await house.store.write(
        delete(Saver.at(watchlist_id=house.hers.watchlist_id, user_id=house.ben.user_id))
    )


@fault("savers", "Nobody knows that they follow this list")
async def a_saver_who_does_not_follow(house: House) -> None:
    await house.load(
        Saver(watchlist_id=house.hers.watchlist_id, user_id=house.ada.user_id, saved_at=LONG_AGO)
    )


@fault("savers", "The list that it follows was deleted")
async def a_saver_of_no_list(house: House) -> None:
    await house.load(Saver(watchlist_id="gone", user_id=house.ben.user_id, saved_at=LONG_AGO))


@fault("updates", "The list that it tells of was deleted")
async def an_update_of_no_list(house: House) -> None:
    await house.load(ListUpdate(watchlist_id="gone", since=LONG_AGO))


@fault("orphans", "Whoever follows it has no account any more")
async def a_follower_without_an_account(house: House) -> None:
    at = house.hers.watchlist_id
    await house.load(SavedWatchlist(user_id="gone", watchlist_id=at, saved_at=LONG_AGO))
    await house.load(Saver(user_id="gone", watchlist_id=at, saved_at=LONG_AGO))
    await house.store.write(update(house.hers.ref, save_count=2))


@fault("followers", "The curator does not know of this follower")
async def a_follow_without_the_other_side(house: House) -> None:
    await house.store.write(
        delete(Follower.at(curator_id=house.ada.user_id, user_id=house.ben.user_id))
    )


@fault("followers", "It names somebody who does not follow")
async def a_follower_who_does_not_follow(house: House) -> None:
    await house.load(
        Follower(curator_id=house.ben.user_id, user_id=house.ada.user_id, followed_at=LONG_AGO)
    )


@fault("followers", "It follows a curator who is not there")
async def a_follow_of_nobody(house: House) -> None:
    lost = {"user_id": house.ben.user_id, "curator_id": "gone", "followed_at": LONG_AGO}
    await house.load(Following(**lost))
    await house.load(Follower(**lost))


@fault("claims", "Its username is not reserved for it")
async def a_username_without_a_claim(house: House) -> None:
    await house.store.write(delete(UsernameClaim.at(username="ada")))


@fault("claims", "Its username is reserved in a different spelling")
async def a_username_in_other_letters(house: House) -> None:
    await house.load(UsernameClaim(username="ADA", user_id=house.ada.user_id))


@fault("claims", "Its email is not reserved for it")
async def an_address_without_a_claim(house: House) -> None:
    await house.store.write(delete(EmailClaim.at(address="ada@example.org")))


@fault("claims", "It is reserved for nobody")
async def a_claim_of_nobody(house: House) -> None:
    await house.load(UsernameClaim(username="nobody", user_id="gone"))


@fault("claims", "for a profile that does not have it")
async def a_claim_to_an_old_name(house: House) -> None:
    await house.load(EmailClaim(address="old@example.org", user_id=house.ada.user_id))


@fault("claims", "It has another e-mail address than its account")
async def a_profile_with_an_old_address(house: House) -> None:
    await house.load(replace(house.profile, email="old@example.org"))
    await house.store.write(
        delete(EmailClaim.at(address="ada@example.org")),
        create(EmailClaim(address="old@example.org", user_id=house.ada.user_id)),
    )


@fault("curators", "It is missing from the curators of its status")
async def a_curator_who_is_not_listed(house: House) -> None:
    await house.store.write(
        delete(
            CuratorEntry.at(
                status="approved",
                since=house.profile.curator_since,
                user_id=house.ada.user_id,
            )
        )
    )


@fault("curators", "It names somebody of another status")
async def an_application_that_was_decided(house: House) -> None:
    await house.load(CuratorEntry(status="pending", since=LONG_AGO, user_id=house.ada.user_id))


@fault("orphans", "The list that it is about was deleted")
async def a_comment_on_no_list(house: House) -> None:
    lost = replace(house.comment, watchlist_id="gone")
    await house.load(lost)
    await house.load(comments.pointer_of(lost))


@fault("orphans", "Whoever said it has no account any more")
async def a_comment_by_nobody(house: House) -> None:
    await house.load(replace(house.comment, user_id="gone"))
    await house.store.write(update(house.hers.ref, comment_count=2))


@fault("pointers", "It would stay when its author leaves")
async def a_comment_without_its_pointer(house: House) -> None:
    await house.store.write(delete(comments.pointer_of(house.comment)))


@fault("pointers", "It leads to a comment that was deleted")
async def a_pointer_to_no_comment(house: House) -> None:
    lost = {"watchlist_id": house.hers.watchlist_id, "commented_at": LONG_AGO}
    await house.load(UserComment(user_id=house.ben.user_id, **lost))


@fault("trending", "for a day that counts no longer")
async def a_day_that_nobody_forgot(house: House) -> None:
    await house.load(DaySaves(day="2020-01-01", watchlist_id=house.hers.watchlist_id, saves=3))


@fault("copies", "It was copied, and not to the end")
async def a_copy_that_was_never_done(house: House) -> None:
    await house.load(house.hers, isBeingCopied=True, begunAt=LONG_AGO)
