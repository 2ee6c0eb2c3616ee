#!/usr/bin/env python3
"""GitHub's login on 127.0.0.1: the device flow, and the web flow with PKCE.

    github_server.py --token TOKEN [--expires-in SECONDS] [--log FILE]

POST /login/device/code, POST /login/oauth/access_token (the first poll of a device is told to wait, a code
is taken once and with the verifier of its challenge), GET /login/oauth/authorize (redirects with a code).
"""

import base64
import hashlib
import json
from urllib.parse import parse_qs, urlencode, urlsplit

import loopback


class GitHub:
    def __init__(self, token, expires_in=None):
        self.token = token
        self.expires_in = expires_in
        self.polls = 0
        self.challenges = {}

    async def handle(self, exchange):
        request = exchange.request
        target = urlsplit(request.target)
        given = {
            name: values[0]
            for name, values in parse_qs(
                request.body.decode() if request.method == "POST" else target.query
            ).items()
        }
        if target.path == "/login/oauth/authorize":
            code = f"code-{len(self.challenges)}"
            self.challenges[code] = given["code_challenge"]
            back = urlencode({"code": code, "state": given["state"]})
            await exchange.answer(302, [("location", f"{given['redirect_uri']}?{back}")], b"")
            return "complete"
        answer = self.answer(target.path, given)
        await exchange.answer(
            200, [("content-type", "application/json")], json.dumps(answer).encode()
        )
        return "complete"

    def answer(self, path, given):
        if path == "/login/device/code":
            return {
                "device_code": "device-1",
                "user_code": "WDJB-MJHT",
                "verification_uri": "https://github.example/login/device",
                "expires_in": 900,
                "interval": 0.05,
            }
        if given.get("client_id") == "denied":
            return {"error": "access_denied", "error_description": "The user said no."}
        if given.get("device_code") == "device-1":
            self.polls += 1
            return {"error": "authorization_pending"} if self.polls == 1 else self.granted
        challenge = self.challenges.pop(given.get("code"), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        shown = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge is None or challenge != shown:
            return {"error": "bad_verification_code"}
        return self.granted

    @property
    def granted(self):
        granted = {"access_token": self.token, "token_type": "bearer", "scope": ""}
        # GitHub Apps' tokens end, those of OAuth apps do not.
        return granted if self.expires_in is None else granted | {"expires_in": self.expires_in}


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--token", required=True)
    parser.add_argument("--expires-in", type=int, metavar="SECONDS")
    given = parser.parse_args()
    server = GitHub(given.token, given.expires_in)
    loopback.run(
        loopback.Server(server.handle, lambda request: {}, loopback.Log(given.log)),
        given.port,
        given.stay,
    )


if __name__ == "__main__":
    main()
