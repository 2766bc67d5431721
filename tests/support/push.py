"""A push service on the loopback, and devices that subscribe to it and decrypt what it gets."""

import base64
import json
import secrets

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.loopback import LoopbackServer


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService(LoopbackServer):
    """A push service. It answers `answers[path]`, otherwise 201, and keeps what it took, by path."""

    def __init__(self):
        self.answers, self.requests = {}, []
        super().__init__(self._take)

    def _take(self, path, headers, body):
        self.requests.append((path, headers, body))
        return self.answers.get(path, 201), b"", {}


class Device:
    """A browser that has subscribed to a push service, or to none that is reached."""

    def __init__(self, service=None):
        self.service, self.path = service, f"/{secrets.token_hex(8)}"
        self._key, self._auth = generate_private_key(SECP256R1()), secrets.token_bytes(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "endpoint": (service.url if service else "https://push.example") + self.path,
            "expirationTime": None,
            "keys": {"p256dh": base64url(point), "auth": base64url(self._auth)},
        }

    @property
    def requests(self):
        return [(headers, body) for path, headers, body in self.service.requests if path == self.path]

    def messages(self):
        """Decrypt what came, as the device's browser does."""
        return [
            json.loads(
                http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
            )
            for _headers, body in self.requests
        ]


def verified_claims(headers, public_key):
    """Return what the server signed in a request, after checking its signature (RFC 8292)."""
    scheme, _, parameters = headers["Authorization"].partition(" ")
    assert scheme == "vapid"
    given = dict(parameter.strip().split("=", 1) for parameter in parameters.split(","))
    assert given["k"] == public_key
    signed, _, signature = given["t"].rpartition(".")
    raw = from_base64url(signature)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), from_base64url(public_key))
    key.verify(encode_dss_signature(*numbers), signed.encode(), ECDSA(hashes.SHA256()))
    return json.loads(from_base64url(signed.partition(".")[2]))
