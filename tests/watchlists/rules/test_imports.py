"""What becomes of rows: one rule for what a preview says and for what is done."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.watchlists.rules.formats import (
    CatalogueMatch,
    ItemRead,
    Known,
    ListRead,
    OpinionRead,
    TitleRead,
    WatchlistRow,
)
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    count_outcome,
    effects_of,
    is_left_out,
    made_list_id,
    made_title,
    match_of,
)

KNOWN = st.builds(Known, st.booleans(), st.booleans(), st.booleans(), st.booleans())
CHOICES = st.builds(
    WatchlistImportChoices,
    same_lists=st.sampled_from(["extend", "new"]),
    rated=st.sampled_from(["keep", "replace"]),
    unknown=st.sampled_from(["make", "leave"]),
    without=st.frozensets(st.sampled_from(["0", "ratings", "reviews", "seen", "begun"])),
)
OPINIONS = st.builds(
    OpinionRead,
    rating=st.none() | st.integers(1, 10),
    review=st.none() | st.just("Good."),
    is_seen=st.booleans(),
    is_begun=st.booleans(),
)
MATCHES = st.none() | st.builds(
    CatalogueMatch, st.just("MOVIE"), st.sampled_from("ab"), st.just("A")
)
ROWS = st.builds(
    WatchlistRow,
    number=st.integers(1, 9),
    of=st.builds(TitleRead, st.sampled_from(["A", "B"]), st.none() | st.just(1999)),
    opinion=OPINIONS,
    match=MATCHES,
    made=st.none() | st.just(CatalogueMatch("MOVIE", "made", "Made")),
    known=KNOWN,
)


@given(OPINIONS, KNOWN, CHOICES)
def test_nothing_is_done_that_was_left_out_or_is_there(
    said: OpinionRead, known: Known, choices: WatchlistImportChoices
) -> None:
    effects = effects_of(WatchlistRow(number=1, of=TitleRead("A"), opinion=said), known, choices)
    assert not (effects.rated and "ratings" in choices.without)
    assert not (effects.reviewed and "reviews" in choices.without)
    assert not (effects.seen and known.is_seen)
    assert not (effects.rated and known.is_rated and choices.rated == "keep")
    assert effects.replaced == (effects.rated and known.is_rated)
    assert not (effects.reviewed and known.is_reviewed and choices.rated == "keep")
    # Whoever reviews a title has seen it.
    assert not effects.reviewed or effects.seen or known.is_seen


@given(st.lists(ROWS, max_size=8), CHOICES)
def test_every_row_is_counted_once(
    rows: list[WatchlistRow], choices: WatchlistImportChoices
) -> None:
    said = count_outcome(rows, choices)
    left = sum(is_left_out(row, choices) for row in rows)
    unmatched = sum(match_of(row, choices) is None for row in rows if not is_left_out(row, choices))
    assert (said.left_out, said.unmatched) == (left, unmatched)
    assert said.already <= len(rows) - left - unmatched
    assert said.rated + said.reviewed + said.seen >= len(rows) - left - unmatched - said.already


def test_a_list_that_is_left_out_takes_its_titles_along() -> None:
    rows = [
        WatchlistRow(number=1, list_number=0, list_title="L", listed=ListRead("L")),
        WatchlistRow(number=2, list_number=0, list_title="L", of=TitleRead("A"), item=ItemRead()),
    ]
    without = WatchlistImportChoices(without=frozenset({"0"}))
    assert count_outcome(rows, without).left_out == 1
    assert count_outcome(rows, without).new_lists == 0


def test_a_title_that_others_know_has_one_id_for_whoever_makes_it() -> None:
    thing = TitleRead("The Thing", 1982, is_of_service=True)
    for one, other in (
        (thing, TitleRead("the thing", 1982, "MOVIE", is_of_service=True)),
        (TitleRead("A", imdb_id="tt0000001"), TitleRead("B", 1999, imdb_id="tt0000001")),
    ):
        assert made_title(one, "ada").content_id == made_title(other, "ben").content_id
    assert made_title(TitleRead("A", tmdb_id=12), "ada").content_id == "12"
    assert made_title(thing, "ada") != made_title(replace(thing, year=1983), "ada")


def test_a_title_that_is_in_a_file_alone_has_an_id_of_its_importers_own() -> None:
    birthday = TitleRead("Mia turns seven", 2024, "MOVIE")
    assert made_title(birthday, "ada").content_id != made_title(birthday, "ben").content_id
    assert made_title(birthday, "ada") == made_title(birthday, "ada")


def test_lists_of_one_import_have_ids_of_their_own() -> None:
    ids = {made_list_id(one, number) for one in ("a", "b") for number in range(3)}
    assert len(ids) == 6
