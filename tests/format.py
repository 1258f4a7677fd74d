"""Format templates, the style sheet and scripts: ``python -m tests.format [--check]``.

Templates are only indented. Where a line breaks is up to whoever writes them: between words and
inline tags a line break is a space on the page.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cssbeautifier
import jsbeautifier
from djhtml.modes import DjHTML

ROOT = Path(__file__).resolve().parents[1]
INDENT = 2  # spaces


def template(text: str) -> str:
    return DjHTML(text).indent(INDENT)


def options(module: Any) -> Any:
    found = module.default_options()
    found.indent_size, found.end_with_newline = INDENT, True
    return found


def script(text: str) -> str:
    of_scripts = options(jsbeautifier)
    of_scripts.brace_style = "collapse,preserve-inline"  # { such } stay on their line
    of_scripts.operator_position = "preserve-newline"
    return jsbeautifier.beautify(text, of_scripts)


FORMATTERS: dict[str, Callable[[str], str]] = {
    "templates/**/*.html": template,
    "static/*.css": lambda text: cssbeautifier.beautify(text, options(cssbeautifier)),
    "static/js/*.js": script,
    "tests/browser/*.js": script,
}


def main(is_check: bool) -> int:
    found = 0
    for pattern, form in FORMATTERS.items():
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            if (wanted := form(text)) != text:
                found += 1
                print(f"{'To be formatted' if is_check else 'Formatted'}: {path.relative_to(ROOT)}")
                if not is_check:
                    path.write_text(wanted, encoding="utf-8")
    return int(is_check and found > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
