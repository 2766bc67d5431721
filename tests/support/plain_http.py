"""httpx without TLS, which no server of the tests speaks.

By default httpx reads all certificates of the system for each client, which takes longer than most requests.
"""

import ssl
from functools import partial

import httpx

_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

Client = partial(httpx.Client, verify=_NO_CERTIFICATES)
AsyncClient = partial(httpx.AsyncClient, verify=_NO_CERTIFICATES)
request = partial(httpx.request, verify=_NO_CERTIFICATES)  # noqa: TID251
stream = partial(httpx.stream, verify=_NO_CERTIFICATES)  # noqa: TID251
get = partial(request, "GET")
post = partial(request, "POST")
put = partial(request, "PUT")
