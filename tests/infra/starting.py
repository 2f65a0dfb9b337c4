"""Commands and settings as they start with some variables of the environment and no others."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from django.conf import settings

from tests import machine
from tests.patience import PATIENCE

ROOT = Path(settings.BASE_DIR)


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command with these variables and no other settings."""
    command = [sys.executable, *words]
    clean = machine.bare(DJANGO_SETTINGS_MODULE="nftsite.settings", **environment)
    return subprocess.run(
        command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def read_settings(**environment: str) -> dict[str, Any]:
    """What `nftsite/settings.py` makes of these variables and no others: run anew, in this process."""
    with mock.patch.dict(os.environ, machine.bare(**environment), clear=True):
        return runpy.run_path(str(ROOT / "nftsite" / "settings.py"))
