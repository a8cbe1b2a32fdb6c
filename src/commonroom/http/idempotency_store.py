"""What was answered to a request with a key: for a day, sealed with the caller's own secret."""

from __future__ import annotations

import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.tables import DoneBefore
from commonroom.errors import BadRequest, IdempotencyKeyReused, RequestInProgress, ResponseLost
from commonroom.http.authentication import bearer_secret, session_secret
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.moments import is_future
from commonroom.sealed_tokens import InvalidToken, Sealer
from commonroom.store import (
    CompletionMark,
    Condition,
    ConditionFailed,
    Store,
    absent,
    as_read,
    create,
    delete,
    equal,
    new,
    put,
    unequal,
    update,
)

RESPONSE_SECONDS = 24 * 3600
UNDER_WAY_SECONDS = 120
"""How long a request may take. One that never ended must not be in the way for a day."""
LARGEST = 256 * 1024
"""What fits in an item, with some room."""
MAX_OF_GUEST = 64 * 1024
MIN_GUEST_KEY, MIN_CHARACTERS = 20, 8
"""A guest's key is their only secret: a UUID is long enough, a number is not."""

# Nothing was done, so the same request may well succeed later: it was not understood, not let in,
# told to wait, or it met a fault of ours.
NOT_STORED = frozenset({400, 401, 413, 415, 429})

STORED_HEADERS = frozenset({b"content-type", b"cache-control", b"etag", b"location"})


class RecordedResponse(Struct, frozen=True):
    """An answer."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class IdempotentRequest(Struct, frozen=True):
    """A request with a key, and how its answer is sealed.

    Answers hold what is shown once, such as a token's secret, of which we store only a digest. So
    an answer is kept as nobody can read it who has only the database: under a key that is made of
    what the caller shows, their cookie's or token's secret, and of the idempotency key. A caller
    who asks again shows both.

    A guest has no secret but the key itself, which is therefore long. Under it alone their answer
    is found, from whatever network they ask again.
    """

    user_id: str
    request_key: str
    fingerprint: str
    sealer: Sealer
    attempt_id: str
    is_guest: bool = False

    @classmethod
    def of(cls, request: Request, key: str, body: bytes) -> IdempotentRequest:
        """Returns a request with this key."""
        scope, caller = request.scope, request.caller
        is_guest = caller.account is None
        if is_guest:
            _check_guest_key(key)
        secret = "" if is_guest else bearer_secret(scope) or session_secret(scope) or ""
        parts = (
            scope["method"],
            scope["path"],
            scope["query_string"].hex(),
            "" if is_guest else caller.member.user_id,
            header_in(scope, "content-type") or "",
            body.hex(),
        )
        return cls(
            user_id=_guest(key) if is_guest else caller.person.user_id,
            request_key=_digest("key", key).hex(),
            fingerprint=_digest("request", *parts).hex(),
            sealer=Sealer(_digest("seal", secret, key)),
            attempt_id=secrets.token_hex(8),
            is_guest=is_guest,
        )

    def is_worth_keeping(self, status: int) -> bool:
        """Whether to remember an answer: of a guest's, only what was done takes room."""
        if self.is_guest:
            return status < HTTPStatus.MULTIPLE_CHOICES
        return status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in NOT_STORED

    async def keep(
        self, store: Store, now: float, answer: RecordedResponse, *, with_body: bool
    ) -> None:
        """Remembers the answer for a day; without its body, only that it was given."""
        fits = with_body and len(answer.body) <= (MAX_OF_GUEST if self.is_guest else LARGEST)
        plain_headers = {name.decode(): value.decode("latin-1") for name, value in answer.headers
                if name in STORED_HEADERS}  # fmt: skip
        try:
            await store.write(
                update(
                    self._place,
                    status=answer.status,
                    headers=plain_headers,
                    body=self.sealer.seal(answer.body, self._purpose) if fits else b"",
                    ttl=int(now) + RESPONSE_SECONDS,
                    if_=self._is_own & absent("status"),
                )
            )
        except ConditionFailed:
            return  # it took so long that another request has begun

    async def forget(self, store: Store, status: int) -> None:
        """Lets the same request be tried again, unless a fault of ours came after it was done."""
        is_fault = status >= HTTPStatus.INTERNAL_SERVER_ERROR
        is_undone = self._is_own & unequal(is_done=True) if is_fault else self._is_own
        try:
            await store.write(delete(self._place, if_=is_undone))
        except ConditionFailed:
            return  # it was done, or another request has begun

    def replay(self, before: DoneBefore) -> RecordedResponse:
        """What was answered before; refused where it was not the same request, or is not over."""
        if before.fingerprint != self.fingerprint:
            raise IdempotencyKeyReused("This Idempotency-Key was already used for another request.")
        if before.status is None:
            raise _lost() if before.is_done else _in_progress()
        headers = [
            (name.encode(), value.encode("latin-1")) for name, value in before.headers.items()
        ]
        body = self._opened(before.body)
        if body:
            headers.append((b"content-length", b"%d" % len(body)))
        return RecordedResponse(before.status, headers, body)

    def is_abandoned(self, before: DoneBefore, now: float) -> bool:
        """Whether a reservation is of a clock that has been set back, and would last as long."""
        is_reserved = before.status is None and not before.is_done
        return is_reserved and is_future(before.ttl - UNDER_WAY_SECONDS, now)

    async def take_over(self, store: Store, now: float, before: DoneBefore) -> None:
        """Reserves the key in place of a reservation that nobody needs any more."""
        same = as_read(before, "attempt_id", "is_done", "status")
        try:
            await store.write(put(self.reservation(now), if_=same))
        except ConditionFailed:
            raise _in_progress() from None

    def reservation(self, now: float) -> DoneBefore:
        """That the request is under way."""
        return DoneBefore(
            user_id=self.user_id,
            request_key=self.request_key,
            fingerprint=self.fingerprint,
            attempt_id=self.attempt_id,
            ttl=int(now) + UNDER_WAY_SECONDS,
        )

    def completion_mark(self, now: float) -> CompletionMark:
        """That the request was carried out, for its first write to take along.

        Also where the reservation has run out meanwhile, and nobody else has the key.
        """
        done = replace(self.reservation(now), is_done=True, ttl=int(now) + RESPONSE_SECONDS)
        return CompletionMark(put(done, if_=new | self._is_own), _in_progress)

    @property
    def _place(self) -> Any:
        return DoneBefore.at(user_id=self.user_id, request_key=self.request_key)

    @property
    def _is_own(self) -> Condition:
        return equal(attempt_id=self.attempt_id)

    @property
    def _purpose(self) -> bytes:
        return self.fingerprint.encode()

    def _opened(self, sealed: bytes) -> bytes:
        try:
            return self.sealer.open(sealed, self._purpose)
        except InvalidToken:
            raise RequestInProgress(
                "This request was already handled. Its response is only for the session "
                "or token that sent it, or was too large to keep."
            ) from None


