"""Every operation keeps to its description, whatever it is sent: schemathesis tries.

The same requests each time: all those at the bounds of what is described, each by one caller, and
a few at random by every caller. With WHOLE_WALK=1 everybody sends everything, and much more of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import load_all_checks
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import allow_header_conformance, positive_data_acceptance

from commonroom.web.openapi.document import document
from tests.house.served import Served, serving
from tests.support.application import application_without_store
from tests.support.budget import WHOLE_WALK

load_all_checks()


@schemathesis.serializer("application/zip")
def send_as_it_is(_: Any, value: Any) -> bytes:
    """An archive: whatever bytes are made up for it."""
    return value if isinstance(value, bytes) else str(value).encode()


CALLERS = ("guest", "program", "browser")
EXAMPLES = 40 if WHOLE_WALK else 4
"""How many requests are made up at random for an operation."""

schema = schemathesis.openapi.from_dict(document(application_without_store(), secure=False))
# Callers show who they are by themselves; what is made up would only be in their way.
schema.config.generation.update(with_security_parameters=False)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The house on a real server, whose decoding of paths and headers counts, too."""
    with serving(tmp_path_factory.mktemp("contract") / "api.db") as running:
        yield running


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: Any, served: Served) -> None:
    made_up = case.path_parameters or {}
    for caller in _callers(case):
        if "429" in case.operation.definition.raw["responses"]:
            served.forget_attempts()
        case.path_parameters = made_up | _somewhere(made_up, served)
        answer = case.call_and_validate(
            base_url=served.address,
            headers=served.headers(caller),
            excluded_checks=[
                positive_data_acceptance,  # what a schema lets through, rules may refuse: 422
                allow_header_conformance,  # to OPTIONS, Litestar names only a path's first method
            ],
        )
        if case.method.upper() != "GET" and answer.status_code < 400:
            served.furnish_anew()


def _callers(case: Any) -> Sequence[str]:
    """Who sends a request: everybody, or one of them where there are very many requests.

    Which one depends on the request alone, so that a failure can be repeated.
    """
    if WHOLE_WALK or case.meta.phase.name is not TestPhase.COVERAGE:
        return CALLERS
    sent = repr((case.method, case.path_parameters, case.query, case.body))
    return [CALLERS[crc32(sent.encode()) % len(CALLERS)]]


def _somewhere(made_up: dict[str, Any], served: Served) -> dict[str, str]:
    """Lets every other request ask for things that are there: what is made up leads nowhere."""
    if len(str(made_up)) % 2 == 0:
        return {}
    return {name: value for name, value in served.places().items() if name in made_up}
