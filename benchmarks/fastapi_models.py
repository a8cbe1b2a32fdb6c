"""The same people and books in a relational schema, as SQLAlchemy declares it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic_core import from_json
from sqlalchemy import JSON, Engine, ForeignKey, Index, create_engine, event
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """What all tables have in common."""


class User(Base):
    """An account, or somebody whom one manages."""

    __tablename__ = "users"
    user_id: Mapped[str] = mapped_column(primary_key=True)
    parent_id: Mapped[str | None] = mapped_column(ForeignKey("users.user_id"), index=True)
    display_name: Mapped[str]
    avatar_key: Mapped[str | None]
    content_rating_ceiling: Mapped[str | None]
    created_at: Mapped[str]
    updated_at: Mapped[str | None]


class UserSession(Base):
    """A browser that is signed in."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"))
    expires_at: Mapped[float]
    user: Mapped[User] = relationship()


class Library(Base):
    """Somebody's library."""

    __tablename__ = "libraries"
    library_id: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), index=True)
    library_name: Mapped[str]
    owner_name: Mapped[str | None]


class Share(Base):
    """That somebody may look into a library."""

    __tablename__ = "shares"
    library_id: Mapped[str] = mapped_column(ForeignKey("libraries.library_id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), primary_key=True)


class Collection(Base):
    """A named group of books."""

    __tablename__ = "collections"
    collection_id: Mapped[str] = mapped_column(primary_key=True)
    library_id: Mapped[str] = mapped_column(ForeignKey("libraries.library_id"), index=True)
    name: Mapped[str]
    description: Mapped[str | None]
    item_count: Mapped[int]
    created_at: Mapped[str | None]
    updated_at: Mapped[str | None]
    version: Mapped[int]


class Book(Base):
    """A book; `place` is where it stands on the shelf."""

    __tablename__ = "books"
    __table_args__ = (Index("shelf", "library_id", "place"),)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    library_id: Mapped[str] = mapped_column(ForeignKey("libraries.library_id"))
    place: Mapped[str]
    title: Mapped[str]
    summary: Mapped[str | None]
    picture_url: Mapped[str | None]
    collection_id: Mapped[str | None] = mapped_column(ForeignKey("collections.collection_id"))
    order: Mapped[float | None]
    lent_to: Mapped[str | None]
    lent_at: Mapped[str | None]
    due_date: Mapped[str | None]
    borrower_id: Mapped[str | None]
    created_at: Mapped[str | None]
    updated_at: Mapped[str | None]
    version: Mapped[int]
    contributors: Mapped[list[str]] = mapped_column(JSON)
    publisher: Mapped[str | None]
    language: Mapped[str | None]
    format: Mapped[str | None]
    tags: Mapped[list[str]] = mapped_column(JSON)
    location: Mapped[str | None]
    copies: Mapped[int]
    rating: Mapped[float | None]
    review: Mapped[str | None]
    started_on: Mapped[str | None]
    finished_on: Mapped[str | None]
    authors: Mapped[list[str]] = mapped_column(JSON)
    isbn: Mapped[str | None]
    year: Mapped[int | None]
    pages: Mapped[int | None]
    status: Mapped[str | None]
    collection: Mapped[Collection | None] = relationship()
    library: Mapped[Library] = relationship()
    kind = "book"

    @property
    def library_name(self) -> str:
        """Of the library it is in."""
        return self.library.library_name

    @property
    def owner_name(self) -> str | None:
        """Of the library it is in."""
        return self.library.owner_name

    @property
    def collection_name(self) -> str | None:
        """Of the collection it is in."""
        return None if self.collection is None else self.collection.name

    @property
    def has_account(self) -> bool:
        """Whether who has it has an account."""
        return self.borrower_id is not None

    @property
    def loan(self) -> Book | None:
        """The book itself, which says who has it, while it is lent."""
        return None if self.lent_to is None else self


def connect(path: Path) -> Engine:
    """The database, with what one would set for SQLite."""
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"check_same_thread": False},
        json_deserializer=from_json,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA mmap_size = 268435456")

    return engine


def digest(secret: str) -> str:
    """What is stored of a session's secret."""
    return sha256(secret.encode()).hexdigest()
