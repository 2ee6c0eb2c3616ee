"""Changes of signed requests, none of which a hub may accept.

Each takes the bench, numbers by chance and a line to the hub, and gives a request: a good one with one
change. Most are answered with 401; what else is right is said beside each.
"""

import base64
import hashlib
import json
import secrets
import threading

from http_message_signatures import algorithms

import hub as hubs
from companion import JSON, address
from signer import COMPONENTS, Key, Signer

# The order of the group of ed25519 (RFC 8032, section 5.1) and of P-256 (FIPS 186-4, D.1.2.3).
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
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
        fields = dict(self.devices[0].request(
            "GET", f"/companion/chats/{self.chat}/messages?limit=500").fields)
        _, page = self.host.ask(
            "GET", f"/companion/chats/{self.chat}/messages?limit=500", fields=fields)
        return {
            "devices": sorted(self.host.devices()), "answers": status,
            "messages": len(page["messages"]) - 2 * self.said}


def mutation(*others, code=None):
    """Has a change tried, which may be answered with these statuses, too; a 401 has this code."""
    def add(work):
        work.others, work.code = set(others), code
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


# What came before

def accepted(bench, request, line):
    """Has a good request accepted."""
    status, answer = line.send(request)
    if status != 200:
        raise AssertionError(f"{request} is answered with {status}: {answer}")
    with bench.lock:
        bench.accepted += 1
    return request


@mutation()
def replayed(bench, chance, line):
    device = chance.choice(bench.devices)
    return accepted(bench, bench.reading(device, chance.randrange(5)), line)


@mutation()
def replayed_prompt(bench, chance, line):
    with bench.lock:
        # A chat is gone on with by one at a time, and a little longer than the answer takes.
        request = bench.talking(chance.choice(bench.devices))
        hubs.wait_until("the chat is free", lambda: tried(bench, line, request)[0] != 409)
        bench.said += 1
        bench.accepted += 1
    return request


def tried(bench, line, request):
    """Sends a prompt, signed anew if it was tried before."""
    device = next(
        device for device in bench.devices if device.id in request.value("Signature-Input"))
    device.sign(request)
    status, answer = line.send(request)
    if status not in (200, 409):
        raise AssertionError(f"{request} is answered with {status}: {answer}")
    return status, answer


@mutation()
def replayed_elsewhere(bench, chance, line):
    device = chance.choice(bench.devices)
    with_line = type(line)(bench.host)
    return accepted(bench, bench.reading(device, chance.randrange(5)), with_line)


@mutation()
def replayed_in_other_letters(bench, chance, line):
    request = replayed(bench, chance, line).copy()
    request.fields = [(name.upper(), f" {value}\t") for name, value in reversed(request.fields)]
    return request


@mutation()
def replayed_under_another_label(bench, chance, line):
    request = replayed(bench, chance, line).copy()
    return request.change("Signature-Input", "sig=", "b=").change("Signature", "sig=", "b=")


@mutation()
def replayed_with_the_other_root(bench, chance, line):
    # Of ECDSA (r, s) and (r, n - s) are both right: what was signed is known by more than its bytes.
    request = accepted(bench, bench.reading(bench.devices[1], chance.randrange(5)), line).copy()
    data = signature_of(request)
    s = P256_ORDER - int.from_bytes(data[32:], "big")
    return with_signature(request, data[:32] + s.to_bytes(32, "big"))


# What is asked

@mutation(404, 405)
def another_method(bench, chance, line):
    request = bench.any(chance)
    methods = {"GET", "POST", "DELETE", "PUT", "HEAD", "PATCH"} - {request.method}
    return request.copy(method=chance.choice(sorted(methods)))


@mutation(400, 404, 405, 421)
def another_path(bench, chance, line):
    request = bench.any(chance)
    path, mark, query = request.path.partition("?")
    paths = [
        path + "/", path.replace("/companion", "//companion", 1), path.replace("s", "%73", 1),
        path.replace("companion", "Companion", 1), path[:-1], path + "s", "/companion/./" + path[11:], "/companion/../companion/" + path[11:],
        f"/companion/devices/{chance.choice(bench.devices).id}", "/companion/projects",
        "/companion/disconnect", path + "%00", path + ";a"]
    return request.copy(path=chance.choice([each for each in paths if each != path]) + mark + query)


@mutation(400, 404, 421)
def the_target_of_another_host(bench, chance, line):
    # It goes before the Host field (RFC 9112, section 3.2.2).
    request = bench.any(chance)
    host = chance.choice(["evil.example", "127.0.0.1:1", "127.0.0.2"])
    return request.copy(path=f"http://{host}{request.path}")


@mutation()
def another_query(bench, chance, line):
    request = bench.any(chance)
    path, _, query = request.path.partition("?")
    queries = ["cursor=1&limit=2", "limit=2&cursor=0", "cursor=0&limit=2&a=b", "cursor=0", "x=1", ""]
    query = chance.choice([each for each in queries if each != query])
    return request.copy(path=f"{path}?{query}" if query else path)


