"""What went wrong with one attempt, in DynamoDB's words, and whether it may pass."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiodynamo.errors import AIODynamoError, InternalDynamoError, ServiceUnavailable, UnknownError

CANCELLED = "TransactionCanceledException"
INTERNAL = "InternalServerError"
UNREACHABLE = "Unreachable"
NO_ANSWER = "NoAnswer"
FOREIGN = "Foreign"
"""The last three are not DynamoDB's: nobody answered, not in time, or not DynamoDB."""

THROTTLED = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingError",
        "ThrottlingException",
    }
)
CONFLICT = frozenset(
    {
        "ReplicatedWriteConflictException",
        "TransactionConflict",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
FAILURES = (AIODynamoError, aiohttp.ClientError, OSError, json.JSONDecodeError, UnicodeDecodeError)
"""What an attempt can fail with, a time-out included; anything else is a defect of ours."""

PASSING = (
    THROTTLED
    | CONFLICT
    | {
        INTERNAL,
        UNREACHABLE,
        NO_ANSWER,
        "ContinuousBackupsUnavailableException",  # a new table's, for its first moments
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """The code and message of a failed attempt, and a cancelled transaction's reasons in order."""

    code: str
    message: str = ""
    reasons: list[dict[str, Any]] = field(default_factory=list)

    @property
    def passing(self) -> bool:
        """Whether the same request may succeed a little later."""
        if self.code == CANCELLED:
            return all(code_of(reason) in PASSING | {"None"} for reason in self.reasons)
        return self.code in PASSING


def code_of(reason: dict[str, Any]) -> str:
    """A cancellation reason's code; "None" for an operation that was in order."""
    return str(reason.get("Code", "None"))


def fault_of(error: Exception) -> Fault:
    """Reads an error of aiodynamo or of aiohttp."""
    match error:
        case TimeoutError():
            return Fault(NO_ANSWER)
        case aiohttp.ClientError() | OSError():
            return Fault(UNREACHABLE, str(error) or type(error).__name__)
        case InternalDynamoError() | ServiceUnavailable():
            return Fault(INTERNAL)
        case json.JSONDecodeError() | UnicodeDecodeError():
            return Fault(FOREIGN, "no JSON")
        case UnknownError():
            return _unknown(error)
    return _answered(error.args[0] if error.args else {}) or Fault(type(error).__name__, str(error))


def _unknown(error: UnknownError) -> Fault:
    if error.status >= 500:
        return Fault(INTERNAL, f"status {error.status}")
    try:
        answer = json.loads(error.body)
    except ValueError:
        answer = None
    return _answered(answer) or Fault(FOREIGN, f"status {error.status}")


def _answered(answer: Any) -> Fault | None:
    if not isinstance(answer, dict) or "__type" not in answer:
        return None
    code = str(answer["__type"]).rpartition("#")[2]
    message = str(answer.get("message") or answer.get("Message") or "")
    return Fault(code, message, answer.get("CancellationReasons") or [])
