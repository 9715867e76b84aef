"""The house's settings, all of them; every one that differs between houses comes from the
environment, or in a demo house from the file `house.env` beside its data."""

import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from casino.env import Environment, read_file

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("CROUPIER_DATA") or BASE_DIR / "var")
env = Environment(read_file(DATA_DIR / "house.env"))
# Where the embedded servers' data lies, which may be another disk; told by the supervisor.
SERVERS_DIR = Path(env.text("CROUPIER_SERVERS", str(DATA_DIR)))

ENVIRONMENT = env.choice("CROUPIER_ENV", ("demo", "production", "test"), "demo")
PRODUCTION = ENVIRONMENT == "production"
DEBUG = env.flag("DEBUG", False)

# A demo house that nobody has started yet still needs a key to load; a production house must
# bring its own (casino/core/checks refuses these values there).
UNSAFE_SECRET = "unsafe-" + "demo-only"
SECRET_KEY = env.text("SECRET_KEY", None if PRODUCTION else UNSAFE_SECRET)
# id:base64 of 32 bytes, comma separated, the newest first: what hidden cards are encrypted under.
CARD_KEYS = env.names("CARD_KEYS", "" if PRODUCTION else "demo:" + "A" * 43 + "=")
# base64 of an Ed25519 private key's 32 bytes: signs the sealed log's heads and deck roots.
LOG_SIGNING_KEY = env.text("LOG_SIGNING_KEY", None if PRODUCTION else "B" * 43 + "=")
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS")
LOG_FORMER_PUBLIC_KEYS = env.names("LOG_FORMER_PUBLIC_KEYS")

HOST = env.text("HOST", "127.0.0.1")
PORT = env.integer("PORT", 8000)
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]") + (
    [] if HOST in {"127.0.0.1", "localhost"} or PRODUCTION else ["*"]
)
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "casino.core",
    "wallets",
    "tables",
    "casino.console",
    "casino.house",
]

MIDDLEWARE = [
    "casino.middleware.MeterMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.middleware.ContentPolicyMiddleware",
    "casino.middleware.PlainAddressMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.console.door.DoorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "tables" / "web" / "templates"],
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


# A host that is cut off from its database must neither wait for it for minutes nor leave a table
# locked behind it. These reach the network alone; libpq ignores them on a socket of the machine.
LINE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
}
ADDRESS = {"dbname", "user", "password", "host", "port"}
# On the server's side: a transaction whose client has gone quiet in its middle is taken back.
QUIET_MOST = "-c idle_in_transaction_session_timeout=5000"


def database(url: str, *, reuse: bool, part: str) -> dict[str, Any]:
    """Django's description of the database that a postgresql:// URL names.

    reuse: a worker keeps its one connection; a web process takes them from a pool.
    part: a command may think for longer within a transaction than what serves players.
    """
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as error:
        raise ImproperlyConfigured("the database URL cannot be read") from error
    rest = {name: value for name, value in parts.items() if name not in ADDRESS}
    # Errors must not carry a statement's parameters (a hand's state) into PostgreSQL's log,
    # hence server_side_binding; lock_timeout turns a stuck table into "busy, retry".
    options: dict[str, Any] = {
        "server_side_binding": True,
        "prepare_threshold": 5,
        **LINE,
        **rest,  # as a line that must be encrypted (sslmode) and whom it is to end at
        "options": f"{rest.get('options', '')} -c lock_timeout=2000 -c timezone=UTC".strip()
        + f" {QUIET_MOST}" * (part != "command"),
    }
    if not reuse:
        # A pool doubles its pauses while PostgreSQL is away, up to half a minute by itself; one
        # that gives up sooner tries afresh for the next request.
        options["pool"] = {
            "min_size": 2, "max_size": 12, "timeout": 5, "max_lifetime": 600,
            "reconnect_timeout": 4,
        }  # fmt: skip
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.get("dbname", "croupier"),
        "USER": parts.get("user", "app"),
        "PASSWORD": parts.get("password", ""),
        "HOST": parts.get("host", ""),
        "PORT": parts.get("port", ""),
        "CONN_MAX_AGE": 600 if reuse else 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
        "TEST": {"NAME": "test_croupier"},
    }