@mutation(400, 421)
def another_authority(bench, chance, line):
    request, port = bench.any(chance), bench.host.hub.port
    hosts = [
        f"localhost:{port}", f"127.0.0.2:{port}", f"127.0.0.1:{port % 65535 + 1}", "127.0.0.1",
        f"[::1]:{port}", "evil.example", f"evil.example:{port}", f"127.0.0.1.:{port}",
        f"user@127.0.0.1:{port}"]
    return request.set("Host", chance.choice(hosts))


@mutation()
def another_body(bench, chance, line):
    request = bench.bodied(chance)
    body = request.body
    bodies = [
        flipped(body, chance), body + b" ", b" " + body, body[:-1], b"", body + body,
        b'{"prompt":"mine"}']
    return request.copy(body=chance.choice(bodies))


@mutation(400)
def a_body_where_none_was(bench, chance, line):
    request = bench.reading(chance.choice(bench.devices), chance.randrange(5))
    request.fields += JSON.items()
    return request.copy(body=b"{}")


@mutation()
def a_body_that_nobody_signed(bench, chance, line):
    return bench.bodied(chance, digests=False)


@mutation()
def another_digest(bench, chance, line):
    request = bench.bodied(chance)
    value = request.value("Content-Digest")
    long = base64.b64encode(hashlib.sha512(request.body).digest()).decode()
    return request.set("Content-Digest", chance.choice([
        None, "", value.replace("sha-256", "sha-512"), value.replace("sha-256", "md5"),
        value + f", sha-512=:{long}:", f"sha-512=:{long}:", value.replace("=:", "=", 1), value[:-3],
        "sha-256=:" + base64.b64encode(secrets.token_bytes(32)).decode() + ":"]))


@mutation()
def another_body_and_its_digest(bench, chance, line):
    request = bench.bodied(chance).copy(body=b'{"prompt":"mine"}')
    digest = base64.b64encode(hashlib.sha256(request.body).digest()).decode()
    return request.set("Content-Digest", f"sha-256=:{digest}:")


@mutation()
def a_signed_digest_of_another_body(bench, chance, line):
    return bench.bodied(chance).copy(body=b'{"prompt": "mine"}')


# When

@mutation(code="ClockSkew")
def signed_at_another_time(bench, chance, line):
    return bench.any(chance, age=chance.choice([-1, 1]) * chance.choice([310, 600, 86_400, 10**9]))


@mutation()
def another_time(bench, chance, line):
    request = bench.any(chance)
    created = request.value("Signature-Input").split("created=")[1].split(";")[0]
    other = chance.choice([
        str(int(created) + chance.choice([-600, -1, 1, 600])), f"{created}.0", f'"{created}"',
        "-1", "999999999999999", "?1"])
    return request.change("Signature-Input", f"created={created}", f"created={other}")


@mutation()
def no_time(bench, chance, line):
    request = bench.any(chance)
    created = request.value("Signature-Input").split("created=")[1].split(";")[0]
    return request.change("Signature-Input", f";created={created}", "")


@mutation(code="ClockSkew")
def over(bench, chance, line):
    return bench.any(chance, age=100, expires=chance.choice([1, 50, 90]))


@mutation()
def another_end(bench, chance, line):
    request = bench.any(chance)
    return request.set("Signature-Input", request.value("Signature-Input") + ";expires=9999999999")


# Whose, and which

@mutation()
def signed_without_a_nonce(bench, chance, line):
    return bench.any(chance, nonce=chance.choice([None, "", "n" * 129, "n" * 4000]))


@mutation()
def another_nonce(bench, chance, line):
    request = bench.any(chance)
    nonce = request.value("Signature-Input").split('nonce="')[1].split('"')[0]
    other = chance.choice([None, '""', '"other"', f'"{nonce} "', nonce, f":{nonce}:", "1"])
    return request.change(
        "Signature-Input", f';nonce="{nonce}"', f";nonce={other}" if other else "")


@mutation()
def a_used_nonce(bench, chance, line):
    device = chance.choice(bench.devices)
    nonce = secrets.token_hex(8)
    accepted(bench, bench.reading(device, chance.randrange(5), nonce=nonce), line)
    return bench.acting(device, chance.randrange(3), nonce=nonce)


@mutation()
def the_key_of_another(bench, chance, line):
    device, other = chance.sample(bench.devices, 2)
    key = chance.choice([other.key, bench.stranger])
    return bench.acting(device, chance.randrange(3), key=key)


@mutation()
def the_name_of_another(bench, chance, line):
    device, other = chance.sample(bench.devices, 2)
    keyid = chance.choice([other.id, other.id.upper(), device.id.upper(), "nobody", "", "' OR 1=1--"])
    if keyid == device.id:
        return None
    return bench.acting(device, chance.randrange(3), keyid=keyid)


@mutation()
def another_name(bench, chance, line):
    request = bench.any(chance)
    keyid = request.value("Signature-Input").split('keyid="')[1].split('"')[0]
    others = [f';keyid="{device.id}"' for device in bench.devices if device.id != keyid]
    return request.change(
        "Signature-Input", f';keyid="{keyid}"', chance.choice(others + ["", ';keyid=""']))


@mutation(code="DeviceRevoked")
def revoked(bench, chance, line):
    return bench.reading(bench.revoked, chance.randrange(5))


