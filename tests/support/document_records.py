"""One record of every kind that a data model describes, with the attributes that it names alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Record: TypeAlias = tuple[str, dict[str, Any]]
"""A table's name, and an item of it."""

AT, LATER = "2026-01-20T14:00:00Z", "2026-01-20T14:05:00Z"
ADA = "123e4567-e89b-12d3-a456-426614174000"
OWNER = ADA.replace("-", "").upper()
BOB = "223e4567-e89b-12d3-a456-426614174000"
FRIEND = BOB.replace("-", "").upper()
HOME, ROUND, PICK = "group-1", "round-1", "pick-1"
LIST = "abc12345-6789-0def-ghij-klmnopqrstuv"

MOVIE_NIGHT: list[Record] = [
    (
        "Users",
        {
            **{"user_id": ADA, "email": "ada@example.com", "display_name": "Ada"},
            **{"avatar_key": "fox", "is_managed": False, "content_rating_ceiling": "R"},
            **{"created_at": AT, "last_active_at": LATER, "device_token": "apns"},
            "notification_prefs": {"vote_nudge": True, "pick_announce": True, "new_round": False},
        },
    ),
    (
        "Users",
        {
            **{"user_id": "managed_1", "display_name": "Kim", "is_managed": True},
            **{"parent_user_id": ADA, "content_rating_ceiling": "PG", "created_at": AT},
            **{"notification_prefs": None, "device_token": None},
        },
    ),
    (
        "Groups",
        {
            **{"group_id": HOME, "name": "Home", "created_by": ADA, "created_at": AT},
            "streaming_services": ["netflix", "disney_plus"],
        },
    ),
    (
        "GroupMemberships",
        {
            **{"group_id": HOME, "user_id": ADA, "role": "creator"},
            **{"member_type": "independent", "joined_at": AT},
        },
    ),
    (
        "Preferences",
        {
            **{"group_id": HOME, "user_id": ADA, "genre_likes": ["35"], "genre_dislikes": ["27"]},
            **{"max_content_rating": "PG-13", "updated_at": AT},
        },
    ),
    (
        "Invites",
        {
            **{"invite_id": "invite-1", "group_id": HOME, "created_by": ADA},
            **{"invite_token": "token", "status": "pending", "created_at": AT},
            **{"expires_at": "2099-01-01T00:00:00Z", "ttl": 32_503_593_600},
        },
    ),
    (
        "Rounds",
        {
            **{"round_id": ROUND, "group_id": HOME, "started_by": ADA, "status": "picked"},
            **{"attendees": None, "created_at": AT, "voting_started_at": AT, "selected_at": LATER},
            **{"watched_at": None, "rated_at": None, "relaxed_constraints": ["genre"]},
        },
    ),
    (
        "Suggestions",
        {
            **{"round_id": ROUND, "tmdb_movie_id": 603, "position": 1, "title": "The Matrix"},
            **{"poster_path": "/m.jpg", "year": 1999, "genres": ["Action"], "content_rating": "R"},
        },
    ),
    (
        "Votes",
        {
            **{"round_id": ROUND, "vote_key": f"603#{ADA}", "tmdb_movie_id": 603},
            **{"member_id": ADA, "vote": "up", "voted_at": AT},
        },
    ),
    (
        "Picks",
        {
            **{"pick_id": PICK, "round_id": ROUND, "group_id": HOME, "tmdb_movie_id": 603},
            **{"title": "The Matrix", "poster_path": "/m.jpg", "picked_by": ADA, "picked_at": AT},
            **{"watched": False, "watched_at": None},
        },
    ),
    ("Ratings", {"round_id": ROUND, "member_id": ADA, "rating": "loved", "rated_at": AT}),
    (
        "TmdbCache",
        {"cache_key": "hash", "response_data": "{}", "cached_at": AT, "ttl": 32_503_593_600},
    ),
]

_OF_LIBRARY = {"PK": f"owner#{OWNER}", "OwnerId": OWNER, "LibraryId": "lib-1"}
_ITEM = {
    **{"Title": "Émile", "Summary": "s", "PictureUrl": "https://covers.example/1.jpg"},
    **{"LibraryName": "Home", "OwnerName": "Ada", "LentTo": None},
}

