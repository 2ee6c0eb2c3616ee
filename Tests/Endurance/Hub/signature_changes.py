"""Changes of a request's signature, none of which a hub may accept; see request_changes.py."""

import secrets

from http_message_signatures import algorithms

import hub as hubs
from signed_bench import accepted, flipped, mutation, signature_of, with_signature
from signer import COMPONENTS, Key

# The order of the group of ed25519 (RFC 8032, section 5.1).
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


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


@mutation(kinds=("replayed",))
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


@mutation()
def signed_for_another_host(bench, chance, line):
    # Whoever is asked there could pass it on.
    request, port = bench.any(chance), bench.host.hub.port
    device = next(d for d in bench.devices if d.id in request.value("Signature-Input"))
    hosts = [f"127.0.0.2:{port}", "192.168.1.20:7878", f"[::1]:{port}", "10.0.0.1"]
    return device.sign(request.set("Host", chance.choice(hosts)))


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


@mutation(kinds=("signature", "unsigned"))
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
