from tests.support.dynamodb_local import ROOT
from tests.support.fork_server import fork_server
from tests.support.server import clean_environment


def test_a_process_goes_on_though_nobody_reads_what_it_says() -> None:
    printing = fork_server().start_piped(["model"], clean_environment())
    assert printing.wait() == 0
    said, _ = printing.communicate()
    assert said == (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    assert len(said) > 1 << 16, "as much as a pipe holds by itself"
