"""Projections: what a view shows of a thing, and nothing else."""

from __future__ import annotations

import pytest
from msgspec import Struct

from commonroom.http.projections import Through, projection


class Stored(Struct):
    """Something that is stored."""

    name: str
    secret: str
    number: int = 1

    @property
    def initial(self) -> str:
        """The first letter."""
        return self.name[:1]


class Shown(Struct, kw_only=True):
    """What is shown of it."""

    name: str
    initial: str
    double: int
    number: int | None = 0


class Label(Struct):
    """A part of a view."""

    name: str


class Shelf(Struct):
    """Something with a part."""

    best: Stored | None
    size: int = 1


class ShelfView(Struct, kw_only=True):
    """What is shown of it, and of what belongs to it."""

    best: Label | None
    label: str
    share: float | None


class TestAProjection:
    def test_takes_over_what_both_have_and_computes_the_rest(self) -> None:
        view = projection(Stored, Shown, double=lambda one: 2 * one.number)
        shown = Shown(name="Ada", initial="A", double=14, number=7)
        assert view(Stored("Ada", "xyz", 7)) == shown

    def test_hides_what_is_said_to_be_nothing(self) -> None:
        view = projection(Stored, Shown, double=lambda _: 0, number=None)
        assert view(Stored("Ada", "xyz", 7)).number is None

    def test_of_what_the_thing_does_not_have_is_refused_when_it_is_declared(self) -> None:
        with pytest.raises(TypeError, match="Stored has no double, which Shown shows"):
            projection(Stored, Shown)

    def test_that_computes_what_is_not_shown_is_refused_when_it_is_declared(self) -> None:
        with pytest.raises(TypeError, match="Shown has no field secret"):
            projection(Stored, Shown, double=lambda _: 0, secret=None)

    def test_shows_another_field_or_one_through_a_view_of_its_own(self) -> None:
        view = projection(
            Shelf, ShelfView, best=Through(projection(Stored, Label)), label="best.name", share=None
        )
        ada = Stored("Ada", "xyz")
        assert view(Shelf(ada)) == ShelfView(best=Label("Ada"), label="Ada", share=None)

    def test_shows_nothing_through_a_view_where_there_is_nothing(self) -> None:
        view = projection(
            Shelf,
            ShelfView,
            best=Through(projection(Stored, Label)),
            label=lambda _: "",
            share=None,
        )
        assert view(Shelf(None)).best is None

    def test_computes_from_what_belongs_to_the_thing_and_from_the_thing_alone(self) -> None:
        view = projection(
            Shelf,
            ShelfView,
            int,
            best=None,
            label=lambda shelf: type(shelf).__name__,
            share=lambda shelf, all_of_them: shelf.size / all_of_them,
        )
        assert view(Shelf(None, 2), 8) == ShelfView(best=None, label="Shelf", share=0.25)

    def test_that_needs_a_context_is_refused_where_none_is_named(self) -> None:
        with pytest.raises(TypeError, match="ShelfView is computed from a context"):
            projection(
                Shelf, ShelfView, best=None, label="size", share=lambda one, of: one.size / of
            )

    def test_of_another_field_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(TypeError, match=r"Shelf has no worst\.name, which ShelfView shows"):
            projection(Shelf, ShelfView, best=None, label="worst.name", share=None)
