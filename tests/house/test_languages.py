"""The whole application in the language of whoever asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import update
from tests.house.whole import Whole, whole
from tests.support.catalogues import spoken_too
from tests.support.pages import said, text

FRENCH = {
    "Welcome back": "Content de vous revoir",
    "Hello, %(name)s": "Bonjour, %(name)s",
    "Movie night": "Soirée cinéma",
    "Profile saved.": "Votre profil est enregistré.",
    "This page does not exist.": "Il n’y a rien ici.",
    "Not found": "Introuvable",
    "Use at most 30 characters.": "30 caractères au plus.",
    "Please sign in, or send an API token.": "Connectez-vous d’abord.",
}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    with spoken_too(tmp_path / "locale", "fr", FRENCH):
        async with whole(tmp_path) as made:
            yield made


async def prefers(house: Whole, language: str) -> None:
    await house.store.write(update(house.ada.ref, language=language))


class TestAGuest:
    async def test_reads_what_the_browser_asks_for(self, house: Whole) -> None:
        guest = await house.guest(**{"accept-language": "fr-FR,fr;q=0.9,en;q=0.5"})
        answer = await guest.get("/sign-in")
        assert '<html lang="fr"' in answer.text
        assert "Content de vous revoir" in text(answer)
        assert answer.headers["content-language"] == "fr"
        assert set(answer.headers["vary"].split(", ")) == {"Cookie", "Accept-Language"}

    async def test_reads_english_otherwise(self, house: Whole) -> None:
        answer = await (await house.guest(**{"accept-language": "de"})).get("/sign-in")
        assert '<html lang="en"' in answer.text
        assert "Welcome back" in text(answer)
        assert answer.headers["content-language"] == "en"


class TestAPerson:
    async def test_reads_their_own_language_whatever_the_browser_says(self, house: Whole) -> None:
        await prefers(house, "fr")
        answer = await (await house.browser(**{"accept-language": "en"})).get("/")
        assert '<html lang="fr"' in answer.text
        assert "Bonjour, Ada" in text(answer)
        assert "Soirée cinéma" in text(answer), "also what is not written in a template"

    async def test_who_chose_a_language_that_is_gone_reads_what_the_browser_says(
        self, house: Whole
    ) -> None:
        await prefers(house, "tlh")
        answer = await (await house.browser(**{"accept-language": "fr"})).get("/")
        assert "Bonjour, Ada" in text(answer)

    async def test_is_told_in_it_what_was_done(self, house: Whole) -> None:
        browser = await house.browser(**{"accept-language": "fr"})
        sent = await browser.post("/me", data={"display_name": "Ada"})
        assert said(await browser.get(sent.headers["location"])) == "Votre profil est enregistré."

    async def test_is_told_in_it_what_is_wrong_with_a_field(self, house: Whole) -> None:
        browser = await house.browser(**{"accept-language": "fr"})
        answer = await browser.post("/me", data={"display_name": "x" * 31})
        assert "30 caractères au plus." in text(answer)

    async def test_is_told_in_it_that_there_is_nothing(self, house: Whole) -> None:
        await prefers(house, "fr")
        answer = await (await house.browser(**{"accept-language": "en"})).get("/nowhere")
        assert "Introuvable" in text(answer)
        assert "Il n’y a rien ici." in text(answer)


async def test_a_program_is_told_in_the_language_it_asks_for(house: Whole) -> None:
    guest = await house.guest(**{"accept-language": "fr"})
    answer = await guest.get("/api/v1/me")
    assert answer.json()["detail"] == "Connectez-vous d’abord."
    assert answer.headers["content-language"] == "fr"


async def test_what_people_typed_is_escaped_in_every_language(house: Whole) -> None:
    await house.store.write(update(house.ada.ref, display_name="<b>%(name)s"))
    answer = await (await house.browser(**{"accept-language": "fr"})).get("/")
    assert "Bonjour, &lt;b&gt;%(name)s" in answer.text
