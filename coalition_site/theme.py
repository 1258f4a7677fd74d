"""What every page is told."""

from django.http import HttpRequest

THEMES = {"": "As the device", "light": "Light", "dark": "Dark"}


def look(request: HttpRequest) -> dict[str, object]:
    """Return the visitor's choice of colours; "" follows the device."""
    theme = request.COOKIES.get("theme", "")
    return {"theme": theme if theme in THEMES else "", "themes": THEMES}
