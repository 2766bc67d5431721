"""Greetings, which players leave for everybody: the example of `docs/adding-a-feature.md`."""
