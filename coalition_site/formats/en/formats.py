"""Days and times in the admin, as the site writes them."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
