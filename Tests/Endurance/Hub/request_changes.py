"""Requests that came before, and changes of what a signed request asks for, none of which a hub may accept.

Each takes the bench, numbers by chance and a line to the hub, and gives a request: a good one with one
change. Most are answered with 401; what else is right is said beside each.
"""

import base64
import hashlib
import secrets

import hub as hubs
from companion import JSON
from signed_bench import accepted, flipped, mutation, signature_of, with_signature

# The order of the group of P-256 (FIPS 186-4, D.1.2.3).
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


# What came before

@mutation(kinds=("replayed",))
def replayed(bench, chance, line):
    device = chance.choice(bench.devices)
    return accepted(bench, bench.reading(device, chance.randrange(5)), line)


@mutation(kinds=("replayed",))
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


@mutation(kinds=("replayed",))
def replayed_elsewhere(bench, chance, line):
    device = chance.choice(bench.devices)
    with_line = type(line)(bench.host)
    return accepted(bench, bench.reading(device, chance.randrange(5)), with_line)


@mutation(kinds=("replayed",))
def replayed_in_other_letters(bench, chance, line):
    request = replayed(bench, chance, line).copy()
    request.fields = [(name.upper(), f" {value}\t") for name, value in reversed(request.fields)]
    return request


@mutation(kinds=("replayed",))
def replayed_under_another_label(bench, chance, line):
    request = replayed(bench, chance, line).copy()
    return request.change("Signature-Input", "sig=", "b=").change("Signature", "sig=", "b=")


@mutation(kinds=("replayed",))
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
        path.replace("companion", "Companion", 1), path[:-1], path + "s",
        "/companion/./" + path[11:], "/companion/../companion/" + path[11:],
        f"/companion/devices/{chance.choice(bench.devices).id}",
        "/companion/projects", "/companion/disconnect", path + "%00", path + ";a"]
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
