"""A companion that pairs with a hub, by what its QR code says."""

import http.client
import json
import time

import hub as hubs


def pair(port, token, name, source="127.0.0.1"):
    """Pairs a companion at an address of loopback; its key is its name. Gives its id."""

    def ask(path, body, fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300, source_address=(source, 0))
        try:
            return hubs.ask(connection, "POST", path, body, fields | {"Content-Type": "application/json"})
        finally:
            connection.close()

    while True:
        started = ask("/companion/pairing/start", {}, {"Authorization": f"Bearer {token}"})[1]
        status, paired = ask("/companion/pairing/complete", {
            "pairingCode": started["code"], "pairingToken": json.loads(started["qrPayload"])["token"],
            "deviceName": name, "devicePublicKey": name}, {})
        if status == 200:
            return paired["connectedDevice"]["id"]
        # An address may try once a second.
        assert status == 429, paired
        time.sleep(1)
