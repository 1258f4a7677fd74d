"""Django's own settings, but for the address and the database."""

import dj_database_url

SECRET_KEY = "a floor keeps no secrets"
ALLOWED_HOSTS = ["localhost"]
ROOT_URLCONF = "tests.bench.floor.site"
DATABASES = {"default": dj_database_url.config(conn_max_age=60, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
