"""People among results: those of one's household, children, and those of one's groups."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.words import _, lazy
from commonroom.joins.person_parts import person_address as page_of_person
from commonroom.joins.search_audiences import audience_sources, person_token
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.search.documents import Document, Searchable

PERSON = "person"
PICTURE = "search/pictures/person.html"
CHILDREN = "/me/members"
HOUSEHOLD = "household#"


class SearchFace(Struct, frozen=True):
    """What an avatar is drawn from."""

    display_name: str
    avatar_key: str | None


def household_token(household_id: str) -> str:
    """Returns what the members of a household have."""
    return f"{HOUSEHOLD}{household_id}"


def user_document(user: User) -> Document | None:
    """Returns a person of a household, for those in it; a child also for its manager."""
    audience = []
    if user.household_id is not None:
        audience.append(household_token(user.household_id))
    if user.parent_user_id is not None:
        audience.append(person_token(user.parent_user_id))
    return person_document(PERSON, user.user_id, user.display_name, audience, user.avatar_key)


def person_document(
    kind: str, user_id: str, name: str, audience: list[str], avatar_key: str | None = None
) -> Document:
    """Returns a person, by their name alone."""
    return Document(
        kind=kind,
        id=user_id,
        title=name,
        address=CHILDREN,
        audience=tuple(audience),
        facts={"avatar": avatar_key} if avatar_key else {},
    )


def person_card(found: SearchHit) -> ResultCard:
    """Returns a person, and from where one knows them."""
    sort = {token.partition("#")[0] for token in found.common}
    known = [
        ("user", _("Managed by you")),
        ("household", _("In your household")),
        ("group", _("In your groups")),
    ]
    line = " · ".join(words for name, words in known if name in sort)
    return ResultCard(line, SearchFace(found.document.title, found.document.facts.get("avatar")))


def person_address(found: SearchHit) -> str:
    """Returns where a person is found; a child that the caller acts for, among others."""
    if found.request.caller.acting_as is None:
        return page_of_person(found.document.id)
    pages = (
        source.people_page(token)
        for source in audience_sources(found.request)
        for token in sorted(found.common)
    )
    return next((page for page in pages if page is not None), CHILDREN)


PEOPLE = SearchKind(
    searchable=Searchable(
        kind=PERSON, entity=User, id_field="user_id", document=user_document, is_private=True
    ),
    name=lazy("People"),
    picture=PICTURE,
    card=person_card,
    is_person=True,
    address=person_address,
)
