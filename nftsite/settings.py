"""Django's settings. Everything an operator may change comes from the environment; `.env.example` lists it all.

With nothing set, the service runs from a clone: SQLite, files and a generated secret key under `var/`, which is the
only folder that the program writes to (VAR_DIR). A wrong value stops the start with ImproperlyConfigured naming the
variable; what needs Django to be checked is in `checks.py`.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from core.chains import EXPLORERS_OF_CHAINS
from core.db.planning import set_up
from core.environment import POSTGRESQL, Environment
from core.logs import logging_config
from core.secret_file import generated_secret
from nftsite.api_settings import (  # noqa: F401 - settings too
    DRF_STANDARDIZED_ERRORS,
    REST_FRAMEWORK,
    SPECTACULAR_SETTINGS,
)

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment(dotenv=BASE_DIR / ".env")

# What the operator decides

DEBUG = env.flag("DEBUG", default=False)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
PUBLIC_BASE_URL = env.base_url("PUBLIC_BASE_URL")
"""Scheme, host and prefix under which clients reach the service; empty: taken from each request."""
FORWARDED_ALLOW_IPS = env.networks("FORWARDED_ALLOW_IPS", default=["127.0.0.1", "::1"])
"""Proxies whose X-Forwarded-Proto (by gunicorn) and X-Forwarded-For (for the limit of logins) are believed."""
VAR_DIR = env.path("VAR_DIR", default=BASE_DIR / "var", base=BASE_DIR)
"""What the program writes lies under it, unless another setting names a place of its own."""
MEDIA_ROOT = str(env.path("MEDIA_ROOT", default=VAR_DIR / "files", base=BASE_DIR))
MEDIA_BUCKET = env.bucket("MEDIA_STORAGE")
"""S3 bucket for cached images, as django-storages' options; empty: files under MEDIA_ROOT."""
MEDIA_PUBLIC_URL = env.base_url("MEDIA_PUBLIC_URL")
"""Where clients get cached images when this service does not serve them: the address of the bucket or of a CDN."""
if MEDIA_PUBLIC_URL:
    MEDIA_PUBLIC_URL += "/"
