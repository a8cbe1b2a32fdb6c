"""Addresses in settings: the names of an installation, networks, and the mail server."""

from __future__ import annotations

import pytest

from commonroom.settings import WrongSetting, load
from commonroom.settings.addresses import MailServer, host_names, mail_server, public_hosts


def test_names_are_as_browsers_send_them() -> None:
    given = "nas.lan, Den.Example., büro.example,my_box"
    assert host_names(given) == {"nas.lan", "den.example", "xn--bro-hoa.example", "my_box"}
    assert host_names("") == frozenset()


@pytest.mark.parametrize(
    "address, hosts",
    [
        ("", set()),
        ("https://Home.example", {"home.example"}),
        ("https://home.example:8443", {"home.example"}),
        ("https://büro.example", {"xn--bro-hoa.example"}),
        ("http://[fd00::5]:8400", set()),
    ],
)
def test_the_public_address_has_one(address: str, hosts: set[str]) -> None:
    assert public_hosts(address) == hosts


@pytest.mark.parametrize(
    "variable, value",
    [
        ("COMMONROOM_HOSTS", "nas.lan,"),
        ("COMMONROOM_HOSTS", "https://nas.lan"),
        ("COMMONROOM_HOSTS", "nas.lan:8400"),
        ("COMMONROOM_HOSTS", "*.lan"),
        ("COMMONROOM_HOSTS", "a..b"),
        ("COMMONROOM_PUBLIC_ADDRESS", "https://[home"),
        ("COMMONROOM_PUBLIC_ADDRESS", "https://home example"),
        ("COMMONROOM_METRICS_TOKEN", "short"),
        ("COMMONROOM_METRICS_TOKEN", "with a space in it, long enough"),
    ],
)
def test_what_is_no_name_is_said_at_once(variable: str, value: str) -> None:
    with pytest.raises(WrongSetting):
        load({}, {variable: value}, ())


FROM = {"COMMONROOM_MAIL_FROM": "commonroom@home.example"}


@pytest.mark.parametrize(
    "address, server",
    [
        ("smtps://mail.example", MailServer("mail.example", 465, "tls")),
        ("smtp+starttls://mail.example", MailServer("mail.example", 587, "starttls")),
        ("smtp://localhost", MailServer("localhost", 25, "none")),
        ("smtp://[::1]:2525", MailServer("::1", 2525, "none")),
        (
            "smtps://ada:s3cret@mail.example:4650",
            MailServer("mail.example", 4650, "tls", "ada", "s3cret"),
        ),
        (
            "smtps://ada@home.example:s%2F%40%3A%C3%A9@mail.example",
            MailServer("mail.example", 465, "tls", "ada@home.example", "s/@:é"),
        ),
    ],
)
def test_says_how_where_and_with_which_name(address: str, server: MailServer) -> None:
    assert mail_server(address) == server
    assert (
        load(
            {"data": "nowhere"}, {"COMMONROOM_MAIL_SERVER": address, **FROM}, ()
        ).settings.mail_server
        == address
    )


def test_may_say_nothing() -> None:
    assert mail_server("") is None


def test_prints_no_password() -> None:
    server = mail_server("smtps://ada:s3cret@mail.example")
    assert f"{server} {server!r}" == "mail.example:465 mail.example:465"


@pytest.mark.parametrize(
    "address",
    [
        "mail.example",
        "http://mail.example",
        "smtps+starttls://mail.example",
        "smtps://",
        "smtps://:465",
        "smtps://mail.example/inbox",
        "smtps://mail.example:0x1",
        "smtps://mail.example:99999",
        "smtps://s3cret@mail.example",
        "smtps://:s3cret@mail.example",
        "smtps://ada:@mail.example",
        "smtps://ada:s3cret@",
        "smtps://ada:s3cret@mail example",
        "smtps://ada:s3c%ffret@mail.example",
        "smtps://ada:s3[cret@mail.example",
        "smtps://ada:s3cret:mail.example",
    ],
)
def test_a_wrong_one_is_named_and_not_shown(address: str) -> None:
    with pytest.raises(WrongSetting) as wrong:
        load({"data": "nowhere"}, {"COMMONROOM_MAIL_SERVER": address, **FROM}, ())
    assert wrong.value.detail.startswith("mail_server (environment COMMONROOM_MAIL_SERVER) must be")
    assert "s3c" not in f"{wrong.value!r} {wrong.value.__cause__!r}"
    assert wrong.value.__suppress_context__


def test_needs_to_know_whom_letters_come_from() -> None:
    with pytest.raises(WrongSetting) as wrong:
        load({"data": "nowhere"}, {"COMMONROOM_MAIL_SERVER": "smtps://ada:s3cret@mail.example"}, ())
    assert "COMMONROOM_MAIL_FROM must be set to the sender of e-mail" in wrong.value.detail
    assert "s3cret" not in wrong.value.detail


@pytest.mark.parametrize(
    "sender", ["ada", "ada@", "@home.example", "Ada <ada@home.example>", "a b@c"]
)
def test_letters_come_from_an_address(sender: str) -> None:
    with pytest.raises(WrongSetting, match=r"mail_from .* must be an e-mail address"):
        load({"data": "nowhere"}, {"COMMONROOM_MAIL_FROM": sender}, ())
