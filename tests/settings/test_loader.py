"""Settings, where they come from, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.settings import DESCRIBED, Loaded, SettingOrigin, Settings, WrongSetting, load


def given(environment: dict[str, str] | None = None, **options: str | None) -> Loaded:
    return load(options, environment or {}, ())


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without anybody's data."""
    monkeypatch.chdir(tmp_path)


class TestWhereTheyComeFrom:
    def test_nothing_has_to_be_set(self) -> None:
        loaded = given({"PATH": "/bin"})
        assert loaded.settings == Settings()
        assert set(loaded.origins) == set(DESCRIBED)
        assert set(loaded.origins.values()) == {SettingOrigin("default")}

    def test_the_environment(self) -> None:
        loaded = given({"COMMONROOM_PORT": "9000", "COMMONROOM_DYNAMODB_INSTANCE_ROLE": "true"})
        assert loaded.settings.port == 9000
        assert loaded.settings.dynamodb_instance_role is True
        assert loaded.origins["port"] == SettingOrigin("environment", "COMMONROOM_PORT")

    def test_the_file_in_the_data_folder(self, tmp_path: Path) -> None:
        file = tmp_path / "mine" / "commonroom.toml"
        file.parent.mkdir()
        file.write_text('port = 9001\nlog_level = "debug"\n')
        loaded = given({"COMMONROOM_DATA": "mine"})
        assert (loaded.settings.port, loaded.settings.log_level) == (9001, "debug")
        assert loaded.origins["port"].kind == "file"
        assert str(loaded.origins["port"]) == "file mine/commonroom.toml"

    def test_a_file_by_name_can_say_where_the_data_is_as_seen_from_there(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "etc" / "rooms.toml"
        file.parent.mkdir()
        file.write_text('data = "../kept"\n')
        loaded = given({"COMMONROOM_CONFIG": str(file)})
        assert loaded.settings.data.resolve() == tmp_path / "kept"
        assert loaded.file == file

    def test_an_option_goes_before_the_environment_and_that_before_the_file(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "commonroom.toml").write_text('host = "1.1.1.1"\nport = 1\nlog_level="error"')
        environment = {"COMMONROOM_HOST": "2.2.2.2", "COMMONROOM_PORT": "2"}
        loaded = given(environment, data=str(tmp_path), port="3", store=None)
        settings = loaded.settings
        assert (settings.log_level, settings.host, settings.port) == ("error", "2.2.2.2", 3)
        assert loaded.origins["port"] == SettingOrigin("option", "--port")
        assert loaded.origins["store"] == SettingOrigin("default")

    def test_an_empty_variable_is_not_set(self) -> None:
        assert given({"COMMONROOM_PORT": ""}).settings.port == 8400

    def test_words_are_taken_however_they_are_typed(self) -> None:
        settings = given(
            {"COMMONROOM_DURABILITY": "normal", "COMMONROOM_LOG_LEVEL": "INFO"}
        ).settings
        assert (settings.durability, settings.log_level) == ("NORMAL", "info")

    def test_the_home_folder_can_be_abbreviated(self) -> None:
        assert given({"COMMONROOM_DATA": "~/rooms"}).settings.data == Path.home() / "rooms"


WRONG = {
    "COMMONROOM_BACKUP_TIME": ["3:30", "24:00", "noon"],
    "COMMONROOM_CHECK_TIME": ["03:60"],
    "COMMONROOM_BACKUP_TIME_ZONE": ["Mars/Olympus", "../etc/passwd"],
    "COMMONROOM_BACKUPS_KEPT": ["0"],
    "COMMONROOM_PORT": ["0", "65536", "http", "8400.5"],
    "COMMONROOM_STORE": ["postgres"],
    "COMMONROOM_DURABILITY": ["OFF"],
    "COMMONROOM_LOG_LEVEL": ["loud"],
    "COMMONROOM_DYNAMODB_INSTANCE_ROLE": ["perhaps"],
    "COMMONROOM_DYNAMODB_ENDPOINT": ["localhost:8000", "ftp://there"],
    "COMMONROOM_DYNAMODB_PREFIX": ["a b", "x" * 101],
    "COMMONROOM_DYNAMODB_REGION": ["EU west"],
    "COMMONROOM_SEARCH": ["google"],
    "COMMONROOM_OPENSEARCH_ADDRESS": ["search.example", "https://a:b@search.example", "http://x/"],
    "COMMONROOM_OPENSEARCH_LOGIN": ["nobody", ":x"],
    "COMMONROOM_OPENSEARCH_PREFIX": ["Capital", "1st", "a_b"],
    "COMMONROOM_SECRET_KEY": ["too short"],
}


class TestWrong:
    @pytest.mark.parametrize(
        "variable, value", [(name, one) for name, several in WRONG.items() for one in several]
    )
    def test_a_wrong_value_is_named_with_where_it_came_from(
        self, variable: str, value: str
    ) -> None:
        with pytest.raises(WrongSetting) as wrong:
            given({variable: value})
        name = variable.removeprefix("COMMONROOM_").lower()
        assert wrong.value.detail.startswith(f"{name} (environment {variable}) must be ")
        assert (repr(value) in wrong.value.detail) is not DESCRIBED[name].secret

    @pytest.mark.parametrize("text", ['port = "9000"', "port = true", "store = 1", "data = 5"])
    def test_a_file_has_types(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "rooms.toml"
        file.write_text(text)
        with pytest.raises(WrongSetting, match=r"\(file .*rooms.toml\) must be"):
            given({"COMMONROOM_CONFIG": str(file)})

    def test_an_unknown_variable_is_named_with_the_one_that_may_be_meant(self) -> None:
        with pytest.raises(WrongSetting, match=r"COMMONROOM_PROT .*did you mean COMMONROOM_PORT"):
            given({"COMMONROOM_PROT": "1"})

    def test_an_unknown_line_of_the_file_too(self, tmp_path: Path) -> None:
        (tmp_path / "commonroom.toml").write_text("prot = 1")
        with pytest.raises(WrongSetting, match=r"prot in .*commonroom\.toml .*did you mean port"):
            given(data=str(tmp_path))

    def test_a_file_that_is_not_there(self) -> None:
        with pytest.raises(WrongSetting, match=r"COMMONROOM_CONFIG names nowhere\.toml"):
            given({"COMMONROOM_CONFIG": "nowhere.toml"})

    @pytest.mark.parametrize("content", [b"port = ", b"\xff\xfe"])
    def test_a_file_that_is_no_toml(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "commonroom.toml").write_bytes(content)
        with pytest.raises(WrongSetting, match=r"commonroom\.toml"):
            given(data=str(tmp_path))

    def test_a_file_in_the_data_folder_cannot_say_where_that_is(self, tmp_path: Path) -> None:
        (tmp_path / "commonroom.toml").write_text('data = "elsewhere"')
        with pytest.raises(WrongSetting, match="cannot set data itself"):
            given(data=str(tmp_path))

    def test_dynamodb_needs_a_region(self) -> None:
        with pytest.raises(WrongSetting, match="COMMONROOM_DYNAMODB_REGION must name a region"):
            given(store="dynamodb")

    def test_opensearch_needs_an_address(self) -> None:
        with pytest.raises(WrongSetting, match="COMMONROOM_OPENSEARCH_ADDRESS must be set"):
            given({"COMMONROOM_SEARCH": "opensearch"})
