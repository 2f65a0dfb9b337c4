"""Which format answers a request: `?format=` before `Accept`, and JSON for whoever does not say."""

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

ANYTHING = "*/*"


class FormatNegotiation(DefaultContentNegotiation):
    """DRF's negotiation, where a blank `Accept` counts as none, and `?format=` is enough by itself."""

    def get_accept_list(self, request: Request) -> list[str]:
        """The media types that the client takes; the first renderer that fits answers."""
        if request.query_params.get(self.settings.URL_FORMAT_OVERRIDE):
            return [ANYTHING]
        named = [media_type.strip().lower() for media_type in request.headers.get("Accept", "").split(",")]
        return [media_type for media_type in named if media_type] or [ANYTHING]
