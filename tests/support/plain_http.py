"""httpx without TLS and proxies, which no server of the tests needs.

By default httpx reads the certificates of the system and the environment for each client, which takes longer
than most requests. And it keeps idle connections for five seconds, after which servers close them: a request
at that moment would get no answer.
"""

import ssl
from functools import partial

import httpx

_PLAIN = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), "trust_env": False}
_LIMITS = httpx.Limits(keepalive_expiry=1)  # seconds

Client = partial(httpx.Client, **_PLAIN, limits=_LIMITS)
AsyncClient = partial(httpx.AsyncClient, **_PLAIN, limits=_LIMITS)
request = partial(httpx.request, **_PLAIN)  # noqa: TID251
stream = partial(httpx.stream, **_PLAIN)  # noqa: TID251
get = partial(request, "GET")
post = partial(request, "POST")
put = partial(request, "PUT")
