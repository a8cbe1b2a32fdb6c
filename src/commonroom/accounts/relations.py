"""What counts what among people, and goes with them.

The number of administrators is by hand: they are nobody's.
"""

from __future__ import annotations

from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.tables import AddressClaim, Block, User
from commonroom.store import children, counts


def claim_of(user: User, email: str) -> AddressClaim:
    """Returns what reserves an address for an account."""
    return AddressClaim(address=email, user_id=user.user_id, made_at=user.created_at)


def has_claimed(user: User, claim: AddressClaim) -> bool:
    """Whether an account has the address of a claim, however it is typed."""
    return user.email is not None and claim_of(user, user.email).ref.key == claim.ref.key


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
        known=lambda it, user: it.blocked_id in user.blocked,
        known_by=("blocked",),
        unknown="It lists a person who is not blocked.",
    ),
    children(
        AddressClaim,
        on=User,
        lost="It is reserved for nobody.",
        check="addresses",
        known=lambda it, user: has_claimed(user, it),
        known_by=("email",),
        unknown="It is reserved for an account that does not have it.",
    ),
)
