"""`commonroom config`."""

from __future__ import annotations

from commonroom.settings import DESCRIBED
from tests.support.commands import Commands

KEY = "a key that nobody should ever see printed"


def test_every_setting_is_listed_with_its_origin(commonroom: Commands) -> None:
    lines = commonroom.ok("config", COMMONROOM_PORT="9000").out.splitlines()
    assert [line.split()[0] for line in lines] == [one.variable for one in DESCRIBED.values()]
    (port,) = [line for line in lines if line.startswith("COMMONROOM_PORT")]
    assert port.split() == ["COMMONROOM_PORT", "9000", "environment", "COMMONROOM_PORT"]


def test_an_option_is_an_origin(commonroom: Commands) -> None:
    settings = commonroom.ok("config", "--json", "--data", "elsewhere").json
    assert settings["data"] == {
        "value": "elsewhere",
        "origin": "option",
        "from": "--data",
        "variable": "COMMONROOM_DATA",
    }


def test_the_file_is_named(commonroom: Commands) -> None:
    commonroom.data.mkdir()
    (commonroom.data / "commonroom.toml").write_text("port = 9001")
    out = commonroom.ok("config").out
    assert f"file {commonroom.data / 'commonroom.toml'}" in out


def test_secrets_are_hidden(commonroom: Commands) -> None:
    for words in (("config",), ("config", "--json")):
        ended = commonroom.ok(*words, COMMONROOM_SECRET_KEY=KEY)
        assert KEY not in ended.out + ended.err
        assert "(hidden)" in ended.out


def test_a_wrong_setting_stops_it_with_a_sentence(commonroom: Commands) -> None:
    sentence = commonroom("config", COMMONROOM_PORT="http").sentence
    assert sentence == (
        "port (environment COMMONROOM_PORT) must be a number from 1 to 65535, not 'http'."
    )


def test_it_makes_nothing(commonroom: Commands) -> None:
    commonroom.ok("config")
    assert not commonroom.data.exists()
