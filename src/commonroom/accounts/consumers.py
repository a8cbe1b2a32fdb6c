"""After an account was deleted: blocks by them and of them go."""

from __future__ import annotations

from commonroom.accounts.service.blocks import forget_block
from commonroom.accounts.tables import Block, User, blocks_of
from commonroom.store import Store, delete
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.streams import Change, Consumer


async def clear_blocks(store: Store, change: Change) -> None:
    """Forgets whom a person who is gone had blocked, and who had blocked them."""
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: User = change.old
    theirs = [delete(Block.at(blocked_id=one, user_id=gone.user_id)) for one in gone.blocked]
    for start in range(0, len(theirs), REQUEST_OPERATIONS):
        await store.write(*theirs[start : start + REQUEST_OPERATIONS])
    async for one in store.all(blocks_of(blocked_id=gone.user_id), limit=REQUEST_OPERATIONS):
        await forget_block(store, one)


BLOCKS = Consumer("accounts-blocks", (User,), clear_blocks)
