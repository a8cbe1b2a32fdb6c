"""Every operation keeps to its description, whatever it is sent: schemathesis tries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import allow_header_conformance, positive_data_acceptance

from commonroom.web.openapi.document import document
from tests.house.served import Served, serving
from tests.support.application import application_without_store

load_all_checks()

EXAMPLES = 12

schema = schemathesis.openapi.from_dict(document(application_without_store(), secure=False))
# Callers show who they are by themselves; what is made up would only be in their way.
schema.config.generation.update(with_security_parameters=False)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The house on a real server, whose decoding of paths and headers counts, too."""
    with serving(tmp_path_factory.mktemp("contract") / "api.db") as running:
        yield running


@pytest.fixture(params=["guest", "program", "browser"])
def caller(request: pytest.FixtureRequest) -> str:
    """Who asks."""
    return str(request.param)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: Any, served: Served, caller: str) -> None:
    if "429" in case.operation.definition.raw["responses"]:
        served.forget_attempts()
    _lead_somewhere(case, served)
    case.call_and_validate(
        base_url=served.address,
        headers=served.headers(caller),
        excluded_checks=[
            positive_data_acceptance,  # what a schema lets through, rules may still refuse: 422
            allow_header_conformance,  # to OPTIONS, Litestar names only the first method of a path
        ],
    )


def _lead_somewhere(case: Any, served: Served) -> None:
    """Lets every other request ask for things that are there: what is made up leads nowhere."""
    asked = case.path_parameters or {}
    if asked and len(str(asked)) % 2:
        case.path_parameters = asked | {
            name: value for name, value in served.places().items() if name in asked
        }
