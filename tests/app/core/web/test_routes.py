"""Every route: independence of their order."""

from starlette.routing import compile_path

from tests.support.routes import calls, examples

_CALLS = calls()


def test_no_two_routes_match_the_same_path():
    """The order in which routers are added therefore does not matter."""
    words = {word for call in _CALLS for word in call.path.split("/") if word and "{" not in word}
    patterns = [(call, compile_path(call.path)[0]) for call in _CALLS]
    for call in _CALLS:
        for path in examples(call.path, words):
            matched = [
                str(other)
                for other, pattern in patterns
                if other.method == call.method and pattern.match(path)
            ]
            assert matched == [str(call)], path
