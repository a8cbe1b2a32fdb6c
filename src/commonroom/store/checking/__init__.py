"""Consistency checks of what is stored: decoding, keys and copies; and the repair of each."""

from commonroom.store.checking.checks import Check, Problem, StoredEntity
from commonroom.store.checking.completeness import CompletenessCheck
from commonroom.store.checking.copies import CopyCheck
from commonroom.store.checking.keys import KeyCheck
from commonroom.store.checking.runner import (
    CheckSummary,
    Grace,
    ReportedProblem,
    check_store,
    repair_store,
)

__all__ = [
    "Check",
    "CheckSummary",
    "CompletenessCheck",
    "CopyCheck",
    "Grace",
    "KeyCheck",
    "Problem",
    "ReportedProblem",
    "StoredEntity",
    "check_store",
    "repair_store",
]
