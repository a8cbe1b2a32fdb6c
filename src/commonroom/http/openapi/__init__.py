"""The API's documentation: the OpenAPI document, and a page to read it."""

from commonroom.http.openapi.pages import api_page, openapi_document

__all__ = ["api_page", "openapi_document"]
