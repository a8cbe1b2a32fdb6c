"""`commonroom user` and `commonroom demo`."""

from __future__ import annotations

from tests.support.commands import Commands

PASSWORD = "correct horse battery"


def make(commonroom: Commands, email: str, name: str, *more: str) -> str:
    words = ("user", "create", email, "--name", name, "--password", PASSWORD, *more)
    return commonroom.ok(*words).out


def listed(commonroom: Commands) -> dict[str, bool]:
    return {one["email"]: one["is_admin"] for one in commonroom.ok("user", "list", "--json").json}


class TestCreate:
    def test_the_first_account_is_an_administrators(self, commonroom: Commands) -> None:
        assert "Created an account for Ada" in make(commonroom, "ada@example.org", "Ada")
        make(commonroom, "bob@example.org", "Bob")
        make(commonroom, "eve@example.org", "Eve", "--administrator")
        assert listed(commonroom) == {
            "ada@example.org": True,
            "bob@example.org": False,
            "eve@example.org": True,
        }

    def test_one_address_is_one_account(self, commonroom: Commands) -> None:
        make(commonroom, "ada@example.org", "Ada")
        words = ("user", "create", "ADA@example.org", "--name", "A", "--password", PASSWORD)
        assert "could not create this account" in commonroom(*words).sentence

    def test_a_common_password_is_refused(self, commonroom: Commands) -> None:
        words = ("user", "create", "ada@example.org", "--name", "A", "--password", "password123")
        assert "This password is too common" in commonroom(*words).sentence


def test_an_empty_installation_lists_nobody(commonroom: Commands) -> None:
    commonroom.ok("tables", "create")
    assert "There are no accounts yet" in commonroom.ok("user", "list").out


def test_a_reset_link_is_printed_for_the_public_address(commonroom: Commands) -> None:
    make(commonroom, "ada@example.org", "Ada")
    words = ("user", "reset-link", "Ada@example.org")
    out = commonroom.ok(*words, COMMONROOM_PUBLIC_ADDRESS="https://home.example").out
    assert out.startswith("https://home.example/reset/")
    assert "No account has" in commonroom("user", "reset-link", "bob@example.org").sentence


def test_somebody_stays_administrator(commonroom: Commands) -> None:
    make(commonroom, "ada@example.org", "Ada")
    words = ("user", "administrator", "ada@example.org", "--no-longer")
    assert "There has to be at least one administrator" in commonroom(*words).sentence
    make(commonroom, "bob@example.org", "Bob")
    commonroom.ok("user", "administrator", "bob@example.org")
    commonroom.ok(*words)
    assert listed(commonroom) == {"ada@example.org": False, "bob@example.org": True}


def test_a_person_is_kept_out_and_let_in_again(commonroom: Commands) -> None:
    make(commonroom, "ada@example.org", "Ada")
    make(commonroom, "bob@example.org", "Bob")
    commonroom.ok("user", "disable", "bob@example.org")
    assert "disabled" in commonroom.ok("user", "list").out
    commonroom.ok("user", "disable", "bob@example.org", "--no-longer")
    assert "disabled" not in commonroom.ok("user", "list").out


def test_the_demonstration_fills_only_an_empty_house(commonroom: Commands) -> None:
    assert "maya@home.example" in commonroom.ok("demo").out
    assert len(listed(commonroom)) == 4
    assert "Somebody lives here already" in commonroom("demo").sentence
