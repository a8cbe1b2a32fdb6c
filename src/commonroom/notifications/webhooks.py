"""Webhooks: the addresses at which programs receive notifications, made, tried and deleted."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from typing import Literal, TypeAlias
from uuid import uuid4

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.moments import elapsed, iso, past, seconds
from commonroom.notifications.push_subscriptions import is_address
from commonroom.notifications.tables import Webhook, webhooks_of
from commonroom.settings import Secrets
from commonroom.store import ConditionFailed, Store, check, create, delete, equal, stored, update
from commonroom.texts import fit_line

INSTALLATION = "installation"
"""Whose the webhooks of the house are: no person's id is like this."""
MAX_WEBHOOKS = 5
MAX_NAME = 60
SECRET_BYTES = 32
SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with
TEST_SECONDS = 10
"""How soon one may be tried again."""
RETRIED_SECONDS = 24 * 3600
"""Who fails for longer is tried once with every notification, and holds nobody else up."""
GIVEN_UP_SECONDS = 7 * 24 * 3600
SEEN_EVERY_SECONDS = 3600
"""How often it is noted that all is well."""

Outlook: TypeAlias = Literal["later", "not now", "given up"]
"""Whether trying again soon may help, whether only the next message is tried, or nothing more."""


class TooManyWebhooks(Conflict):
    """There are as many webhooks as anybody may have."""

    title = "No room for another webhook"


class AlreadyTesting(Conflict):
    """It was tried a moment ago."""

    title = "A test is already under way"


async def list_webhooks(store: Store, owner: str) -> list[Webhook]:
    """Returns all webhooks of a person or of the house: one request."""
    return (await store.page(webhooks_of(user_id=owner), limit=MAX_WEBHOOKS)).items


async def make_webhook(ctx: Context, owner: str, *, name: str, address: str) -> Webhook:
    """Another webhook for a person or the house; it is tried at once."""
    named = fit_line("name", name, MAX_NAME)
    address = address.strip()
    if not is_address(address):
        raise InvalidField("address", "Enter an address that begins with https://.")
    now = iso(ctx.now)
    for slot in range(MAX_WEBHOOKS):
        made = Webhook(
            user_id=owner,
            slot=slot,
            webhook_id=uuid4().hex,
            name=named,
            address=address,
            epoch=ctx.person.epoch,
            since=now,
            tested_at=now,
        )
        try:
            # A person deleted in this moment leaves nothing behind.
            await ctx.store.write(create(made), check(ctx.person, if_=stored))
        except ConditionFailed as failed:
            if failed.index == 1:
                raise AccountDeleted from None
            continue  # this place is taken
        return made
    raise TooManyWebhooks(f"Delete one first: there can be {MAX_WEBHOOKS} webhooks.")


async def delete_webhook(ctx: Context, owner: str, webhook_id: str) -> None:
    """Ends a webhook: nothing more is sent there."""
    found = await _find(ctx, owner, webhook_id)
    with suppress(ConditionFailed):  # another request was quicker
        await ctx.store.write(delete(found, if_=equal(webhook_id=webhook_id)))


async def request_test(ctx: Context, owner: str, webhook_id: str) -> Webhook:
    """Lets it be tried, also one that was given up."""
    found = await _find(ctx, owner, webhook_id)
    if elapsed(seconds(found.tested_at), ctx.now) < TEST_SECONDS:
        raise AlreadyTesting("Wait a few seconds, then try again.")
    tried = replace(found, tested_at=iso(ctx.now), disabled_at=None, failing_since=None)
    held = equal(webhook_id=webhook_id, tested_at=found.tested_at)
    changes = {"disabled_at": None, "failing_since": None}
    try:
        await ctx.store.write(update(found, if_=held, tested_at=tried.tested_at, **changes))
    except ConditionFailed:
        raise AlreadyTesting("Wait a few seconds, then try again.") from None
    return tried


async def _find(ctx: Context, owner: str, webhook_id: str) -> Webhook:
    for one in await list_webhooks(ctx.store, owner):
        if one.webhook_id == webhook_id:
            return one
    raise NotFound("This webhook does not exist.")


def is_active(webhook: Webhook, person: User | None) -> bool:
    """Whether something is sent there; `person` is whose it is, None for one of the house."""
    if webhook.disabled_at is not None:
        return False
    return person is None or webhook.epoch == person.epoch


def secret_of(secrets: Secrets, webhook: Webhook) -> str:
    """What its messages are signed with. It is worked out and not stored: no backup holds it."""
    derived = secrets.derived(f"webhook {webhook.webhook_id}", SECRET_BYTES)
    return SECRET_PREFIX + b64encode(derived).decode()


async def mark_delivered(store: Store, now: float, webhook: Webhook) -> None:
    """Notes that it works, not more often than anybody looks."""
    seen = webhook.delivered_at
    if webhook.problem is None and seen and elapsed(seconds(seen), now) < SEEN_EVERY_SECONDS:
        return
    await _note(store, webhook, delivered_at=iso(now), failing_since=None, problem=None)


async def mark_failed(store: Store, now: float, webhook: Webhook, problem: str) -> Outlook:
    """Notes that it failed and why; returns what is to be hoped of it."""
    since = past(webhook.failing_since, now) or now
    ended = iso(now) if now - since > GIVEN_UP_SECONDS else None
    is_noted = await _note(
        store, webhook, failing_since=iso(since), problem=problem, disabled_at=ended
    )
    if is_noted and ended:
        return "given up"
    return "later" if is_retried(webhook, now) else "not now"


def is_retried(webhook: Webhook, now: float) -> bool:
    """Whether what it does not take is sent again."""
    since = past(webhook.failing_since, now)
    return since is None or now - since <= RETRIED_SECONDS


async def _note(store: Store, webhook: Webhook, **changes: str | None) -> bool:
    # One that takes the same place is another; so is one that was tried again meanwhile.
    held = equal(webhook_id=webhook.webhook_id, disabled_at=webhook.disabled_at)
    try:
        await store.write(update(webhook, if_=held, **changes))
    except ConditionFailed:
        return False
    return True
