"""The same books as PynamoDB declares them."""

from __future__ import annotations

from pynamodb.attributes import ListAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model


class ByTitle(GlobalSecondaryIndex["BookModel"]):  # type: ignore[no-untyped-call] # theirs lacks a type
    """Items across libraries."""

    class Meta:
        index_name = "GSI2"
        projection = AllProjection()

    gsi2pk = UnicodeAttribute(hash_key=True, attr_name="GSI2PK")
    gsi2sk = UnicodeAttribute(range_key=True, attr_name="GSI2SK")


class BookModel(Model):
    """A book, with every attribute of the library's model."""

    class Meta:
        table_name = "MediaLibrary"
        host = ""
        region = ""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    gsi1pk = UnicodeAttribute(attr_name="GSI1PK")
    gsi1sk = UnicodeAttribute(attr_name="GSI1SK")
    gsi2pk = UnicodeAttribute(attr_name="GSI2PK")
    gsi2sk = UnicodeAttribute(attr_name="GSI2SK")
    entity_type = UnicodeAttribute(attr_name="EntityType")
    owner_id = UnicodeAttribute(attr_name="OwnerId")
    library_id = UnicodeAttribute(attr_name="LibraryId")
    item_id = UnicodeAttribute(attr_name="ItemId")
    title = UnicodeAttribute(attr_name="Title")
    authors = ListAttribute(of=UnicodeAttribute, attr_name="Authors")
    summary = UnicodeAttribute(attr_name="Summary", null=True)
    isbn = UnicodeAttribute(attr_name="Isbn", null=True)
    picture_url = UnicodeAttribute(attr_name="PictureUrl", null=True)
    collection_id = UnicodeAttribute(attr_name="CollectionId", null=True)
    collection_name = UnicodeAttribute(attr_name="CollectionName", null=True)
    order = NumberAttribute(attr_name="Order", null=True)
    type = NumberAttribute(attr_name="Type")
    lent_to = UnicodeAttribute(attr_name="LentTo", null=True)
    library_name = UnicodeAttribute(attr_name="LibraryName", null=True)
    owner_name = UnicodeAttribute(attr_name="OwnerName", null=True)

    by_title = ByTitle()


def books_at(endpoint: str, region: str) -> type[BookModel]:
    """The model, on the server with this address."""
    BookModel.Meta.host = endpoint
    BookModel.Meta.region = region
    return BookModel