LIBRARY: list[Record] = [
    (
        "MediaLibrary",
        {
            **_OF_LIBRARY,
            **{"SK": "library#lib-1", "EntityType": "LIBRARY", "LibraryName": "Home"},
            **{"Description": "d", "TotalItems": 2, "SharedTo": ["bob@example.com"]},
            **{"UpdatedAt": AT, "GSI1PK": f"owner#{OWNER}", "GSI1SK": "library#Home"},
        },
    ),
    (
        "MediaLibrary",
        {
            **_OF_LIBRARY,
            **{"SK": "library#lib-1#collection#col-1", "EntityType": "COLLECTION"},
            **{"CollectionId": "col-1", "Name": "Cycle", "Description": "d", "ItemCount": 1},
            **{"GSI1PK": f"owner#{OWNER}#library#lib-1", "GSI1SK": "item#Cycle"},
        },
    ),
    (
        "MediaLibrary",
        {
            **_OF_LIBRARY,
            **_ITEM,
            **{"SK": "library#lib-1#item#book-1", "EntityType": "BOOK", "ItemId": "book-1"},
            **{"Authors": ["J.-J. Rousseau"], "Isbn": "9782080711175", "Type": 0, "Order": 1},
            **{"CollectionId": "col-1", "CollectionName": "Cycle", "LentTo": "Bo"},
            **{"GSI1PK": f"owner#{OWNER}#library#lib-1", "GSI1SK": "item#Cycle#00001#Émile"},
            **{"GSI2PK": f"owner#{OWNER}", "GSI2SK": "item#Émile"},
        },
    ),
    (
        "MediaLibrary",
        {
            **_OF_LIBRARY,
            **_ITEM,
            **{"SK": "library#lib-1#item#video-1", "EntityType": "VIDEO", "ItemId": "video-1"},
            **{"Directors": ["L. W."], "Cast": ["K. R."], "ReleaseYear": 1999, "Duration": 136},
            **{"TmdbId": 603, "Type": 1, "CollectionId": None, "CollectionName": None},
            **{"GSI1PK": f"owner#{OWNER}#library#lib-1", "GSI1SK": "item#Émile"},
            **{"GSI2PK": f"owner#{OWNER}", "GSI2SK": "item#Émile"},
        },
    ),
    (
        "MediaLibrary",
        {
            **{"PK": f"owner#{OWNER}", "SK": f"library#lib-1#item#book-1#event#{AT}"},
            **{"EntityType": "EVENT", "Type": "LENT", "Event": "Bo", "UpdatedAt": AT},
            **{"GSI1PK": f"owner#{OWNER}#library#lib-1#item#book-1", "GSI1SK": f"event#{AT}"},
        },
    ),
    (
        "MediaLibrary",
        {
            **{"PK": f"owner#{FRIEND}", "SK": "shared-library#lib-1"},
            **{"EntityType": "SHARED_LIBRARY", "SharedToId": FRIEND, "SharedFromId": OWNER},
            **{"SharedFromName": "Ada", "LibraryId": "lib-1"},
        },
    ),
]


PAGES = {"checklist": "abc-def-12345", "event": "bcd-efg-12345", "poll": "cde-fgh-12345"}
"""The short ids of the records of shareables."""


def _page(kind: str, **more: Any) -> Record:
    plain = PAGES[kind].replace("-", "")
    return "Shareables", {
        **{"pk": f"shareable#{plain}", "sk": "01#", "entity": kind},
        **{"shortId": PAGES[kind], "name": "My page", "viewPasscode": "***"},
        **{"adminPasscode": "***", "viewPasscodeVersion": 1771415202059},
        **{"adminPasscodeVersion": 1771415202059, "expiresAfter": 7},
        **more,
    }


SHAREABLES: list[Record] = [
    ("ShortIdPool", {"pk": 99, "sk": "available#01", "id": "AAA-AAA-00000"}),
    _page(
        "checklist",
        note="foo",
        items=[
            {
                "checklistItemId": "00000000-0000-0000-0000-000000000000",
                "name": "Item 1",
                "note": "example",
            }
        ],
    ),
    _page(
        "event",
        startTime="2026-12-24T18:00:00Z",
        endTime="2026-12-24T22:00:00Z",
        type="Virtual",
        location="Here",
        description="d",
        isRsvpRequired=True,
        rsvpDeadline="2026-12-20T18:00:00Z",
        rsvpVisibility="everyone",
    ),
    (
        "Shareables",
        {
            **{"pk": "event_rsvp#bcdefg12345", "sk": "01#c0de#", "shortId": "bcd-efg-12345"},
            **{"code": "c0de", "name": "Zoë", "response": "maybe", "guestCount": 2},
        },
    ),
    _page(
        "poll",
        note="n",
        resultsVisibility="afterSubmit",
        closesAt="2026-12-24T18:00:00Z",
        isClosed=False,
        questions=[
            {
                **{"pollQuestionId": "q-1", "title": "Which?", "isMultiple": True},
                "isRequired": True,
                "options": [{"pollQuestionOptionId": "o-1", "label": "This"}],
            }
        ],
    ),
    (
        "Shareables",
        {
            **{"pk": "poll_vote#cdefgh12345", "sk": "01#c0de#", "shortId": "cde-fgh-12345"},
            **{"name": "Zoë", "code": "c0de", "createdAt": AT, "updatedAt": LATER},
            "answers": [{"pollQuestionId": "q-1", "optionIds": ["o-1"]}],
        },
    ),
]

