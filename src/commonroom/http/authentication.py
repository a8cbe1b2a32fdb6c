"""Who is asking: a guest, a person in a browser, or a program with a token."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from hashlib import blake2b
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.accounts import rules
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.service.throttle import log_failed_sign_in
from commonroom.accounts.tables import ApiToken, Scope, Session, User, user_by_id
from commonroom.errors import Unauthorized
from commonroom.http import asgi
from commonroom.http.client_address import client_of
from commonroom.http.headers import cookie_in, header_in
from commonroom.http.timed_cache import TimedCache
from commonroom.http.versioned_cache import VersionedCache
from commonroom.store import Ref, Store

if TYPE_CHECKING:
    from commonroom.http.application import State
    from commonroom.http.request import Request

COOKIE = "session"
SECURE_COOKIE = "__Host-session"
ACTING_HEADER = "x-acting-as-member"
ACTING_COOKIE = "acting_as"
SHOWING = frozenset({b"authorization", b"cookie", ACTING_HEADER.encode()})
"""The headers that say who asks."""


class Caller(Struct, frozen=True):
    """The caller of a request; a guest has no account."""

    account: User | None = None
    session: Session | None = None
    token: ApiToken | None = None
    acting_as: User | None = None

    @property
    def person(self) -> User:
        """The account; refused where there is none."""
        if self.account is None:
            raise Unauthorized("Please sign in, or send an API token.")
        return self.account

    @property
    def browser_session(self) -> Session:
        """The browser's session; refused where there is none."""
        if self.session is None:
            raise Unauthorized("Please sign in with a browser.")
        return self.session

    @property
    def member(self) -> User:
        """Whom the request is for: the managed member that is acted for, or the person."""
        return self.acting_as or self.person

    @property
    def is_admin(self) -> bool:
        """Whether an administrator asks, for themselves."""
        return self.account is not None and self.account.is_admin and self.acting_as is None

    @property
    def may_see_secrets(self) -> bool:
        """Whether links and codes are shown that let others in, also after the caller lost access.

        Neither to a token that may only read, nor to a managed member.
        """
        return self.account is not None and self.acting_as is None and self.may("write")

    def confirmed_lately(self, now: float) -> bool:
        """Whether the person gave their password in this browser a short while ago."""
        return self.session is not None and sessions.is_confirmed(self.session, now)

    def may(self, scope: Scope) -> bool:
        """Whether the token allows this; a browser may do whatever its person may."""
        return self.token is None or scope in self.token.scopes


CallerCache: TypeAlias = VersionedCache[Caller] | TimedCache[Caller]


async def caller_of(request: Request, now: float, *, fresh: bool = False) -> Caller:
    """Works out who asks, once per request; `fresh` means as the store has it now."""
    scope = request.scope
    known: Caller | None = scope["state"].get("caller")
    if known is None:
        known = await _find_caller(request, now, fresh=fresh)
        scope["state"]["caller"] = known
    return known


def credentials_in(scope: Any) -> Hashable | None:
    """Returns a digest of the request's credentials, so that no secret is remembered.

    The scheme says which cookie counts, so it belongs to it. None where nothing is shown.
    """
    # No header holds the end of a line, so none can be taken for two.
    credentials = [b"%b:%b" % header for header in scope["headers"] if header[0] in SHOWING]
    return (scope["scheme"], blake2b(b"\n".join(credentials)).digest()) if credentials else None


async def _find_caller(request: Request, now: float, *, fresh: bool) -> Caller:
    """Returns the caller with a request's credentials: from the cache, or else looked up."""
    credentials = credentials_in(request.scope)
    if credentials is None:
        return Caller()
    cache = _cache(request.app.state)
    key = cache.key_for(credentials)
    known = None if key is None else cache.find(key, now, fresh=fresh)
    if known is None:
        known = await _acting(request, await _recognised(request, now))
        if key is not None:
            cache.keep(key, known, now, _good_until(known))
    return known


def _cache(state: State) -> CallerCache:
    try:
        cache: CallerCache = state.caller_cache
    except AttributeError:
        cache = state.caller_cache = _new_cache(state.store)
    return cache


def _new_cache(store: Store) -> CallerCache:
    """Exact where the engine numbers its changes, and else for a few seconds."""
    if store.engine.change_number() is not None:
        return VersionedCache(store.engine.change_number)
    return TimedCache(store.own_writes, _items_of)


def _items_of(caller: Caller) -> list[Ref[Any]]:
    """Returns the items that say who a caller is."""
    items = (caller.account, caller.session, caller.token, caller.acting_as)
    return [one.ref for one in items if one is not None]


def _good_until(caller: Caller) -> float:
    """When a caller must be looked up again: it is noted that they were here, or they run out."""
    if caller.session is not None:
        # Long before it runs out, which is counted from when it was last noted.
        return caller.session.ttl - sessions.SESSION_SECONDS + sessions.SEEN_EVERY_SECONDS
    if caller.token is None or caller.token.used_at is None:
        return 0.0
    used = datetime.fromisoformat(caller.token.used_at).timestamp()
    return min(caller.token.ttl or inf, used + tokens.USED_EVERY_SECONDS)


async def _recognised(request: Request, now: float) -> Caller:
    store: Store = request.app.state.store
    bearer = bearer_secret(request.scope)
    if bearer is not None:
        by_token = await tokens.find_token(store, now, bearer) if bearer else None
        if by_token is None:
            log_failed_sign_in("token", client_of(request)["address"])
            raise Unauthorized("This token is unknown or no longer valid.")
        return Caller(account=by_token[0], token=by_token[1])
    cookie = session_secret(request.scope)
    found = await sessions.signed_in(store, now, cookie) if cookie else None
    return Caller() if found is None else Caller(account=found[0], session=found[1])


async def _acting(request: Request, caller: Caller) -> Caller:
    """Returns the caller, acting for a member they manage where the request says so."""
    named = header_in(request.scope, ACTING_HEADER)
    member_id = named or (cookie_in(request.scope, ACTING_COOKIE) if caller.session else None)
    if not member_id or caller.account is None:
        return caller
    store: Store = request.app.state.store
    member = await store.get(user_by_id(user_id=member_id[:200]))
    if named is None and (member is None or member.parent_user_id != caller.account.user_id):
        return caller  # a cookie left over from before; a header is meant, and refused if wrong
    acting = rules.may_act_as(caller.account, member)
    return Caller(caller.account, caller.session, caller.token, acting)


def session_secret(scope: asgi.Scope) -> str | None:
    """Returns the secret in the browser's cookie."""
    name = SECURE_COOKIE if scope.get("scheme") == "https" else COOKIE
    return cookie_in(scope, name)


def bearer_secret(scope: asgi.Scope) -> str | None:
    """The secret that a program shows; empty where it shows something else, None where nothing."""
    kind, _, secret = (header_in(scope, "authorization") or "").partition(" ")
    if not secret:
        return None
    return secret if kind.lower() == "bearer" else ""
