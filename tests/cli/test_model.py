"""`commonroom model` and `commonroom tables`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from commonroom.data_models.markdown import model_page
from commonroom.data_models.statements import documents
from commonroom.house.consequences import consequences_of, read_declarations
from commonroom.model import MODEL
from tests.support.commands import Commands
from tests.support.dynamodb_local import ROOT


class TestModel:
    def test_it_prints_the_page(self, commonroom: Commands) -> None:
        assert commonroom.ok("model").out == model_page(MODEL, documents())

    def test_and_the_same_for_programs(self, commonroom: Commands) -> None:
        model = commonroom.ok("model", "--json").json
        follows = msgspec.json.decode(msgspec.json.encode(consequences_of(read_declarations())))
        assert model == {**MODEL.as_json(), **follows}
        assert {"Users", "MediaLibrary"} <= {one["name"] for one in model["tables"]}
        rsvp = next(one for one in model["follows"] if one["entity"] == "Rsvp")
        assert {
            "by": "hangouts-answer-news",
            "does": "Tells the maker of an answer, in place of an earlier one; "
            "or takes that back with it.",
            "sets": [],
            "tells": ["hangout_answer"],
        } in rsvp["consequences"]


class TestAgainstTheDataModels:
    def test_it_prints_every_deviation_with_its_reason(self, commonroom: Commands) -> None:
        ended = commonroom.ok("model", "--against")
        assert (
            "  attribute HangoutPointer.startTimestamp\n"
            "      the model: required\n"
            "      here:      may be absent\n"
            "      because:   an idea has no time yet (floating)"
        ) in ended.out
        assert ended.err == ""

    def test_as_markdown_and_for_programs(self, commonroom: Commands) -> None:
        assert commonroom.ok("model", "--against", "--markdown").out.startswith("## Movie night\n")
        compared = commonroom.ok("model", "--against", "--json").json
        assert [one["document"] for one in compared] == list(documents())
        assert all(one["unexplained"] == one["stale"] == [] for one in compared)

    def test_a_deviation_without_a_reason_fails(self, commonroom: Commands, tmp_path: Path) -> None:
        changed = statements(tmp_path, "hangouts", 'title = "S"', 'title = "N"')
        ended = commonroom("model", "--against", "--documents", changed)
        assert ended.code == 1
        assert "hangouts: attribute Hangout.title: `N` → `S` (no reason is given)" in ended.err

    def test_a_reason_without_a_deviation_fails(self, commonroom: Commands, tmp_path: Path) -> None:
        changed = statements(tmp_path, "hangouts", 'startTimestamp = "N!"', 'startTimestamp = "N"')
        ended = commonroom("model", "--against", "--documents", changed)
        assert ended.code == 1
        assert ended.err == (
            "hangouts: attribute HangoutPointer.startTimestamp: "
            "a reason is given, and nothing differs\n"
        )

    def test_a_folder_without_statements_is_refused(
        self, commonroom: Commands, tmp_path: Path
    ) -> None:
        ended = commonroom("model", "--against", "--documents", str(tmp_path))
        assert ended.sentence == f"{tmp_path / 'movie-night.toml'}: No such file or directory."


def statements(folder: Path, name: str, stated: str, other: str) -> str:
    """A folder with all statements, one of which says something else."""
    changed = folder / other.replace(" ", "-").replace('"', "")
    shutil.copytree(ROOT / "docs" / "documents", changed)
    file = changed / f"{name}.toml"
    assert stated in file.read_text()
    file.write_text(file.read_text().replace(stated, other))
    return str(changed)


class TestCreate:
    def test_it_makes_what_is_missing_once(self, commonroom: Commands) -> None:
        created = commonroom.ok("tables", "create", "--json").json["created"]
        assert created == [table.name for table in MODEL.tables]
        assert commonroom.ok("tables", "create").out == "All tables already exist.\n"

    def test_on_dynamodb_too(self, on_dynamodb: Commands) -> None:
        assert on_dynamodb.ok("tables", "create").out.startswith("Created: Users, ")
        assert on_dynamodb.ok("tables", "create", "--json").json == {"created": []}
        assert not on_dynamodb.data.exists(), "nothing is kept here"


class TestTemplate:
    def test_it_needs_no_credentials_and_has_every_table(self, commonroom: Commands) -> None:
        stack = commonroom.ok("tables", "template", COMMONROOM_DYNAMODB_PREFIX="ours-").json
        assert len(stack["Resources"]) == len(MODEL.tables)
        assert stack["Parameters"]["Prefix"]["Default"] == "ours-"
        assert not commonroom.data.exists()


def test_without_the_extra_a_sentence_says_what_to_install(commonroom: Commands) -> None:
    program = (
        "import sys\n"
        "sys.modules['aiodynamo'] = None\n"
        "from commonroom.cli import main\n"
        "main(sys.argv[1:])"
    )
    words = ["check", "--store", "dynamodb", "--data", str(commonroom.data)]
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        env={"COMMONROOM_DYNAMODB_REGION": "local"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "Error: DynamoDB needs more than is installed here: install commonroom[dynamodb].\n"
    )
