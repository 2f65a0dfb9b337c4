"""Answers as JSON, written by orjson byte for byte as Django REST Framework's renderer writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

_ESCAPED = re.compile("[^\x00-\x7e]+")
"""What orjson writes as UTF-8, and the settings (``UNICODE_JSON``) as escapes."""


class _FragmentEncoder(JSONEncoder):
    """DRF's, which takes apart what is rendered already, to write it as it writes all else."""

    def default(self, obj: Any) -> Any:
        """Return what stands for a value that JSON does not have."""
        return json.loads(orjson.dumps(obj)) if isinstance(obj, orjson.Fragment) else super().default(obj)


class PageRenderer(JSONRenderer):
    """DRF's renderer at a tenth of its cost; whatever orjson refuses is left to it."""

    encoder_class = _FragmentEncoder

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the JSON text; indented where the accepted media type asks for that (``indent=4``)."""
        indent = self.get_indent(accepted_media_type or "", renderer_context or {})
        if data is not None and indent is None:
            try:
                return json_bytes(data)
            except TypeError:  # an integer of more than 64 bits, a lone surrogate
                pass
        rendered: bytes = super().render(data, accepted_media_type, renderer_context)
        return rendered


def json_bytes(data: Any) -> bytes:
    """Return JSON in ASCII without white space, as ``json.dumps`` writes it.

    Numbers below a ten-thousandth have to be :class:`~core.rest.records.ExactFloat`, since orjson writes them with
    another exponent. Raises ``TypeError`` for what it cannot write: integers beyond 64 bits, lone surrogates.
    """
    raw = orjson.dumps(data, default=_written_by_python)
    if raw.isascii() and b"\x7f" not in raw:
        return raw
    return _ESCAPED.sub(lambda run: encode_basestring_ascii(run[0])[1:-1], raw.decode()).encode()


def _written_by_python(value: Any) -> orjson.Fragment:
    """Return a float that has a class of its own (:class:`core.rest.records.ExactFloat`) as Python writes it."""
    if not isinstance(value, float):
        raise TypeError(f"{type(value)} is not written by orjson")
    return orjson.Fragment(float.__repr__(value))
