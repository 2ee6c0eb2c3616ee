#!/usr/bin/env python3
"""Judges push messages by http_ece, a browser's side of RFC 8291, and tokens by py_vapid (RFC 8292).

Reads lines of JSON from standard input: the browser's private key and secret, the body, the message, and the
Authorization field. Prints the number of lines; a fault ends it.
"""
import base64
import json
import sys

import http_ece
import py_vapid
from cryptography.hazmat.primitives.asymmetric import ec


def bare(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


count = 0
for line in sys.stdin:
    case = json.loads(line)
    private = ec.derive_private_key(int.from_bytes(bare(case["private"]), "big"), ec.SECP256R1())
    message = http_ece.decrypt(
        bare(case["body"]), private_key=private, auth_secret=bare(case["secret"]), version="aes128gcm")
    if message != bare(case["message"]):
        sys.exit(f"line {count}: {message!r}")
    if not py_vapid.Vapid02.verify(case["authorization"]):
        sys.exit(f"line {count}: the token is refused")
    claims = json.loads(bare(case["authorization"].split("t=")[1].split(".")[1]))
    if claims["aud"] != case["origin"] or claims.get("sub") != case.get("contact"):
        sys.exit(f"line {count}: {claims}")
    count += 1
print(count)
