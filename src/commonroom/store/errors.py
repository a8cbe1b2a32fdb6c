"""What the store refuses or cannot do; the same errors on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from commonroom.errors import CommonroomError

if TYPE_CHECKING:
    from commonroom.store.values import Item, Key


class StoreError(CommonroomError):
    """The base of all errors of the data layer.

    From status 500 on, their words name files, tables and addresses: they are for the log and for
    the command line, and the web shows others (`http/problems.py`).
    """

    title = "The data store could not do that"


class Refused(StoreError):
    """The request itself is not allowed, whatever is stored."""

    status: ClassVar[int] = 400
    title = "The data store refuses this"


class BadDeclaration(StoreError):
    """A table, entity, key, pattern or copy is declared in a way that cannot work."""

    title = "The data model is declared wrongly"


class UnknownField(Refused):
    """An entity has no such field, or the field cannot be changed this way."""


class WrongType(Refused):
    """A value does not have the type that its field declares."""


class BadNumber(Refused):
    """NaN, infinity, or a number beyond what both engines can keep exactly."""


class BadText(Refused):
    """Text that is not valid Unicode, such as half of a surrogate pair, or an empty name."""


class BadKey(Refused):
    """A key attribute is empty, too long, of the wrong type, or ambiguous."""


class ItemTooLarge(Refused):
    """An item over 400 KB, or nested deeper than 32 levels."""

    status: ClassVar[int] = 413


class TooManyOperations(Refused):
    """More operations in one write than a transaction can hold, or none."""


class TooManyAttributes(Refused):
    """An operation that changes or compares more attributes than DynamoDB takes at once."""


class SameItemTwice(Refused):
    """One write names the same item in two operations."""


class BadCursor(Refused):
    """A cursor that was changed, or that belongs to another query."""

    title = "This page link is not valid"


class ConditionFailed(StoreError):
    """A condition did not hold; nothing was written."""

    status: ClassVar[int] = 409
    title = "Somebody else was faster"

    def __init__(self, index: int, item: Item | None, detail: str = "") -> None:
        super().__init__(detail or f"The condition of operation {index + 1} did not hold.")
        self.index = index
        self.item = item
        self.operation: Any = None
        """The operation that failed, as it was given to `Store.write`."""

    @property
    def entity(self) -> Any:
        """The stored thing that made the condition fail, typed; None where there is none."""
        if self.item is None or self.operation is None:
            return None
        asked_for = self.operation.entity_type
        table = asked_for.schema.table
        # What is in the way may be of another kind than what was asked for.
        found = table.entities.get(self.item.get(table.discriminator), asked_for)
        return found.from_item(self.item)


class Unavailable(StoreError):
    """The engine cannot answer now: throttled, unreachable, locked, or out of time."""

    status: ClassVar[int] = 503
    title = "The data store is not available"


class UnknownTable(StoreError):
    """No table of that name is declared, or it has not been created yet."""

    status: ClassVar[int] = 503
    title = "The data store is not complete"


class BeingUpgraded(StoreError):
    """A question that cannot be answered in full until an upgrade of the data is complete."""

    status: ClassVar[int] = 503
    title = "The data is being upgraded"
    retry_after = 5


class NewerData(StoreError):
    """A newer version of Commonroom has upgraded the data; this one would spoil it."""

    status: ClassVar[int] = 503
    title = "The data is of a newer version"


class NotAdditive(StoreError):
    """A declaration has changed in a way that what is stored cannot follow."""

    title = "The data model has changed too much"


class NoCredentials(StoreError):
    """DynamoDB needs credentials and there are none, or they are refused."""

    title = "No credentials for DynamoDB"


class NotSupported(StoreError):
    """The endpoint lacks something that Commonroom cannot do without."""

    title = "This endpoint is not supported"


class DamagedItem(StoreError):
    """A stored item that cannot be decoded; it is left as it is."""

    title = "This entry is damaged"

    def __init__(self, table: str, key: Key, reason: object) -> None:
        super().__init__(
            f"An item of {table} cannot be decoded ({reason}); `commonroom check` names it."
        )
        self.table = table
        self.key = key
        self.reason = str(reason)


class ForeignFile(StoreError):
    """A file that Commonroom did not write; it is left as it is."""

    title = "Not a Commonroom file"


class CorruptFile(StoreError):
    """A file that was Commonroom's and is damaged; it is left as it is."""

    status: ClassVar[int] = 503
    title = "The data file is damaged"
