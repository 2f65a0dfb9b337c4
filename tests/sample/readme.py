"""The README, and the queries of the sample that it shows."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

README = (Path(settings.BASE_DIR) / "README.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"^\$ curl '127\.0\.0\.1:8000(\S+)'$", README, re.MULTILINE)
