"""The secret of installations in tests, and the code that it gives for their first account."""

from __future__ import annotations

from commonroom.accounts.signup import first_account_code
from commonroom.settings import Settings

SECRET_KEY = "a key that only tests ever use, and it is long"
CODE = first_account_code(Settings(secret_key=SECRET_KEY))
