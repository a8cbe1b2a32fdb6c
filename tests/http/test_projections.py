"""Projections: what a view shows of a thing, and nothing else."""

from __future__ import annotations

import pytest
from msgspec import Struct

from commonroom.http.projections import projection


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
