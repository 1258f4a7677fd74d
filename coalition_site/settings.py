"""Settings, read from the environment; the defaults serve a table at home on SQLite.

DATABASE_URL names a database, as in postgres://user:password@host/name; all else begins with
COALITION_ and is listed in environment.py.
"""

import os
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from .environment import DATABASES as DATABASE_FORMS
from .environment import SECRET_MIN, Environment
from .ops.private_file import PrivateConnection

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"
VAR_DIR.mkdir(exist_ok=True)


def _kept_secret(path: Path) -> str:
    try:
        path.parent.mkdir(exist_ok=True)
        with (
            suppress(FileExistsError),
            open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file,
        ):
            file.write(get_random_secret_key())
        return path.read_text()
    except OSError:
        raise ImproperlyConfigured(
            f"{path} can't be made or read: set COALITION_SECRET_KEY to {SECRET_MIN} characters or "
            f"more."
        ) from None


ENGINES = SQLITE, POSTGRESQL = "django.db.backends.sqlite3", "django.db.backends.postgresql"


def _database(name: str, address: str) -> dict[str, Any]:
    database: Any = {"ENGINE": ""}
    with suppress(ValueError):
        database = dj_database_url.parse(address, conn_max_age=60, conn_health_checks=True)
    if database["ENGINE"] not in ENGINES:  # not quoted: it may contain a password
        raise ImproperlyConfigured(
            f"{name} is not a database for this site. Use {DATABASE_FORMS}. In the password, "
            f"write special characters as in a web address: # as %23, @ as %40, / as %2F."
        )
    return cast(dict[str, Any], database)


_environment = Environment()
_email_tls = _environment.one_of("EMAIL_TLS", "start", "whole", "none")
LOGS = _environment.one_of("LOGS", "line", "json")
SIGN_UP = _environment.one_of("SIGN_UP", "open", "invitation", "closed")
EMAIL_PORT = _environment.number("EMAIL_PORT", 587)
LIMITS_TIMES = _environment.number("LIMITS", 1)
CARD_PICTURES = _environment.one_of("CARD_PICTURES", "none", "scryfall", "folder", "cache")
CARD_PICTURES_BYTES = _environment.number("CARD_PICTURES_MB", 500) * 1_000_000
WORKERS = _environment.number("WORKERS", 0)  # 0: as many as this machine is good for
DEBUG, HTTPS, ALLOWED_HOSTS = _environment.debug, _environment.https, _environment.hosts
SECRET_KEY = _environment.secret or _kept_secret(VAR_DIR / "secret-key")
CARD_PICTURES_FOLDER = Path(
    _environment.text("CARD_PICTURES_FOLDER", str(VAR_DIR / "card-pictures"))
)
CARD_PICTURES_SOURCE = "https://cards.scryfall.io"
METRICS_TOKEN = _environment.text("METRICS_TOKEN")

INSTALLED_APPS = [
    "decks.apps.EditorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "django_htmx",
    "coalition_site",
    "decks",
    "scoring",
]
MIDDLEWARE = [
    "coalition_site.middleware.observe",  # first: it times and numbers all the others
    "django.middleware.security.SecurityMiddleware",
    "coalition_site.middleware.add_headers",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Before anything asks for the host: monitoring uses any name, and has no session.
    "coalition_site.middleware.answer_machines",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "coalition_site.middleware.refuse_too_much",
    "coalition_site.middleware.CompressPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "coalition_site.middleware.know_the_visitor",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "coalition_site.middleware.lead_to_pages",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "scoring.tables.common.TableMiddleware",
]
ROOT_URLCONF = "coalition_site.urls"
WSGI_APPLICATION = "coalition_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "coalition_site.jinja.environment",
        },
    },
    {  # for Django's admin, and for what looks different there
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

POSTGRESQL_OPTIONS: dict[str, Any] = {
    # A connection plans a statement once, not at each request: that takes longer than to run it.
    "server_side_binding": True,
    "prepare_threshold": 1,  # from the second time on
    # A server that is there and says nothing must not hold a thread for ever.
    "connect_timeout": 2,  # seconds, the least
    "tcp_user_timeout": 10_000,  # milliseconds
    "keepalives_idle": 10,  # seconds
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "options": "-c lock_timeout=20s",  # as long as SQLite waits for another who writes
}
DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'coalition.sqlite3'}"
DATABASES = {"default": _database("DATABASE_URL", DATABASE_URL)}
if DATABASES["default"]["ENGINE"] == SQLITE:
    # Writers queue at BEGIN instead of failing in the middle; readers never wait.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        "factory": PrivateConnection,
    }
else:
    given = DATABASES["default"].get("OPTIONS", {})
    DATABASES["default"]["OPTIONS"] = POSTGRESQL_OPTIONS | given
