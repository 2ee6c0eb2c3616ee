"""Devices that sign, and how changes of their requests are told: what such changes share."""

import base64
import json
import secrets
import threading

from companion import address
from signer import Key, Signer

MUTATIONS = []


class Bench:
    """Devices of a hub that sign, and a chat."""

    def __init__(self, host, folder, project, chat):
        self.host, self.folder, self.project, self.chat = host, folder, project, chat
        forms = ("ed25519", "raw"), ("p256", "spki"), ("ed25519", "ssh")
        self.devices = [Signer(host, kind, form, address()) for kind, form in forms]
        self.stranger = Key("ed25519")
        self.revoked = Signer(host)
        host.operate("DELETE", f"/companion/devices/{self.revoked.id}")
        self.lock, self.accepted, self.said = threading.Lock(), 0, 0

    def device(self, number):
        return self.devices[number % len(self.devices)]

    @property
    def page(self):
        return f"/companion/chats/{self.chat}/messages?cursor=0&limit=2"

    def reading(self, device, number, **options):
        """A request that changes nothing."""
        path = (
            "/companion/status", "/companion/devices", "/companion/projects",
            f"/companion/projects/{self.project}/chats", self.page)[number % 5]
        return device.request("GET", path, **options)

    def talking(self, device, **options):
        """A request that goes on with the chat."""
        body = json.dumps({"prompt": f"what of {secrets.token_hex(4)}?"}).encode()
        return device.request("POST", f"/companion/chats/{self.chat}/continue", body, **options)

    def acting(self, device, number, **options):
        """A request whose effect would be seen."""
        match number % 3:
            case 0: return self.talking(device, **options)
            case 1: return device.request("POST", "/companion/disconnect", b"{}", **options)
            case _: return device.request("DELETE", f"/companion/devices/{device.id}", **options)

    def any(self, chance, **options):
        """A good request of some device."""
        device, number = chance.choice(self.devices), chance.randrange(1000)
        if chance.random() < 0.5:
            return self.reading(device, number, **options)
        return self.acting(device, number, **options)

    def bodied(self, chance, **options):
        """A good request that has a body."""
        device, number = chance.choice(self.devices), chance.randrange(2)
        return self.acting(device, number, **options)

    def state(self):
        """What a request that is accepted would change."""
        status = [
            self.host.ask(
                "GET", "/companion/projects", fields=dict(
                    device.request("GET", "/companion/projects").fields))[0]
            for device in self.devices]
        messages, cursor = 0, "0"
        while cursor is not None:
            path = f"/companion/chats/{self.chat}/messages?cursor={cursor}&limit=500"
            fields = dict(self.devices[0].request("GET", path).fields)
            _, page = self.host.ask("GET", path, fields=fields)
            messages += len(page.get("messages", []))
            cursor = page.get("nextCursor")
        return {
            "devices": sorted(self.host.devices()), "answers": status,
            "messages": messages - 2 * self.said}


def mutation(*others, code="AuthExpired", kinds=("signature",)):
    """Has a change tried, which may be answered with these statuses, too; a 401 has this code, and one of
    these kinds where the code is the usual one."""
    def add(work):
        work.others, work.code, work.kinds = set(others), code, kinds
        MUTATIONS.append(work)
        return work
    return add


def flipped(data, chance):
    """Bytes with one bit changed."""
    at = chance.randrange(len(data) * 8)
    return data[:at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1:]


def signature_of(request):
    return base64.b64decode(request.value("Signature").split(":")[1])


def with_signature(request, data):
    return request.set("Signature", f"sig=:{base64.b64encode(data).decode()}:")


def accepted(bench, request, line):
    """Has a good request accepted."""
    status, answer = line.send(request)
    if status != 200:
        raise AssertionError(f"{request} is answered with {status}: {answer}")
    with bench.lock:
        bench.accepted += 1
    return request
