"""The people of the API's tests, who call the operations of accounts."""

from __future__ import annotations

from tests.accounts.api.conftest import (
    ada,
    admin,
    app,
    ben,
    browser,
    calling,
    clock,
    guest,
    program,
    store,
)

__all__ = ["ada", "admin", "app", "ben", "browser", "calling", "clock", "guest", "program", "store"]