MEDIA_ACCEL_PREFIX = env.path_prefix("MEDIA_ACCEL_PREFIX")
"""Internal location of MEDIA_ROOT in the proxy, which then sends the files (X-Accel-Redirect); empty: we do."""
MEDIA_MAX_BYTES = env.whole_number("MEDIA_MAX_BYTES", default=0, maximum=2**50)
"""Bytes that cached images may take; 0: no limit."""
API_MAX_AGE = env.whole_number("API_MAX_AGE", default=0, maximum=31_536_000)
"""Seconds for which a client may reuse an answer without asking again; 0: it revalidates each time (no-cache)."""
RATE_LIMIT = env.quota("RATE_LIMIT")
"""What may be asked for by an address, or by a key without a limit of its own; ``None``: as much as one likes."""
API_KEYS = env.choice("API_KEYS", ["optional", "required", "off"])
"""Whether the API is answered without a key; `off`: none is looked at."""
CACHE_URL = env.cache_url("CACHE_URL")
"""Where processes count limits together; it may hold a password and is never shown. Empty: each by itself."""
ADMIN = env.flag("ADMIN", default=True)
"""Whether there is an admin."""
ADMIN_BIND = env.one_address("ADMIN_BIND")
"""The one address at which the admin is answered, where gunicorn listens besides; empty: at all."""
SECURITY_CONTACT = env.contacts("SECURITY_CONTACT")
"""Where to report weaknesses to, as `/.well-known/security.txt` says; empty: there is no such file."""
OTEL_EXPORTER_OTLP_ENDPOINT = env.base_url("OTEL_EXPORTER_OTLP_ENDPOINT")
"""Where traces of requests are sent (OpenTelemetry, OTLP by HTTP); empty: there are none."""
env.prefixes.add("OTEL_")  # all others are OpenTelemetry's own
ALCHEMY_API = env.flag("ALCHEMY_API", default=True)
"""Whether clients of Alchemy's NFT API are answered in its shape below `/alchemy/` (docs/compat.md)."""
API_PREFIXES = ["/api/", *(["/alchemy/"] if ALCHEMY_API else [])]
"""Where programs ask: what lies there answers every origin, and errors in JSON."""
PAGE_PREFIXES = ["/collections/", "/nfts/", "/transfers/"]
"""Where pages for people stand, the start page apart."""
PROBES = ["/healthz", "/readyz"]
"""What asks whether the service is well: at any address of it, and answered by threads of their own."""
STATEMENT_TIMEOUT = env.whole_number("STATEMENT_TIMEOUT", default=15, maximum=3600)
"""Seconds a statement of a web process may take on PostgreSQL; 0: no limit. Commands are never limited."""
WEB_TIMEOUT = env.whole_number("WEB_TIMEOUT", default=30, minimum=1, maximum=3600)
"""Seconds after which gunicorn replaces a worker that does not answer; `gunicorn.conf.py` reads it here."""
WEB_THREADS = env.whole_number("WEB_THREADS", default=4, minimum=1, maximum=128)
"""Threads of a web process, likewise."""
WEB_CONCURRENCY = env.whole_number("WEB_CONCURRENCY", default=2, minimum=1, maximum=512)
"""Web processes, likewise."""
RPC_URLS = env.node_urls("RPC_URLS_")
"""Nodes by slug of their chain. The URLs hold keys: they are never shown."""
ENS_REGISTRY = env.evm_address("ENS_REGISTRY", default="0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e")
"""The registry of ENS, at the node of `ethereum`, in lower case; the default is mainnet's."""
RATES_URL = env.url_template("RATES_URL", ["currency", "from", "to"])
"""Where `sync_rates` asks for prices (`indexing/rates/price_api.py`). It may hold a key: it is never shown."""
RATES_CURRENCIES = env.renamed("RATES_CURRENCIES", default={"ETH": "ETH"})
"""Of which currencies, by symbol, each with what that API calls it."""
OPENSEA_API_URL = env.base_url("OPENSEA_API_URL", default="https://api.opensea.io")
"""Where `sync_asks` reads OpenSea's order book."""
OPENSEA_API_KEY = env.text("OPENSEA_API_KEY")
"""Its key there, which is never shown; empty: that book is not read."""
IPFS_GATEWAYS = env.gateways(
    "IPFS_GATEWAYS", ["https://ipfs.io", "https://dweb.link", "https://4everland.io"]
)
"""Where IPFS content is fetched, one standing in for the other. The URLs may hold keys: they are never shown."""
ARWEAVE_GATEWAYS = env.gateways("ARWEAVE_GATEWAYS", ["https://arweave.net", "https://ar-io.dev"])
"""Likewise for Arweave."""
IPFS_PUBLIC_GATEWAY = env.public_gateway("IPFS_PUBLIC_GATEWAY", "https://ipfs.io")
"""At which gateway answers and the admin show IPFS content; empty: as `ipfs://`."""
ARWEAVE_PUBLIC_GATEWAY = env.public_gateway("ARWEAVE_PUBLIC_GATEWAY", "https://arweave.net")
"""Likewise for `ar://`."""
EXPLORERS = env.urls_by_name("EXPLORERS", default=EXPLORERS_OF_CHAINS)
"""Explorers by chain, to which pages link (`<URL>/tx/<hash>`, `<URL>/address/<address>`)."""
INDEX_KEEP_BLOCKS = env.whole_number("INDEX_KEEP_BLOCKS", default=256, minimum=1, maximum=100_000)
"""How many blocks' hashes are kept of an indexed chain: the deepest reorganisation that is followed by itself."""
METADATA_MAX_AGE_DAYS = env.whole_number("METADATA_MAX_AGE_DAYS", default=30, maximum=36_500)
"""After how many days metadata that was read is read again; 0: only when something asks for it."""
LOG_LEVEL = env.choice("LOG_LEVEL", ["INFO", "DEBUG", "WARNING", "ERROR"])
LOG_FORMAT = env.choice("LOG_FORMAT", ["json", "text"])

# Database

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database("DATABASE_URL", default=VAR_DIR / "db.sqlite3", base=BASE_DIR)
}
_database = DATABASES["default"]
_replicas = env.replicas("DATABASE_REPLICA_URLS")
REPLICA_MAX_LAG = env.whole_number("REPLICA_MAX_LAG", default=10, minimum=1, maximum=86_400)
"""Seconds that a replica may be behind to be read from (`core/db/replicas.py`)."""
if _replicas and _database["ENGINE"] != POSTGRESQL:
    raise ImproperlyConfigured("DATABASE_REPLICA_URLS is set, but DATABASE_URL does not name PostgreSQL.")
for _one in _replicas.values():
    _one["TEST"] = {"MIRROR": "default"}
