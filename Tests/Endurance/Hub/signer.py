"""Devices that sign their requests (RFC 9421) by an implementation that is not ours."""

import base64
import dataclasses
import datetime
import email.utils
import secrets
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from http_message_signatures import (
    HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms)

FIELDS = "Content-Digest", "Signature-Input", "Signature"
COMPONENTS = "@method", "@authority", "@path", "@query"


@dataclasses.dataclass
class Request:
    """A request as it is sent: its fields in their order, those of one name as often as they come."""

    method: str
    path: str
    fields: list
    body: bytes = b""

    def __str__(self):
        fields = "; ".join(f"{name}: {value[:300]}" for name, value in self.fields)
        return f"{self.method} {self.path[:200]} with {fields} and {self.body[:100]}"

    def copy(self, **changes):
        return dataclasses.replace(self, fields=list(self.fields), **changes)

    def value(self, name):
        return next(value for key, value in self.fields if key.lower() == name.lower())

    def set(self, name, value):
        """Gives a field another value; without one it goes."""
        self.fields = [
            (key, value if key.lower() == name.lower() else old)
            for key, old in self.fields if value is not None or key.lower() != name.lower()]
        return self

    def change(self, name, old, new):
        """Changes a part of a field, which has to be there."""
        value = self.value(name)
        changed = value.replace(old, new, 1)
        assert changed != value, (name, value, old, new)
        return self.set(name, changed)

    def send(self, connection):
        """Sends it by a connection that stays open. Gives the answer and what its body says."""
        connection.putrequest(
            self.method, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.fields:
            connection.putheader(name, value)
        if self.body or self.method in ("POST", "PUT", "PATCH"):
            connection.putheader("Content-Length", str(len(self.body)))
        connection.endheaders(self.body or None)
        answer = connection.getresponse()
        return answer, answer.read()


class Key(HTTPSignatureKeyResolver):
    """A pair of keys, its private half known here alone."""

    def __init__(self, kind, form="raw"):
        if kind == "ed25519":
            self.private, self.algorithm = ed25519.Ed25519PrivateKey.generate(), algorithms.ED25519
        else:
            self.private = ec.generate_private_key(ec.SECP256R1())
            self.algorithm = algorithms.ECDSA_P256_SHA256
        self.kind, self.form = kind, form

    @property
    def secret(self):
        """The private half's bytes."""
        if self.kind == "ed25519":
            return self.private.private_bytes_raw()
        return self.private.private_numbers().private_value.to_bytes(32, "big")

    @property
    def public(self):
        """The public half as a device sends it."""
        encodings, formats = serialization.Encoding, serialization.PublicFormat
        public = self.private.public_key()
        if self.form == "pem":
            return public.public_bytes(encodings.PEM, formats.SubjectPublicKeyInfo).decode()
        if self.form == "spki":
            der = public.public_bytes(encodings.DER, formats.SubjectPublicKeyInfo)
            return base64.b64encode(der).decode()
        if self.form == "ssh":
            return public.public_bytes(encodings.OpenSSH, formats.OpenSSH).decode()
        if self.kind == "ed25519":
            return base64.b64encode(public.public_bytes_raw()).decode()
        point = public.public_bytes(encodings.X962, formats.UncompressedPoint)
        return base64.b64encode(point).decode()

    def resolve_private_key(self, key_id):
        return self.private


class Signer:
    """A device that paired, and signs."""

    def __init__(self, host, kind="ed25519", form="raw", source=None, key=None):
        self.host, self.key, self.source = host, key or Key(kind, form), source
        self.id = host.pair(self.key.public, source)
        host.keys.add(self.key.secret)

    def request(self, method, path, body=b"", **options):
        """A signed request; the options are those of ``sign``."""
        request = Request(method, path, [("Host", f"127.0.0.1:{self.host.hub.port}")], body)
        if body:
            request.fields.append(("Content-Type", "application/json"))
        return self.sign(request, **options)

    def sign(
        self, request, components=COMPONENTS, age=0, expires=None, key=None, keyid=None,
        algorithm=None, nonce=True, digests=True, told=True, label="sig", adds=False
    ):
        """Signs a request.

        ``age`` is since when the signature is there, ``expires`` for how long it is, ``nonce`` True for
        one of its own, ``digests`` whether the body is signed, ``told`` whether the algorithm is named.
        """
        if not adds:
            for name in FIELDS:
                request.set(name, None)
        elif request.body:
            components = *components, "content-digest"
        message = Message(request)
        moment = datetime.datetime.fromtimestamp(int(time.time()), datetime.timezone.utc)
        created = moment - datetime.timedelta(seconds=age)
        signer = HTTPMessageSigner(
            signature_algorithm=algorithm or (key or self.key).algorithm, key_resolver=key or self.key)
        signer.sign(
            message, key_id=self.id if keyid is None else keyid, created=created,
            expires=None if expires is None else created + datetime.timedelta(seconds=expires),
            nonce=secrets.token_urlsafe(16) if nonce is True else nonce, label=label,
            include_alg=told, covered_component_ids=components,
            append_if_signature_exists=adds, use_existing_digest=adds and bool(request.body),
            body=request.body if request.body and digests else None)
        for name in FIELDS:
            if name in message.headers:
                request.set(name, None)
                request.fields.append((name, message.headers[name]))
        with self.host.lock:
            self.host.words.add(request.value("Signature").split(":")[1])
        return request


class Message:
    """A request as the signer wants it."""

    def __init__(self, request):
        self.method, self.headers = request.method, dict(request.fields)
        self.url = f"http://{request.value('Host')}{request.path}"


def seconds_off(date):
    """How far the time of a `Date` field is from now."""
    return abs(email.utils.parsedate_to_datetime(date).timestamp() - time.time())
