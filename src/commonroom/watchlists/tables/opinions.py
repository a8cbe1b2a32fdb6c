"""What people think of titles: ratings with their reviews, and what they have seen."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.store import Entity, Keys, begins_with, keys_of, many, one
from commonroom.titles.tables import worth_watch
from commonroom.titles.titles import ContentType

SeenSource: TypeAlias = Literal["hand", "rating"]


class Rating(Entity, table=worth_watch, kind="RATING", rename="camel"):
    """A person's opinion of a film or show: the truth of which all else here is made."""

    user_id: str
    content_type: ContentType
    content_id: str
    rating: int | None = None
    """1 to 10; None where a review stands alone."""
    review: str | None = None
    rated_at: str

    # Beyond the data model.
    version: int = 1

    keys = Keys(PK="USER#{user_id}", SK="RATING#{content_type}#{content_id}")


class TitleRating(Entity, table=worth_watch, kind="TITLE_RATING", rename="camel"):
    """The way from a title to everyone who rated or reviewed it; written and removed with that."""

    content_type: ContentType
    content_id: str
    user_id: str
    rating: int | None = None

    keys = Keys(PK="{content_type}#{content_id}", SK="RATED#{user_id}")


class TitleReview(Entity, table=worth_watch, kind="TITLE_REVIEW", rename="camel"):
    """A review as its title's page shows it; written and removed with its rating."""

    content_type: ContentType
    content_id: str
    user_id: str
    rated_at: str
    rating: int | None = None
    review: str

    keys = Keys(PK="{content_type}#{content_id}", SK="REVIEW#{rated_at:ms}#{user_id}")


class Seen(Entity, table=worth_watch, kind="USER_SEEN", rename="camel"):
    """That a person has seen a title, because they say so or were there when it was watched."""

    user_id: str
    content_type: ContentType
    content_id: str
    marked_at: str
    seen_on: str | None = None
    """The day, where the person remembers it."""
    other_days: list[str] = field(default_factory=list)
    """Days of other viewings, the latest first, as files tell of them."""
    own: SeenSource | None = None
    """By what the person marked it; what came with a rating goes with it."""
    evenings: dict[str, str] = field(default_factory=dict)
    """Where it was watched together: when, by evening."""
    dismissed: list[str] = field(default_factory=list)
    """Evenings that the person says were without them, so that nobody marks it for these again."""
    version: int = 1

    keys = Keys(
        PK="USER#{user_id}",
        SK="SEEN#{content_type}#{content_id}",
        seenTitle="{content_type}#{content_id}",
    )

    @property
    def is_seen(self) -> bool:
        """Whether it still says so: what was dismissed is only remembered."""
        return self.own is not None or bool(self.evenings)


rating = one(worth_watch, "Get one rating", gives=Rating)
ratings_of_user = many(
    worth_watch, "Get all ratings of a user", sort=begins_with("RATING#"), gives=Rating
)
ratings_of_title = many(
    worth_watch, "Get everyone who rated a title", sort=begins_with("RATED#"), gives=TitleRating
)
reviews_of_title = many(
    worth_watch,
    "Get the reviews of a title",
    sort=begins_with("REVIEW#"),
    newest_first=True,
    gives=TitleReview,
)
seen = one(worth_watch, "Get whether a user has seen a title", gives=Seen)
seen_of_title = keys_of(
    many(worth_watch, "Get everyone who has seen a title", index="GSI5", gives=Seen)
)
seen_of_user = many(
    worth_watch, "Get all that a user has seen", sort=begins_with("SEEN#"), gives=Seen
)
