"""The same answers in the words of Django and its REST framework, from the relational database.

Views run inline in the server's own thread, as FastAPI's and ours do: threads would cost them more.

python -m benchmarks.django_server FILE PORT
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import django
from django.conf import settings
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

FILE = sys.argv[1]
# Views run inline, one after the other.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": FILE,
            "CONN_MAX_AGE": None,
            "OPTIONS": {"init_command": "PRAGMA mmap_size = 268435456"},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF="benchmarks.django_server",
    USE_TZ=True,
)
sys.modules.setdefault("benchmarks.django_server", sys.modules[__name__])
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402 - it needs the settings
from django.http import Http404  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.authentication import BaseAuthentication  # noqa: E402
from rest_framework.decorators import api_view, authentication_classes  # noqa: E402
from rest_framework.response import Response  # noqa: E402

from benchmarks import django_models as models  # noqa: E402
from benchmarks.fastapi_models import digest  # noqa: E402


class BySession(BaseAuthentication):
    """Who asks, by the cookie of their browser."""

    def authenticate(self, request: Any) -> tuple[models.User, None] | None:
        """The person of the session that the cookie names."""
        asked = models.UserSession.objects.select_related("user").filter(
            digest=digest(request.COOKIES.get("session", "")), expires_at__gt=time.time()
        )
        found = asked.first()
        return None if found is None else (found.user, None)


class MemberSerializer(serializers.ModelSerializer):
    """Somebody whom one manages."""

    class Meta:
        """What is shown."""

        model = models.User
        fields = (
            "user_id",
            "display_name",
            "avatar_key",
            "content_rating_ceiling",
            "created_at",
            "updated_at",
        )


class LoanSerializer(serializers.ModelSerializer):
    """Who has a book."""

    has_account = serializers.BooleanField()

    class Meta:
        """What is shown."""

        model = models.Book
        fields = ("lent_to", "lent_at", "due_date", "has_account")


LEFT_OUT: dict[str, Any] = {
    "contributors": [],
    "publisher": None,
    "language": None,
    "format": None,
    "tags": [],
    "location": None,
    "copies": 1,
    "rating": None,
    "review": None,
    "started_on": None,
    "finished_on": None,
    "year": None,
    "pages": None,
    "status": None,
}
"""What of a book is left out where it is that."""


class BookSerializer(serializers.ModelSerializer):
    """A book."""

    kind = serializers.CharField()
    library_id = serializers.CharField()
    library_name = serializers.CharField(source="library.library_name")
    owner_name = serializers.CharField(source="library.owner_name")
    collection_id = serializers.CharField()
    collection_name = serializers.CharField(source="collection.name", default=None)
    loan = LoanSerializer()

    class Meta:
        """What is shown."""

        model = models.Book
        fields = (
            "kind",
            "item_id",
            "library_id",
            "library_name",
            "owner_name",
            "title",
            "summary",
            "picture_url",
            "collection_id",
            "collection_name",
            "order",
            "loan",
            "created_at",
            "updated_at",
            "version",
            "authors",
            "isbn",
            *LEFT_OUT,
        )

    def to_representation(self, instance: models.Book) -> dict[str, Any]:
        """What is sent of a book."""
        whole = super().to_representation(instance)
        return {
            name: value
            for name, value in whole.items()
            if name not in LEFT_OUT or value != LEFT_OUT[name]
        }


class CollectionSerializer(serializers.ModelSerializer):
    """A named group of books."""

    library_id = serializers.CharField()

    class Meta:
        """What is shown."""

        model = models.Collection
        fields = (
            "collection_id",
            "library_id",
            "name",
            "description",
            "item_count",
            "created_at",
            "updated_at",
            "version",
        )


class ShelfGroupSerializer(serializers.Serializer):
    """What stands together."""

    collection_id = serializers.CharField()
    name = serializers.CharField()
    collection = CollectionSerializer()
    items = BookSerializer(many=True)
    continued = serializers.BooleanField()
    continues = serializers.BooleanField()


class ShelfSerializer(serializers.Serializer):
    """A page of a shelf."""

    items = ShelfGroupSerializer(many=True)
    next_cursor = serializers.CharField()


class ShelfParameters(serializers.Serializer):
    """Which part of a shelf."""

    limit = serializers.IntegerField(min_value=1, max_value=50, default=10)
    cursor = serializers.CharField(default=None)


@api_view(["GET"])
@authentication_classes([BySession])
def get_member(request: Any, member_id: str) -> Response:
    """One of those whom the caller manages."""
    found = models.User.objects.filter(user_id=member_id, parent=request.user).first()
    if found is None:
        raise Http404
    return Response(MemberSerializer(found).data)


@api_view(["GET"])
@authentication_classes([BySession])
def list_items(request: Any, library_id: str) -> Response:
    """A page of a library's shelf."""
    parameters = ShelfParameters(data=request.query_params)
    parameters.is_valid(raise_exception=True)
    limit, cursor = parameters.validated_data["limit"], parameters.validated_data["cursor"]
    library = models.Library.objects.filter(library_id=library_id).first()
    if library is None or not _may_read(library, request.user):
        raise Http404
    asked = models.Book.objects.filter(library=library).select_related("collection", "library")
    if cursor is not None:
        asked = asked.filter(place__gt=urlsafe_b64decode(cursor).decode())
    books = list(asked.order_by("place")[: limit + 1])
    page = _fitting(books, limit)
    following = books[len(page)].collection_id if len(page) < len(books) else None
    together = groupby(page, lambda book: book.collection_id or book.item_id)
    last = urlsafe_b64encode(page[-1].place.encode()).decode()
    shelf = {
        "items": [_group(list(members), following) for _, members in together],
        "next_cursor": last if len(page) < len(books) else None,
    }
    return Response(ShelfSerializer(shelf).data)


