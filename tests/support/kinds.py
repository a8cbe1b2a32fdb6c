"""What kind of test a test is, which says most about what it costs."""

from __future__ import annotations

from enum import StrEnum

import pytest


class Kind(StrEnum):
    """A kind of test, as it is counted: "12 browser journeys"."""

    BROWSER = "browser journeys"
    DYNAMODB = "tests on DynamoDB Local"
    CONTRACT_WALK = "operations of the contract walk"
    WHO_MAY = "tests of who-may tables"
    PAGES = "tests of pages"
    API = "tests of the API"
    OTHER = "other tests"


FILES = {"test_contract.py": Kind.CONTRACT_WALK, "test_who_may.py": Kind.WHO_MAY}
FOLDERS = {"pages": Kind.PAGES, "api": Kind.API}


def kind_of(item: pytest.Item) -> Kind:
    """Returns the kind of a test: by the fixtures that it asks for, its file, or its folder."""
    fixtures = getattr(item, "fixturenames", ())
    if "chromium" in fixtures:
        return Kind.BROWSER
    if "dynamodb_local_jar" in fixtures or "dynamodb" in _parameters(item):
        return Kind.DYNAMODB
    if kind := FILES.get(item.path.name):
        return kind
    return next((FOLDERS[part] for part in item.path.parts if part in FOLDERS), Kind.OTHER)


def _parameters(item: pytest.Item) -> list[object]:
    # An engine that is a parameter is asked for by its name, once the test runs.
    callspec = getattr(item, "callspec", None)
    return [] if callspec is None else [one for one in callspec.params.values() if type(one) is str]
