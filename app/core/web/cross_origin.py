"""What pages of other sites may do: all that the JSON API can, which ignores cookies, and nothing else."""

from app.core.web.paths import is_api

_EXPOSED = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, Retry-After, "
    "WWW-Authenticate, X-Request-ID"
)


def sharing(path: str) -> dict[str, str]:
    """Return the headers that let pages of other sites read the response at a path, or that forbid it."""
    if not is_api(path):
        return {"Cross-Origin-Resource-Policy": "same-origin"}
    return {
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": _EXPOSED,
    }


def preflight(path: str, methods: str) -> dict[str, str]:
    """Return the headers by which browsers learn which requests pages of other sites may send to a path."""
    if not is_api(path):
        return {}
    return {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": "Authorization, Content-Type, *",  # the star leaves out Authorization
        "Access-Control-Max-Age": "86400",
    }
