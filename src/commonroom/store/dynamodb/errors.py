"""DynamoDB's error codes: which are worth a retry, and the store's typed error for each."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiodynamo.errors import AIODynamoError, InternalDynamoError, ServiceUnavailable, UnknownError

from commonroom.store.errors import (
    BadCursor,
    BadKey,
    BadNumber,
    ItemTooLarge,
    NoCredentials,
    NotSupported,
    Refused,
    SameItemTwice,
    StoreError,
    TooManyOperations,
    Unavailable,
    UnknownTable,
    WrongType,
)

CANCELLED = "TransactionCanceledException"
INTERNAL = "InternalServerError"
UNREACHABLE = "Unreachable"
NO_ANSWER = "NoAnswer"
NOT_DYNAMODB = "Foreign"
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

RETRYABLE = (
    THROTTLED
    | CONFLICT
    | {
        INTERNAL,
        UNREACHABLE,
        NO_ANSWER,
        "ContinuousBackupsUnavailableException",  # a new table's, for its first moments
    }
)


CREDENTIALS = frozenset(
    {
        "AccessDeniedException",
        "ExpiredTokenException",
        "IncompleteSignatureException",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationTokenException",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)

# What a message holds, in lower case, and what that means; the first that fits decides.
VALIDATION_ERRORS: tuple[tuple[str, type[Refused]], ...] = (
    ("item size", ItemTooLarge),
    ("cannot exceed 4mb", ItemTooLarge),
    ("nesting levels", ItemTooLarge),
    ("incorrect data type", WrongType),
    ("incorrect operand type", WrongType),
    ("document path provided in the update expression is invalid", WrongType),
    ("number overflow", BadNumber),
    ("number underflow", BadNumber),
    ("precision up to 38 digits", BadNumber),
    ("multiple operations on one item", SameItemTwice),
    ("length less than or equal to 100", TooManyOperations),
    ("starting key", BadCursor),
    ("start key", BadCursor),
    ("startkey", BadCursor),
    ("expressionattribute", Refused),
    ("invalid keyconditionexpression", Refused),
    ("key", BadKey),
)

MESSAGES = {
    UNREACHABLE: "DynamoDB cannot be reached at {address}: {message}.",
    NO_ANSWER: "DynamoDB at {address} did not answer in time.",
    NOT_DYNAMODB: "{address} does not answer as DynamoDB does ({message}).",
    INTERNAL: "DynamoDB at {address} keeps failing ({message}).",
    **dict.fromkeys(THROTTLED, "DynamoDB keeps throttling requests ({code})."),
    **dict.fromkeys(
        CONFLICT | {CANCELLED}, "Other writes to the same items keep getting in the way."
    ),
}


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """The code and message of a failed attempt, and a cancelled transaction's reasons in order."""

    code: str
    message: str = ""
    reasons: list[dict[str, Any]] = field(default_factory=list)

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed a little later."""
        if self.code == CANCELLED:
            return all(reason_code(reason) in RETRYABLE | {"None"} for reason in self.reasons)
        return self.code in RETRYABLE


def reason_code(reason: dict[str, Any]) -> str:
    """Returns a cancellation reason's code; "None" for an operation that was in order."""
    return str(reason.get("Code", "None"))


def parse_failure(error: Exception) -> FailedAttempt:
    """Reads an error of aiodynamo or of aiohttp."""
    match error:
        case TimeoutError():
            return FailedAttempt(NO_ANSWER)
        case aiohttp.ClientError() | OSError():
            return FailedAttempt(UNREACHABLE, str(error) or type(error).__name__)
        case InternalDynamoError() | ServiceUnavailable():
            return FailedAttempt(INTERNAL)
        case json.JSONDecodeError() | UnicodeDecodeError():
            return FailedAttempt(NOT_DYNAMODB, "no JSON")
        case UnknownError():
            return _parse_response(error)
    return _parse_body(error.args[0] if error.args else {}) or FailedAttempt(
        type(error).__name__, str(error)
    )


def _parse_response(error: UnknownError) -> FailedAttempt:
    if error.status >= 500:
        return FailedAttempt(INTERNAL, f"status {error.status}")
    try:
        answer = json.loads(error.body)
    except ValueError:
        answer = None
    return _parse_body(answer) or FailedAttempt(NOT_DYNAMODB, f"status {error.status}")


def _parse_body(answer: Any) -> FailedAttempt | None:
    if not isinstance(answer, dict) or "__type" not in answer:
        return None
    code = str(answer["__type"]).rpartition("#")[2]
    message = str(answer.get("message") or answer.get("Message") or "")
    return FailedAttempt(code, message, answer.get("CancellationReasons") or [])


def store_error(failure: FailedAttempt, address: str, tables: Collection[str]) -> StoreError:
    """Returns the store's error for a failure that trying again did not cure."""
    code = failure.code
    if code == "ValidationException":
        return validation_error(failure.message)
    if code == "ResourceNotFoundException":
        return missing_table(tables)
    if code in CREDENTIALS:
        return NoCredentials(f"DynamoDB refuses these credentials ({code}): {failure.message}")
    if code == "UnknownOperationException":
        return NotSupported(f"{address} does not know this operation of DynamoDB.")
    sentence = MESSAGES.get(code, "DynamoDB at {address} answered {code}: {message}")
    why = failure.message or "it does not say why"
    return Unavailable(sentence.format(address=address, code=code, message=why))


def validation_error(message: str) -> Refused:
    """Returns the store's error for a request that DynamoDB finds wrong."""
    lower = message.lower()
    kind = next((kind for text, kind in VALIDATION_ERRORS if text in lower), Refused)
    return kind(f"DynamoDB refuses this: {message or 'it does not say why'}")


def missing_table(tables: Collection[str]) -> UnknownTable:
    """Returns the store's error for a table that is not there."""
    named = " or ".join(sorted(tables)) or "asked for"
    return UnknownTable(f"There is no table {named}; `commonroom tables create` creates it.")
