"""Search expressions: read, checked, and written, without looking at any card.

Written by hand: six rules need no parser library, and its messages would be about tokens and
grammar, not about what somebody typed. Nothing here takes a pattern from anybody.
"""
