"""The tables of the relational database as Django declares them; SQLAlchemy has made them."""

from __future__ import annotations

from typing import Any

from django.db import models


class User(models.Model):
    """An account, or somebody whom one manages."""

    user_id = models.TextField(primary_key=True)
    parent = models.ForeignKey("self", models.CASCADE, null=True, db_column="parent_id")
    display_name = models.TextField()
    avatar_key = models.TextField(null=True)
    content_rating_ceiling = models.TextField(null=True)
    created_at = models.TextField()
    updated_at = models.TextField(null=True)
    is_authenticated = True

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "users"


class UserSession(models.Model):
    """A browser that is signed in."""

    digest = models.TextField(primary_key=True)
    user = models.ForeignKey(User, models.CASCADE, db_column="user_id")
    expires_at = models.FloatField()

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "sessions"


class Library(models.Model):
    """Somebody's library."""

    library_id = models.TextField(primary_key=True)
    owner = models.ForeignKey(User, models.CASCADE, db_column="owner_id")
    library_name = models.TextField()
    owner_name = models.TextField(null=True)

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "libraries"


class Share(models.Model):
    """That somebody may look into a library."""

    library = models.ForeignKey(Library, models.CASCADE, db_column="library_id", primary_key=True)
    user = models.ForeignKey(User, models.CASCADE, db_column="user_id")

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "shares"


class Collection(models.Model):
    """A named group of books."""

    collection_id = models.TextField(primary_key=True)
    library = models.ForeignKey(Library, models.CASCADE, db_column="library_id")
    name = models.TextField()
    description = models.TextField(null=True)
    item_count = models.IntegerField()
    created_at = models.TextField(null=True)
    updated_at = models.TextField(null=True)
    version = models.IntegerField()

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "collections"


class Book(models.Model):
    """A book; `place` is where it stands on the shelf."""

    item_id = models.TextField(primary_key=True)
    library = models.ForeignKey(Library, models.CASCADE, db_column="library_id")
    place = models.TextField()
    title = models.TextField()
    summary = models.TextField(null=True)
    picture_url = models.TextField(null=True)
    collection = models.ForeignKey(Collection, models.CASCADE, null=True, db_column="collection_id")
    order = models.FloatField(null=True)
    lent_to = models.TextField(null=True)
    lent_at = models.TextField(null=True)
    due_date = models.TextField(null=True)
    borrower_id = models.TextField(null=True)
    created_at = models.TextField(null=True)
    updated_at = models.TextField(null=True)
    version = models.IntegerField()
    contributors = models.JSONField()
    publisher = models.TextField(null=True)
    language = models.TextField(null=True)
    format = models.TextField(null=True)
    tags = models.JSONField()
    location = models.TextField(null=True)
    copies = models.IntegerField()
    rating = models.FloatField(null=True)
    review = models.TextField(null=True)
    started_on = models.TextField(null=True)
    finished_on = models.TextField(null=True)
    authors = models.JSONField()
    isbn = models.TextField(null=True)
    year = models.IntegerField(null=True)
    pages = models.IntegerField(null=True)
    status = models.TextField(null=True)
    kind = "book"

    class Meta:
        """Where it is."""

        app_label = "house"
        managed = False
        db_table = "books"

    @property
    def loan(self) -> Any:
        """The book itself, which says who has it, while it is lent."""
        return None if self.lent_to is None else self

    @property
    def has_account(self) -> bool:
        """Whether who has it has an account."""
        return self.borrower_id is not None
