"""Each access pattern of a data model is declared, and an operation uses it."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import pytest

from commonroom.data_models.references import resolve, uses
from commonroom.model import MODEL
from tests.data_models.parcels import STATED, compared, declared, found

REASON = STATED[STATED.index("[[deviations]]") :]
SERVED = STATED.replace(REASON, "")


@pytest.mark.parametrize(
    "stated, other, says, here",
    [
        (
            '"city = <city>"',
            '"city = <x> AND weight > <y>"',
            "`ByCity`, `city = <x> AND weight > <y>`",
            "`ByCity`, `city = <city>`",
        ),
        ('"Parcels of a city"', '"Parcels of a town"', "`ByCity`, `city = <city>`", "–"),
        ('index = "ByCity"\n', "", "`city = <city>`", "`ByCity`, `city = <city>`"),
    ],
)
def test_a_pattern_that_is_declared_otherwise_is_found(
    stated: str, other: str, says: str, here: str
) -> None:
    differences = found(compared(stated=SERVED.replace(stated, other)))
    assert (says, here) in [(one, two) for _, one, two in differences]


def test_a_pattern_that_no_operation_reads_is_found() -> None:
    assert found(compared(stated=SERVED)) == [
        (
            "pattern Parcels: Get a parcel",
            "`PK = parcel#<parcelId> AND SK = METADATA`",
            "no operation reads it",
        ),
        (
            "pattern Parcels: Parcels of a city",
            "`ByCity`, `city = <city>`",
            "no operation reads it",
        ),
    ]


@pytest.mark.parametrize(
    "operation, fault",
    [
        ("library.service.libraries:gone", "no such function"),
        ("library.service.libraries:my_libraries", "does not use it"),
    ],
)
def test_an_operation_that_does_not_serve_it_is_a_mistake(operation: str, fault: str) -> None:
    stated = STATED.replace(
        'condition = "city = <city>"\n',
        f'condition = "city = <city>"\nserved_by = ["{operation}"]\n',
    )
    comparison = compared(declared(), stated)
    assert [(one.here, one.is_mistake) for one in comparison.unexplained] == [(fault, True)]


def function(reference: str) -> FunctionType:
    found = resolve(reference)
    assert isinstance(found, FunctionType)
    return found


def pattern(name: str) -> Any:
    return MODEL.pattern(name, "MediaLibrary")


class TestUsing:
    def test_is_naming_the_pattern(self) -> None:
        libraries = function("library.service.libraries:my_libraries")
        assert uses(libraries, pattern("all libraries sorted by name"))
        assert not uses(libraries, pattern("Get shared libraries"))

    def test_is_also_what_a_private_function_of_the_module_does(self) -> None:
        history = function("library.service.history:see_history")
        assert uses(history, pattern("Get all events for item"))

    def test_is_building_the_whole_key_where_there_is_one_answer(self) -> None:
        item = function("watchlists.service.access:item_ref")
        assert uses(item, MODEL.pattern("Get specific item"))
        assert not uses(item, MODEL.pattern("Get all items in a watchlist"))

    def test_is_also_asking_a_function_that_only_says_where_it_is(self) -> None:
        get_round = function("movienight.service.rounds.queries:get_round")
        assert uses(get_round, MODEL.pattern("Get round/session by ID"))
        assert not uses(get_round, MODEL.pattern("Get pick by ID"))
