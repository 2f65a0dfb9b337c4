"""Serves cached images under MEDIA_URL. A name is its content's hash, so an answer never changes."""

from __future__ import annotations

import re
from http import HTTPStatus

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views import View

from media.renditions import TYPES_BY_EXTENSION
from nftsite.rest.headers import is_known

NAME = re.compile(rf"([0-9a-f]{{2}})/([0-9a-f]{{62}})\.({'|'.join(TYPES_BY_EXTENSION)})", re.ASCII)
"""Names that ``media.renditions.content_name`` gives: nothing else in the folder can be asked for."""

HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    # Third parties made these bytes: even opened as a page of their own they may do nothing.
    "Content-Security-Policy": "sandbox; default-src 'none'",
}


class FileView(View):
    """One file, by the name that records link to."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, name: str) -> HttpResponseBase:
        """Stream the file; 304 to whoever holds it, 404 for any other name."""
        named = NAME.fullmatch(name)
        if named is None:
            raise Http404
        try:
            file = default_storage.open(name)
        except FileNotFoundError:
            raise Http404 from None
        etag = f'"{named[1]}{named[2]}"'
        response: HttpResponseBase
        if is_known(etag, request.headers.get("If-None-Match", "")):
            file.close()
            response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
            del response["Content-Type"]
        else:
            response = FileResponse(file, content_type=TYPES_BY_EXTENSION[named[3]])
            if request.method == "HEAD":
                response.streaming_content = ()  # the file is closed with the response
        response["ETag"] = etag
        for header, value in HEADERS.items():
            response[header] = value
        return response
