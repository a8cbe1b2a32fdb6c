"""By which operations of the API things are made and changed, and values that these take."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.accounts.tables import ApiToken, Invitation, User
from commonroom.hangouts import tables as hangouts
from commonroom.hangouts.api.polls import OptionGiven
from commonroom.hangouts.api.time_and_place import TimeGiven
from commonroom.library.tables import Book, Collection, Library, Video
from commonroom.moments import iso
from commonroom.movienight import tables as movienight
from commonroom.shareables import tables as shareables
from commonroom.store import Entity
from commonroom.watchlists import tables as watchlists
from tests.house.fields.arrivals import Given
from tests.house.fields.surfaces import samples_of

MINUTE = time.time() // 60 * 60
MOMENTS = iso(MINUTE + 30 * 86_400), iso(MINUTE + 40 * 86_400)
LATER = iso(MINUTE + 50 * 86_400), iso(MINUTE + 60 * 86_400)
LINKS = ("https://example.org/1", "https://example.org/2")
GIVEN: Given = {
    "avatar_key": ("fox", "owl"),
    "avatar_url": LINKS,
    "colour": ("blue", "green"),
    "content_rating_ceiling": ("PG", "PG-13"),
    "cover_image_url": LINKS,
    "deadline": MOMENTS,
    "expires_at": MOMENTS,
    "finished_on": ("2025-03-01", "2025-03-02"),
    "genre_dislikes": (["35", "18"], ["37"]),
    "genre_likes": (["27", "12"], ["16", "14"]),
    "isbn": ("9780141439518", "9780306406157"),
    "language": ("en", "en"),
    "link": LINKS,
    "needed": (5, 6),
    "picture": ("cake", "hike"),
    "picture_url": LINKS,
    "place_id": (None, None),
    "place_limit": (20, 21),
    "release_year": (1970, 1971),
    "seats": (6, 7),
    "started_on": ("2025-01-01", "2025-01-02"),
    "streaming_services": (["netflix"], ["mubi"]),
    "time": (
        TimeGiven(
            start_time="2033-05-01T19:00:00+02:00",
            end_time="2033-05-01T21:00:00+02:00",
            time_zone="Europe/Paris",
        ),
        TimeGiven(
            period="evening", period_start="2033-05-02T18:00:00+01:00", time_zone="Europe/Lisbon"
        ),
    ),
    "time_zone": ("Europe/Paris", "Europe/Lisbon"),
    "url": LINKS,
    "username": ("ada.l", "countess"),
    "year": (1970, 1971),
}
"""Values of fields that do not take any."""


class Arriving(Struct, frozen=True):
    """Things of a kind, with the operation that makes one and those that change it."""

    entity: type[Entity]
    operations: Sequence[str]
    apart: str = ""
    """Fields that are not sent: they are no fields of the entity, or others' ids."""
    given: Given = {}
    called: Mapping[str, str] = {}
    """Fields that the entity has by another name."""


GROUP, HANGOUT = "/groups/{group_id}", "/hangouts/{hangout_id}"
LISTS, LIBRARY = f"{GROUP}/idea-lists", "/libraries/{library_id}"
BOOK, VIDEO = {"status": ("to_read", "read")}, {"status": ("to_watch", "watched")}


def _poll(subject: str) -> Arriving:
    """Returns a poll with options of its subject."""
    field = "label" if subject == "OTHER" else subject.lower()
    options = [OptionGiven(**{field: one}) for one in dict(samples_of(OptionGiven, GIVEN))[field]]
    return Arriving(
        hangouts.HangoutPoll,
        (f"POST {HANGOUT}/polls", f"PATCH {HANGOUT}/polls/{{poll_id}}"),
        given={"subject": (subject, subject), "options": (options, options)},
    )