def _may_read(library: models.Library, me: models.User) -> bool:
    if library.owner_id == me.user_id:
        return True
    return bool(models.Share.objects.filter(library=library, user=me).exists())


def _fitting(books: Sequence[Any], limit: int) -> Sequence[Any]:
    """As many as fit on a page, where a collection counts as one more than its books."""
    collections: set[str] = set()
    for number, book in enumerate(books):
        if book.collection_id is not None:
            collections.add(book.collection_id)
        if number + 1 + len(collections) > limit:
            return books[:number]
    return books


def _group(books: list[Any], following: str | None) -> dict[str, Any]:
    first = books[0]
    starts = first.collection is not None and first.order == 1
    return {
        "collection_id": first.collection_id,
        "name": None if first.collection is None else first.collection.name,
        "collection": first.collection if starts else None,
        "items": books,
        "continued": first.collection is not None and not starts,
        "continues": first.collection_id is not None and first.collection_id == following,
    }


urlpatterns = [
    path("api/v1/me/members/<str:member_id>", get_member),
    path("api/v1/libraries/<str:library_id>/items", list_items),
]


def inline(wsgi: Callable[..., Any]) -> Callable[..., Any]:
    """Serves a WSGI application in the event loop's own thread."""

    async def app(scope: Any, _: Any, send: Any) -> None:
        started: list[Any] = []
        environ = {
            "REQUEST_METHOD": scope["method"],
            "PATH_INFO": scope["path"],
            "QUERY_STRING": scope["query_string"].decode(),
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
        }
        for name, value in scope["headers"]:
            environ[f"HTTP_{name.decode().upper().replace('-', '_')}"] = value.decode()
        answer = wsgi(environ, lambda status, headers, _=None: started.extend((status, headers)))
        body = b"".join(answer)
        answer.close()
        status, headers = started
        listed = [(name.lower().encode(), value.encode()) for name, value in headers]
        code = int(status.partition(" ")[0])
        await send({"type": "http.response.start", "status": code, "headers": listed})
        await send({"type": "http.response.body", "body": body})

    return app


def main() -> None:
    """Serves until it is killed."""
    server = Server(
        inline(get_wsgi_application()),
        address="127.0.0.1",
        port=int(sys.argv[2]),
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
