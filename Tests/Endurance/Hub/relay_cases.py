"""Requests that a device signed for one hub or port, relayed to another."""

import re

from companion import Host, address, is_failure, own_address, told
from signature_cases import Line
from signer import Signer


def relays(checks, sizes):
    """A request that was signed for one hub or port is refused at another; `public_url` admits a tunnel."""
    ends, own = [], own_address()
    for mode in ("address", "strict"):
        near, far = Host("--auth", mode), Host("--auth", mode, address="0.0.0.0")
        source = address()
        device = Signer(near, source=source)
        same = Signer(far, source=source, key=device.key)
        checks.check(device.id == same.id, f"one key has the ids {device.id} and {same.id}")
        refused = relayed(checks, near, far, device)
        refused += by_names(checks, far, same, own) if own else 0
        status, answer = Line(far, source).send(same.request("GET", "/companion/projects"))
        checks.check(status == 200, f"{mode}: after relays a device is answered with {status}: {answer}")
        tunnels(checks, near, far, same, own)
        near.hub.stop()
        far.hub.stop()
        far.words |= near.words
        far.keys |= near.keys
        ends.append(f"{mode}: {refused} refused")
    return far, ", ".join(ends) + ("" if own else "; no address but loopback")


def relayed(checks, near, far, device):
    """Relays requests to a hub that a device signed for other authorities. Returns the number of refusals."""
    port, own, refused = far.hub.port, f"127.0.0.1:{far.hub.port}", 0
    authorities = (
        f"127.0.0.1:{near.hub.port}", f"localhost:{near.hub.port}", "127.0.0.1", "localhost",
        f"127.0.0.2:{port}", f"192.168.1.20:{port}", f"[::1]:{port}")
    for authority in authorities:
        for is_foreign in (False, True):
            line = Line(far, device.source, is_foreign)
            for request in asked(device):
                device.sign(request.set("Host", authority))
                refused += judge_relay(checks, line, request, authority, own)
    request = device.request("GET", "/companion/projects")
    refused += judge_relay(
        checks, Line(far, device.source), request, f"127.0.0.1:{near.hub.port}", own)
    status, answer = Line(near, device.source).send(request)
    checks.check(status == 200, f"where it was signed for, it is answered with {status}: {answer}")
    return refused


def asked(device):
    """Yields requests whose effects would be seen."""
    yield device.request("GET", "/companion/projects")
    yield device.request("POST", "/companion/disconnect", b"{}")
    yield device.request("DELETE", f"/companion/devices/{device.id}")


def judge_relay(checks, line, request, authority, own):
    """Checks that the refusal names both authorities and the setting that admits a tunnel."""
    status, answer = line.send(request)
    error = answer.get("error", "") if is_failure(answer) else ""
    return checks.check(
        (status, told(answer), answer.get("kind")) == (401, "AuthExpired", "signature")
        and f"'{authority}'" in error and f"'{own}'" in error
        and f"'public_url = \"http://{authority}\"' under [serve]" in error,
        f"{request.method} for '{authority}' at '{own}' is answered with {status}: {answer}")


def by_names(checks, far, device, own):
    """Checks that `localhost` names a hub on loopback alone. Returns the number of refusals."""
    port, refused = far.hub.port, 0
    line = Line(far, own, target=own)
    for request in asked(device):
        device.sign(request.set("Host", f"localhost:{port}"))
        refused += judge_relay(checks, line, request, f"localhost:{port}", f"{own}:{port}")
    for name, line in ((f"{own}:{port}", line), (f"localhost:{port}", Line(far, device.source))):
        request = device.request("GET", "/companion/projects")
        status, answer = line.send(device.sign(request.set("Host", name)))
        checks.check(status == 200, f"'{name}' is answered with {status}: {answer}")
    return refused


def tunnels(checks, near, far, device, own):
    """Checks that the line in a refusal admits the authority that it names, and no other."""
    request = device.request("GET", "/companion/projects")
    tunnel = f"127.0.0.1:{near.hub.port}"
    device.sign(request.set("Host", tunnel))
    answer = Line(far, device.source).send(request)[1]
    setting = re.search(r"set '(public_url = \"[^\"]*\")'", answer["error"])
    if not checks.check(setting, f"no line is named: {answer}"):
        return
    named = f'public_url = "http://localhost:{far.hub.port}"'
    for line, admitted in ((setting[1], {tunnel}), (named, set())):
        far.scratch.configure(f"[serve]\n{line}\n")
        far.hub.stop()
        far.hub.start()
        for authority in (tunnel, f"127.0.0.1:{far.hub.port}", f"127.0.0.2:{near.hub.port}"):
            device.sign(request.set("Host", authority))
            status, answer = Line(far, device.source).send(request)
            is_right = (status == 200) == (authority in admitted | {f"127.0.0.1:{far.hub.port}"})
            checks.check(is_right, f"with {line} '{authority}' is answered with {status}: {answer}")
    if own:
        # Every machine has the name localhost.
        device.sign(request.set("Host", f"localhost:{far.hub.port}"))
        status, answer = Line(far, own, target=own).send(request)
        checks.check(status == 401, f"{line}: from a network it is answered with {status}: {answer}")


CASES = (relays,)
