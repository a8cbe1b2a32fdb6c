"""What `commonroom doctor` says of the mail server."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.doctor.external_services import mail_doubts
from commonroom.settings import Settings
from commonroom.settings.addresses import mail_server
from tests.support.commands import Commands, Ended
from tests.support.dynamodb_local import free_port
from tests.support.mail import HOST, mailbox_apart

FROM = "commonroom@home.example"
PUBLIC = "https://home.example"


def about_mail(ended: Ended) -> list[dict[str, Any]]:
    """What was found."""
    return [one for one in ended.json if one["about"] == "mail"]


def asked(commonroom: Commands, server: str, public: str = PUBLIC) -> Ended:
    return commonroom(
        "doctor",
        "--json",
        COMMONROOM_MAIL_SERVER=server,
        COMMONROOM_MAIL_FROM=FROM,
        COMMONROOM_PUBLIC_ADDRESS=public,
    )


def test_without_one_all_is_well(commonroom: Commands) -> None:
    (found,) = about_mail(commonroom.ok("doctor", "--json"))
    assert found["level"] == "ok"


def test_one_that_answers_is_well_and_gets_no_letter(commonroom: Commands) -> None:
    with mailbox_apart() as box:
        ended = asked(commonroom, box.address)
    (found,) = about_mail(ended)
    assert ended.code == 0
    assert found["level"] == "ok"
    assert found["detail"] == f"{HOST}:{box.port} responds and accepts the login"
    assert box.letters == []


def test_one_that_does_not_answer_is_a_problem_without_its_password(commonroom: Commands) -> None:
    ended = asked(commonroom, f"smtp://postman:s3cret@{HOST}:{free_port()}")
    (found,) = about_mail(ended)
    assert ended.code == 1
    assert found["level"] == "problem"
    assert "cannot be reached" in found["detail"]
    assert "COMMONROOM_MAIL_SERVER" in found["mend"]
    assert "s3cret" not in ended.out + ended.err


def test_links_that_lead_to_this_machine_only_are_told(commonroom: Commands) -> None:
    with mailbox_apart() as box:
        ended = asked(commonroom, box.address, public="")
    (warned,) = (one for one in about_mail(ended) if one["level"] == "warning")
    assert "COMMONROOM_PUBLIC_ADDRESS" in warned["mend"]


@pytest.mark.parametrize(
    "address, told",
    [
        ("smtp://mail.example", True),
        ("smtp://192.0.2.1:2525", True),
        ("smtp://localhost", False),
        ("smtp://[::1]:2525", False),
        ("smtps://mail.example", False),
        ("smtp+starttls://mail.example", False),
    ],
)
def test_letters_that_others_can_read_on_the_way_are_told(address: str, told: bool) -> None:
    server = mail_server(address)
    assert server is not None
    found = list(mail_doubts(server, Settings(public_address=PUBLIC)))
    assert [one.level for one in found] == ["warning"] * told


def test_a_settings_file_with_its_password_is_for_its_owner_alone(commonroom: Commands) -> None:
    commonroom.data.mkdir(mode=0o700)
    file = commonroom.data / "commonroom.toml"
    with mailbox_apart() as box:
        file.write_text(f'mail_server = "{box.address}"\nmail_from = "{FROM}"\n')
        file.chmod(0o644)
        ended = commonroom.ok("doctor", "--json")
    assert any(
        one["about"] == "settings file" and one["mend"] == f"chmod 600 {file}" for one in ended.json
    )
