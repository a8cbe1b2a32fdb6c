"""Attacks on who gets in: with a token that may read or administer, or by being the first.

Each is given a server's host and port, does a bounded number of requests, and returns figures.
"""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from typing import Any

from msgspec import Struct

V1 = "/api/v1"
SECONDS = 60
STRANGER = {"X-Forwarded-For": "203.0.113.7"}
"""What a proxy says of somebody who is not at the machine."""
OWNER = {
    "email": "owner@example.org",
    "display_name": "Owner",
    "password": "a lamp in the hall",
}
OTHER = {
    "email": "other@example.org",
    "display_name": "Other",
    "password": "a kettle on the stove",
}


class Reply(Struct, frozen=True):
    """What a server answered."""

    status: int
    text: str
    cookie: str

    @property
    def body(self) -> Any:
        """The JSON in it."""
        return json.loads(self.text)


class Caller:
    """Somebody who asks, over a connection of its own each time."""

    def __init__(self, host: str, port: int, **headers: str) -> None:
        self._at, self._headers = (host, port), headers

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """One request."""
        given = {"Content-Type": "application/json"} | self._headers | headers
        with closing(http.client.HTTPConnection(*self._at, timeout=SECONDS)) as connection:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
            connection.request(method, path, sent, given)
            answer = connection.getresponse()
            cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
            return Reply(answer.status, answer.read().decode(errors="replace"), cookie)

    def browser(self, person: dict[str, str]) -> Caller:
        """A browser in which somebody has signed in."""
        known = {name: person[name] for name in ("email", "password")}
        answer = self.ask("POST", f"{V1}/session", known)
        assert answer.status == 201, answer.text
        return Caller(*self._at, Cookie=answer.cookie)

    def program(self, browser: Caller, *scopes: str) -> Caller:
        """A program with a token that a browser makes for it."""
        new = {"name": "attack", "scopes": list(scopes), "days": 1}
        answer = browser.ask("POST", f"{V1}/me/tokens", new)
        assert answer.status == 201, answer.text
        return Caller(*self._at, Authorization=f"Bearer {answer.body['secret']}")


def take_the_first_account(host: str, port: int, guesses: int = 40) -> dict[str, int]:
    """Guesses the code for the first account from elsewhere; needs a server without an account."""
    stranger = Caller(host, port, **STRANGER)
    statuses = [stranger.ask("POST", f"{V1}/setup", OTHER).status]
    for number in range(guesses):
        code = f"{number:05}-{number:05}"
        statuses.append(stranger.ask("POST", f"{V1}/setup", OTHER | {"code": code}).status)
    return {
        "guesses": len(statuses),
        "refused": statuses.count(422),
        "told to wait": statuses.count(429),
        "accounts taken": statuses.count(201),
    }


def let_somebody_in_with_a_read_token(
    host: str, port: int, owner: dict[str, str] = OWNER
) -> dict[str, int]:
    """Looks for a household's invite with a token that may only read, and with what is stored.

    Needs an account that is in no household, or has created one.
    """
    nobody = Caller(host, port)
    browser = nobody.browser(owner)
    reader, writer = nobody.program(browser, "read"), nobody.program(browser, "read", "write")
    home = (
        browser.ask("GET", f"{V1}/me").body["household_id"]
        or (browser.ask("POST", f"{V1}/households", {"name": "Home"}).body["group_id"])
    )
    invites = f"{V1}/households/{home}/invites"
    made = browser.ask("POST", invites).body
    token = made["invite_token"]
    readable = (
        invites,
        "/movie-night/household/invites",
        "/movie-night/household",
        "/movie-night",
        f"{V1}/households/{home}",
        f"{V1}/me/export",
        f"{V1}/notifications",
    )
    read = [one.ask("GET", path) for path in readable for one in (reader, writer, browser)]
    listed = writer.ask("GET", invites).body["items"]
    stored = {str(value) for one in listed for value in one.values()}
    opened = [nobody.ask("GET", f"{V1}/invites/{one}").status for one in stored if "/" not in one]
    return {
        "pages and lists read": len(read),
        "lists refused to the read token": reader.ask("GET", invites).status == 403,
        "secrets seen": sum(token in one.text for one in read),
        "doors opened with what is listed": opened.count(200),
        "door opened by the link itself": nobody.ask("GET", f"{V1}/invites/{token}").status == 200,
    }


def take_over_with_an_admin_token(
    host: str, port: int, owner: dict[str, str] = OWNER
) -> dict[str, int]:
    """Tries every sensitive act on another administrator with a token that may do anything."""
    nobody = Caller(host, port)
    browser = nobody.browser(owner)
    invitation = browser.ask("POST", f"{V1}/invitations", {}).body["secret"]
    nobody.ask("POST", f"{V1}/accounts", OTHER | {"invitation": invitation})
    people = browser.ask("GET", f"{V1}/people").body["items"]
    victim = next(one["user_id"] for one in people if one["email"] == OTHER["email"])
    browser.ask("PUT", f"{V1}/people/{victim}/administrator")
    program = nobody.program(browser, "read", "write", "admin")
    at, me = f"{V1}/people/{victim}", f"{V1}/me"
    known = {"old_password": owner["password"], "password": "a sparrow on the sill"}
    moved = {"email": "thief@example.org", "password": owner["password"]}
    more = {"name": "for ever", "scopes": ["read", "write", "admin"]}
    tries: list[tuple[str, str, Any]] = [
        ("POST", f"{at}/reset-link", None),
        ("DELETE", f"{at}/administrator", None),
        ("PUT", f"{at}/administrator", None),
        ("PUT", f"{at}/disabled", None),
        ("DELETE", f"{at}/disabled", None),
        ("POST", f"/admin/people/{victim}/reset-link", None),
        ("POST", f"{me}/tokens", more),
        ("PUT", f"{me}/password", known),
        ("PUT", f"{me}/address", moved),
        ("PUT", f"{me}/password-confirmation", {"password": owner["password"]}),
        ("DELETE", me, None),
    ]
    statuses = [
        program.ask(method, path, body, Confirm="delete my account").status
        for method, path, body in tries
    ]
    return {
        "acts tried": len(statuses),
        "refused": statuses.count(403),
        "done": sum(status < 300 for status in statuses),
    }
