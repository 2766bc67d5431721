"""Benchmarks; each prints its figures."""