SERVING: dict[str, Any] = {}
if SERVING_URL := _environment.text("SERVING_URL"):
    SERVING = _database("COALITION_SERVING_URL", SERVING_URL)
    if {database["ENGINE"] for database in (SERVING, DATABASES["default"])} != {POSTGRESQL}:
        raise ImproperlyConfigured(
            "COALITION_SERVING_URL names a role of a PostgreSQL: DATABASE_URL must name the "
            "same database, with its owner."
        )
POSTGRES_BIN = _environment.text("POSTGRES_BIN")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
FORMAT_MODULE_PATH = "coalition_site.formats"  # goes before what Django has for a language

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "coalition_site.ops.minifying.MinifiedStorage"
    }
}

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "groups"
LOGOUT_REDIRECT_URL = "home"
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # seconds
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"coalition_site.accounts.forms.{name}"}
    for name in ("LongEnough", "Uncommon", "NotOnlyDigits", "NotYourName")
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # counts failures; asks the database at sign-in only
    "coalition_site.accounts.limits.NamesEverywhere",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # or trying on would lock for ever
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # `manage.py axes_reset_username` opens a lock
AXES_USERNAME_CALLABLE = "coalition_site.accounts.limits.name_tried"
AXES_CLIENT_IP_CALLABLE = "coalition_site.lib.visitors.visitors_place"
AXES_LOCKOUT_CALLABLE = "coalition_site.accounts.limits.locked_out"

EMAIL_HOST = _environment.text("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{_environment.mails}.EmailBackend"
SENDS_MAIL = _environment.mails != "dummy"
EMAIL_USE_TLS = _email_tls == "start"
EMAIL_USE_SSL = _email_tls == "whole"
EMAIL_HOST_USER = _environment.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = _environment.text("EMAIL_PASSWORD")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = _environment.text("EMAIL_FROM", "Coalition table <noreply@localhost>")

SESSION_ENGINE = "coalition_site.lib.sessions"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from beside, over http
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
# What HSTS says of other sites below the same domain is not this site's to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CSRF_TRUSTED_ORIGINS = _environment.origins
CSRF_FAILURE_VIEW = "coalition_site.errors.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 700_000  # bytes; a tap has a few hundred, a deck list 200 kB
DATA_UPLOAD_MAX_NUMBER_FIELDS = 400  # an event of 40 hits, amended, has 282
# How often something may be posted from one address, and by one account, within how many seconds.
# A club's whole evening may come from one address.
LIMITS = {
    "start": (120, 3600),
    "found": (30, 3600),
    "import": (10, 3600),  # each stores up to 3 MB for good
    "claim": (60, 3600),
    "check": (600, 600),  # as it is typed
    "save": (60, 3600),
    "edit": (1200, 600),  # single taps on a deck
    "sign_in": (100, 600),
    "name": (40, 900),  # sign-ins with it, from all addresses
    "sign_up": (50, 3600),
    "reset": (20, 3600),
    "send_test": (30, 3600),
    "tap": (1200, 60),  # counted by each process for itself, as are the next
    "picture": (60, 60),  # that are drawn, not those that are there already
    "card_picture": (600, 600),  # that are fetched from the source
    "api": (600, 60),
}
LIMITS = {what: (most * LIMITS_TIMES, per) for what, (most, per) in LIMITS.items() if LIMITS_TIMES}
STREAMS_PER_ADDRESS = 30 * LIMITS_TIMES  # open at once; 0 for without limit
STREAMS_MAX = 2000  # from all addresses; `serve` lowers it where too few files may be open
# Visitors type the addresses of webhooks: whatever else is in the network stays out of their reach.
WEBHOOK_ORIGINS = [
    *("https://discord.com", "https://discordapp.com", "https://hooks.slack.com"),
    *("https://canary.discord.com", "https://ptb.discord.com"),
    *_environment.webhook_origins,
]
SECURE_REFERRER_POLICY = "same-origin"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "coalition_site.ops.logs.Lines",
            "format": "{asctime} {levelname} {name} {request} {message}",
            "style": "{",
        },
        "json": {"()": "coalition_site.ops.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOGS,
            "filters": ["without_secrets"],  # here, since loggers don't filter for their children
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "filters": {
        "without_secrets": {"()": "coalition_site.ops.logs.WithoutSecrets"},
        "once_a_minute": {"()": "coalition_site.ops.logs.OnceAMinute"},
    },
    "loggers": {
        "asyncio": {"filters": ["once_a_minute"]},
        "coalition_site.errors": {"filters": ["once_a_minute"]},
        "axes": {"level": "ERROR"},  # its warnings quote who tried: in haste a password
        "coalition_site.middleware": {"level": "INFO" if LOGS == "json" else "WARNING"},
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # errors.py says it
        "httpx": {"level": "WARNING"},  # below that it logs addresses, which have Discord's secrets
    },
}
