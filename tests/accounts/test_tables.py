"""What signing in stores, and under which keys."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import (
    AddressClaim,
    ApiToken,
    Attempts,
    ConfirmationLink,
    DoneBefore,
    Installation,
    Invitation,
    Password,
    ResetLink,
    Session,
    accounts,
)
from commonroom.store import Entity
from tests.support.table_summaries import facts, key_attributes, pattern_facts

NOW = "2026-11-15T20:00:00.000Z"


def test_one_table_holds_what_signing_in_needs() -> None:
    assert accounts.name == "Accounts"
    assert facts(accounts) == {
        "key": "pk S, sk S",
        "indexes": {"OfPerson": "person_key S, made_at S; ALL"},
        "ttl": "ttl",
        "stream": False,
    }


@pytest.mark.parametrize(
    "thing, keys",
    [
        (Installation(user_id="u", set_up_at=NOW), {"pk": "installation", "sk": "first"}),
        (
            AddressClaim(address="Ada@Example.org", user_id="u", made_at=NOW),
            {
                "pk": "address#ada@example.org",
                "sk": "claim",
                "person_key": "people",
                "made_at": NOW,
            },
        ),
        (
            Password(user_id="u", hash="h", changed_at=NOW),
            {"pk": "person#u", "sk": "password"},
        ),
        (
            Session(digest="d", user_id="u", epoch=0, made_at=NOW, seen_at=NOW, ttl=1),
            {
                "pk": "session#d",
                "sk": "session",
                "person_key": "person#u#sessions",
                "made_at": NOW,
            },
        ),
        (
            ApiToken(digest="d", user_id="u", epoch=0, name="n", scopes=["read"], made_at=NOW),
            {"pk": "token#d", "sk": "token", "person_key": "person#u#tokens", "made_at": NOW},
        ),
        (
            Invitation(digest="d", made_by="u", made_at=NOW, ttl=1),
            {"pk": "invitation#d", "sk": "link", "person_key": "invitations", "made_at": NOW},
        ),
        (
            Attempts(what="w", who="x", count=1, ttl=1),
            {"pk": "attempts#w#x", "sk": "window"},
        ),
        (
            DoneBefore(user_id="u", request_key="k", fingerprint="f", ttl=1),
            {"pk": "done#u", "sk": "request#k"},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_each_kind_has_its_place(thing: Entity, keys: dict[str, object]) -> None:
    assert key_attributes(thing) == keys


def test_links_are_in_no_list() -> None:
    reset = ResetLink(digest="d", user_id="u", epoch=0, made_at=NOW, ttl=1)
    confirmation = ConfirmationLink(
        digest="d", user_id="u", address_digest="a", epoch=0, made_at=NOW, ttl=1
    )

    # An item is in an index only when it has both parts of its key.
    assert key_attributes(reset) == {"pk": "reset#d", "sk": "link", "made_at": NOW}
    assert key_attributes(confirmation) == {"pk": "confirmation#d", "sk": "link", "made_at": NOW}


def test_lists_go_through_the_index() -> None:
    listed = {name for name, index in pattern_facts(accounts) if index == "OfPerson"}

    assert listed == {
        "List a person's sessions",
        "List a person's API tokens",
        "List everybody with an account",
        "List the invitations",
    }
