"""Faults as errors of the store: one typed error and one sentence for each."""

from __future__ import annotations

from collections.abc import Collection

from commonroom.store.dynamodb.faults import (
    CANCELLED,
    CONFLICT,
    FOREIGN,
    INTERNAL,
    NO_ANSWER,
    THROTTLED,
    UNREACHABLE,
    Fault,
)
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
MEANINGS: tuple[tuple[str, type[Refused]], ...] = (
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

SENTENCES = {
    UNREACHABLE: "DynamoDB cannot be reached at {address}: {message}.",
    NO_ANSWER: "DynamoDB at {address} did not answer in time.",
    FOREIGN: "{address} does not answer as DynamoDB does ({message}).",
    INTERNAL: "DynamoDB at {address} keeps failing ({message}).",
    **dict.fromkeys(THROTTLED, "DynamoDB keeps throttling requests ({code})."),
    **dict.fromkeys(
        CONFLICT | {CANCELLED}, "Other writes to the same items keep getting in the way."
    ),
}


def error_for(fault: Fault, address: str, tables: Collection[str]) -> StoreError:
    """The store's error for a fault that trying again did not mend."""
    code = fault.code
    if code == "ValidationException":
        return refusal(fault.message)
    if code == "ResourceNotFoundException":
        return missing(tables)
    if code in CREDENTIALS:
        return NoCredentials(f"DynamoDB refuses these credentials ({code}): {fault.message}")
    if code == "UnknownOperationException":
        return NotSupported(f"{address} does not know this operation of DynamoDB.")
    sentence = SENTENCES.get(code, "DynamoDB at {address} answered {code}: {message}")
    why = fault.message or "it does not say why"
    return Unavailable(sentence.format(address=address, code=code, message=why))


def refusal(message: str) -> Refused:
    """The store's error for a request that DynamoDB finds wrong."""
    lower = message.lower()
    kind = next((kind for text, kind in MEANINGS if text in lower), Refused)
    return kind(f"DynamoDB refuses this: {message or 'it does not say why'}")


def missing(tables: Collection[str]) -> UnknownTable:
    """The store's error for a table that is not there."""
    named = " or ".join(sorted(tables)) or "asked for"
    return UnknownTable(f"There is no table {named}; `commonroom tables create` creates it.")
