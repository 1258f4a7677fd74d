"""Renders the SVG of its input as the PNG of its output, in a process of its own.

The library that renders holds Python's lock for as long as it works, and a tap would wait for it.
Here it has bounds besides: whatever it may take, the site goes on.

    python -I -S renderer.py FOLDER-OF-PACKAGES FONT...
"""

import os
import resource
import sys

MEMORY = 600_000_000  # bytes of addresses, most of them of fonts that are never read
SECONDS = 5  # of the processor


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.nice(5)  # taps go first
    packages, *fonts = sys.argv[1:]
    sys.path.append(packages)
    from resvg_py import svg_to_bytes

    png = svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        skip_system_fonts=True,
        font_files=fonts,
        resources_dir=os.devnull,
    )
    sys.stdout.buffer.write(png)


if __name__ == "__main__":
    main()
