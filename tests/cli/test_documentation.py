"""The documentation has every setting and every command, as the code has them."""

from __future__ import annotations

import pytest

from commonroom.cli.reference import all_commands, up_to_date
from commonroom.settings import DESCRIBED
from tests.support.dynamodb_local import ROOT

PAGE = (ROOT / "docs" / "operating.md").read_text()


def test_it_is_up_to_date() -> None:
    again = "`python -m commonroom.cli.reference docs/operating.md` writes it anew"
    assert up_to_date(PAGE) == PAGE, again


@pytest.mark.parametrize("name", DESCRIBED)
def test_every_setting_is_in_it(name: str) -> None:
    assert f"`{DESCRIBED[name].variable}`" in PAGE
    assert DESCRIBED[name].description in PAGE


def test_every_command_and_option_is_in_it() -> None:
    for name, command in all_commands():
        assert f"`commonroom {name}" in PAGE
        for option in command.params:
            assert option.param_type_name == "argument" or f"`{max(option.opts, key=len)}" in PAGE
