"""Reads settings from the environment so that a wrong value stops the start and names its variable.

django-environ parses the database's URL. Here are addresses, URLs and databases; plain kinds: `core/variables.py`.
"""

import ipaddress
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from core.quotas import Quota, quota_of
from core.variables import Variables, wrong

POSTGRESQL = "django.db.backends.postgresql"
SQLITE = "django.db.backends.sqlite3"


class Environment(Variables):
    """What the service's variables are, each kind with its reader."""

    def listening(self) -> list[str]:
        """Where to listen, as gunicorn takes it: BIND (host:port, unix:/path, comma separated), else HOST and PORT.

        HOST is a name, an IPv4 or IPv6 address with or without brackets, or unix:/path.
        """
        host, port = self.text("HOST", "127.0.0.1"), self.whole_number("PORT", 8000, maximum=65_535)
        words = self.words("BIND", default=[_with_port("HOST", host, port, is_host=True)])
        return [_with_port("BIND", word, port, is_host=False) for word in words]

    def one_address(self, name: str) -> str:
        """Where to listen besides, as gunicorn takes it; empty when unset.

        An IP address with its port, or unix:/path: what a connection can be known by once it is made.
        """
        value = self.text(name)
        if not value:
            return ""
        found = _with_port(name, value, 0, is_host=False)
        host = found.rpartition(":")[0].strip("[]")
        try:
            is_known = found.startswith("unix:") or bool(ipaddress.ip_address(host))
        except ValueError:
            is_known = False
        if not is_known or found.endswith(":0"):
            raise wrong(name, "an IP address with a port, or unix:/path", value)
        return found

    def quota(self, name: str) -> Quota | None:
        """How much may be asked for in which time (`600/minute`); ``None`` when unset."""
        value = self.text(name)
        try:
            return quota_of(value) if value else None
        except ValueError as fault:
            raise wrong(name, str(fault), value) from None

    def cache_url(self, name: str) -> str:
        """The URL of a Redis or Valkey, as redis-py takes it; empty when unset.

        redis://, rediss:// (by TLS), valkey://, valkeys:// or unix:///path, with a database as path or `?db=`. It may
        hold a password, so it is never part of a message.
        """
        value = self.text(name)
        if not value:
            return ""
        value = re.sub(r"\Avalkey(s?)://", lambda found: f"redi{'s' + found[1]}://", value)
        try:
            parts = urlsplit(value)
            there = parts.path if parts.scheme == "unix" else parts.hostname
            sound = parts.scheme in {"redis", "rediss", "unix"} and bool(there) and parts.port != 0
            options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
            database = options.pop("db", "" if parts.scheme == "unix" else parts.path.strip("/"))
        except ValueError:
            raise ImproperlyConfigured(f"{name} is no URL.") from None
        if not sound or not re.fullmatch(r"\d{0,4}", database, re.ASCII):
            forms = "redis://, rediss://, valkey:// or valkeys://host:port/database, or unix:///path?db=0"
            raise ImproperlyConfigured(f"{name} must be {forms}.")
        known = {"ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_keyfile", "username", "password"}
        timeouts = {"socket_timeout", "socket_connect_timeout"}
        if not (known | timeouts).issuperset(options):
            raise ImproperlyConfigured(
                f"{name} takes db, {', '.join(sorted(known | timeouts))} in its query."
            )
        if not all(re.fullmatch(r"\d{1,4}(\.\d+)?", options.get(one, "1"), re.ASCII) for one in timeouts):
            raise ImproperlyConfigured(f"{name} takes seconds for {' and '.join(sorted(timeouts))}.")
        return value

    def contacts(self, name: str) -> list[str]:
        """Comma-separated mailto:, https: or tel: URIs; an e-mail address is one of the first."""
        found = [f"mailto:{word}" if "@" in word and ":" not in word else word for word in self.words(name)]
        for uri in found:
            if not re.fullmatch(r"(mailto:[!-~]+@[!-~]+|https://[!-~]+|tel:[+0-9()-]+)", uri, re.ASCII):
                raise wrong(name, "e-mail addresses or mailto:, https: or tel: URIs", uri)
        return found

    def base_url(self, name: str, default: str = "") -> str:
        """An absolute http(s) URL without query, fragment or trailing slash."""
        value = self.text(name, default).rstrip("/")
        if not value:
            return ""
        parts = _http_url(value)
        if parts is None or parts.query or parts.fragment or any(char.isspace() for char in value):
            raise wrong(name, "an absolute http or https URL without query", value)
        return value

    def path_prefix(self, name: str) -> str:
        """A path of a URL that begins and ends with a slash, without dot segments; empty when unset."""
        value = self.text(name)
        if value and not re.fullmatch(r"/(?!\.\.?/)([\w.~-]+/(?!\.\.?/))+", value, re.ASCII):
            kind = "a path that begins and ends with a slash and has no . or .. in between"
            raise wrong(name, kind, value)
        return value

    def bucket(self, name: str) -> dict[str, Any]:
        """Options of django-storages for `s3://bucket/folder?endpoint_url=…&region_name=…`; empty when unset.

        Keys come from where boto3 looks for them, AWS_ACCESS_KEY_ID first; the URL holds none.
        """
        value = self.text(name)
        if not value:
            return {}
        parts = urlsplit(value)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        known = {"endpoint_url", "region_name", "addressing_style"}
        if parts.scheme != "s3" or not re.fullmatch("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", parts.netloc):
            raise ImproperlyConfigured(f"{name} must be s3:// and the name of a bucket.")
        if not known.issuperset(options):
            raise ImproperlyConfigured(
                f"{name} takes {', '.join(sorted(known))}, not {sorted(set(options) - known)}."
            )
        return {
            "bucket_name": parts.netloc,
            "location": parts.path.strip("/"),
            "querystring_auth": False,
            "file_overwrite": True,  # a name is its content's hash
            "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
            **options,
        }

    def public_gateway(self, name: str, default: str) -> str:
        """A base URL as of `base_url`, without `/ipfs` at its end; empty for the word `none`."""
        if self.text(name).lower() == "none":
            return ""
        return self.base_url(name, default).removesuffix("/ipfs")

    def gateways(self, name: str, default: Sequence[str]) -> list[str]:
        """Comma-separated http(s) base URLs; none at all for the word `none`.

        They may hold keys, so they are never part of a message.
        """
        bases = self.words(name, default=list(default))
        if [base.lower() for base in bases] == ["none"]:
            return []
        if any(_http_url(base) is None for base in bases):
            raise ImproperlyConfigured(f"{name} must be http or https URLs, separated by commas, or none.")
        return bases

    def evm_address(self, name: str, default: str) -> str:
        """An address of 0x and 40 hexadecimal digits in any letter case, in lower case."""
        value = self.text(name, default)
        if not re.fullmatch("0[xX][0-9a-fA-F]{40}", value):
            raise wrong(name, "0x and 40 hexadecimal digits", value)
        return value.lower()

    def node_urls(self, prefix: str) -> dict[str, list[str]]:
        """The comma-separated http(s) URLs of all variables with a prefix, by the rest of their names in lower case.

        An underscore in the name is a dash. The URLs may hold keys, so they are never part of a message.
        """
        found = {}
        self.prefixes.add(prefix)
        for name in sorted(os.environ):
            urls = self.words(name) if name.startswith(prefix) else []
            for url in urls:
                if not url.startswith(("http://", "https://")) or _http_url(url) is None:
                    raise ImproperlyConfigured(f"{name} must be http or https URLs, separated by commas.")
            if urls:
                found[name.removeprefix(prefix).lower().replace("_", "-")] = urls
        return found

    def url_template(self, name: str, fields: Sequence[str]) -> str:
        """An http(s) URL that has each of `fields` in braces behind its host; empty when unset.

        The URL may hold a key, so it is never part of a message.
        """
        value = self.text(name)
        if not value:
            return ""
        parts = _http_url(value)
        wanted = {f"{{{field}}}" for field in fields}
        if (
            parts is None
            or set(re.findall(r"\{[^{}]*\}|[{}]", value)) != wanted
            or any(char in parts.netloc for char in "{}")
            or any(char.isspace() for char in value)
        ):
            raise ImproperlyConfigured(
                f"{name} must be an http or https URL with {', '.join(sorted(wanted))} in its path or query."
            )
        return value

    def urls_by_name(self, name: str, default: Mapping[str, str]) -> dict[str, str]:
        """A comma-separated list of `name=URL`, added to the default; nothing behind the `=` takes one away."""
        found = dict(default)
        for word in self.words(name):
            key, equals, url = (part.strip() for part in word.partition("="))
            url = url.rstrip("/")
            is_named = bool(equals and re.fullmatch("[a-z][a-z0-9._-]{0,39}", key))
            if not is_named or (url and _http_url(url) is None):
                raise wrong(name, "chain=URL with http or https URLs, separated by commas", word)
            found[key] = url
        return found

    def renamed(self, name: str, default: Mapping[str, str]) -> dict[str, str]:
        """A comma-separated list of words, each with another name behind a `=` where it has one: `ETH=ethereum`."""
        found = {}
        for word in self.words(name):
            key, _, other = (part.strip() for part in word.partition("="))
            if not re.fullmatch("[A-Za-z0-9.$_-]{1,40}", key) or (
                ("=" in word) and not re.fullmatch("[!-~]{1,100}", other)
            ):
                raise wrong(name, "words or word=name, separated by commas", word)
            found[key.upper()] = other or key
        return found or dict(default)

    def database(self, name: str, default: Path, base: Path) -> dict[str, Any]:
        """Django's database dictionary for the URL in `name`; unset, an SQLite file at `default`.

        PostgreSQL and SQLite only. The URL may hold a password, so it is never part of the message.
        """
        url = self.text(name)
        if not url:
            return {"ENGINE": SQLITE, "NAME": str(default), "OPTIONS": {}}
        config = _database(name, url)
        if config["ENGINE"] == SQLITE:
            config["NAME"] = str((base / config["NAME"]).resolve())
        return config

    def replicas(self, name: str) -> dict[str, dict[str, Any]]:
        """Django's database dictionaries for comma-separated URLs of PostgreSQL, by alias: `replica_1`, …

        A comma that no URL follows belongs to the URL before it (`?host=a,b`).
        """
        urls = [url.strip(" ,") for url in re.split(r",(?=\s*(?:\w+://|$))", self.text(name))]
        found = [_database(name, url) for url in urls if url]
        if any(config["ENGINE"] != POSTGRESQL or "," in config["NAME"] for config in found):
            raise ImproperlyConfigured(f"{name} must be URLs that start with postgresql://, comma separated.")
        return {f"replica_{number}": config for number, config in enumerate(found, 1)}


