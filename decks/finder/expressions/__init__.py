"""Search expressions: read, checked, and written, without looking at any card."""
