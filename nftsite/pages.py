"""What browsers may do with our pages: scripts and styles from here alone, none of them written into a page."""

from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from core.rest.middleware import Middleware

HEADER = "Content-Security-Policy"


class ContentSecurityMiddleware(Middleware):
    """Adds the policy to every page that has none of its own (cached images have a stricter one)."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html") and HEADER not in response:
            response[HEADER] = policy(settings.PUBLIC_BASE_URL, settings.MEDIA_PUBLIC_URL)
            framed: tuple[str, str] | None = getattr(response, "framed", None)
            # What a visitor asked to be played, from where it is and from nowhere else.
            if framed is not None:
                response[HEADER] += f"; {framed[0]} {_origin(framed[1])}"
        return response


@lru_cache(maxsize=8)
def policy(public: str, media: str) -> str:
    """The policy: pictures may also come from where images are served, and the docs page asks the public address."""
    pictures = " ".join(dict.fromkeys(filter(None, (_origin(public), _origin(media)))))
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "font-src 'self'",
            f"img-src 'self' data: {pictures}".rstrip(),
            f"connect-src 'self' {_origin(public)}".rstrip(),
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
    )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if url else ""
