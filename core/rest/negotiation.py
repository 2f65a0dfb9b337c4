"""Which format answers a request: `?format=` before `Accept`, and JSON for whoever does not say."""

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from core.rest.parameters import quoted

ANYTHING = "*/*"


class FormatNegotiation(DefaultContentNegotiation):
    """DRF's negotiation, where a blank `Accept` counts as none, and `?format=` is enough by itself."""

    def get_accept_list(self, request: Request) -> list[str]:
        """The media types that the client takes; the first renderer that fits answers."""
        if request.query_params.get(self.settings.URL_FORMAT_OVERRIDE):
            return [ANYTHING]
        named = [media_type.strip().lower() for media_type in request.headers.get("Accept", "").split(",")]
        return [media_type for media_type in named if media_type] or [ANYTHING]

    def filter_renderers(self, renderers: Iterable[Any], format: str) -> list[Any]:
        """The renderers of a format. Raises ``ValidationError`` where there is none, naming what there is."""
        every = list(renderers)
        found = [renderer for renderer in every if renderer.format == format]
        if not found:
            known = ", ".join(dict.fromkeys(renderer.format for renderer in every))
            text = f"There is no format {quoted(format)} here. Known formats: {known}."
            raise ValidationError({"format": [ErrorDetail(text, code="invalid_choice")]})
        return found
