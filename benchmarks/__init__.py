"""Benchmarks. Each module prints its results."""
