"""The secret of installations in tests, and the code that it gives for their first account."""

from __future__ import annotations

from commonroom.settings import Settings
from commonroom.web.people.signup import first_account_code

SECRET_KEY = "a key that only tests ever use, and it is long"
CODE = first_account_code(Settings(secret_key=SECRET_KEY))
