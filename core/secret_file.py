"""The secret key that is made once, where none is set."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def generated_secret(path: Path) -> str:
    """The secret key kept in `path`, made on first use.

    Made in one step (written whole to a private file, then linked to its name), so that of several processes that
    start together all read the same key. Mode 600.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with suppress(FileExistsError):  # another process was first: its key counts
            os.link(draft, path)
        draft.unlink()
    key = path.read_text(encoding="ascii").strip()
    if not key:
        raise ImproperlyConfigured(
            f"{path} is empty: remove it to have a new secret key made, or set SECRET_KEY."
        )
    return key
