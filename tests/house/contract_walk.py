"""Requests that schemathesis makes up for an operation, sent to a furnished house, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import load_all_checks
from schemathesis.generation import overrides
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    create_test,
)
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    positive_data_acceptance,
)

from commonroom.http.authentication import COOKIE
from commonroom.http.openapi.document import document
from tests.house.furnished import ADDRESS, Furnished
from tests.support.application import application_without_store
from tests.support.budget import WHOLE_WALK, sampled

CALLERS = ("guest", "program", "browser")
AT_BOUNDS = 24
"""How many requests at the bounds of what is described there are; with WHOLE_WALK=1, all."""
AT_RANDOM = 40 if WHOLE_WALK else 4
"""How many are made up at random, each sent by every caller."""
LEFT_OUT = [
    positive_data_acceptance,  # what a schema lets through, rules may refuse: 422
    ignored_auth,  # it sends requests of its own over the network; ours is below
]
NOTHING_TO_SHOW: tuple[dict[str, str], ...] = (
    {},
    {"Authorization": "Bearer none"},
    {"Cookie": f"{COOKIE}=none"},
)

load_all_checks()


@schemathesis.serializer("application/zip")
def send_as_it_is(_: Any, value: Any) -> bytes:
    """An archive: whatever bytes are made up for it."""
    return value if isinstance(value, bytes) else str(value).encode()


class Walk:
    """The description of the whole API, and a house to hold it against."""

    def __init__(self, house: Furnished) -> None:
        self._house = house
        self._guarded: set[str] = set()
        described = document(application_without_store(), secure=False)
        self._schema = schemathesis.openapi.from_dict(described)
        # Callers show who they are by themselves; what is made up would only be in their way.
        self._schema.config.generation.update(with_security_parameters=False)

    def take(self, method: str, path: str) -> None:
        """Sends all that is made up for an operation; fails where an answer is not as described."""
        operation = self._schema[path][method]
        for case in sampled(self._at_bounds(operation), AT_BOUNDS):
            self._hold_against_description(case)
        self._try_at_random(operation)

    def _at_bounds(self, operation: Any) -> list[Any]:
        config = self._schema.config
        made = config.generation_for(operation=operation, phase=HypothesisTestMode.COVERAGE.value)
        return [
            *CoverageGenerator(
                operation=operation,
                generation_modes=made.modes,
                generation_config=made,
                auth_storage=None,
                override=overrides.with_config_headers(config, operation=operation),
                feedback=FeedbackSources(),
                hooks=None,
            )
        ]

    def _try_at_random(self, operation: Any) -> None:
        create_test(
            operation=operation,
            test_func=self._hold_against_description,
            config=HypothesisTestConfig(
                project=self._schema.config,
                modes=[HypothesisTestMode.EXAMPLES, HypothesisTestMode.FUZZING],
                settings=settings(
                    max_examples=AT_RANDOM,
                    derandomize=True,
                    deadline=None,
                    database=None,
                    phases=[Phase.explicit, Phase.generate],
                    suppress_health_check=list(HealthCheck),
                ),
            ),
        )()

    def _hold_against_description(self, case: Any) -> None:
        made_up = case.path_parameters or {}
        somewhere = self._somewhere(made_up, _number(case))
        for caller in _callers(case):
            case.path_parameters = made_up | somewhere
            answer = self._call(case, self._house.headers[caller])
            case.validate_response(answer, excluded_checks=LEFT_OUT)
            if caller != "guest" and answer.status_code < 300:
                self._check_credentials_count(case)

    def _check_credentials_count(self, case: Any) -> None:
        """Fails if an operation that wants credentials does the same without them."""
        operation = case.operation
        is_open = not operation.definition.raw["security"]
        # Requests with other methods than the operation's are made up as well.
        if is_open or operation.label in self._guarded or case.method != operation.method.upper():
            return
        self._guarded.add(operation.label)
        for shown in NOTHING_TO_SHOW:
            answer = self._call(case, shown)
            assert answer.status_code == 401, f"{operation.label} is open to {shown or 'anybody'}"

    def _call(self, case: Any, shown: dict[str, str]) -> Any:
        self._house.restore()
        return case.call(ADDRESS, self._house.session, headers=dict(shown))

    def _somewhere(self, made_up: dict[str, Any], number: int) -> dict[str, str]:
        """Lets every other request ask for things that are there: what is made up leads nowhere."""
        if len(str(made_up)) % 2 == 0:
            return {}
        pages = self._house.pages
        there = self._house.places | {"short_id": pages[number % len(pages)]}
        return {name: value for name, value in there.items() if name in made_up}


def _callers(case: Any) -> Sequence[str]:
    """Who sends a request: everybody, or one of them where there are very many requests."""
    if WHOLE_WALK or case.meta.phase.name is not TestPhase.COVERAGE:
        return CALLERS
    return [CALLERS[_number(case) % len(CALLERS)]]


def _number(case: Any) -> int:
    """A number that depends on a request alone, so that a failure can be repeated."""
    return crc32(repr((case.method, case.path_parameters, case.query, case.body)).encode())
