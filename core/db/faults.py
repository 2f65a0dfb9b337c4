"""Why something failed, as it may be stored and shown: without places on this machine."""

from __future__ import annotations

import re
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models

from core.db.texts import storable

ELIDED = "…"
_ROOTS = (
    r"app|bin|data|dev|etc|home|Library|lib\w*|media|mnt|nix|opt|private|proc|root|run|sbin|snap|srv|sys|tmp|Users|usr|var"
    r"|Volumes|work\w*"
)
_QUOTED = re.compile(r"""(?<=: )b?(['"])/(?:(?!\1).)+\1(?: -> b?(['"])/(?:(?!\2).)+\2)?""", re.DOTALL)
"""What an OSError quotes at its end, whatever it is called."""
_AHEAD = r"(?<![\w:/.~%-])(?:file:/{2,3})?"
_REST = r"""[^\s'"<>,;:)\]}]*"""
_PLAIN = re.compile(rf"{_AHEAD}/(?:{_ROOTS})/{_REST}")
"""What begins like a place on a disk, anywhere."""

if TYPE_CHECKING:
    _TextField = models.TextField[Any, Any]
else:
    _TextField = models.TextField


def without_paths(text: str) -> str:
    """Return a text with `…` where it names a file or folder of this machine; URLs are left as they are."""
    text = _own_places(str(settings.BASE_DIR), str(settings.VAR_DIR), settings.MEDIA_ROOT).sub(ELIDED, text)
    return _PLAIN.sub(ELIDED, _QUOTED.sub(ELIDED, text))


@lru_cache(maxsize=8)
def _own_places(*named: str) -> re.Pattern[str]:
    """What lies where this service and its Python do, whatever those folders are called."""
    places = {*named, sys.prefix, sys.base_prefix, tempfile.gettempdir(), str(Path.home())} - {"/", ""}
    longest_first = sorted(places, key=len, reverse=True)
    return re.compile(rf"{_AHEAD}(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]){_REST}")


class FaultField(_TextField):
    """Why the last attempt failed. Paths, and what no column holds, are left out of what exceptions say."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return without_paths(storable(value)) if isinstance(value, str) else value

    def deconstruct(self) -> Any:
        """To migrations it is a plain text."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs
