"""Ben, what he shows to be recognised, and whatever may happen to that.

`python -m tests.http.authentication.somebody` lets it happen from another process: it takes lines
with a file and a name, and answers each when it is done.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest
from commonroom.accounts.service import (
    account_data,
    administration,
    passwords,
    profiles,
    sessions,
    tokens,
)
from commonroom.accounts.tables import (
    ApiToken,
    Installation,
    Session,
    User,
    tables,
    user_by_id,
)
from commonroom.errors import CommonroomError, NotFound
from commonroom.moments import iso
from commonroom.store import Store, create
from commonroom.store.embedded import EmbeddedEngine

COOKIE, TOKEN = "a-browsers-secret", "cr_a-programs-secret"
BEGINNING = 10.0**10
"""In a time that no clock reaches while tests run, so only theirs lets things run out."""

BROWSER = {"cookie": f"session={COOKIE}"}
PROGRAM = {"authorization": f"Bearer {TOKEN}"}
ACTING = {"x-acting-as-member": "managed_mia"}
STILL_ACTING = {"cookie": f"session={COOKIE}; acting_as=managed_mia"}
SHOWN = {
    "browser": BROWSER,
    "program": PROGRAM,
    "browser that says whom it acts for": BROWSER | ACTING,
    "browser that remembers whom it acts for": STILL_ACTING,
    "program that says whom it acts for": PROGRAM | ACTING,
}
BROWSERS = [who for who in SHOWN if who.startswith("browser")]
PROGRAMS = [who for who in SHOWN if who.startswith("program")]
ACTORS = [who for who in SHOWN if "acts for" in who]


async def furnish(store: Store) -> None:
    """Ben, whom he manages, a browser and a program of his, and Ada, who administers."""
    at = iso(BEGINNING)
    ben = User(
        user_id="ben",
        display_name="Ben",
        email="ben@example.org",
        managed_count=1,
        created_at=at,
    )
    mia = User(
        user_id="managed_mia",
        display_name="Mia",
        is_managed=True,
        parent_user_id="ben",
        created_at=at,
    )
    ttl = int(BEGINNING) + sessions.SESSION_SECONDS
    await store.write(
        create(Installation(user_id="ada", set_up_at=at)),
        create(User(user_id="ada", display_name="Ada", is_admin=True, created_at=at)),
        create(ben),
        create(mia),
        create(
            Session(digest=digest(COOKIE), user_id="ben", epoch=0, made_at=at, seen_at=at, ttl=ttl)
        ),
        create(
            ApiToken(
                digest=digest(TOKEN),
                user_id="ben",
                epoch=0,
                name="A program",
                scopes=["read"],
                made_at=at,
                used_at=at,
            )
        ),
    )


async def ben_in(store: Store) -> User:
    """Ben as he is stored now."""
    found = await store.get(user_by_id(user_id="ben"))
    if found is None:
        raise NotFound("Ben has left.")
    return found


async def sign_out(store: Store) -> None:
    """His browser is signed out."""
    await sessions.end_session(Context(store, await ben_in(store)), digest(COOKIE))


async def revoke(store: Store) -> None:
    """His token is revoked."""
    await tokens.revoke_token(Context(store, await ben_in(store)), digest(TOKEN))


async def end_everything(store: Store) -> None:
    """He signs out everywhere."""
    await sessions.end_all_sessions(store, await ben_in(store))


async def disable(store: Store) -> None:
    """He is kept out."""
    await administration.disable(store, BEGINNING, await ben_in(store))


async def enable(store: Store) -> None:
    """He is let in again."""
    await administration.enable(store, await ben_in(store))


async def new_password(store: Store) -> None:
    """He chooses another password."""
    secret = await passwords.make_reset_link(store, BEGINNING, await ben_in(store))
    await passwords.choose_new_password(store, BEGINNING, secret, "a loud evening elsewhere")


async def remove_mia(store: Store) -> None:
    """He no longer manages Mia."""
    await profiles.remove_managed(store, await ben_in(store), "managed_mia")


async def delete_account(store: Store) -> None:
    """He leaves for good."""
    await account_data.delete_account(store, await ben_in(store), typed=account_data.CONFIRMATION)


async def rename(store: Store) -> None:
    """He is called otherwise."""
    await profiles.change_profile(
        Context(store, await ben_in(store), BEGINNING), display_name="Benjamin"
    )


HAPPENINGS: dict[str, Callable[[Store], Awaitable[None]]] = {
    one.__name__: one
    for one in (
        sign_out,
        revoke,
        end_everything,
        disable,
        enable,
        new_password,
        remove_mia,
        delete_account,
        rename,
    )
}


async def happens(path: Path, name: str) -> None:
    """Lets something happen, through an engine of its own."""
    store = Store(EmbeddedEngine(path, tables, durability="OFF"))
    try:
        with suppress(CommonroomError):
            await HAPPENINGS[name](store)
    finally:
        await store.close()


if __name__ == "__main__":
    for line in sys.stdin:
        file, what = line.split()
        asyncio.run(happens(Path(file), what))
        print(what, flush=True)
