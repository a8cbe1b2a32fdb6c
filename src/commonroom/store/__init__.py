"""One data layer, two engines: declare tables and entities once, read and write them typed."""

from commonroom.store.carrying import copied_fields, update_with_copies
from commonroom.store.clearing import clear
from commonroom.store.conditions import (
    Condition,
    above,
    absent,
    at_least,
    at_most,
    below,
    equal,
    includes,
    new,
    one_of,
    present,
    stored,
    unequal,
)
from commonroom.store.declare.copies import Copy, copies
from commonroom.store.declare.entity import Entity, Keys, Ref
from commonroom.store.declare.patterns import (
    BoundPattern,
    Pattern,
    begins_with,
    between,
    equal_to,
    greater_than,
    keys_of,
    less_than,
    many,
    one,
)
from commonroom.store.declare.table import Index, Table, number
from commonroom.store.errors import ConditionFailed, StoreError
from commonroom.store.fieldchanges import add, append, count, discard, if_absent, merge
from commonroom.store.operations import Write, check, create, delete, move, put, update
from commonroom.store.retry import Retry
from commonroom.store.store import Page, Store
from commonroom.store.tally import Tally, counting
from commonroom.store.together import together

__all__ = [
    "BoundPattern",
    "Condition",
    "ConditionFailed",
    "Copy",
    "Entity",
    "Index",
    "Keys",
    "Page",
    "Pattern",
    "Ref",
    "Retry",
    "Store",
    "StoreError",
    "Table",
    "Tally",
    "Write",
    "above",
    "absent",
    "add",
    "append",
    "at_least",
    "at_most",
    "begins_with",
    "below",
    "between",
    "check",
    "clear",
    "copied_fields",
    "copies",
    "count",
    "counting",
    "create",
    "delete",
    "discard",
    "equal",
    "equal_to",
    "greater_than",
    "if_absent",
    "includes",
    "keys_of",
    "less_than",
    "many",
    "merge",
    "move",
    "new",
    "number",
    "one",
    "one_of",
    "present",
    "put",
    "stored",
    "together",
    "unequal",
    "update",
    "update_with_copies",
]