def _database(name: str, url: str) -> dict[str, Any]:
    """Return Django's database dictionary for a URL of PostgreSQL or SQLite. Raises ImproperlyConfigured."""
    try:
        config: dict[str, Any] = dict(environ.Env.db_url_config(url))
    except Exception as fault:  # its parsing lets ValueError, KeyError and more through
        raise ImproperlyConfigured(f"{name} is not a database URL ({type(fault).__name__}).") from None
    config.setdefault("OPTIONS", {})
    if config.get("ENGINE") not in {POSTGRESQL, SQLITE}:
        raise ImproperlyConfigured(f"{name} must start with postgresql:// or sqlite:///.")
    if config.get("NAME") in {None, "", ":memory:"}:  # one in memory would be another one for each connection
        raise ImproperlyConfigured(f"{name} names no database.")
    return config


def _with_port(name: str, text: str, port: int, is_host: bool) -> str:
    """Return an address to listen at, with its port and IPv6 in brackets. Raises ImproperlyConfigured."""
    if re.fullmatch(r"unix:.+|fd://\d+", text):
        return text
    host, own = text, ""
    bracketed = re.fullmatch(r"\[([^\[\]]+)\](?::(\d+))?", text)
    if bracketed:
        host, own = bracketed[1], bracketed[2] or ""
    elif text.count(":") == 1:
        host, _, own = text.partition(":")
    try:
        plain = f"[{ipaddress.IPv6Address(host)}]" if ":" in host else host
        sound = bool(re.fullmatch(r"[\w.\[\]:%-]*", plain, re.ASCII)) and bool(
            own or ":" not in text or ":" in host
        )
        number = int(own) if own else port
    except ValueError:
        sound, number, plain = False, 0, ""
    if not sound or number > 65_535 or (is_host and (own or not host)):
        kinds = "a host name, an IP address or unix:/path" if is_host else "host:port or unix:/path"
        raise wrong(name, kinds, text)
    return f"{plain or '0.0.0.0'}:{number}"  # noqa: S104 - `:8000` means all addresses, as gunicorn has it


def _http_url(text: str) -> SplitResult | None:
    """Return the parts of an http or https URL with a host and, if any, a port that can be; else ``None``."""
    try:
        parts = urlsplit(text)
        sound = parts.scheme in {"http", "https"} and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    return parts if sound and parts.hostname else None
