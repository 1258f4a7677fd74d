"""Format templates, the style sheet and scripts: ``python -m tests.format [--check]``.

Templates are only indented. Where a line breaks is up to whoever writes them: between words and
inline tags a line break is a space on the page.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import cssbeautifier
import jsbeautifier
from djhtml.modes import DjHTML

ROOT = Path(__file__).resolve().parents[1]
INDENT = 2  # spaces


def template(text: str) -> str:
    return DjHTML(text).indent(INDENT)


def sheet(text: str) -> str:
    options = cssbeautifier.default_options()
    options.indent_size, options.end_with_newline = INDENT, True
    return cssbeautifier.beautify(text, options)


def script(text: str) -> str:
    options = jsbeautifier.default_options()
    options.indent_size, options.end_with_newline = INDENT, True
    options.brace_style = "collapse,preserve-inline"  # { such } stay on their line
    options.operator_position = "preserve-newline"
    return jsbeautifier.beautify(text, options)


FORMATTERS: dict[str, Callable[[str], str]] = {
    "templates/**/*.html": template,
    "static/*.css": sheet,
    "static/js/*.js": script,
    "tests/browser/*.js": script,
}


def unformatted() -> dict[Path, str]:
    wanted = {
        path: form(path.read_text(encoding="utf-8"))
        for pattern, form in FORMATTERS.items()
        for path in sorted(ROOT.glob(pattern))
    }
    return {path: text for path, text in wanted.items() if text != path.read_text(encoding="utf-8")}


def main(is_check: bool) -> int:
    wanted = unformatted()
    for path, text in wanted.items():
        print(f"{'To be formatted' if is_check else 'Formatted'}: {path.relative_to(ROOT)}")
        if not is_check:
            path.write_text(text, encoding="utf-8")
    return 1 if is_check and wanted else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
