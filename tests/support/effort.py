"""How many random cases tests try: a quarter each time, all of them in `python -m tests --thorough`."""

import os

VARIABLE = "GORRION_THOROUGH_TESTS"
"""The environment variable that asks for all of them."""


def cases(most):
    """Return how many of `most` random cases a test tries."""
    return most if VARIABLE in os.environ else most // 4