DATABASES |= _replicas
DATABASE_ROUTERS = ["core.db.router.OneServerRouter"] if _replicas else []
set_up(DATABASES, is_pooled=env.flag("DISABLE_SERVER_SIDE_CURSORS", default=False))
# What limits are counted in. A cache that does not answer holds no page up: each process counts for itself then.
_own = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "OPTIONS": {"MAX_ENTRIES": 50_000},  # some 20 MB; with more clients those longest silent are forgotten
}
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "core.access.redis_cache.RedisCache",
        "LOCATION": [CACHE_URL],  # as a text it would be split at commas, which a password may have
        "KEY_PREFIX": "nftsite",
        "OPTIONS": {"socket_timeout": 0.25, "socket_connect_timeout": 0.25},
    }
    if CACHE_URL
    else _own,
    "own": {**_own, "LOCATION": "own"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SECRET_KEY = env.text("SECRET_KEY")
"""Signs cursors: every process of a deployment needs the same one. Old ones go to SECRET_KEY_FALLBACKS."""
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
SETTINGS_READ = {*env.asked, "BIND", "HOST", "PORT"}
"""The variables that are settings; those of `gunicorn.conf.py` are spelled out."""
env.refuse_unknown(SETTINGS_READ)
if not SECRET_KEY and _database["ENGINE"] == POSTGRESQL:
    raise ImproperlyConfigured("SECRET_KEY must be set when DATABASE_URL names PostgreSQL.")
if not SECRET_KEY:
    SECRET_KEY = generated_secret(VAR_DIR / "secret_key")

# Django

ROOT_URLCONF = "nftsite.urls"
WSGI_APPLICATION = "nftsite.wsgi.application"
INSTALLED_APPS = [
    "nftsite.apps.SiteConfig",
    "media",
    "tokens",
    "transfers",
    "indexing",
    "interchange",
    "core.access",
    "core.backoffice.apps.BackofficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "drf_standardized_errors",
]
MIDDLEWARE = [
    "core.rest.headers.BodyLengthMiddleware",
    "core.rest.headers.RequestLogMiddleware",
    "core.access.throttling.AllowanceHeadersMiddleware",
    *(["compat.middleware.AlchemyMiddleware"] if ALCHEMY_API else []),
    "core.rest.headers.CorsMiddleware",
    "core.rest.headers.HeaderLengthMiddleware",
    "nftsite.pages.ContentSecurityMiddleware",
    "core.rest.errors.ErrorBodyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.rest.headers.RepresentationMiddleware",
    "core.rest.headers.HostMiddleware",
    "core.backoffice.middleware.AdminElsewhereMiddleware",
    "nftsite.failures.FailureMiddleware",
    "core.backoffice.middleware.SessionMiddleware",
    "core.backoffice.middleware.CsrfViewMiddleware",
    "core.backoffice.middleware.AuthenticationMiddleware",
    "core.backoffice.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
APPEND_SLASH = False
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # the query string has a limit of its own, which names the fault
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
LANGUAGE_CODE = "en-us"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

# Operators' logins; the API knows neither cookies nor users

_public = urlsplit(PUBLIC_BASE_URL)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "core.backoffice.logins.OneAtATimeBackend",
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = ["ip_address"]  # by name, a stranger could lock out whom he knows
AXES_CLIENT_IP_CALLABLE = "core.clients.client_address"
AXES_HANDLER = "core.backoffice.logins.FailureHandler"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True  # the audit trail has what operators do
AXES_ENABLE_ADMIN = False  # its own pages search and count whole tables; ours are in nftsite/admin.py
AXES_VERBOSE = False
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
# A service without a public https address is tried out over plain http, where a secure cookie would not come back.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _public.scheme == "https"
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"] if PUBLIC_BASE_URL else []

# Under a prefix Django finds its addresses behind it, whether the proxy takes it off or not (wsgi.py).
FORCE_SCRIPT_NAME = _public.path or None
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{_public.path}/"
STATIC_URL = f"{_public.path}/static/"
MEDIA_URL = "/files/"  # behind that prefix, like all addresses in urls.py
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "media.bucket.Bucket", "OPTIONS": MEDIA_BUCKET}
    if MEDIA_BUCKET
    else {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Static files are served from the packages they come in, by name and with a short age: no collectstatic to forget.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

SILENCED_SYSTEM_CHECKS = [
    "axes.W002",  # what its middleware does, the login page does by itself
    "models.W040",  # SQLite has no columns beside an index's keys; it reads them from the table
    "security.W003",  # it looks for Django's CSRF middleware by name; ours is a subclass, for /admin/ alone
    "security.W004",  # HSTS and
    "security.W008",  # the redirect to https are the TLS-terminating proxy's; gunicorn reads X-Forwarded-Proto
]
LOGGING = logging_config(level=LOG_LEVEL, style=LOG_FORMAT)

# The API

MARKET_NAMES = "indexing.judge.markets.registry.NAMES"
"""Of the markets that every database begins with, by slug."""
API_FRESHNESS = "indexing.freshness.reach_of"
"""Tells up to where the chain of a query is indexed."""
TRANSFER_EXPLANATION = "indexing.admin.explanations.rows_of"
ASK_EXPLANATION = "transfers.admin.order_events.rows_of"
"""Tells what the chain said of an ask, on its page in the admin."""
IMAGE_USES = "tokens.store.image_uses.USES"
API_LAST_TRANSFERS = "transfers.records.transfer.transfer_records_by_id"
"""Reads the transfers that NFTs show as their last."""
