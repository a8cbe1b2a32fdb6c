"""What counts what among people, and goes with them.

The number of administrators is by hand: they are nobody's.
"""

from __future__ import annotations

from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.tables import Block, User
from commonroom.store import children, counts

RELATIONS = (
    counts(
        User,
        on=User,
        field="managed_count",
        refers={"user_id": "parent_user_id"},
        at_most=MAX_MANAGED,
    ),
    children(
        Block,
        on=User,
        lost="The person who blocked has no account any more.",
        check="blocks",
    ),
)
