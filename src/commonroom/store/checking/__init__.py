"""Whether what is stored is what is declared: things, keys and copies; and mending what is not."""

from commonroom.store.checking.copies import CopyCheck
from commonroom.store.checking.keys import KeyCheck
from commonroom.store.checking.patience import Patience
from commonroom.store.checking.problems import Check, Problem, Thing
from commonroom.store.checking.running import Outcome, Reported, check_store

__all__ = [
    "Check",
    "CopyCheck",
    "KeyCheck",
    "Outcome",
    "Patience",
    "Problem",
    "Reported",
    "Thing",
    "check_store",
]