WATCHLISTS: list[Record] = [
    (
        "WorthWatch",
        {
            **{"PK": f"USER#{ADA}", "SK": "PROFILE", "entityType": "USER", "userId": ADA},
            **{"email": "john@example.com", "username": "johndoe", "isCurator": True},
            **{"curatorStatus": "approved", "createdAt": AT, "updatedAt": AT, "bio": "b"},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": f"WATCHLIST#{LIST}", "SK": "METADATA", "entityType": "WATCHLIST"},
            **{"watchlistId": LIST, "curatorId": ADA, "title": "Best Sci-Fi Movies of 2025"},
            **{"description": "A curated list", "isPublic": True, "isPublicStr": "true"},
            **{"tags": ["sci-fi", "2025"], "itemCount": 1, "createdAt": AT, "updatedAt": AT},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": f"WATCHLIST#{LIST}", "SK": "ITEM#MOVIE#tt1234567"},
            **{"entityType": "WATCHLIST_ITEM", "contentType": "MOVIE", "contentId": "tt1234567"},
            **{"position": 1, "curatorNote": "A masterpiece", "addedAt": LATER},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": "MOVIE#tt1234567", "SK": "METADATA", "entityType": "MOVIE"},
            **{"movieId": "tt1234567", "title": "Inception", "releaseYear": 2010},
            **{"genres": ["Action"], "directors": ["Christopher Nolan"], "synopsis": "A thief"},
            **{"runtime": 148, "tmdbId": "27205", "imdbId": "tt1375666"},
            **{"createdAt": AT, "updatedAt": AT},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": "SHOW#s-1", "SK": "METADATA", "entityType": "SHOW", "showId": "s-1"},
            **{"title": "Dark", "startYear": 2017, "endYear": 2020, "genres": ["Drama"]},
            **{"creators": ["B. O."], "cast": ["L. H."], "numberOfSeasons": 3},
            **{"numberOfEpisodes": 26, "status": "ended", "createdAt": AT, "updatedAt": AT},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": f"USER#{BOB}", "SK": f"SAVED#WATCHLIST#{LIST}"},
            **{"entityType": "USER_SAVED_WATCHLIST", "savedAt": AT},
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": f"USER#{BOB}", "SK": "RATING#MOVIE#tt1234567", "entityType": "RATING"},
            **{"contentType": "MOVIE", "contentId": "tt1234567", "rating": 8, "ratedAt": AT},
            "review": "Good.",
        },
    ),
    (
        "WorthWatch",
        {
            **{"PK": f"WATCHLIST#{LIST}", "SK": f"COMMENT#{AT}#{BOB}", "entityType": "COMMENT"},
            **{"userId": BOB, "commentText": "Yes.", "createdAt": AT},
        },
    ),
]

HANGOUTS: list[Record] = [
    ("InviterTable", {"PK": "EVENT#hang-1", "SK": "METADATA", "title": "Picnic"}),
    (
        "InviterTable",
        {
            **{"PK": "GROUP#group-1", "SK": "HANGOUT#hang-1", "title": "Picnic"},
            **{"gsi1pk": "GROUP#group-1", "startTimestamp": 1_900_000_000},
        },
    ),
    ("InviterTable", {"PK": "GROUP#group-1", "SK": "METADATA"}),
    (
        "InviterTable",
        {
            **{"PK": "GROUP#group-1", "SK": f"USER#{ADA}"},
            **{"gsi1pk": f"USER#{ADA}", "gsi1sk": "GROUP#group-1"},
        },
    ),
]

RECORDS: Mapping[str, list[Record]] = {
    "movie night": MOVIE_NIGHT,
    "library": LIBRARY,
    "shareables": SHAREABLES,
    "watchlists": WATCHLISTS,
    "hangouts": HANGOUTS,
}
