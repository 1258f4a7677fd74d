"""Benchmarks: each figure beside a floor measured in the same run. Not part of the tests."""
