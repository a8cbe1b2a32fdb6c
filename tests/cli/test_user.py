"""`commonroom user` and `commonroom demo`."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import Commands

PASSWORD = "correct horse battery"


def make(commonroom: Commands, email: str, name: str, *more: str) -> str:
    words = ("user", "create", email, "--name", name, "--password-file", "-", *more)
    return commonroom.ok(*words, answer=f"{PASSWORD}\n").out


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
        words = ("user", "create", "ADA@example.org", "--name", "A", "--password-file", "-")
        ended = commonroom(*words, answer=PASSWORD)
        assert "could not create this account" in ended.sentence

    def test_a_common_password_is_refused(self, commonroom: Commands) -> None:
        words = ("user", "create", "ada@example.org", "--name", "A", "--password-file", "-")
        ended = commonroom(*words, answer="password123\n")
        assert "This password is too common" in ended.sentence

    def test_a_password_is_no_word_of_the_command(self, commonroom: Commands) -> None:
        words = ("user", "create", "ada@example.org", "--name", "Ada")
        assert commonroom(*words, "--password", PASSWORD).code == 2
        assert commonroom("user", "list", "--json").code != 0, "nothing was made"

    def test_a_password_comes_from_a_file_or_is_typed_twice(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        file = tmp_path / "password"
        file.write_text(f"{PASSWORD}\nwhat else stands there\n")
        words = ("user", "create", "ada@example.org", "--name", "Ada")
        commonroom.ok(*words, "--password-file", str(file))
        words = ("user", "create", "bob@example.org", "--name", "Bob")
        ended = commonroom.ok(*words, answer=f"{PASSWORD}\n{PASSWORD}\n")
        assert PASSWORD not in ended.out
        assert sorted(listed(commonroom)) == ["ada@example.org", "bob@example.org"]


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
    words = ("user", "remove-admin", "ada@example.org")
    assert "There has to be at least one administrator" in commonroom(*words).sentence
    make(commonroom, "bob@example.org", "Bob")
    commonroom.ok("user", "make-admin", "bob@example.org")
    commonroom.ok(*words)
    assert listed(commonroom) == {"ada@example.org": False, "bob@example.org": True}


def test_a_person_is_kept_out_and_let_in_again(commonroom: Commands) -> None:
    make(commonroom, "ada@example.org", "Ada")
    make(commonroom, "bob@example.org", "Bob")
    commonroom.ok("user", "disable", "bob@example.org")
    assert "disabled" in commonroom.ok("user", "list").out
    commonroom.ok("user", "enable", "bob@example.org")
    assert "disabled" not in commonroom.ok("user", "list").out


def test_the_demonstration_fills_only_an_empty_house(commonroom: Commands) -> None:
    assert "maya@home.example" in commonroom.ok("demo").out
    assert len(listed(commonroom)) == 4
    assert "Somebody lives here already" in commonroom("demo").sentence