AS_OWNER = os.environ.get("CROUPIER_ROLE") == "owner"
# "web" processes pool their connections; every other process (worker, clock, command) keeps one.
PART = os.environ.get("CROUPIER_PART", "command")
DATABASE_URL = env.text("DATABASE_URL", None if PRODUCTION else "postgresql://app@/croupier")
DATABASES = {
    "default": database(
        env.text("DATABASE_OWNER_URL", DATABASE_URL) if AS_OWNER else DATABASE_URL,
        reuse=PART != "web",
        part=PART,
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL", None if PRODUCTION else "redis://localhost:6379/0")
# An answer takes less than a thousandth of it; a clock that waits for longer is silent itself.
VALKEY_ANSWERS_S = 0.5
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": VALKEY_ANSWERS_S},
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
CHANNEL_LAYERS = {"default": {"BACKEND": "tables.hub.HubLayer"}}

CELERY_BROKER_URL = (
    "redis+socket://" + REDIS_URL.removeprefix("unix://")
    if REDIS_URL.startswith("unix://")
    else REDIS_URL
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "tables"
CELERY_TASK_ROUTES = {"long.*": {"queue": "long"}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# By themselves these would try again for six seconds to reach a broker that is away, and wait for
# good for one that does not answer; the clock finds what could not be handed on. A worker's own
# waiting for tasks is not cut short.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "max_retries": 0} | (
    {}
    if PART == "worker"
    else {"socket_timeout": VALKEY_ANSWERS_S, "socket_connect_timeout": VALKEY_ANSWERS_S}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_DB_REUSE_MAX = 10_000  # without it Celery closes the connection around every task
CELERY_TIMEZONE = "UTC"

AUTH_USER_MODEL = "core.User"
AUTHENTICATION_BACKENDS = ["casino.core.backends.GuardedBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/admin/login/"
# Staff without a second factor set one up before anything else.
SECOND_FACTOR_REQUIRED = env.flag("SECOND_FACTOR_REQUIRED", PRODUCTION)
# A member of the staff is signed out when he was away so long, and after a shift in any case.
STAFF_IDLE_MIN = env.integer("STAFF_IDLE_MIN", 60)
STAFF_SESSION_H = env.integer("STAFF_SESSION_H", 12)
REGISTRATION_OPEN = env.flag("REGISTRATION_OPEN", not PRODUCTION)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.core.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["casino.core.permissions.IsPlayer"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.core.api.parsing.PlainJsonParser"],
    "DEFAULT_SCHEMA_CLASS": "casino.core.api.openapi.HouseSchema",
    # `format` asks for a written form of a hand, not for a renderer.
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "casino.errors.problem_response",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Croupier player API",
    "DESCRIPTION": "Sit, bet, act and follow the money. Amounts are integers in minor units.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["casino.core.api.openapi.add_problems"],
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pl", "Polski")]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "static-collected")))
STATICFILES_DIRS = [BASE_DIR / "tables" / "web" / "static"]
STATICFILES_STORAGE_CLASS = (
    "casino.storage.HashedModulesStorage"
    if STATIC_ROOT.joinpath("staticfiles.json").exists()
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATICFILES_STORAGE_CLASS},
}
WHITENOISE_USE_FINDERS = not STATIC_ROOT.joinpath("staticfiles.json").exists()

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", PRODUCTION)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 262_144

# A market that forbids players' input to the cards: its tables are opened certified.
CERTIFIED_CARDS = env.flag("CERTIFIED_CARDS", False)

# Players exchange currencies by themselves at the rates in force, not only at the counter. Whoever
# sets rates for long hours leaves it off: the market moves while they stand.
PLAYERS_EXCHANGE = env.flag("PLAYERS_EXCHANGE", not PRODUCTION)

# A wallet that somebody else keeps in place of ours, and the secret (whsec_...) that signs what we
# ask it; docs/operator_wallet.md.
OPERATOR_WALLET_URL = env.text("OPERATOR_WALLET_URL", "")
OPERATOR_WALLET_SECRET = env.text("OPERATOR_WALLET_SECRET", "")

# Scripted hands, set clocks and play money for whoever writes a client; docs/sandbox.md.
SANDBOX = env.flag("SANDBOX", not PRODUCTION)

# What the tables run by: milliseconds and seconds of DESIGN's boundary rule and clock.
GRACE_MS = 250
PULSE_MS = 250
CLOCK_POLL_MS = 50
HEARTBEAT_MS = 1_000
SILENCE_MS = 3_000
# From when on the nightly look at pairs of players tells a figure: operations.md, "Watching play".
WATCH_LIMITS = env.figures("WATCH_LIMITS")
HELD_EXTRA_MS = 5_000

# With less than this left on the disk of the data folder no further hand is dealt.
DISK_LEAST_MB = env.integer("DISK_LEAST_MB", 100)

# A wager's running return is told to the log when it is further from theory than so many standard
# errors. It is looked at after every round, so three would be passed by chance alone.
RETURN_BAND = 4.0
RETURN_SPOTS_LEAST = 100

# `/metrics` answers who brings this; nobody where it is empty.
METRICS_TOKEN = env.text("METRICS_TOKEN", "")

# How long what is not history is kept, and when hands are packed: operations.md, "What is kept".
HANDS_PACKED_AFTER_DAYS = env.integer("HANDS_PACKED_AFTER_DAYS", 30)
KEYS_KEPT_HOURS = env.integer("KEYS_KEPT_HOURS", 48)
SIGN_IN_FAILURES_KEPT_HOURS = env.integer("SIGN_IN_FAILURES_KEPT_HOURS", 24)
SCREEN_LAGS_KEPT_DAYS = env.integer("SCREEN_LAGS_KEPT_DAYS", 90)
ORIGINS_KEPT_DAYS = env.integer("ORIGINS_KEPT_DAYS", 365)
WEBHOOK_MESSAGES_KEPT_DAYS = env.integer("WEBHOOK_MESSAGES_KEPT_DAYS", 30)

# What alerts are raised by: somebody's win in a hand, in units of the currency; seconds between the
# clock of a process and the database's.
LARGE_WIN_UNITS = env.integer("LARGE_WIN_UNITS", 10_000)
CLOCK_DRIFT_MOST_S = 2.0

# Mail goes out where a server for it is named; otherwise it is written to the process's output.
EMAIL_HOST = env.text("EMAIL_HOST", "")
EMAIL_PORT = env.integer("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD", "")
EMAIL_USE_TLS = env.flag("EMAIL_TLS", True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = "django.core.mail.backends." + (
    "smtp.EmailBackend" if EMAIL_HOST else "console.EmailBackend"
)
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "croupier@localhost")

# The operator's floor and ceiling of what a wager returns, in basis points of its stake. A
# progressive is held against them with its meter at the seed.
PAYTABLE_RETURN_BP = {
    "default": (
        env.integer("PAYTABLE_RETURN_LEAST_BP", 7_500),
        env.integer("PAYTABLE_RETURN_MOST_BP", 9_999),
    ),
    "progressive": (
        env.integer("PROGRESSIVE_RETURN_LEAST_BP", 5_000),
        env.integer("PROGRESSIVE_RETURN_MOST_BP", 9_999),
    ),
}

UNFOLD = {
    "SITE_TITLE": "Croupier",
    "SITE_HEADER": "Croupier",
    "SITE_URL": None,
    "SITE_SYMBOL": "playing_cards",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "/favicon.ico"}],
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_LANGUAGES": True,
    "ENVIRONMENT": "casino.console.navigation.environment",
    "STYLES": ["casino.console.navigation.records_style"],
    "SIDEBAR": {
        "show_search": True,
        "command_search": True,
        "navigation": "casino.console.navigation.sidebar",
    },
    "COMMAND": {"search_callback": "casino.console.navigation.find_or_do"},
    # Grounds and ink of the console's own pages (casino/console/static), for the library's too.
    "COLORS": {
        "base": {
            "50": "#f4f6f4", "100": "#eef2ef", "200": "#d7dfda", "300": "#c2cdc6",
            "400": "#8a9a91", "500": "#5c6c64", "600": "#51605a", "700": "#2a3831",
            "800": "#1c2822", "900": "#0c1310", "950": "#080d0b",
        },
        "primary": {
            "50": "#eef7fd", "100": "#d9edfa", "200": "#b6dcf5", "300": "#9fd6f7",
            "400": "#7fd3ff", "500": "#5cbcf0", "600": "#0a5583", "700": "#08476e",
            "800": "#063857", "900": "#052a41", "950": "#031b2b",
        },
    },
}  # fmt: skip

LOG_FORMAT = env.choice("LOG_FORMAT", ("line", "json"), "json" if PRODUCTION else "line")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "casino.core.logs.JsonLines"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        # A made-up Host is answered with 400: it needs no traceback, and strangers no say in a log.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}

if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("a production house does not run with DEBUG")
if OPERATOR_WALLET_URL and not OPERATOR_WALLET_SECRET.startswith("whsec_"):
    raise ImproperlyConfigured("OPERATOR_WALLET_URL needs an OPERATOR_WALLET_SECRET, whsec_...")
if PRODUCTION and OPERATOR_WALLET_URL and not OPERATOR_WALLET_URL.startswith("https://"):
    raise ImproperlyConfigured("OPERATOR_WALLET_URL of a production house is https://")
if PRODUCTION and SANDBOX:
    raise ImproperlyConfigured("a production house has no SANDBOX")
if PRODUCTION and UNSAFE_SECRET in SECRET_KEY:
    raise ImproperlyConfigured("a production house needs a SECRET_KEY of its own")
