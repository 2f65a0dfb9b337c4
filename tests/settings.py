"""Settings of the tests: the service's own, with a database that goes away afterwards.

The engine comes from TEST_DATABASE_URL (`python -m tests.postgres` sets it); unset, it is an SQLite file, as in
production, so that locks and snapshots between connections are the real ones. The machine's environment and `.env`
have no say, so that a test means the same everywhere.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests import machine

machine.hide()
_scratch = Path(tempfile.mkdtemp(prefix="nftsite-tests-"))
atexit.register(shutil.rmtree, _scratch, ignore_errors=True)

os.environ["SECRET_KEY"] = "a key for tests only, the same in every process"
os.environ["VAR_DIR"] = str(_scratch / "var")
os.environ["MEDIA_ROOT"] = str(_scratch / "files")
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or f"sqlite:///{_scratch}/db.sqlite3"

from nftsite.settings import *  # noqa: E402, F403
from nftsite.settings import DATABASES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(_scratch / "test.sqlite3")}
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# An operator is made for each test of the admin: a hash that is meant to take a third of a second proves nothing there.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each client of a test starts the middleware anew: whitenoise would look through all static files each time.
WHITENOISE_AUTOREFRESH = True