async def begin(store: Store, now: float, idempotent: IdempotentRequest) -> RecordedResponse | None:
    """Reserves the key, unless it was used before: then what was answered."""
    try:
        await store.write(create(idempotent.reservation(now)))
    except ConditionFailed as failed:
        before = failed.entity
        if before is None:
            raise _in_progress() from None
        if not idempotent.is_abandoned(before, now):
            return idempotent.replay(before)
        await idempotent.take_over(store, now, before)
    return None


def _in_progress() -> RequestInProgress:
    return RequestInProgress("The same request is still in progress.", retry_after=1)


def _lost() -> ResponseLost:
    return ResponseLost(
        "This request was carried out, but its response was lost when the server stopped. "
        "Look at the result before you send it again with another Idempotency-Key."
    )


def _guest(key: str) -> str:
    """Under whom a guest's answer is kept: each in a partition of its own."""
    return f"guest {_digest('guest', key).hex()}"


def _check_guest_key(key: str) -> None:
    if len(key) < MIN_GUEST_KEY or len(set(key)) < MIN_CHARACTERS:
        raise BadRequest(
            f"Without an account, an Idempotency-Key needs at least {MIN_GUEST_KEY} "
            "random characters, such as a UUID: anyone who knows it gets the same "
            "response.",
            field="Idempotency-Key",
        )


def _digest(*parts: str) -> bytes:
    """Returns one digest of several texts; their lengths keep them apart."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
