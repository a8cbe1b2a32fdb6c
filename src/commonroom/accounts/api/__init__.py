"""People for programs: the accounts' part of the JSON API."""

from commonroom.accounts.api import (
    account_data,
    administration,
    blocks,
    calendar_feed,
    email_addresses,
    passwords,
    profiles,
    sessions,
    signup,
    tokens,
)
from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router

HEADINGS = (
    "Sign-in and sign-up",
    "My account",
    "Sessions and tokens",
    "Managed members",
    "Administrators",
)
"""Of the documentation, in its order."""
MODULES = (
    signup,
    sessions,
    passwords,
    profiles,
    email_addresses,
    account_data,
    tokens,
    calendar_feed,
    blocks,
    administration,
)


def people_api() -> Router:
    """Returns the router of the house's API; a room's API is one as well."""
    operations = operation_routes(*(part.api for part in MODULES))
    operations.sort(key=lambda one: HEADINGS.index(one.tag))
    return Router("/api/v1", operations)
