"""The site's own settings, with the floors beside its pages."""

from coalition_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.floors"