HANGOUTS = (
    Arriving(hangouts.FriendGroup, ("POST /groups", f"PATCH {GROUP}")),
    Arriving(hangouts.InviteCode, (f"POST {GROUP}/codes",)),
    Arriving(
        hangouts.GroupPlace,
        (f"POST {GROUP}/places", f"PATCH {GROUP}/places/{{place_id}}"),
        apart="is_archived",
    ),
    Arriving(
        hangouts.PersonPlace,
        ("POST /hangouts/places", "PATCH /hangouts/places/{place_id}"),
        apart="is_archived is_home",
    ),
    Arriving(hangouts.IdeaList, (f"POST {LISTS}", f"PATCH {LISTS}/{{list_id}}")),
    Arriving(
        hangouts.Idea,
        (f"POST {LISTS}/{{list_id}}/ideas", f"PATCH {LISTS}/{{list_id}}/ideas/{{idea_id}}"),
    ),
    Arriving(
        hangouts.Hangout,
        ("POST /hangouts", f"PATCH {HANGOUT}"),
        apart="group_ids invited_user_ids is_on repetition parts scope",
    ),
    *(_poll(subject) for subject in ("TIME", "PLACE", "OTHER")),
    Arriving(
        hangouts.BringItem,
        (f"POST {HANGOUT}/bring-list", f"PATCH {HANGOUT}/bring-list/{{bring_item_id}}"),
    ),
    Arriving(hangouts.BringClaim, 2 * (f"PUT {HANGOUT}/bring-list/{{bring_item_id}}/claim",)),
    Arriving(hangouts.Ride, 2 * (f"PUT {HANGOUT}/ride",), apart="plus_guests"),
    Arriving(
        hangouts.Car,
        (f"POST {HANGOUT}/cars", f"PUT {HANGOUT}/cars/{{car_id}}"),
        apart="plus_guests",
    ),
    Arriving(
        hangouts.Ticket,
        2 * (f"PUT {HANGOUT}/ticket",),
        given={"status": ("HAS", "HAS"), "number": (2, 3)},
    ),
    Arriving(hangouts.Offer, (f"POST {HANGOUT}/offers", f"PUT {HANGOUT}/offers/{{offer_id}}")),
    Arriving(hangouts.Rsvp, 2 * (f"PUT {HANGOUT}/rsvp",), apart="companion_ids"),
    Arriving(hangouts.GuestRsvp, (f"POST {HANGOUT}/guests", f"PUT {HANGOUT}/guests/{{guest_id}}")),
    Arriving(hangouts.TalkMessage, (f"POST {HANGOUT}/messages",)),
)
LIBRARIES = (
    Arriving(Library, ("POST /libraries", f"PATCH {LIBRARY}")),
    Arriving(
        Collection,
        (f"POST {LIBRARY}/collections", f"PATCH {LIBRARY}/collections/{{collection_id}}"),
    ),
    Arriving(
        Book,
        (f"POST {LIBRARY}/items", f"PATCH {LIBRARY}/items/{{item_id}}"),
        apart="collection_id order directors cast release_year duration tmdb_id",
        given=BOOK,
    ),
    Arriving(
        Video,
        (f"POST {LIBRARY}/items", f"PATCH {LIBRARY}/items/{{item_id}}"),
        apart="collection_id order authors isbn year pages",
        given=VIDEO,
    ),
)
WATCHLISTS = (
    Arriving(
        watchlists.Watchlist,
        ("POST /watchlists", "PATCH /watchlists/{watchlist_id}"),
        apart="cover is_public",
    ),
    Arriving(watchlists.Profile, ("PATCH /watchlists/profile",)),
)
HOUSEHOLDS = (
    Arriving(movienight.Household, ("POST /households", "PATCH /households/{group_id}")),
    Arriving(
        movienight.Preferences, 2 * ("PUT /households/{group_id}/members/{member_id}/preferences",)
    ),
)
ACCOUNTS = (
    Arriving(
        User, ("PATCH /me",), apart="notification_prefs", given={"notification_prefs": ({}, {})}
    ),
    Arriving(User, ("POST /me/members", "PATCH /me/members/{member_id}")),
    Arriving(ApiToken, ("POST /me/tokens",), apart="days"),
    Arriving(Invitation, ("POST /invitations",), called={"uses": "uses_left"}),
)
PAGE = "/shareables/{short_id}"
SHAREABLES = (
    Arriving(
        shareables.Event,
        ("POST /shareables/events", f"PUT {PAGE}/event"),
        apart="confirm_past view_passcode admin_passcode",
        given={
            "rsvp_deadline": MOMENTS,
            "start_time": LATER,
            "end_time": (iso(MINUTE + 70 * 86_400), iso(MINUTE + 80 * 86_400)),
            "is_rsvp_required": (True, False),
        },
    ),
    Arriving(
        shareables.EventRsvp,
        (f"POST {PAGE}/rsvps", f"PUT {PAGE}/rsvps/mine"),
        given={"response": ("going", "maybe")},
    ),
)
ALL = (HANGOUTS, SHAREABLES, LIBRARIES, WATCHLISTS, HOUSEHOLDS, ACCOUNTS)
ELSEWHERE: Mapping[str, Sequence[type[Struct]]] = {
    "sent and stored within another": (
        hangouts.EnteredTime,
        hangouts.Venue,
        hangouts.HangoutPollOption,
        hangouts.Repetition,
        shareables.ChecklistItem,
        shareables.PollQuestion,
        shareables.PollQuestionOption,
    ),
    "sent as a hangout": (hangouts.HangoutTemplate,),
    "tests/shareables/pages/drafts/test_every_field.py": (
        shareables.Checklist,
        shareables.Poll,
    ),
    "a thing of others is needed, or a title: tests of its room": (
        hangouts.Ballot,
        hangouts.Spot,
        shareables.PollVote,
        watchlists.WatchlistItem,
        watchlists.Comment,
        watchlists.Rating,
        watchlists.Seen,
    ),
    "sent as ids or one choice, or not at all": (
        movienight.HouseholdMembership,
        movienight.Invite,
        movienight.Wish,
        movienight.WatchedFilm,
        movienight.Round,
        movienight.Suggestion,
        movienight.Vote,
        movienight.Pick,
        movienight.RoundRating,
    ),
}
"""What is not sent here, and why."""
