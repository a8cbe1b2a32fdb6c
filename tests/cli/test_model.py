"""`commonroom model` and `commonroom tables`."""

from __future__ import annotations

import subprocess
import sys

from commonroom.model import MODEL
from tests.support.commands import Commands
from tests.support.dynamodb_local import ROOT


class TestModel:
    def test_it_prints_the_page(self, commonroom: Commands) -> None:
        assert commonroom.ok("model").out == MODEL.as_markdown()

    def test_and_the_same_for_programs(self, commonroom: Commands) -> None:
        model = commonroom.ok("model", "--json").json
        assert model == MODEL.as_json()
        assert {"Users", "MediaLibrary"} <= {one["name"] for one in model["tables"]}


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
