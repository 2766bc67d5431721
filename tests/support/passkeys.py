"""A passkey in software, which answers as a browser does."""

import base64
import hashlib
import json
import secrets

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_PRESENT, _VERIFIED, _WITH_KEY = 0x01, 0x04, 0x40  # flags of authenticator data


def _text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class SoftPasskey:
    """A passkey. `verified` is whether it checks who uses it; `uses` counts its signatures."""

    def __init__(self, *, verified=True):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(32)
        self._flags = _PRESENT | (_VERIFIED if verified else 0)
        self.uses = 0

    def register(self, options, origin):
        """Return the answer to the options of `navigator.credentials.create`, as JSON."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self._id).to_bytes(2) + self._id + cbor2.dumps(key)
        data = self._data(options["rp"]["id"], _WITH_KEY) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options, origin)
        return self._answer(clientDataJSON=client_data, attestationObject=attestation)

    def answer(self, options, origin):
        """Return the answer to the options of `navigator.credentials.get`, as JSON."""
        self.uses += 1
        data = self._data(options["rpId"])
        client_data = self._client_data("webauthn.get", options, origin)
        signature = self._key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client_data, authenticatorData=data, signature=signature)

    def _data(self, host, flags=0):
        return hashlib.sha256(host.encode()).digest() + bytes([self._flags | flags]) + self.uses.to_bytes(4)

    def _client_data(self, kind, options, origin):
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": origin}).encode()

    def _answer(self, **response):
        credential_id = _text(self._id)
        return json.dumps(
            {
                "id": credential_id,
                "rawId": credential_id,
                "type": "public-key",
                "response": {name: _text(value) for name, value in response.items()},
            }
        )
