"""`commonroom user`: accounts, for administrators of the installation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_columns, print_json
from commonroom.settings import Loaded, Settings

if TYPE_CHECKING:
    from commonroom.accounts.tables import User
    from commonroom.store import Store

R = TypeVar("R")
MAX_LINE = 10_000


@click.group("user")
def command() -> None:
    """Create, list and change accounts."""


@command.command("create")
@click.argument("email")
@click.option("--name", required=True, help="The name that others see.")
@click.option(
    "--password-file",
    type=click.File(),
    help="A file whose first line is the password; `-` reads standard input. Prompted for "
    "if not given.",
)
@click.option("--administrator", is_flag=True, help="Make this person an administrator.")
@with_settings
def create(
    loaded: Loaded, *, email: str, name: str, password_file: TextIO | None, administrator: bool
) -> None:
    """Create an account; the first one is an administrator’s."""
    password = _password(password_file)

    async def create_user(store: Store) -> User:
        from commonroom.accounts.service import administration, signup

        new = signup.NewAccount(email, name, password)
        if not await signup.is_set_up(store):
            return await signup.set_up(store, time.time(), new)
        user = await signup.sign_up(store, time.time(), "open", new)
        if administrator:
            await administration.make_administrator(store, user)
        return user

    user = _with_store(loaded.settings, create_user, create=True)
    click.echo(f"Created an account for {user.display_name} with {user.email}.")


def _password(file: TextIO | None) -> str:
    """Reads a password from a file or the terminal: others can see a command's arguments."""
    if file is not None:
        return file.readline(MAX_LINE).rstrip("\r\n")
    typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return typed


@command.command("list")
@with_settings
@json_option
def list_(loaded: Loaded, *, as_json: bool) -> None:
    """List all accounts."""

    async def load_users(store: Store) -> list[User]:
        from commonroom.accounts.service.administration import people

        found: list[User] = []
        cursor = None
        while True:
            page = await people(store, cursor=cursor)
            found += page.items
            cursor = page.cursor
            if cursor is None:
                return found

    users = _with_store(loaded.settings, load_users)
    if as_json:
        print_json([_shown(user) for user in users])
    elif not users:
        click.echo(
            "There are no accounts yet; `commonroom serve` shows a page to create the first."
        )
    else:
        print_columns([(user.email or "", user.display_name, _standing(user)) for user in users])


@command.command("reset-link")
@click.argument("email")
@with_settings
def reset_link(loaded: Loaded, *, email: str) -> None:
    """Print a link to choose a new password; it works once, within a day."""

    async def make_link(store: Store, user: User) -> str:
        from commonroom.accounts.service.passwords import make_reset_link

        return await make_reset_link(store, time.time(), user)

    secret = _with_person(loaded.settings, email, make_link)
    click.echo(f"{loaded.settings.address}/reset/{secret}")


@command.command("make-admin")
@click.argument("email")
@with_settings
def make_admin(loaded: Loaded, *, email: str) -> None:
    """Make a person an administrator."""

    async def change(store: Store, user: User) -> None:
        from commonroom.accounts.service import administration, signup

        if await signup.is_set_up(store):
            await administration.make_administrator(store, user)
        else:
            await administration.make_first_administrator(store, time.time(), user)

    _with_person(loaded.settings, email, change)
    click.echo(f"{email} is now an administrator.")


@command.command("remove-admin")
@click.argument("email")
@with_settings
def remove_admin(loaded: Loaded, *, email: str) -> None:
    """Remove a person as administrator."""
    from commonroom.accounts.service import administration

    _with_person(loaded.settings, email, administration.make_ordinary)
    click.echo(f"{email} is no longer an administrator.")


@command.command("disable")
@click.argument("email")
@with_settings
def disable(loaded: Loaded, *, email: str) -> None:
    """Disable an account without deleting anything."""
    from commonroom.accounts.service import administration

    now = time.time()
    _with_person(
        loaded.settings, email, lambda store, user: administration.disable(store, now, user)
    )
    click.echo(f"{email} is disabled.")


@command.command("enable")
@click.argument("email")
@with_settings
def enable(loaded: Loaded, *, email: str) -> None:
    """Enable an account that was disabled."""
    from commonroom.accounts.service import administration

    _with_person(loaded.settings, email, administration.enable)
    click.echo(f"{email} is enabled again.")


def _with_person(settings: Settings, email: str, work: Callable[[Store, User], Awaitable[R]]) -> R:
    """Returns what the work gives for the person with an e-mail address."""

    async def run(store: Store) -> R:
        from commonroom.accounts.service.administration import person_with

        return await work(store, await person_with(store, email))

    return _with_store(settings, run)


def _with_store(
    settings: Settings, work: Callable[[Store], Awaitable[R]], *, create: bool = False
) -> R:
    from commonroom.open_store import open_store

    async def run() -> R:
        async with open_store(settings, create=create) as store:
            return await work(store)

    return asyncio.run(run())


def _shown(user: User) -> dict[str, object]:
    return {
        "user_id": user.user_id,
        "email": user.email,
        "display_name": user.display_name,
        "is_admin": user.is_admin,
        "disabled_at": user.disabled_at,
        "created_at": user.created_at,
    }


def _standing(user: User) -> str:
    if user.disabled_at is not None:
        return "disabled"
    return "administrator" if user.is_admin else ""
