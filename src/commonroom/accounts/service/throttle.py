"""Throttle: how often something may be tried, counted in the store so that it holds everywhere.

A try is counted before it is made, by a conditional write: however many come at once, no more get
through. Each is forgotten in its turn; there is no window at whose end all are free again.

Failed sign-ins are also logged, one line each, in a form that programs such as fail2ban read.
"""

from __future__ import annotations

import hashlib
import logging
import unicodedata
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from ipaddress import ip_address
from math import ceil, log2
from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.accounts.errors import EmailTaken, LinkExpired, SignUpClosed
from commonroom.accounts.tables import Attempts
from commonroom.errors import InvalidField, RateLimited
from commonroom.moments import is_future
from commonroom.rate_limits import Rate, RateLimiter, neighbourhood_of, network_of
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    add,
    at_most,
    delete,
    equal,
    new,
    put,
    unmarked,
    update,
)

logger = logging.getLogger("commonroom.sign_in")
Means: TypeAlias = Literal["password", "passcode", "code", "link", "token"]
UNKNOWN_ADDRESS = "unknown"
LOG_LINES = Rate(burst=60, per_minute=30)
"""From one network, in one process: enough to be noticed, and not enough to fill a disk."""
_log_lines = RateLimiter(LOG_LINES)


class Limit(Struct, frozen=True):
    """So many tries at once, forgotten one after the other in so many seconds.

    With a `first_wait`, some more are let through after waits that double from it, until a wait is
    as long as forgetting one takes. Whatever a caller does, in `t` seconds no more than
    `most + t / forgets_one` of their tries get through.
    """

    what: str
    tries: int
    seconds: int
    first_wait: int = 0

    @property
    def forgets_one(self) -> int:
        """After how many seconds one try is forgotten."""
        return max(1, self.seconds // self.tries)

    @property
    def most(self) -> int:
        """How many tries can be remembered: the free ones, and those after growing waits."""
        if not self.first_wait:
            return self.tries
        return self.tries + max(0, ceil(log2(self.forgets_one / self.first_wait)))

    def wait(self, now: float, tried: Attempts) -> float:
        """Returns how long a caller without free tries still waits; 0 for no more."""
        full = tried.ttl - (self.most - 1) * self.forgets_one - now
        beyond = ceil((tried.ttl - now) / self.forgets_one - self.tries)
        since = now - (tried.last_at or 0) / 1000
        growing = self.first_wait * 2.0 ** max(0, min(beyond, self.most - self.tries)) - since
        return min(max(0.0, full, growing), self.forgets_one)

    def is_of_future(self, now: float, tried: Attempts) -> bool:
        """Whether tries were counted by a clock that has been set back since."""
        longest = self.most * self.forgets_one
        last_at = (tried.last_at or 0) / 1000
        return is_future(last_at, now) or is_future(tried.ttl - longest, now)


Counted: TypeAlias = tuple[Limit, str]
"""A limit, and whose tries it counts."""


class GuessLimits(Struct, frozen=True):
    """How often a secret may be guessed at: from one network, from those around it, by all."""

    from_network: Limit
    from_neighbourhood: Limit
    overall: Limit
    at_anything: Limit
    """From one network, whatever it guesses at."""

    def of(self, target: str, address: str, *, group: str = "") -> tuple[Counted, ...]:
        """All that counts a guess; each `group` of people has an overall limit of its own."""
        return (
            (self.at_anything, address),
            (self.from_network, f"{target} {network_of(address)}"),
            (self.from_neighbourhood, f"{target} {neighbourhood_of(address)}"),
            (self.overall, f"{target} {group}".strip()),
        )


SIGN_IN_TO_ACCOUNT = Limit("sign-in-account", 50, 50 * 600)
"""By browsers that were never signed in here before, from all networks together."""
SIGN_IN_FROM_ADDRESS = Limit("sign-in-address", 50, 50 * 60, first_wait=2)
SIGN_IN = GuessLimits(
    from_network=Limit("sign-in-network", 10, 10 * 900, first_wait=15),
    from_neighbourhood=Limit("sign-in-neighbourhood", 20, 20 * 900, first_wait=15),
    overall=SIGN_IN_TO_ACCOUNT,
    at_anything=SIGN_IN_FROM_ADDRESS,
)
SIGN_IN_BY_DEVICE = Limit("sign-in-device", 10, 10 * 900, first_wait=15)
"""By a browser in which the same account was signed in before."""
SIGN_UP_FROM_ADDRESS = Limit("sign-up-address", 20, 3600)
SIGN_UP_TAKEN_FROM_ADDRESS = Limit("sign-up-taken-address", 3, 3 * 3600, first_wait=60)
SIGN_UP_TAKEN_BY_INVITATION = Limit("sign-up-taken-invitation", 3, 3 * 3600, first_wait=60)
"""Where no mail is sent, a sign-up shows that an address has an account: a few times."""
INVITATION_FROM_ADDRESS = Limit("invitation-address", 20, 20 * 300, first_wait=15)
"""Wrong ones that are looked at before signing up: a room's may be as short as a code."""
ADDRESS_TAKEN = Limit("address-taken-account", 3, 3 * 3600, first_wait=60)
"""For taken addresses that a person wants to change theirs to."""
PASSWORD_AGAIN = Limit("password-again", 10, 10 * 900, first_wait=15)
"""Asking a signed-in person for their password."""
RESET_FROM_ADDRESS = Limit("reset-address", 20, 3600)
FORGOTTEN_FROM_ADDRESS = Limit("forgotten-address", 20, 3600)
FORGOTTEN_OF_ACCOUNT = Limit("forgotten-account", 5, 3600)
CONFIRMATION_OF_ACCOUNT = Limit("confirmation-account", 5, 3600)
CONFIRMATION_TO_ADDRESS = Limit("confirmation-to", 5, 3600)
"""Letters to people who never asked for any."""

CROWDED = 5
"""How often a try is counted anew that others got before, until a crowd is asked to wait."""


async def count_try(store: Store, now: float, limit: Limit, who: str) -> None:
    """Counts one more try, and refuses it where there have been too many.

    An address is counted as its network. What is stored goes by TTL, with the last try that it
    remembers: its TTL is nothing but their number in seconds.
    """
    named, cost, moment = _named(who), limit.forgets_one, int(now * 1000)
    ref = Attempts.at(what=limit.what, who=named)
    one_more = {"count": add(1), "ttl": add(cost), "last_at": moment}
    is_free = at_most(ttl=int(now) + (limit.tries - 1) * cost)
    for _ in range(CROWDED):
        try:
            await _write(store, update(ref, **one_more, if_=is_free))
        except ConditionFailed as failed:
            tried = failed.entity
        else:
            return
        is_first = tried is None or limit.is_of_future(now, tried)
        if not is_first and (wait := limit.wait(now, tried)) > 0:
            raise RateLimited(ceil(wait)) from None
        same = new if tried is None else equal(ttl=tried.ttl, last_at=tried.last_at)
        with suppress(ConditionFailed):  # another process was faster, and this one perhaps waits
            if is_first:
                first = Attempts(
                    what=limit.what, who=named, count=1, ttl=int(now) + cost, last_at=moment
                )
                await _write(store, put(first, if_=same))
            else:
                await _write(store, update(ref, **one_more, if_=same))
            return
    raise RateLimited(1)  # a crowd is trying, and a try that was not counted is none


@asynccontextmanager
async def guessing(
    store: Store,
    now: float,
    *limits: Counted,
    wrong: type[Exception] | tuple[type[Exception], ...],
    unmade: tuple[type[Exception], ...] = (),
    counted: Sequence[Counted] = (),
) -> AsyncIterator[None]:
    """Counts a guess before it is made, and takes it back unless it turns out to be wrong.

    Also where it was refused before anything was compared, which the errors `unmade` say; and with
    it what was `counted` before.

    Counting first is what holds when a thousand guesses come at once; taking back, rather than
    forgetting, is what keeps a caller who knows one answer from guessing others for ever.
    """
    taken: list[Counted] = list(counted)
    no_guess: tuple[type[Exception], ...] = (RateLimited, *unmade)
    try:
        for limit, who in limits:
            await count_try(store, now, limit, who)
            taken.append((limit, who))
        yield
    except wrong:
        raise
    except no_guess:
        await _take_back(store, taken)
        raise
    else:
        await _take_back(store, taken)


def finding_out_by_sign_up(
    store: Store, now: float, address: str, invitation: str
) -> AbstractAsyncContextManager[None]:
    """Counts that a caller learned of an account by signing up with its address."""
    limits = [(SIGN_UP_TAKEN_FROM_ADDRESS, address)]
    if invitation:
        limits.append((SIGN_UP_TAKEN_BY_INVITATION, invitation))
    unmade = (InvalidField, LinkExpired, SignUpClosed)
    return guessing(store, now, *limits, wrong=EmailTaken, unmade=unmade)


async def take_back_try(store: Store, limit: Limit, who: str) -> None:
    """A try that turned out to be none of those that are limited; the others still count.

    The next one need not wait for it. That makes no more wrong ones possible: the right one itself
    had to wait as long.
    """
    ref = Attempts.at(what=limit.what, who=_named(who))
    with suppress(ConditionFailed):  # all are forgotten
        less = update(ref, count=add(-1), ttl=add(-limit.forgets_one), last_at=None)
        await _write(store, less)


async def forget_tries(store: Store, limit: Limit, who: str) -> None:
    """After a success, earlier failures no longer count."""
    await _write(store, delete(Attempts.at(what=limit.what, who=_named(who))))


async def _take_back(store: Store, counted: Sequence[Counted]) -> None:
    for limit, who in counted:
        await take_back_try(store, limit, who)


async def _write(store: Store, change: Write) -> None:
    """Counts beside what is tried, of which it is no part."""
    with unmarked():
        await store.write(change)


def _named(who: str) -> str:
    # People type anything into the field of an address; a key takes only so much of it. What is
    # one account must be one name, however it is typed.
    plain = network_of(unicodedata.normalize("NFC", who).strip().casefold())
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:32]


def log_failed_sign_in(by: Means, address: str) -> None:
    """Logs that a wrong secret was shown, and from where.

    Nothing that they typed: people type passwords into any field. Nor whether anybody has the
    account. The address is one, or is not named: its text, chosen by the caller, is not logged.
    """
    if not _log_lines.take(network_of(address)):
        logger.warning("sign-in failed by=%s address=%s", by, _plain_address(address))


@contextmanager
def failures_logged(by: Means, address: str, wrong: tuple[type[Exception], ...]) -> Iterator[None]:
    """Writes down a guess that is wrong, or is refused because so many were."""
    refused: tuple[type[Exception], ...] = (*wrong, RateLimited)
    try:
        yield
    except refused:
        log_failed_sign_in(by, address)
        raise


def _plain_address(address: str) -> str:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN_ADDRESS
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
