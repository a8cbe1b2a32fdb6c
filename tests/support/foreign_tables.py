"""Tables as another application writes them that follows the data models, and nothing beyond."""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

from commonroom.store.dynamodb_json import to_attributes

Row: TypeAlias = dict[str, Any]
Tables: TypeAlias = dict[str, list[Row]]

DAY = 24 * 3600
BEGAN = 1_767_225_600  # 2026-01-01


class Made:
    """Rows until there are enough of them, from a random number that is the same every time."""

    def __init__(self, count: int, *tables: str) -> None:
        self.random = Random(f"{tables} {count}")
        self.tables: Tables = {name: [] for name in tables}
        self._count = count

    def add(self, table: str, **row: Any) -> None:
        self.tables[table].append({name: it for name, it in row.items() if it is not None})

    @property
    def is_enough(self) -> bool:
        return sum(map(len, self.tables.values())) >= self._count

    def id(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def moment(self, *, ms: bool = True) -> str:
        from commonroom.moments import iso

        text = iso(BEGAN + self.random.randrange(300 * DAY) + self.random.randrange(1000) / 1000)
        return text if ms else f"{text[:19]}Z"

    def person(self) -> str:
        """A person's id; the person is in `Users`."""
        number, user_id = len(self.tables["Users"]), self.id()
        self.add(
            "Users",
            user_id=user_id,
            email=f"Person.{user_id}@example.org",
            display_name=f"Person {number}",
            avatar_key="fox",
            is_managed=False,
            content_rating_ceiling="R",
            created_at=self.moment(),
            last_active_at=self.moment(),
            notification_prefs={"vote_nudge": True, "pick_announce": True, "new_round": False},
        )
        return user_id


def movie_night(count: int) -> Tables:
    """Households with their people, rounds and all that belongs to them."""
    made = Made(
        count, "Users", "Groups", "GroupMemberships", "Preferences", "Invites", "Rounds",
        "Suggestions", "Votes", "Picks", "Ratings", "TmdbCache",
    )  # fmt: skip
    while not made.is_enough:
        _household(made)
    return made.tables


def _household(made: Made) -> None:
    group_id = made.id()
    adults = [made.person() for _ in range(made.random.randint(1, 3))]
    child = f"managed_{made.id()}"
    made.add(
        "Users", user_id=child, display_name="Child", is_managed=True, parent_user_id=adults[0],
        content_rating_ceiling="PG", created_at=made.moment(),
    )  # fmt: skip
    made.add(
        "Groups", group_id=group_id, name="Home", created_by=adults[0],
        streaming_services=["netflix"], created_at=made.moment(),
    )  # fmt: skip
    for user_id in [*adults, child]:
        made.add(
            "GroupMemberships", group_id=group_id, user_id=user_id,
            role="creator" if user_id == adults[0] else "member",
            member_type="managed" if user_id == child else "independent", joined_at=made.moment(),
        )  # fmt: skip
        made.add(
            "Preferences", group_id=group_id, user_id=user_id, genre_likes=["35"],
            genre_dislikes=[], max_content_rating="PG", updated_at=made.moment(),
        )  # fmt: skip
    made.add(
        "Invites", invite_id=made.id(), group_id=group_id, created_by=adults[0],
        invite_token=made.id(), status="pending", created_at=made.moment(),
        expires_at="2099-01-01T00:00:00.000Z", ttl=4_070_995_200,
    )  # fmt: skip
    for status in ("rated", "watched", "selected", "picked", "voting", "draft", "discarded"):
        _round(made, group_id, [*adults, child], status)
    made.add(
        "TmdbCache", cache_key=made.id(), response_data="{}", cached_at=made.moment(),
        ttl=4_070_995_200,
    )  # fmt: skip


def _round(made: Made, group_id: str, people: Sequence[str], status: str) -> None:
    round_id, at = made.id(), made.moment()
    is_picked = status in ("rated", "watched", "selected", "picked")
    is_watched = status in ("rated", "watched")
    made.add(
        "Rounds", round_id=round_id, group_id=group_id, started_by=people[0], status=status,
        attendees=list(people), created_at=at, voting_started_at=None if status == "draft" else at,
        selected_at=at if is_picked else None, watched_at=at if is_watched else None,
        rated_at=at if status == "rated" else None, relaxed_constraints=[],
    )  # fmt: skip
    films = made.random.sample(range(1, 5000), 3)
    for position, film in enumerate(films, 1):
        made.add(
            "Suggestions", round_id=round_id, tmdb_movie_id=film, position=position,
            title=f"Film {film}", poster_path=f"/{film}.jpg", year=1999, genres=["Comedy"],
            content_rating="PG",
        )  # fmt: skip
        for person in people if status != "draft" else ():
            made.add(
                "Votes", round_id=round_id, vote_key=f"{film}#{person}", tmdb_movie_id=film,
                member_id=person, vote="up", voted_at=at,
            )  # fmt: skip
    if is_picked:
        made.add(
            "Picks", pick_id=made.id(), round_id=round_id, group_id=group_id,
            tmdb_movie_id=films[0], title=f"Film {films[0]}", poster_path=f"/{films[0]}.jpg",
            picked_by=people[0], picked_at=at, watched=is_watched,
            watched_at=at if is_watched else None,
        )  # fmt: skip
    for person in people if status == "rated" else people[:1] if is_watched else ():
        made.add("Ratings", round_id=round_id, member_id=person, rating="loved", rated_at=at)


def library(count: int) -> Tables:
    """Libraries with collections, books, videos, their history, and who may look at them."""
    made = Made(count, "Users", "MediaLibrary")
    while not made.is_enough:
        owner, friend = made.person(), made.person()
        for number in range(2):
            _library(made, owner, friend, f"Library {number}")
    return made.tables


def _library(made: Made, owner: str, friend: str, name: str) -> None:
    def owned(person: str) -> str:
        return person.replace("-", "").upper()

    library_id, pk = made.id(), f"owner#{owned(owner)}"
    of = {"OwnerId": owned(owner), "LibraryId": library_id}
    address = next(one["email"] for one in made.tables["Users"] if one["user_id"] == friend)
    made.add(
        "MediaLibrary", PK=pk, SK=f"library#{library_id}", EntityType="LIBRARY", **of,
        LibraryName=name, Description="Books", TotalItems=99, SharedTo=[address],
        UpdatedAt=made.moment(), GSI1PK=pk, GSI1SK=f"library#{name}",
    )  # fmt: skip
    made.add(
        "MediaLibrary", PK=f"owner#{owned(friend)}", SK=f"shared-library#{library_id}",
        EntityType="SHARED_LIBRARY", SharedToId=owned(friend), SharedFromId=owned(owner),
        SharedFromName="Owner", LibraryId=library_id,
    )  # fmt: skip
    collections = []
    for number in range(5):
        collection_id, title = made.id(), f"Série {number}"
        collections.append((collection_id, title))
        made.add(
            "MediaLibrary", PK=pk, SK=f"library#{library_id}#collection#{collection_id}",
            EntityType="COLLECTION", **of, CollectionId=collection_id, Name=title, ItemCount=7,
            GSI1PK=f"{pk}#library#{library_id}", GSI1SK=f"item#{title}",
        )  # fmt: skip
    for number in range(60):
        collection = collections[number % 5] if number % 2 else (None, None)
        _item(made, pk, of, number, collection)


def _item(
    made: Made, pk: str, of: Row, number: int, collection: tuple[str | None, str | None]
) -> None:
    item_id, title, is_book = made.id(), f"Élan {number}", number % 3 > 0
    place = f"library#{of['LibraryId']}#item#{item_id}"
    told: Row = (
        {"EntityType": "BOOK", "Type": 0, "Authors": ["A. Uthor"], "Isbn": f"978{number:010}"}
        if is_book
        else {
            **{"EntityType": "VIDEO", "Type": 1, "Directors": ["D."], "Cast": ["C."]},
            **{"ReleaseYear": 1999, "Duration": 90, "TmdbId": number + 1},
        }
    )
    made.add(
        "MediaLibrary", PK=pk, SK=place, **of, ItemId=item_id, Title=title, Summary="What it is.",
        PictureUrl="https://covers.example/1.jpg", CollectionId=collection[0],
        CollectionName=collection[1], Order=number // 5 + 1 if collection[0] else None,
        LentTo="Bo" if number % 10 == 0 else None, LibraryName="An old name", OwnerName="Owner",
        GSI1PK=f"{pk}#library#{of['LibraryId']}", GSI1SK=f"item#{title}", GSI2PK=pk,
        GSI2SK=f"item#{title}", **told,
    )  # fmt: skip
    if number % 10 == 0:
        at = made.moment(ms=False)
        made.add(
            "MediaLibrary", PK=pk, SK=f"{place}#event#{at}", EntityType="EVENT", Type="LENT",
            Event="Bo", UpdatedAt=at, GSI1PK=f"{pk}#library#{of['LibraryId']}#item#{item_id}",
            GSI1SK=f"event#{at}",
        )  # fmt: skip


def shareables(count: int) -> Tables:
    """Checklists, events with answers, polls with votes, and ids that are left."""
    made = Made(count, "Shareables", "ShortIdPool")
    while not made.is_enough:
        number = len(made.tables["Shareables"])
        for kind in ("checklist", "event", "poll"):
            _page(made, kind, f"{kind[:3]}-abc-{number:05}")
        slot = number % 100
        made.add(
            "ShortIdPool", pk=number // 100 % 1000, sk=f"available#{slot:02}",
            id=f"ZZZ-{number // 10**5:03}-{number % 10**5:05}",
        )  # fmt: skip
    return made.tables


def _page(made: Made, kind: str, short_id: str) -> None:
    plain, now = short_id.replace("-", ""), 1_795_000_000_000 + made.random.randrange(10**9)
    options = [made.id(), made.id()]
    question = made.id()
    told: dict[str, Row] = {
        "checklist": {
            "note": "n",
            "items": [{"checklistItemId": made.id(), "name": "Item 1", "note": "example"}],
        },
        "event": {
            **{"startTime": "2026-12-24T18:00:00Z", "endTime": "2026-12-24T22:00:00Z"},
            **{"type": "inPerson", "location": "Here", "description": "d"},
            **{"isRsvpRequired": True, "rsvpVisibility": "everyone"},
        },
        "poll": {
            **{"note": "n", "resultsVisibility": "always", "isClosed": False},
            "questions": [
                {
                    **{"pollQuestionId": question, "title": "Which?"},
                    **{"isMultiple": False, "isRequired": True},
                    "options": [{"pollQuestionOptionId": one, "label": one[:4]} for one in options],
                }
            ],
        },
    }
    made.add(
        "Shareables", pk=f"shareable#{plain}", sk="01#", entity=kind, shortId=short_id, name=kind,
        viewPasscode="***" if made.random.random() < 0.5 else None, adminPasscode="***",
        viewPasscodeVersion=now, adminPasscodeVersion=now, expiresAfter=30, **told[kind],
    )  # fmt: skip
    for number in range(6 if kind != "checklist" else 0):
        code = f"c{number}{made.random.randrange(10**6)}"
        if kind == "event":
            made.add(
                "Shareables", pk=f"event_rsvp#{plain}", sk=f"01#{code}#", shortId=short_id,
                code=code, name=f"Guest {number}", guestCount=number,
                response=("going", "notGoing", "maybe")[number % 3],
            )  # fmt: skip
        else:
            answers = [{"pollQuestionId": question, "optionIds": [options[number % 2]]}]
            made.add(
                "Shareables", pk=f"poll_vote#{plain}", sk=f"01#{code}#", shortId=short_id,
                name=f"Guest {number}", code=code, answers=answers, createdAt=made.moment(),
                updatedAt=made.moment(),
            )  # fmt: skip


def watchlists(count: int) -> Tables:
    """People, films, shows, lists with titles, who saved, rated and said what."""
    made = Made(count, "Worth")
    people = [made.id() for _ in range(max(3, count // 100))]
    titles = [("MOVIE", f"tt{number}") for number in range(max(20, count // 20))]
    titles += [("SHOW", f"sh{number}") for number in range(max(5, count // 50))]
    for number, user_id in enumerate(people):
        made.add(
            "Worth", PK=f"USER#{user_id}", SK="PROFILE", entityType="USER", userId=user_id,
            email=f"Curator.{number}@example.org", username=f"curator{number}",
            createdAt=made.moment(ms=False), updatedAt=made.moment(ms=False), bio="b",
            isCurator=number % 2 == 0, curatorStatus="approved" if number % 2 == 0 else None,
        )  # fmt: skip
    for number, (kind, title_id) in enumerate(titles):
        named = "movieId" if kind == "MOVIE" else "showId"
        more: Row = (
            {"releaseYear": 1950 + number % 70, "directors": ["D."], "runtime": 90}
            if kind == "MOVIE"
            else {"startYear": 2001, "creators": ["C."], "numberOfSeasons": 2, "status": "ended"}
        )
        made.add(
            "Worth", PK=f"{kind}#{title_id}", SK="METADATA", entityType=kind, title=f"T {number}",
            genres=["Drama"], cast=["X"], synopsis="s", tmdbId=str(1000 + number),
            imdbId=f"tt00{number}", createdAt=made.moment(ms=False),
            updatedAt=made.moment(ms=False), **more, **{named: title_id},
        )  # fmt: skip
    while not made.is_enough:
        _list(made, people, titles)
    return made.tables


def _list(made: Made, people: Sequence[str], titles: Sequence[tuple[str, str]]) -> None:
    list_id, curator = made.id(), made.random.choice(people)
    pk, is_public = f"WATCHLIST#{list_id}", made.random.random() < 0.8
    made.add(
        "Worth", PK=pk, SK="METADATA", entityType="WATCHLIST", watchlistId=list_id,
        curatorId=curator, title="Best", description="d", isPublic=is_public,
        isPublicStr=str(is_public).lower(), tags=["noir"], itemCount=10,
        createdAt=made.moment(ms=False), updatedAt=made.moment(ms=False),
    )  # fmt: skip
    for position, (kind, title_id) in enumerate(made.random.sample(list(titles), 12), 1):
        made.add(
            "Worth", PK=pk, SK=f"ITEM#{kind}#{title_id}", entityType="WATCHLIST_ITEM",
            contentType=kind, contentId=title_id, position=position, curatorNote="see it",
            addedAt=made.moment(ms=False),
        )  # fmt: skip
    for person in made.random.sample(list(people), 3):
        at = made.moment(ms=False)
        made.add(
            "Worth", PK=f"USER#{person}", SK=f"SAVED#WATCHLIST#{list_id}",
            entityType="USER_SAVED_WATCHLIST", savedAt=at,
        )  # fmt: skip
        made.add(
            "Worth", PK=pk, SK=f"COMMENT#{at}#{person}", entityType="COMMENT", userId=person,
            commentText="Yes.", createdAt=at,
        )  # fmt: skip
    _rating(made, people, titles)


def _rating(made: Made, people: Sequence[str], titles: Sequence[tuple[str, str]]) -> None:
    """Another one than all before: these go through the titles of one person after the other."""
    number = sum(row["entityType"] == "WATCHLIST" for row in made.tables["Worth"])
    person = people[number // len(titles) % len(people)]
    kind, title_id = titles[number % len(titles)]
    made.add(
        "Worth",
        PK=f"USER#{person}",
        SK=f"RATING#{kind}#{title_id}",
        entityType="RATING",
        contentType=kind,
        contentId=title_id,
        rating=made.random.randint(1, 10),
        review="Good.",
        ratedAt=made.moment(ms=False),
    )


def hangouts(count: int) -> Tables:
    """Groups, who is in them, hangouts and their pointers."""
    made = Made(count, "Users", "InviterTable")
    while not made.is_enough:
        groups = [made.id() for _ in range(2)]
        people = [made.person() for _ in range(6)]
        for group_id in groups:
            made.add("InviterTable", PK=f"GROUP#{group_id}", SK="METADATA")
            for user_id in people[: made.random.randint(2, 6)]:
                made.add(
                    "InviterTable", PK=f"GROUP#{group_id}", SK=f"USER#{user_id}",
                    gsi1pk=f"USER#{user_id}", gsi1sk=f"GROUP#{group_id}",
                )  # fmt: skip
        for number in range(10):
            _hangout(made, groups[: 1 + number % 2], number)
    return made.tables


def _hangout(made: Made, groups: Sequence[str], number: int) -> None:
    hangout_id, start = made.id(), BEGAN + made.random.randrange(600 * DAY)
    made.add(
        "InviterTable", PK=f"EVENT#{hangout_id}", SK="METADATA", title=f"Hangout {number}",
        startTimestamp=start,
    )  # fmt: skip
    for group_id in groups:
        made.add(
            "InviterTable", PK=f"GROUP#{group_id}", SK=f"HANGOUT#{hangout_id}",
            title=f"Hangout {number}", gsi1pk=f"GROUP#{group_id}", startTimestamp=start,
        )  # fmt: skip


DOCUMENTS: Mapping[str, Callable[[int], Tables]] = {
    "movie night": movie_night,
    "library": library,
    "shareables": shareables,
    "watchlists": watchlists,
    "hangouts": hangouts,
}


def write_lines(folder: Path, tables: Tables, *, prefix: str = "") -> Path:
    """A file of plain JSON lines for each table."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{prefix}{name}.jsonl").write_text(lines)
    return folder


def write_aws_export(folder: Path, name: str, rows: Sequence[Row]) -> Path:
    """One table as AWS exports it to S3, in two files."""
    (folder / "data").mkdir(parents=True)
    half = len(rows) // 2
    manifest = []
    for number, some in enumerate((rows[:half], rows[half:])):
        file = folder / "data" / f"{number}abc.json.gz"
        file.write_bytes(gzip.compress(b"".join(_line(row) for row in some)))
        digest = hashlib.md5(file.read_bytes(), usedforsecurity=False).digest()
        key = f"AWSDynamoDB/01-abc/data/{file.name}"
        manifest.append(
            {
                "itemCount": len(some),
                "md5Checksum": b64encode(digest).decode(),
                "dataFileS3Key": key,
            }
        )
    (folder / "manifest-files.json").write_text("".join(f"{json.dumps(one)}\n" for one in manifest))
    arn = f"arn:aws:dynamodb:eu-west-1:123456789012:table/{name}"
    summary = {"itemCount": len(rows), "tableArn": arn, "outputFormat": "DYNAMODB_JSON"}
    (folder / "manifest-summary.json").write_text(json.dumps(summary))
    return folder


def _line(row: Row) -> bytes:
    return json.dumps({"Item": to_attributes(row)}).encode() + b"\n"


def every_row(tables: Tables) -> Iterator[Row]:
    """All rows of all tables."""
    return (row for rows in tables.values() for row in rows)