@mutation()
def another_algorithm(bench, chance, line):
    request = bench.any(chance)
    name = request.value("Signature-Input").split('alg="')[1].split('"')[0]
    others = {"ed25519", "ecdsa-p256-sha256", "hmac-sha256", "none", "rsa-pss-sha512"} - {name}
    other = chance.choice([f';alg="{other}"' for other in sorted(others)] + [""])
    return request.change("Signature-Input", f';alg="{name}"', other)


@mutation()
def a_secret_that_is_none(bench, chance, line):
    # As if the public half were a secret of both.
    device = chance.choice(bench.devices)
    shared = Shared(device.key.public.encode())
    return bench.acting(device, chance.randrange(3), key=shared)


class Shared(Key):
    """A public key taken for a secret that both sides have."""

    def __init__(self, secret):
        self.private, self.algorithm = secret, algorithms.HMAC_SHA256


# What is covered

@mutation()
def signed_less(bench, chance, line):
    request = bench.any(chance)
    needed = {"@method", "@authority", "@path"} | ({"@query"} if "?" in request.path else set())
    device = next(d for d in bench.devices if d.id in request.value("Signature-Input"))
    gone = chance.choice(sorted(needed))
    return device.sign(request, [name for name in COMPONENTS if name != gone])


@mutation()
def nothing_signed(bench, chance, line):
    return bench.acting(
        chance.choice(bench.devices), 2, components=chance.choice([(), ("@scheme",), ("host",)]))


@mutation()
def other_components(bench, chance, line):
    request = bench.any(chance)
    old, new = chance.choice([
        ('"@method" ', ""), ('"@authority" ', ""), ('"@path" ', ""), (' "@query"', ""),
        ('"@method" "@authority"', '"@authority" "@method"'), ('"@method"', '"@method" "@method"'),
        ('"@method"', '"@method";req'), ('"@path"', '"@path";sf'), ('"@query"', '"@query" "host"'),
        ('"@path"', '"@target-uri"'), ('"@method"', '"@METHOD"'), ('"@method"', "@method"),
        ('"@query"', '"@query" "@signature-params"'), ('"@query"', '"@query" "absent"')])
    return request.change("Signature-Input", old, new)


# The signature

@mutation()
def other_bits(bench, chance, line):
    request = bench.any(chance)
    return with_signature(request, flipped(signature_of(request), chance))


@mutation()
def another_signature(bench, chance, line):
    request = bench.any(chance)
    data = signature_of(request)
    return with_signature(request, chance.choice([
        b"", data[:63], data + b"\0", bytes(64), b"\xff" * 64, data[32:] + data[:32],
        b"\1" + bytes(63), secrets.token_bytes(64), data * 2]))


@mutation()
def a_signature_beyond_the_order(bench, chance, line):
    # s + L passes the equation of RFC 8032, whose section 5.1.7 forbids it.
    request = bench.acting(bench.devices[0], chance.randrange(3))
    data = signature_of(request)
    s = int.from_bytes(data[32:], "little") + ED25519_ORDER
    return with_signature(request, data[:32] + s.to_bytes(32, "little"))


@mutation()
def another_label(bench, chance, line):
    request = bench.any(chance)
    name = chance.choice(["Signature", "Signature-Input"])
    return request.change(name, "sig=", chance.choice(["b=", "Sig=", "sig2=", "=", "sig"]))


@mutation()
def two_signatures(bench, chance, line):
    device, other = chance.sample(bench.devices, 2)
    request = bench.acting(device, chance.randrange(3))
    signer = chance.choice([device, other])
    return signer.sign(request, label="sig2", adds=True)


@mutation(400)
def a_field_twice(bench, chance, line):
    request, other = bench.bodied(chance), bench.bodied(chance)
    name = chance.choice(["Signature-Input", "Signature", "Content-Digest", "Host"])
    value = chance.choice([request, other]).value(name)
    if name == "Host":
        value = chance.choice([value, "evil.example"])
    field = (name, value)
    if name == "Content-Digest" and value == request.value(name):
        return None
    request.fields.insert(chance.choice([0, len(request.fields)]), field)
    return request


@mutation()
def a_field_less(bench, chance, line):
    request = bench.any(chance)
    gone = [["Signature"], ["Signature-Input"]]
    if hubs.ForeignConnection.is_possible():
        gone.append(["Signature", "Signature-Input"])
    for name in chance.choice(gone):
        request.set(name, None)
    return request


@mutation(400)
def another_text(bench, chance, line):
    request = bench.any(chance)
    name = chance.choice(["Signature-Input", "Signature"])
    value = request.value(name)
    at = chance.randrange(len(value))
    return request.set(name, chance.choice([
        value[:at], value[at + 1:], value + ",", value + ", b", "", value[::-1], value * 2, "(" * 5000,
        "sig=" * 500, value + ";a=" * 1000]))


@mutation(400)
def more_of_a_signature(bench, chance, line):
    # What nobody signed, beside the signature.
    request = bench.any(chance)
    return request.set("Signature", request.value("Signature") + chance.choice([";a", ";created=1"]))
