"""System checks: what of the settings can only be judged as a whole.

They run before every command and at the start of the web processes.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from core import dotenv_file
from core.chains import WELL_KNOWN, node_setting

CODE_FOLDERS = [
    "compat",
    "core",
    "indexing",
    "interchange",
    "media",
    "nftsite",
    "templates",
    "tests",
    "tokens",
    "transfers",
]


@register
def media_root_is_no_code(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Downloaded files must not lie among importable modules, above them, or where git would take them."""
    root = Path(settings.MEDIA_ROOT)
    base = Path(settings.BASE_DIR)
    if root == base or root in base.parents or any(root.is_relative_to(base / name) for name in CODE_FOLDERS):
        hint = "Leave MEDIA_ROOT unset for var/files, or name a folder outside of the code."
        return [Error(f"MEDIA_ROOT ({root}) is part of the code tree.", hint=hint, id="nftsite.E001")]
    return []


@register
def statements_end_before_workers(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """A statement must fail, and be answered with 503, before gunicorn replaces its worker without an answer."""
    if settings.STATEMENT_TIMEOUT < settings.WEB_TIMEOUT:
        return []
    text = f"STATEMENT_TIMEOUT ({settings.STATEMENT_TIMEOUT} s) must be below WEB_TIMEOUT ({settings.WEB_TIMEOUT} s)."
    return [Error(text, id="nftsite.E002")]


@register
def hosts_are_names(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """A URL in ALLOWED_HOSTS would match no request, and every one would be answered with 400."""
    wrong = [host for host in settings.ALLOWED_HOSTS if "/" in host]
    if not wrong:
        return []
    hint = "Write host names without scheme and path: api.example.org, or .example.org with its subdomains."
    return [Error(f"ALLOWED_HOSTS has no host name in {', '.join(wrong)}.", hint=hint, id="nftsite.E003")]


@register
def bucket_can_be_used(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Without its packages a bucket would fail with the first image, long after the start."""
    missing = [name for name in ("storages", "boto3") if settings.MEDIA_BUCKET and find_spec(name) is None]
    if not missing:
        return []
    hint = "Run pip install -r requirements-s3.txt, or leave MEDIA_STORAGE unset for files under MEDIA_ROOT."
    text = f"MEDIA_STORAGE names a bucket, but {' and '.join(missing)} cannot be imported."
    return [Error(text, hint=hint, id="nftsite.E004")]


@register
def cache_can_be_used(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Without its package the shared cache would fail with each request, and limits be counted apart."""
    if not settings.CACHE_URL or find_spec("redis") is not None:
        return []
    hint = "Run pip install -r requirements-redis.txt, or leave CACHE_URL unset to count in each process's memory."
    return [Error("CACHE_URL is set, but redis cannot be imported.", hint=hint, id="nftsite.E008")]


@register
def limits_are_counted_together(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Processes that know nothing of each other let a client have as many times its limit as they are."""
    if settings.RATE_LIMIT is None or settings.CACHE_URL or settings.WEB_CONCURRENCY == 1:
        return []
    hint = "Set CACHE_URL to a Redis or Valkey."
    text = f"Each of {settings.WEB_CONCURRENCY} web processes counts RATE_LIMIT by itself."
    return [Warning(text, hint=hint, id="nftsite.W009")]


@register
def one_place_for_files(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """The proxy in front would look for files in its folder that are in a bucket: every image would be a 404."""
    if not (settings.MEDIA_BUCKET and settings.MEDIA_ACCEL_PREFIX):
        return []
    hint = "Unset MEDIA_ACCEL_PREFIX, or MEDIA_STORAGE; MEDIA_PUBLIC_URL has clients get files from the bucket itself."
    return [Error("MEDIA_STORAGE and MEDIA_ACCEL_PREFIX exclude each other.", hint=hint, id="nftsite.E005")]


@register
def variables_are_spelled_right(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """A variable that is nearly a setting is probably meant to be one. `.env` is judged by itself."""
    prefix = node_setting("")
    ends = [node_setting(chain.slug).removeprefix(prefix) for chain in WELL_KNOWN]
    return [
        Warning(f"{name} is set, which is no setting. Is {near} meant?", id="nftsite.W006")
        for name, near in dotenv_file.misspelt(
            [*settings.SETTINGS_READ, *(prefix + end for end in ends)], prefix, ends
        )
    ]
