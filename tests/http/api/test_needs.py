"""Who may ask for what, in one table; the code has to agree with it."""

from __future__ import annotations

from typing import Any

from commonroom.http.openapi.document import operations
from tests.accounts.api.calling import V1, api

TABLE = """
POST    /setup                            anyone
POST    /accounts                         anyone
POST    /session                          anyone
DELETE  /session                          anyone
POST    /resets                           anyone
POST    /sign-ups/{secret}                anyone
POST    /resets/{secret}                  anyone
GET     /me                               signed in
PATCH   /me                               signed in, and not acting for somebody
DELETE  /me                               signed in with a browser, password given lately
PUT     /me/address                       signed in with a browser, and not acting for somebody
DELETE  /me/new-address                   signed in with a browser, and not acting for somebody
POST    /me/confirmation                  signed in with a browser, and not acting for somebody
POST    /confirmations/{secret}           signed in with a browser, and not acting for somebody
PUT     /me/password                      signed in with a browser, and not acting for somebody
PUT     /me/password-confirmation         signed in with a browser, and not acting for somebody
GET     /me/export                        signed in, and not acting for somebody
GET     /me/sessions                      signed in, and not acting for somebody
DELETE  /me/sessions                      signed in with a browser, and not acting for somebody
DELETE  /me/sessions/{digest}             signed in, and not acting for somebody
GET     /me/tokens                        signed in, and not acting for somebody
POST    /me/tokens                        signed in with a browser, password given lately
DELETE  /me/tokens/{digest}               signed in, and not acting for somebody
GET     /me/calendar-feed                 signed in, and not acting for somebody
POST    /me/calendar-feed                 signed in with a browser, and not acting for somebody
DELETE  /me/calendar-feed                 signed in, and not acting for somebody
GET     /me/blocked                       signed in, and not acting for somebody
POST    /me/blocked                       signed in, and not acting for somebody
DELETE  /me/blocked/{person}              signed in, and not acting for somebody
GET     /me/members                       signed in, and not acting for somebody
POST    /me/members                       signed in, and not acting for somebody
GET     /me/members/{member_id}           signed in, and not acting for somebody
PATCH   /me/members/{member_id}           signed in, and not acting for somebody
DELETE  /me/members/{member_id}           signed in, and not acting for somebody
GET     /people                           administrator
POST    /people/{user_id}/reset-link      administrator with a browser, password given lately
PUT     /people/{user_id}/administrator   administrator with a browser, password given lately
DELETE  /people/{user_id}/administrator   administrator with a browser, password given lately
PUT     /people/{user_id}/disabled        administrator with a browser, password given lately
DELETE  /people/{user_id}/disabled        administrator with a browser, password given lately
GET     /invitations                      administrator
POST    /invitations                      administrator
DELETE  /invitations/{digest}             administrator
"""


def test_every_operation_needs_what_the_table_says() -> None:
    store: Any = None
    table = {tuple(line.split(maxsplit=2)) for line in TABLE.strip().splitlines()}
    declared = {
        (method.upper(), path.removeprefix(V1), route.need.value)
        for path, method, route in operations(api(store))
    }
    assert declared == table
