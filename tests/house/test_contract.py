"""Every operation keeps to its description, whatever it is sent: schemathesis tries.

The same requests each time, as many as `contract_walk` says: at the bounds of what is described,
each by one caller, and a few at random by every caller. With WHOLE_WALK=1 everybody sends
everything, and much more of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from commonroom.http.openapi.document import operations
from tests.house.furnished import furnished
from tests.support.application import application_without_store

if TYPE_CHECKING:
    from tests.house.contract_walk import Walk

OPERATIONS = [(method, path) for path, method, _ in operations(application_without_store())]


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """The walk through a house that is furnished once."""
    # To load schemathesis takes seconds, which only those who walk should spend.
    from tests.house.contract_walk import Walk

    with furnished(tmp_path_factory.mktemp("contract")) as house:
        yield Walk(house)


@pytest.mark.parametrize(
    "method, path", OPERATIONS, ids=[f"{m.upper()} {p}" for m, p in OPERATIONS]
)
def test_every_answer_is_as_described(walk: Walk, method: str, path: str) -> None:
    walk.take(method, path)
