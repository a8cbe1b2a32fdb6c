"""Which index an installation has."""

from __future__ import annotations

from pathlib import Path

from commonroom.doctor.search import examine_search
from commonroom.search.opening import open_index
from commonroom.search.reindexing import reindex
from commonroom.settings import Settings
from commonroom.store import Store
from tests.search.documents import film, put, titles
from tests.search.things import BUILTIN, indexer_of
from tests.support.dynamodb_local import free_port
from tests.support.opensearch import LOGIN, StandIn


def settings_for(stand_in: StandIn, folder: Path) -> Settings:
    return Settings(
        data=folder,
        search="opensearch",
        opensearch_address=stand_in.address,
        opensearch_login=LOGIN,
        opensearch_prefix="house",
    )


async def test_a_file_in_the_data_folder_where_nothing_is_set(tmp_path: Path) -> None:
    index = open_index(Settings(data=tmp_path))
    assert await titles(index, "x") == []
    await index.close()
    assert (tmp_path / "search.db").exists()


async def test_tables_that_were_restored_under_another_name_get_another_index(
    tmp_path: Path,
) -> None:
    counts = []
    for prefix in ("home-", "home-", "home2-"):
        settings = Settings(data=tmp_path, store="dynamodb", dynamodb_prefix=prefix)
        index = open_index(settings, "the same id")
        counts.append((await index.state()).documents)
        await put(index, film("One"))
        await index.close()
    assert counts == [0, 1, 0]


async def test_opensearch_where_it_is_set_and_no_file_then(
    tmp_path: Path, stand_in: StandIn, embedded: Store
) -> None:
    settings = settings_for(stand_in, tmp_path)
    index = open_index(settings)
    await reindex(indexer_of(embedded, index))
    await index.verify()
    assert (await titles(index, "the matrx"))[0] == "The Matrix"
    assert "house-search" in stand_in.aliases
    assert not (tmp_path / "search.db").exists()
    (finding,) = await examine_search(settings)
    assert (finding.level, finding.detail) == ("ok", f"{BUILTIN} documents can be found")
    await index.close()


async def test_the_doctor_says_where_opensearch_is_not_or_does_not_know_us(
    tmp_path: Path, stand_in: StandIn
) -> None:
    (finding,) = await examine_search(settings_for(stand_in, tmp_path))
    assert (finding.level, finding.detail) == ("warning", "the index is not complete")
    nobody = f"http://127.0.0.1:{free_port()}"
    for settings in (
        Settings(search="opensearch", opensearch_address=stand_in.address),
        Settings(search="opensearch", opensearch_address=nobody, opensearch_login=LOGIN),
    ):
        (finding,) = await examine_search(settings)
        assert finding.level == "problem"
        assert "COMMONROOM_OPENSEARCH_ADDRESS" in finding.repair
        assert "password" not in finding.detail
