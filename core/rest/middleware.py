"""What all middlewares of the service are."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class Middleware:
    """Called with a request, it answers by ``get_response``, which is the rest of the service, or by itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
